// SPDX-License-Identifier: MIT
// Resumes a run: restores the newest checkpoint with a valid checksum, bit for bit, and computes
// later frames and rows again.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "output/frame/frame.h"
#include "run/run_folder.h"
#include "sim/edit/edit.h"
#include "sim/play_state.h"
#include "sim/sim_powder.h"

static firn_result fits(const firn_sim* sim, const firn_frame_info* info, firn_error* error)
{
    if (info->scene_hash != sim->scene.hash)
        return firn_fail(
            error, FIRN_REFUSED_SCENE,
            "the run in '%s' was made from another scene (or other --set, --variant or "
            "--solver): its own scene is '%s/scene.yaml'; to start over, use --overwrite",
            sim->output_dir, sim->output_dir);
    if (strcmp(info->solver, sim->solver->name) != 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "the run in '%s' was made by solver '%s', not '%s'", sim->output_dir,
                         info->solver, sim->solver->name);
    return FIRN_OK;
}

// Checks frame, time and sim's own part of the block; those of the solver are its own.
static firn_result check(const firn_sim* sim, const firn_frame_info* info, int64_t frame,
                         const firn_run_extra* own, firn_error* error)
{
    const double fps = sim->scene.time.fps, most = FIRN_FRAME_NUMBER_MAX;
    if (info->frame != frame)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "it has the state of frame %lld; the manifest lists it as frame %lld",
                         (long long)info->frame, (long long)frame);
    if (!(info->time >= (double)frame / fps && info->time < (double)(frame + 1) / fps))
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "its time is %g s; expected is %g to %g s, as of frame %lld", info->time,
                         (double)frame / fps, (double)(frame + 1) / fps, (long long)frame);
    if (!(own->dt_scale >= FIRN_DT_SCALE_MIN && own->dt_scale <= 1))
        return firn_fail(error, FIRN_REFUSED_DAMAGED, "'dt_scale' is %g; expected is %g to 1",
                         own->dt_scale, FIRN_DT_SCALE_MIN);
    if (own->rollbacks < 0 || (double)own->rollbacks > most || own->culled < 0 ||
        (double)own->culled > most)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "it counts %lld rollbacks and %lld culled particles",
                         (long long)own->rollbacks, (long long)own->culled);
    return FIRN_OK;
}

// Checks and restores the state beside the particles.
static firn_result restore_extra(firn_sim* sim, const firn_frame_info* info, int64_t frame,
                                 const char* extra, size_t size, firn_error* error)
{
    firn_run_extra own;
    const size_t known = sizeof own + sim->extra_size;
    memcpy(&own, extra, sizeof own);
    FIRN_TRY(check(sim, info, frame, &own, error));
    FIRN_TRY(sim->solver->extra_restore(sim->self, extra + sizeof own, sim->extra_size, error));
    if (sim->solver->check_particles != NULL)
        FIRN_TRY(sim->solver->check_particles(sim->self, error));
    size_t before;
    FIRN_TRY(firn_sim_powder_split(sim, extra + known, size - known, &before, error));
    FIRN_TRY(firn_play_restore(sim, extra + known, before, error));
    FIRN_TRY(firn_sim_powder_restore(sim, extra + known + before, size - known - before, error));
    sim->frame = info->frame;
    sim->time = info->time;
    sim->dt_scale = own.dt_scale;
    sim->rollbacks = own.rollbacks;
    sim->culled = own.culled;
    sim->step = info->step;
    firn_sim_edited(sim);  // ids have gaps if particles were added or removed before
    return FIRN_OK;
}

// `frame`: of the manifest's entry.
static firn_result restore(firn_sim* sim, const char* path, int64_t frame, firn_error* error)
{
    firn_frame_info info;
    firn_local count;
    size_t size;
    FIRN_TRY(firn_checkpoint_read_info(path, &info, &count, &size, error));
    FIRN_TRY(fits(sim, &info, error));
    if (size < sizeof(firn_run_extra) + sim->extra_size)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "'%s' was written by another version of firn: its '/extra' is too short",
                         path);
    char* extra = firn_alloc(size + 1, 1);
    if (extra == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    const firn_value_limits limits = {.material_count = sim->scene.material_count};
    const firn_solver* solver = sim->solver;
    const firn_particle_sink ranks = {sim->self, solver->fill_begin, solver->fill_put};
    firn_particles* particles = solver->particles(sim->self);
    firn_result r =
        sim->has_ranks
            ? firn_checkpoint_read_rows(path, &limits, particles, &ranks, extra, size, error)
            : firn_checkpoint_read(path, &limits, particles, extra, size, error);
    if (r == FIRN_OK) {
        firn_error why = {0};
        r = restore_extra(sim, &info, frame, extra, size, &why);
        if (r != FIRN_OK)
            firn_fail(error, r, r == FIRN_REFUSED_DAMAGED ? "'%s' is damaged: %s" : "'%s': %s",
                      path, why.text);
    }
    if (r == FIRN_OK && sim->has_ranks) solver->fill_end(sim->self);
    firn_free(extra);
    return r;
}

firn_result firn_run_folder_restore(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    firn_manifest* manifest = &folder->manifest;
    for (firn_local k = manifest->count - 1; k >= 0; k--) {
        const firn_manifest_entry* entry = &manifest->entries[k];
        if (entry->kind != FIRN_ENTRY_CHECKPOINT) continue;
        firn_error why = {0};
        const firn_result r = firn_manifest_verify(entry, sim->output_dir, &why);
        if (r == FIRN_REFUSED_DAMAGED) {
            firn_log_write(&sim->log, FIRN_LOG_WARNING, "run.damaged",
                           "%s; trying the checkpoint before it", why.text);
            continue;
        }
        // it may be readable the next time, and going back would discard the frames after it
        if (r != FIRN_OK)
            return firn_fail(&sim->error, r,
                             "%s: try again, or remove this checkpoint to continue from the one "
                             "before it",
                             why.text);
        char* path = NULL;
        FIRN_TRY(firn_path_print(&path, &sim->error, "%s/%s", sim->output_dir, entry->file));
        const firn_result restored = restore(sim, path, entry->frame, &sim->error);
        firn_free(path);
        FIRN_TRY(restored);
        const int64_t frame = sim->frame;
        manifest->culled = sim->culled;
        firn_log_write(&sim->log, FIRN_LOG_INFO, "run.resume",
                       "continuing at frame %lld, time %.6g s", (long long)frame, sim->time);
        FIRN_TRY(firn_run_folder_drop_checkpoints(folder));
        return firn_manifest_keep(manifest, sim->output_dir, FIRN_ENTRY_FRAME, 0, frame,
                                  &sim->error);
    }
    firn_log_write(&sim->log, FIRN_LOG_WARNING, "run.resume",
                   "no usable checkpoint in '%s': starting at frame 0", sim->output_dir);
    return firn_manifest_keep(manifest, sim->output_dir, FIRN_ENTRY_FRAME, 1, 0, &sim->error);
}
