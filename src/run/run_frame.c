// SPDX-License-Identifier: MIT
// Writes one frame of a run in all formats that the scene requests.
#include "run/run_frame.h"

#include <stdio.h>

#include "core/file.h"
#include "core/memory.h"
#include "output/export/export.h"
#include "render/fluid/fluids.h"
#include "render/preview/preview.h"
#include "run/export/rest_state.h"
#include "run/frame_picture.h"
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

// What the scene requests of a frame with all fields, the same for all formats. Pictures of fluids
// need to know which particles these are.
static firn_frame select_fields(const firn_frame* whole, const firn_sim* sim)
{
    firn_frame frame = *whole;
    uint32_t wanted = sim->scene.output.fields;
    if (sim->scene.material_count > 1 && firn_fluids_exist(&sim->scene))
        wanted |= FIRN_OUTPUT_BIT(FIRN_FRAME_MATERIAL);
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        if (f != FIRN_FRAME_POSITION && (wanted & FIRN_OUTPUT_BIT(f)) == 0) frame.fields[f] = NULL;
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

static firn_result write_others(firn_run_folder* folder, const firn_frame* frame,
                                const firn_frame* whole)
{
    firn_sim* sim = folder->sim;
    const firn_output_block* out = &sim->scene.output;
    firn_export_target target = {.dir = sim->output_dir,
                                 .ply = (out->points & FIRN_POINTS_PLY) != 0,
                                 .vtp = (out->points & FIRN_POINTS_VTP) != 0,
                                 .voxel = out->voxel,
                                 .rest = firn_rest_state_spacing(&sim->scene)};
    FIRN_TRY(firn_export_frame(frame, &target, &sim->error));
    if (target.ply) FIRN_TRY(list_export(folder, FIRN_ENTRY_PLY, "ply"));
    if (target.vtp) FIRN_TRY(write_series(folder));
    if ((out->volume & FIRN_VOLUME_VDB) == 0) return FIRN_OK;
    // a volume needs masses, velocities and densities, whether the frame contains them or not
    firn_frame moving = *frame;
    moving.mass = whole->mass;
    moving.velocity = whole->velocity;
    moving.density = whole->density;
    target.ply = target.vtp = false;
    target.vdb = true;
    FIRN_TRY(firn_export_frame(&moving, &target, &sim->error));
    return list_export(folder, FIRN_ENTRY_VDB, "vdb");
}

firn_result firn_run_frame_write_picture(firn_run_folder* folder, firn_run_frame* frame)
{
    firn_sim* sim = folder->sim;
    char file[FIRN_ENTRY_BYTES];
    firn_free(folder->preview);
    folder->preview = NULL;
    if (!sim->scene.output.preview) return FIRN_OK;
    FIRN_TRY(firn_folder_make_inside(sim->output_dir, "preview", &sim->error));
    snprintf(file, sizeof file, "preview/%s.%04lld.png", folder->stem, (long long)sim->frame);
    FIRN_TRY(firn_path_print(&folder->preview, &sim->error, "%s/%s", sim->output_dir, file));
    firn_image image;
    FIRN_TRY(firn_frame_drawing_take(&frame->drawing, &image, &sim->error));
    const firn_result r = firn_preview_save(folder->preview, &image, &sim->error);
    firn_image_destroy(&image);
    if (r != FIRN_OK) return r;
    return firn_run_folder_list(folder, FIRN_ENTRY_PREVIEW, sim->frame, file);
}

static firn_result write_files(firn_run_folder* folder, const char* path, firn_run_frame* f)
{
    firn_sim* sim = folder->sim;
    const firn_frame frame = select_fields(&f->whole, sim);
    if (sim->scene.output.preview)
        firn_frame_drawing_begin(&f->drawing, &f->whole, &sim->scene, firn_sim_remote(sim));
    FIRN_TRY(firn_frame_write(path, &frame, (int)sim->scene.output.compression, &sim->error));
    return write_others(folder, &frame, &f->whole);
}

firn_result firn_run_frame_write(firn_run_folder* folder, const char* file, firn_run_frame* out)
{
    firn_sim* sim = folder->sim;
    *out = (firn_run_frame){0};
    FIRN_TRY(firn_sim_fetch(sim));  // once for all formats
    if (firn_sim_remote(sim)) FIRN_TRY(firn_sim_check_values(sim));
    out->density = firn_alloc((size_t)firn_sim_count(sim) + 1, sizeof *out->density);
    out->whole = firn_frame_borrow(sim, out->density);
    const firn_result r = out->density != NULL ? firn_frame_poses_take(sim, &out->whole.bodies,
                                                                       &out->whole.body_count)
                                               : FIRN_BROKEN_MEMORY;
    if (r != FIRN_OK)
        return firn_fail(&sim->error, r, "out of memory writing frame %lld", (long long)sim->frame);
    sim->solver->density(sim->self, out->density);
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, &sim->error, "%s/%s", sim->output_dir, file));
    const firn_result written = write_files(folder, path, out);
    firn_free(path);
    return written;
}

void firn_run_frame_end(firn_run_frame* frame)
{
    firn_frame_drawing_end(&frame->drawing);
    firn_free(frame->density);
    firn_free(frame->whole.bodies);
    *frame = (firn_run_frame){0};
}
