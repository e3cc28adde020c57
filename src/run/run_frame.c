// SPDX-License-Identifier: MIT
// Writes one frame of a run in all formats that the scene requests.
#include "run/run_frame.h"

#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "math/vec3.h"
#include "output/export/export.h"
#include "render/preview/preview.h"
#include "run/frame_poses.h"
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
    firn_path_stem(sim->scene.name != NULL ? sim->scene.name : "", info.scene);
    snprintf(info.solver, sizeof info.solver, "%s", sim->solver->name);
    return info;
}

// Null: there is no such field. Before the first flake a field exists but has no array.
static void* data_of(const firn_sim* sim, const char* name)
{
    static firn_real nothing[1];
    firn_field_view view;
    if (firn_sim_find_field(sim, name, &view) != FIRN_OK) return NULL;
    return view.data != NULL ? (void*)view.data : nothing;
}

// The frame that the scene requests, the same for all formats; arrays are those of the simulation.
static firn_frame borrow_frame(firn_sim* sim, firn_real* density)
{
    firn_frame frame = {.info = firn_run_frame_info(sim), .count = firn_sim_count(sim)};
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        if (f == FIRN_FRAME_POSITION || (sim->scene.output.fields & FIRN_OUTPUT_BIT(f)) != 0)
            frame.fields[f] =
                f == FIRN_FRAME_DENSITY ? density : data_of(sim, firn_field_table[f].name);
    return frame;
}

// Adds KIND/NAME.0001.KIND to the manifest.
static firn_result list_export(firn_run_folder* folder, firn_entry_kind kind, const char* name)
{
    char file[FIRN_ENTRY_BYTES];
    const int64_t frame = folder->sim->frame;
    snprintf(file, sizeof file, "%s/%s.%04lld.%s", name, folder->stem, (long long)frame, name);
    return firn_run_folder_list(folder, kind, frame, file);
}

static firn_result write_series(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    char file[FIRN_ENTRY_BYTES];
    FIRN_TRY(list_export(folder, FIRN_ENTRY_VTP, "vtp"));
    FIRN_TRY(firn_export_series(sim->output_dir, folder->stem, sim->scene.time.fps, 0, sim->frame,
                                &sim->error));
    snprintf(file, sizeof file, "%s.pvd", folder->stem);
    return firn_run_folder_list(folder, FIRN_ENTRY_SERIES, 0, file);
}

static firn_result write_others(firn_run_folder* folder, const firn_frame* frame)
{
    firn_sim* sim = folder->sim;
    const firn_output_block* out = &sim->scene.output;
    firn_export_target target = {.dir = sim->output_dir,
                                 .ply = (out->points & FIRN_POINTS_PLY) != 0,
                                 .vtp = (out->points & FIRN_POINTS_VTP) != 0,
                                 .voxel = out->voxel};
    FIRN_TRY(firn_export_frame(frame, &target, &sim->error));
    if (target.ply) FIRN_TRY(list_export(folder, FIRN_ENTRY_PLY, "ply"));
    if (target.vtp) FIRN_TRY(write_series(folder));
    if ((out->volume & FIRN_VOLUME_VDB) == 0) return FIRN_OK;
    // a volume needs masses and velocities, whether the frame contains them or not
    firn_frame whole = *frame;
    whole.mass = data_of(sim, "mass");
    whole.velocity = data_of(sim, "velocity");
    target.ply = target.vtp = false;
    target.vdb = true;
    FIRN_TRY(firn_export_frame(&whole, &target, &sim->error));
    return list_export(folder, FIRN_ENTRY_VDB, "vdb");
}

// The name of the field that colours the scene's pictures; null: none.
static const char* colour_field(const firn_scene_data* scene)
{
    const int32_t field = scene->render.colour_by.field;
    return field == 0 ? NULL : firn_field_table[field].name;
}

// The values that colour the preview, vectors by their length; null: none, or the solver has no
// such field. `scratch`: buffer for values that are not stored as reals.
static const firn_real* colour_of(const firn_sim* sim, const firn_real* density, firn_real* scratch)
{
    const char* name = colour_field(&sim->scene);
    firn_field_view view;
    if (name == NULL) return NULL;
    if (sim->scene.render.colour_by.field == FIRN_FRAME_DENSITY) return density;
    if (firn_sim_find_field(sim, name, &view) != FIRN_OK || view.data == NULL) return NULL;
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
    const firn_result r = firn_preview_write(path, scene, firn_sim_cell(sim), sim->time, &points,
                                             colour_of(sim, density, scratch), &sim->error);
    firn_free(scratch);
    return r;
}

// Draws the picture with dynamic colliders at their current poses.
static firn_result draw_posed(firn_sim* sim, const firn_frame* frame, const char* path,
                              const firn_real* density)
{
    if (frame->body_count == 0) return draw_preview(sim, &sim->scene, path, density);
    firn_scene_data scene = sim->scene;  // all but the colliders is borrowed
    const size_t count = (size_t)scene.collider_count;
    scene.colliders = firn_alloc(count, sizeof *scene.colliders);
    if (scene.colliders == NULL)
        return firn_fail(&sim->error, FIRN_BROKEN_MEMORY,
                         "out of memory for the colliders of the preview");
    memcpy(scene.colliders, sim->scene.colliders, count * sizeof *scene.colliders);
    firn_result r = firn_frame_poses_put(frame->bodies, frame->body_count, sim->time,
                                         scene.colliders, scene.collider_count, &sim->error);
    if (r == FIRN_OK) r = draw_preview(sim, &scene, path, density);
    firn_free(scene.colliders);
    return r;
}

static firn_result write_preview(firn_run_folder* folder, const firn_frame* frame,
                                 const firn_real* density)
{
    firn_sim* sim = folder->sim;
    char file[FIRN_ENTRY_BYTES];
    firn_free(folder->preview);
    folder->preview = NULL;
    if (!sim->scene.output.preview) return FIRN_OK;
    FIRN_TRY(firn_folder_make_inside(sim->output_dir, "preview", &sim->error));
    snprintf(file, sizeof file, "preview/%s.%04lld.png", folder->stem, (long long)sim->frame);
    FIRN_TRY(firn_path_print(&folder->preview, &sim->error, "%s/%s", sim->output_dir, file));
    FIRN_TRY(draw_posed(sim, frame, folder->preview, density));
    return firn_run_folder_list(folder, FIRN_ENTRY_PREVIEW, sim->frame, file);
}

firn_result firn_run_frame_write(firn_run_folder* folder, const char* file)
{
    firn_sim* sim = folder->sim;
    FIRN_TRY(firn_sim_fetch(sim));  // once for all formats
    if (firn_sim_remote(sim)) FIRN_TRY(firn_sim_check_values(sim));
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, &sim->error, "%s/%s", sim->output_dir, file));
    firn_real* density = firn_alloc((size_t)firn_sim_count(sim) + 1, sizeof *density);
    firn_frame frame = borrow_frame(sim, density);
    firn_result r = density != NULL ? firn_frame_poses_take(sim, &frame.bodies, &frame.body_count)
                                    : FIRN_BROKEN_MEMORY;
    if (r != FIRN_OK)
        firn_fail(&sim->error, r, "out of memory writing frame %lld", (long long)sim->frame);
    if (r == FIRN_OK) {
        sim->solver->density(sim->self, density);
        r = firn_frame_write(path, &frame, (int)sim->scene.output.compression, &sim->error);
    }
    if (r == FIRN_OK) r = write_others(folder, &frame);
    if (r == FIRN_OK) r = write_preview(folder, &frame, density);
    firn_free(density);
    firn_free(frame.bodies);
    firn_free(path);
    return r;
}
