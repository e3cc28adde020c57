// SPDX-License-Identifier: MIT
// The folder of a run: start, frames, checkpoints, end.
#include "sim/run/run_folder.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "output/film/movie.h"
#include "output/frame/frame.h"
#include "render/image/contact_sheet.h"
#include "scene/write/scene_write.h"
#include "sim/play_state.h"
#include "sim/run/run_frame.h"

static firn_result begin(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    static const char* const folders[] = {"frames", "state"};
    for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
        char path[1200];
        snprintf(path, sizeof path, "%s/%s", sim->output_dir, folders[k]);
        FIRN_TRY(firn_folder_make(path, &sim->error));
    }
    firn_manifest* manifest = &folder->manifest;
    snprintf(manifest->scene, sizeof manifest->scene, "%s", sim->scene.name);
    snprintf(manifest->solver, sizeof manifest->solver, "%s", sim->solver->name);
    manifest->scene_hash = sim->scene.hash;
    manifest->fps = sim->scene.time.fps;
    manifest->cell = firn_sim_cell(sim);
    return FIRN_OK;
}

static firn_result write_scene(firn_sim* sim)
{
    char path[1200];
    snprintf(path, sizeof path, "%s/scene.yaml", sim->output_dir);
    char* text = firn_scene_to_yaml(&sim->scene);
    if (text == NULL) return firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory");
    const firn_result r = firn_file_write(path, text, strlen(text), &sim->error);
    firn_free(text);
    return r;
}

// Checks for an existing run: without a manifest there is none, and one without any file is a run
// that ended before its first frame. Whatever else keeps the manifest from being read stops the
// run.
static firn_result look(firn_run_folder* folder, bool* out_exists)
{
    firn_sim* sim = folder->sim;
    firn_error why = {0};
    const firn_result r = firn_manifest_read(sim->output_dir, &folder->manifest, &why);
    *out_exists = r == FIRN_REFUSED_DAMAGED || (r == FIRN_OK && folder->manifest.count > 0);
    if (r == FIRN_OK || r == FIRN_REFUSED_NAME) return FIRN_OK;
    if (r != FIRN_REFUSED_DAMAGED) return firn_fail(&sim->error, r, "%s", why.text);
    if (sim->overwrite) return FIRN_OK;
    return firn_fail(&sim->error, r, "%s (to start over, use --overwrite)", why.text);
}

firn_result firn_run_folder_open(firn_run_folder* folder, firn_sim* sim)
{
    *folder = (firn_run_folder){.sim = sim};
    FIRN_TRY(firn_folder_make(sim->output_dir, &sim->error));
    FIRN_TRY(firn_run_lock_take(sim->output_dir, &folder->lock, &sim->error));
    bool exists;
    FIRN_TRY(look(folder, &exists));
    if (exists && !sim->resume && !sim->overwrite)
        return firn_fail(
            &sim->error, FIRN_REFUSED_IO,
            "'%s' already contains a run of '%s': continue it with --resume, replace it with "
            "--overwrite, or choose another folder with -o",
            sim->output_dir, folder->manifest.scene);
    int64_t resume_step = -1;
    if (exists && sim->resume && !sim->overwrite) {
        FIRN_TRY(firn_run_folder_restore(folder));
        resume_step = sim->step;
    } else if (exists) {
        FIRN_TRY(firn_run_folder_clear(sim->output_dir, folder->manifest.scene, &sim->error));
        firn_manifest_destroy(&folder->manifest);
    }
    FIRN_TRY(begin(folder));
    folder->manifest.frame_end = sim->frame_end;
    folder->manifest.complete = false;
    FIRN_TRY(write_scene(sim));
    // before the first frame, so that there are never frames without a manifest
    FIRN_TRY(firn_manifest_write(sim->output_dir, &folder->manifest, &sim->error));
    if (sim->scene.output.stats)
        FIRN_TRY(firn_stats_open(sim->output_dir, sim->solver->stage_names,
                                 sim->solver->stage_count, resume_step, &folder->stats,
                                 &sim->error));
    return FIRN_OK;
}

static firn_result write_stats(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    if (folder->stats != NULL) {
        for (firn_local k = 0; k < sim->row_count; k++)
            FIRN_TRY(firn_stats_add(folder->stats, &sim->rows[k], &sim->error));
        FIRN_TRY(firn_stats_flush(folder->stats, &sim->error));
    }
    sim->row_count = 0;
    return FIRN_OK;
}

// Adds the checkpoint to the manifest. The file of an older checkpoint of the same frame is removed
// after the manifest has been written.
static firn_result record_checkpoint(firn_run_folder* folder, const char* file)
{
    firn_sim* sim = folder->sim;
    char old[1400] = "";
    const firn_manifest_entry* before =
        firn_manifest_find(&folder->manifest, FIRN_ENTRY_CHECKPOINT, sim->frame);
    if (before != NULL && strcmp(before->file, file) != 0)
        snprintf(old, sizeof old, "%s/%s", sim->output_dir, before->file);
    FIRN_TRY(firn_manifest_add(&folder->manifest, sim->output_dir, FIRN_ENTRY_CHECKPOINT,
                               sim->frame, file, &sim->error));
    FIRN_TRY(firn_manifest_write(sim->output_dir, &folder->manifest, &sim->error));
    if (old[0] != 0) unlink(old);
    return FIRN_OK;
}

firn_result firn_run_folder_checkpoint(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    FIRN_TRY(firn_sim_fetch(sim));
    FIRN_TRY(write_stats(folder));
    folder->manifest.culled = sim->culled;
    char file[256], path[1400];
    const int64_t step = sim->step;
    const double frame_time = (double)sim->frame / sim->scene.time.fps;
    if (sim->time > frame_time) {  // in the middle of a frame: the step makes the name unique
        snprintf(file, sizeof file, "state/%.100s.%04lld.step%lld.h5", sim->scene.name,
                 (long long)sim->frame, (long long)step);
    } else {
        snprintf(file, sizeof file, "state/%.100s.%04lld.h5", sim->scene.name,
                 (long long)sim->frame);
    }
    snprintf(path, sizeof path, "%s/%s", sim->output_dir, file);
    firn_frame_info info = firn_run_frame_info(sim);
    const size_t size = sizeof(firn_run_extra) + sim->extra_size + firn_play_size(sim);
    char* extra = firn_alloc(size, 1);
    if (extra == NULL) return firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory");
    const firn_run_extra own = {sim->dt_scale, sim->rollbacks, sim->culled};
    memcpy(extra, &own, sizeof own);
    sim->solver->extra_save(sim->self, extra + sizeof own);
    firn_play_save(sim, extra + sizeof own + sim->extra_size);
    firn_result r = firn_checkpoint_write(path, &info, sim->solver->particles(sim->self), extra,
                                          size, &sim->error);
    firn_free(extra);
    if (r != FIRN_OK) return r;
    FIRN_TRY(record_checkpoint(folder, file));
    const int64_t every =
        sim->scene.output.checkpoint_every > 0 ? sim->scene.output.checkpoint_every : 1;
    return firn_manifest_keep(&folder->manifest, sim->output_dir, FIRN_ENTRY_CHECKPOINT,
                              sim->frame - (sim->scene.output.checkpoint_keep - 1) * every,
                              sim->frame, &sim->error);
}

firn_result firn_run_folder_write_frame(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    char file[256];
    snprintf(file, sizeof file, "frames/%.100s.%04lld.hdf", sim->scene.name, (long long)sim->frame);
    FIRN_TRY(firn_run_frame_write(sim, file, folder->preview_path, sizeof folder->preview_path));
    folder->manifest.culled = sim->culled;
    FIRN_TRY(firn_manifest_add(&folder->manifest, sim->output_dir, FIRN_ENTRY_FRAME, sim->frame,
                               file, &sim->error));
    const int64_t every = sim->scene.output.checkpoint_every;
    const bool due = sim->frame >= sim->frame_end || (every > 0 && sim->frame % every == 0);
    if (due) return firn_run_folder_checkpoint(folder);
    FIRN_TRY(write_stats(folder));
    return firn_manifest_write(sim->output_dir, &folder->manifest, &sim->error);
}

static void write_film(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    if (!sim->scene.output.preview || !sim->scene.output.film || sim->frame < 1) return;
    char path[1400], pattern[2800];
    snprintf(path, sizeof path, "%s/%s.mp4", sim->output_dir, sim->scene.name);
    // in ffmpeg's pattern a % of the folder or the name must be doubled
    char plain[1300], *to = pattern;
    snprintf(plain, sizeof plain, "%s/preview/%s.", sim->output_dir, sim->scene.name);
    for (const char* c = plain; *c != 0; c++) {
        if (*c == '%') *to++ = '%';
        *to++ = *c;
    }
    snprintf(to, 32, "%%04d.png");
    firn_error why;
    // the pictures are complete, so a failing film is only a warning
    if (firn_movie_write(path, pattern, 0, sim->frame + 1, sim->scene.time.fps, &why) != FIRN_OK)
        firn_log_write(&sim->log, FIRN_LOG_WARNING, "run.film", "%s", why.text);
}

#define SHEET_PICTURES 12
#define SHEET_COLUMNS 4

// Makes the contact sheet: frames evenly spaced from first to last.
static void write_sheet(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    if (!sim->scene.output.preview || !sim->scene.output.film || sim->frame < 1) return;
    const int count = sim->frame + 1 < SHEET_PICTURES ? (int)sim->frame + 1 : SHEET_PICTURES;
    char paths[SHEET_PICTURES][1400], out[1400];
    const char* list[SHEET_PICTURES];
    for (int k = 0; k < count; k++) {
        const long long frame = (long long)sim->frame * k / (count - 1);
        snprintf(paths[k], sizeof paths[k], "%s/preview/%s.%04lld.png", sim->output_dir,
                 sim->scene.name, frame);
        list[k] = paths[k];
    }
    snprintf(out, sizeof out, "%s/%s.sheet.png", sim->output_dir, sim->scene.name);
    firn_error why;
    if (firn_contact_sheet_write(list, count, SHEET_COLUMNS, 1.0 / 3, out, &why) != FIRN_OK)
        firn_log_write(&sim->log, FIRN_LOG_WARNING, "run.sheet", "%s", why.text);
}

firn_result firn_run_folder_finish(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    write_film(folder);
    write_sheet(folder);
    folder->manifest.complete = true;
    return firn_manifest_write(sim->output_dir, &folder->manifest, &sim->error);
}

void firn_run_folder_close(firn_run_folder* folder)
{
    firn_error ignored;
    firn_stats_close(folder->stats, &ignored);
    firn_manifest_destroy(&folder->manifest);
    firn_run_lock_release(&folder->lock);
    *folder = (firn_run_folder){0};
}
