// SPDX-License-Identifier: MIT
// Caches in the public API: reading a run's folder, describing a file, measuring.

#include "core/memory.h"
#include "output/run/cache.h"
#include "output/run/describe.h"
#include "output/run/measure.h"
#include "output/run/trim.h"
#include "run/render/render_settings.h"
#include "scene/data/scene.h"
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

// Trims with the compression that the run's scene has, where frames are only to lose fields.
static firn_result trim(firn_trim_def* def, firn_trim_summary* out_summary, firn_error* error)
{
    firn_scene_data scene = {0};
    int packed = def->compression;
    if (def->fields != NULL && def->compression < 0) {
        FIRN_TRY(firn_render_scene_load(def->dir, NULL, 0, &scene, error));
        packed = (int)scene.output.compression;
        firn_scene_data_destroy(&scene);
    }
    return firn_trim_run(def, packed, out_summary, error);
}

firn_result firn_cache_trim_sized(const firn_trim_def* def, firn_trim_summary* out_summary,
                                  uint32_t size, firn_error* out_error)
{
    out_error = firn_call(out_error);
    firn_trim_def own;
    FIRN_TRY(firn_def_take(FIRN_DEF_TRIM, def, &own, out_error));
    if (own.dir == NULL)
        return firn_fail(out_error, FIRN_REFUSED_ARGUMENT,
                         "firn_cache_trim needs the folder of a run: dir");
    const firn_entry entry = firn_enter(0);
    firn_trim_summary summary = {0};
    const firn_result r = trim(&own, &summary, out_error);
    firn_leave(entry);
    if (out_summary != NULL) firn_give(out_summary, size, &summary, sizeof summary);
    return r;
}

void firn_measure_free(firn_frame_measure* rows)
{
    firn_free(rows);
}
