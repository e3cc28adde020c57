// SPDX-License-Identifier: MIT
// One frame of a run in all the formats that the scene asks for.
#include "sim/run/run_frame.h"

#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "math/vec3.h"
#include "output/export/export.h"
#include "render/preview/preview.h"
#include "sim/frame_poses.h"
#include "state/field_table.h"

firn_frame_info firn_run_frame_info(const firn_sim* sim)
{
    firn_frame_info info = {.frame = sim->frame,
                            .step = sim->step,
                            .time = sim->time,
                            .fps = sim->scene.time.fps,
                            .cell = firn_sim_cell(sim),
                            .scene_hash = sim->scene.hash,
                            .real_bytes = (int)sizeof(firn_real)};
    snprintf(info.scene, sizeof info.scene, "%s", sim->scene.name);
    snprintf(info.solver, sizeof info.solver, "%s", sim->solver->name);
    return info;
}

// What a frame consists of beside the fields that the simulation has.
typedef struct extras {
    firn_real* density;       // owned [kg/m^3]
    firn_frame_body* bodies;  // owned; those that the scene does not drive
    firn_local body_count;
} extras;

static firn_result write_cache(firn_sim* sim, const char* file, const extras* extra)
{
    firn_field_view views[FIRN_FRAME_FIELD_COUNT];
    int count = 0;
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) {
        const firn_field_info* field = &firn_field_table[f];
        const bool wanted =
            f == FIRN_FRAME_POSITION || (sim->scene.output.fields & FIRN_OUTPUT_BIT(f)) != 0;
        if (!wanted) continue;
        if (f == FIRN_FRAME_DENSITY)  // computed by the solver
            views[count++] = (firn_field_view){.name = field->name,
                                               .unit = field->unit,
                                               .type = field->type,
                                               .count = firn_sim_count(sim),
                                               .data = extra->density};
        else if (firn_sim_field(sim, field->name, &views[count]) == FIRN_OK)
            count++;
    }
    char path[1400];
    snprintf(path, sizeof path, "%s/%s", sim->output_dir, file);
    const firn_frame_info info = firn_run_frame_info(sim);
    return firn_frame_write_posed(path, &info, extra->bodies, extra->body_count, views, count,
                                  (int)sim->scene.output.compression, &sim->error);
}

// DIR/folder/NAME.0001.ext, with the folder made.
static firn_result path_in(firn_sim* sim, const char* folder, const char* extension, char* path,
                           size_t size)
{
    snprintf(path, size, "%s/%s", sim->output_dir, folder);
    FIRN_TRY(firn_folder_make(path, &sim->error));
    snprintf(path, size, "%s/%s/%s.%04lld.%s", sim->output_dir, folder, sim->scene.name,
             (long long)sim->frame, extension);
    return FIRN_OK;
}

// Null: there is no such field. Before the first flake a field has no array, but is there.
static const void* data_of(const firn_sim* sim, const char* name)
{
    static const firn_real nothing[1];
    firn_field_view view;
    if (firn_sim_field(sim, name, &view) != FIRN_OK) return NULL;
    return view.data != NULL ? view.data : nothing;
}

static firn_result write_others(firn_sim* sim, const firn_real* density)
{
    const firn_output_block* out = &sim->scene.output;
    const firn_export_target target = {.dir = sim->output_dir,
                                       .ply = (out->points & FIRN_POINTS_PLY) != 0,
                                       .vtp = (out->points & FIRN_POINTS_VTP) != 0,
                                       .vdb = (out->volume & FIRN_VOLUME_VDB) != 0,
                                       .voxel = out->voxel,
                                       .threads = sim->threads};
    if (!target.ply && !target.vtp && !target.vdb) return FIRN_OK;
    // the exporters take a frame; this one only borrows the arrays
    const firn_frame frame = {.info = firn_run_frame_info(sim),
                              .count = firn_sim_count(sim),
                              .position = (firn_vec3*)data_of(sim, "position"),
                              .velocity = (firn_vec3*)data_of(sim, "velocity"),
                              .density = (firn_real*)density,
                              .mass = (firn_real*)data_of(sim, "mass"),
                              .id = (uint32_t*)data_of(sim, "id"),
                              .radius = (firn_real*)data_of(sim, "radius"),
                              .phase = (uint8_t*)data_of(sim, "phase"),
                              .broken = (uint8_t*)data_of(sim, "broken")};
    FIRN_TRY(firn_export_frame(&frame, &target, &sim->error));
    if (!target.vtp) return FIRN_OK;
    return firn_export_series(sim->output_dir, sim->scene.name, sim->scene.time.fps, 0, sim->frame,
                              &sim->error);
}

const char* firn_run_colour_field(const firn_scene_data* scene)
{
    const int32_t field = scene->render.colour_by.field;
    return field == 0 ? NULL : firn_field_table[field].name;
}

// The values that colour the preview, vectors by their length; null: none, or the solver has no
// such field. `scratch` takes values that are not real numbers in memory.
static const firn_real* colour_of(const firn_sim* sim, const firn_real* density, firn_real* scratch)
{
    const char* name = firn_run_colour_field(&sim->scene);
    firn_field_view view;
    if (name == NULL) return NULL;
    if (sim->scene.render.colour_by.field == FIRN_FRAME_DENSITY) return density;
    if (firn_sim_field(sim, name, &view) != FIRN_OK || view.data == NULL) return NULL;
    if (view.type == FIRN_FIELD_REAL) return view.data;
    const firn_vec3* vectors = view.data;
    const uint32_t* numbers = view.data;
    const uint8_t* bytes = view.data;
    for (firn_local p = 0; p < view.count; p++)
        scratch[p] = view.type == FIRN_FIELD_VEC3  ? firn_v3_length(vectors[p])
                     : view.type == FIRN_FIELD_U32 ? (firn_real)numbers[p]
                                                   : bytes[p];
    return scratch;
}

static firn_result draw_preview(firn_sim* sim, const firn_scene_data* scene, const char* path,
                                const firn_real* density)
{
    const firn_snow_points points = {
        data_of(sim, "position"), data_of(sim, "mass"), density,
        data_of(sim, "id"),       firn_sim_count(sim),  data_of(sim, "radius")};
    firn_real* scratch = firn_alloc((size_t)points.count + 1, sizeof *scratch);
    if (scratch == NULL) return firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory");
    const firn_result r =
        firn_preview_write(path, scene, firn_sim_cell(sim), sim->time, &points,
                           colour_of(sim, density, scratch), sim->threads, &sim->error);
    firn_free(scratch);
    return r;
}

static firn_result write_preview(firn_sim* sim, const extras* extra, char* out_preview, size_t size)
{
    out_preview[0] = 0;
    if (!sim->scene.output.preview) return FIRN_OK;
    FIRN_TRY(path_in(sim, "preview", "png", out_preview, size));
    if (extra->body_count == 0) return draw_preview(sim, &sim->scene, out_preview, extra->density);
    // the scene with its bodies where they are; everything else is borrowed
    firn_scene_data scene = sim->scene;
    const size_t count = (size_t)scene.collider_count;
    scene.colliders = firn_alloc(count, sizeof *scene.colliders);
    if (scene.colliders == NULL)
        return firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "no memory for the preview's colliders");
    memcpy(scene.colliders, sim->scene.colliders, count * sizeof *scene.colliders);
    firn_result r = firn_frame_poses_put(extra->bodies, extra->body_count, sim->time,
                                         scene.colliders, scene.collider_count, &sim->error);
    if (r == FIRN_OK) r = draw_preview(sim, &scene, out_preview, extra->density);
    firn_free(scene.colliders);
    return r;
}

firn_result firn_run_frame_write(firn_sim* sim, const char* file, char* out_preview, size_t size)
{
    FIRN_TRY(firn_sim_fetch(sim));  // once for all that follows
    extras extra = {.density = firn_alloc((size_t)firn_sim_count(sim) + 1, sizeof(firn_real))};
    firn_result r = extra.density != NULL
                        ? firn_frame_poses_take(sim, &extra.bodies, &extra.body_count)
                        : FIRN_BROKEN_MEMORY;
    if (r != FIRN_OK) firn_fail(&sim->error, r, "no memory for frame %lld", (long long)sim->frame);
    if (r == FIRN_OK) {
        sim->solver->density(sim->self, extra.density);
        r = write_cache(sim, file, &extra);
    }
    if (r == FIRN_OK) r = write_others(sim, extra.density);
    if (r == FIRN_OK) r = write_preview(sim, &extra, out_preview, size);
    firn_free(extra.density);
    firn_free(extra.bodies);
    return r;
}
