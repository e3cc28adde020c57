// SPDX-License-Identifier: MIT
// Resumes a run: restores the newest checkpoint with a valid checksum, bit for bit, and computes
// later frames and rows again.
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "output/frame/frame.h"
#include "sim/play_state.h"
#include "sim/run/run_folder.h"

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

static firn_result restore(firn_sim* sim, const char* path, firn_error* error)
{
    firn_frame_info info;
    firn_local count;
    size_t size;
    FIRN_TRY(firn_checkpoint_read_info(path, &info, &count, &size, error));
    FIRN_TRY(fits(sim, &info, error));
    char* extra = firn_alloc(size + 1, 1);
    if (extra == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_run_extra own;
    firn_result r =
        size >= sizeof own + sim->extra_size
            ? firn_checkpoint_read(path, sim->solver->particles(sim->self), extra, size, error)
            : firn_fail(error, FIRN_REFUSED_DAMAGED, "'%s' was written by another version of firn",
                        path);
    if (r == FIRN_OK) {
        memcpy(&own, extra, sizeof own);
        if (!(own.dt_scale > 0 && own.dt_scale <= 1)) r = FIRN_REFUSED_DAMAGED;
    }
    if (r == FIRN_OK)
        r = sim->solver->extra_restore(sim->self, extra + sizeof own, sim->extra_size);
    const size_t known = sizeof own + sim->extra_size;
    if (r == FIRN_OK) r = firn_play_restore(sim, extra + known, size - known, error);
    firn_free(extra);
    if (r != FIRN_OK) return r;
    sim->frame = info.frame;
    sim->time = info.time;
    sim->dt_scale = own.dt_scale;
    sim->rollbacks = own.rollbacks;
    sim->culled = own.culled;
    sim->step = info.step;
    return FIRN_OK;
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
        const firn_result restored = restore(sim, path, &sim->error);
        firn_free(path);
        FIRN_TRY(restored);
        const int64_t frame = sim->frame;
        manifest->culled = sim->culled;
        firn_log_write(&sim->log, FIRN_LOG_INFO, "run.resume",
                       "continuing at frame %lld, time %.6g s", (long long)frame, sim->time);
        FIRN_TRY(firn_manifest_keep(manifest, sim->output_dir, FIRN_ENTRY_CHECKPOINT, 0, frame,
                                    &sim->error));
        return firn_manifest_keep(manifest, sim->output_dir, FIRN_ENTRY_FRAME, 0, frame,
                                  &sim->error);
    }
    firn_log_write(&sim->log, FIRN_LOG_WARNING, "run.resume",
                   "no usable checkpoint in '%s': starting at frame 0", sim->output_dir);
    return firn_manifest_keep(manifest, sim->output_dir, FIRN_ENTRY_FRAME, 1, 0, &sim->error);
}
