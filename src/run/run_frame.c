// SPDX-License-Identifier: MIT
#include "run/run_frame.h"

#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/threads/copy.h"
#include "output/export/export.h"
#include "render/fluid/fluids.h"
#include "render/preview/preview.h"
#include "run/export/rest_state.h"
#include "run/frame_picture.h"
#include "run/frame_poses.h"
#include "run/frame_powder.h"
#include "run/frame_rows.h"
#include "sim/edit/edit.h"
#include "solver/collider_load.h"
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

// ---- taking -------------------------------------------------------------------------------------

size_t firn_run_frame_bytes(const firn_sim* sim)
{
    return (size_t)firn_sim_count(sim) *
               (firn_particles_bytes_each(sim->solver->particles(sim->self)) + sizeof(firn_real)) +
           firn_frame_powder_bytes(sim);
}

firn_progress firn_run_progress(const firn_sim* sim)
{
    return (firn_progress){.frame = sim->frame,
                           .frame_end = sim->frame_end,
                           .step = sim->step,
                           .time = sim->time,
                           .dt = sim->last.dt,
                           .frame_fraction = 1,
                           .iterations = sim->last.iterations,
                           .particle_count = firn_sim_count(sim),
                           .culled = sim->culled,
                           .frame_done = true};
}

static bool writes_checkpoint(const firn_sim* sim, bool skips)
{
    const int64_t every = sim->scene.output.checkpoint_every;
    if (sim->frame >= sim->frame_end) return true;
    return !skips && every > 0 && sim->frame % every == 0;
}

// Where `from` has a field, the frame has that of `to` from now on.
static void point_to(firn_frame* frame, const firn_particles* from, const firn_particles* to)
{
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        for (int k = 0; k < from->field_count; k++)
            if (frame->fields[f] != NULL && frame->fields[f] == from->fields[k].data)
                frame->fields[f] = to->fields[k].data;
}

// Makes `copy` as large as the particles are, with some room for those that emitters add.
static firn_result make_room(firn_particles* copy, const firn_particles* from)
{
    if (copy->capacity >= from->count && copy->field_count == from->field_count) return FIRN_OK;
    firn_particles_destroy(copy);
    *copy = *from;
    copy->count = copy->capacity = 0;
    copy->spare = NULL;
    for (int k = 0; k < copy->field_count; k++) copy->fields[k].data = NULL;
    const firn_local most = INT32_MAX - from->count;
    return firn_particles_reserve(copy,
                                  from->count + (from->count / 8 < most ? from->count / 8 : most));
}

static bool has_field(const firn_frame* frame, const void* data)
{
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        if (frame->fields[f] == data) return true;
    return false;
}

static firn_result copy_particles(firn_run_frame* f)
{
    const firn_particles* from = f->particles;
    FIRN_TRY(make_room(&f->copy, from));
    f->copy.count = from->count;
    for (int k = 0; k < from->field_count; k++)
        if (f->checkpoint || has_field(&f->whole, from->fields[k].data))
            firn_share_copy(f->copy.fields[k].data, from->fields[k].data,
                            (size_t)from->count * from->fields[k].size);
    point_to(&f->whole, from, &f->copy);
    f->particles = &f->copy;
    return FIRN_OK;
}

static firn_result take_rows(firn_run_frame* f, firn_sim* sim)
{
    const size_t count = (size_t)sim->row_count, loads = count * (size_t)sim->load_count;
    if (f->folder->stats == NULL || count == 0) return FIRN_OK;
    f->rows = firn_alloc(count, sizeof *f->rows);
    f->row_loads = firn_alloc(loads + 1, sizeof *f->row_loads);
    if (f->rows == NULL || f->row_loads == NULL) return FIRN_BROKEN_MEMORY;
    memcpy(f->rows, sim->rows, count * sizeof *f->rows);
    if (loads > 0) memcpy(f->row_loads, sim->row_loads, loads * sizeof *f->row_loads);
    f->row_count = sim->row_count;
    return FIRN_OK;
}

static firn_result take_state(firn_run_frame* f, firn_sim* sim, bool copies)
{
    f->particles = sim->solver->particles(sim->self);
    if (f->reads) {
        FIRN_TRY(firn_frame_rows_take(sim, &f->ranks, &f->whole, f->loaded));
    } else {
        if (!firn_reserve((void**)&f->density, &f->density_capacity, firn_sim_count(sim) + 1,
                          sizeof *f->density))
            return FIRN_BROKEN_MEMORY;
        f->whole = firn_frame_borrow(sim, f->density);
    }
    FIRN_TRY(firn_frame_poses_take(sim, &f->whole.bodies, &f->whole.body_count));
    FIRN_TRY(take_rows(f, sim));
    if (copies && sim->scene.output.preview)
        firn_frame_poses_hold(&sim->scene, f->whole.info.time, &f->keys);
    if (!f->reads) sim->solver->density(sim->self, f->density);
    if (f->checkpoint) {
        f->extra = firn_run_extra_take(sim, &f->extra_size);
        if (f->extra == NULL) return FIRN_BROKEN_MEMORY;
    }
    FIRN_TRY(firn_frame_powder_join(sim, &f->whole, f->joined));
    return copies ? copy_particles(f) : FIRN_OK;
}

firn_result firn_run_frame_take(firn_run_folder* folder, firn_run_take how, firn_run_frame* frame)
{
    firn_sim* sim = folder->sim;
    frame->folder = folder;
    frame->checkpoint = writes_checkpoint(sim, how.skips);
    frame->result = FIRN_OK;
    // once for all formats
    FIRN_TRY(firn_frame_rows_open(sim, firn_frame_rows_suffice(sim), &frame->ranks, &frame->reads));
    if (frame->checkpoint) FIRN_TRY(firn_sim_settle(sim));
    const bool checks = frame->checkpoint || firn_sim_remote(sim);
    if (checks && !frame->reads) FIRN_TRY(firn_sim_check_values(sim));
    frame->progress = firn_run_progress(sim);
    const firn_result r = take_state(frame, sim, how.copies);
    if (r != FIRN_OK && r != FIRN_BROKEN_MEMORY) return r;  // of another rank: it has its message
    if (r != FIRN_OK)
        return firn_fail(&sim->error, r, "out of memory writing frame %lld", (long long)sim->frame);
    sim->row_count = 0;
    return FIRN_OK;
}

void firn_run_frame_end(firn_run_frame* frame)
{
    firn_frame_drawing_end(&frame->drawing);
    firn_frame_keys_release(&frame->keys);
    firn_frame_powder_end(frame->joined);
    firn_frame_rows_unload(frame->loaded);
    if (frame->reads) firn_frame_rows_close(frame->folder->sim);
    void* owned[] = {frame->whole.bodies, frame->extra, frame->rows, frame->row_loads,
                     frame->preview};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) firn_free(owned[k]);
    const firn_run_frame kept = *frame;
    *frame = (firn_run_frame){
        .density = kept.density, .density_capacity = kept.density_capacity, .copy = kept.copy};
}

void firn_run_frame_destroy(firn_run_frame* frame)
{
    firn_run_frame_end(frame);
    firn_free(frame->density);
    firn_particles_destroy(&frame->copy);
    *frame = (firn_run_frame){0};
}

// ---- writing ------------------------------------------------------------------------------------

// What the scene requests of a frame with all fields, the same for all formats. Pictures of fluids
// need to know which particles these are.
static firn_frame select_fields(const firn_frame* whole, const firn_sim* sim)
{
    firn_frame frame = *whole;
    uint32_t wanted = sim->scene.output.fields;
    if (sim->scene.material_count > 1 && firn_fluids_exist(&sim->scene))
        wanted |= FIRN_OUTPUT_BIT(FIRN_FRAME_MATERIAL);
    wanted |= FIRN_OUTPUT_BIT(FIRN_FRAME_POWDER);
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++)
        if (f != FIRN_FRAME_POSITION && (wanted & FIRN_OUTPUT_BIT(f)) == 0) {
            frame.fields[f] = NULL;
            frame.row_field[f] = FIRN_ROWS_NONE;
        }
    return frame;
}

// Measures a file that was written, for the manifest.
static firn_result list(firn_run_frame* f, firn_entry_kind kind, const char* file)
{
    FIRN_TRY(firn_manifest_measure(f->folder->sim->output_dir, kind, f->whole.info.frame, file,
                                   &f->files[f->file_count], &f->error));
    f->file_count++;
    return FIRN_OK;
}

// KIND/NAME.0001.KIND
static firn_result list_export(firn_run_frame* f, firn_entry_kind kind, const char* name)
{
    char file[FIRN_ENTRY_BYTES];
    snprintf(file, sizeof file, "%s/%s.%04lld.%s", name, f->folder->stem,
             (long long)f->whole.info.frame, name);
    return list(f, kind, file);
}

static firn_result write_others(firn_run_frame* f, const firn_frame* frame)
{
    const firn_sim* sim = f->folder->sim;
    const firn_output_block* out = &sim->scene.output;
    firn_export_target target = {.dir = sim->output_dir,
                                 .ply = (out->points & FIRN_POINTS_PLY) != 0,
                                 .vtp = (out->points & FIRN_POINTS_VTP) != 0,
                                 .voxel = out->voxel,
                                 .rest = firn_rest_state_spacing(&sim->scene)};
    FIRN_TRY(firn_export_frame(frame, &target, &f->error));
    if (target.ply) FIRN_TRY(list_export(f, FIRN_ENTRY_PLY, "ply"));
    if (target.vtp) FIRN_TRY(list_export(f, FIRN_ENTRY_VTP, "vtp"));
    if ((out->volume & FIRN_VOLUME_VDB) == 0) return FIRN_OK;
    // a volume needs masses, velocities and densities, whether the frame contains them or not
    firn_frame moving = *frame;
    moving.mass = f->whole.mass;
    moving.velocity = f->whole.velocity;
    moving.density = f->whole.density;
    target.ply = target.vtp = false;
    target.vdb = true;
    FIRN_TRY(firn_export_frame(&moving, &target, &f->error));
    return list_export(f, FIRN_ENTRY_VDB, "vdb");
}

static firn_result write_frame(firn_run_frame* f)
{
    const firn_sim* sim = f->folder->sim;
    const firn_frame frame = select_fields(&f->whole, sim);
    char file[FIRN_ENTRY_BYTES], *path = NULL;
    snprintf(file, sizeof file, "frames/%s.%04lld.hdf", f->folder->stem,
             (long long)f->whole.info.frame);
    FIRN_TRY(firn_path_print(&path, &f->error, "%s/%s", sim->output_dir, file));
    const firn_result r =
        firn_frame_write(path, &frame, (int)sim->scene.output.compression, &f->error);
    firn_free(path);
    if (r != FIRN_OK) return r;
    FIRN_TRY(write_others(f, &frame));
    return list(f, FIRN_ENTRY_FRAME, file);
}

static firn_result write_checkpoint(firn_run_frame* f)
{
    char file[FIRN_ENTRY_BYTES], *path = NULL;
    if (!f->checkpoint) return FIRN_OK;
    snprintf(file, sizeof file, "state/%s.%04lld.h5", f->folder->stem,
             (long long)f->whole.info.frame);
    FIRN_TRY(firn_path_print(&path, &f->error, "%s/%s", f->folder->sim->output_dir, file));
    const firn_result r =
        firn_checkpoint_write(path, &f->whole.info, f->particles, f->reads ? &f->ranks : NULL,
                              f->extra, f->extra_size, &f->error);
    firn_free(path);
    return r != FIRN_OK ? r : list(f, FIRN_ENTRY_CHECKPOINT, file);
}

static firn_result write_picture(firn_run_frame* f)
{
    const firn_sim* sim = f->folder->sim;
    char file[FIRN_ENTRY_BYTES];
    if (!sim->scene.output.preview) return FIRN_OK;
    FIRN_TRY(firn_folder_make_inside(sim->output_dir, "preview", &f->error));
    snprintf(file, sizeof file, "preview/%s.%04lld.png", f->folder->stem,
             (long long)f->whole.info.frame);
    FIRN_TRY(firn_path_print(&f->preview, &f->error, "%s/%s", sim->output_dir, file));
    firn_image image;
    FIRN_TRY(firn_frame_drawing_take(&f->drawing, &image, &f->error));
    firn_frame_keys_release(&f->keys);
    const firn_result r = firn_preview_save(f->preview, &image, &f->error);
    firn_image_destroy(&image);
    return r != FIRN_OK ? r : list(f, FIRN_ENTRY_PREVIEW, file);
}

void firn_run_frame_write(firn_run_frame* frame, bool beside)
{
    const firn_scene_data* scene = &frame->folder->sim->scene;
    if (scene->output.preview)
        firn_frame_drawing_begin(&frame->drawing, &frame->whole, scene, beside);
    frame->result = write_frame(frame);
    if (frame->result == FIRN_OK) frame->result = write_checkpoint(frame);
    if (frame->result == FIRN_OK) frame->result = write_picture(frame);
}
