// SPDX-License-Identifier: MIT
// Caches in the public API: reading a run's folder, describing a file, exporting.

#include "core/memory.h"
#include "output/export/export.h"
#include "output/run/cache.h"
#include "output/run/describe.h"
#include "output/run/measure.h"
#include "run/render/render_settings.h"
#include "scene/data/snow.h"
#include "sim/defs.h"
#include "sim/entry.h"
#include "sim/sim.h"

firn_result firn_cache_read_sized(const char* dir, bool verify, firn_cache_info* out_info,
                                  uint32_t size, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (dir == NULL || out_info == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_cache_read needs a folder and room for its summary");
    firn_cache_info info = {0};
    const firn_result r = firn_cache_summarize(dir, verify, &info, out_error);
    if (r == FIRN_OK) firn_give(out_info, size, &info, sizeof info);
    return r;
}

firn_result firn_file_describe(const char* path, char** out_text, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (path == NULL || out_text == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_file_describe needs a path and room for its text");
    return firn_describe_file(path, out_text, out_error);
}

// Exports with what the run's scene says of snow at rest.
static firn_result export_meshes(const firn_export_def* def, firn_error* error)
{
    firn_scene_data scene = {0};
    FIRN_TRY(firn_render_scene_load(def->input_dir, NULL, 0, &scene, error));
    firn_real* density = firn_alloc((size_t)scene.material_count + 1, sizeof *density);
    firn_result r = FIRN_BROKEN_MEMORY;
    if (density != NULL) {
        for (firn_local m = 0; m < scene.material_count; m++)
            density[m] = (firn_real)scene.materials[m].snow.density;
        const firn_rest_state rest = {
            density, scene.material_count,
            scene.snow_count > 0 ? (double)scene.snow[0].particles_per_cell : 8};
        r = firn_export_run(def, &rest, error);
    } else {
        firn_fail(error, r, "out of memory for the materials of '%s'", def->input_dir);
    }
    firn_free(density);
    firn_scene_data_destroy(&scene);
    return r;
}

firn_result firn_export(const firn_export_def* def, firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_export_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_EXPORT, def, &own, out_error));
    def = &own;
    if (def->input_dir == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_export needs the folder of a run: input_dir");
    if (!def->ply && !def->vtp && !def->vdb && !def->heights && !def->mesh)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "nothing to export: choose ply, vtp, vdb, heights or mesh");
    const firn_entry entry = firn_enter(0);
    const firn_result r = def->mesh ? export_meshes(def, out_error)
                                    : firn_export_run(def, &(firn_rest_state){0}, out_error);
    firn_leave(entry);
    return r;
}

firn_result firn_cache_measure_sized(const firn_measure_def* def, uint32_t size,
                                     firn_frame_measure** out_rows, int* out_count,
                                     firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_measure_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_MEASURE, def, &own, out_error));
    if (own.input_dir == NULL || out_rows == NULL || out_count == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_cache_measure needs the folder of a run (input_dir) and room for "
                         "its rows");
    FIRN_TRY(firn_rows_give(NULL, 0, sizeof **out_rows, size, out_error));
    const firn_entry entry = firn_enter(own.threads);
    const firn_result r = firn_measure_run(&own, out_rows, out_count, out_error);
    firn_leave(entry);
    return r == FIRN_OK ? firn_rows_give(*out_rows, *out_count, sizeof **out_rows, size, out_error)
                        : r;
}

void firn_measure_free(firn_frame_measure* rows)
{
    firn_free(rows);
}
