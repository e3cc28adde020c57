// SPDX-License-Identifier: MIT
// The folder of a run: start, frames, checkpoints, end.
// Longer than 400 lines because all that writes the manifest is in one place.
#include "run/run_folder.h"

#include <stdio.h>
#include <string.h>

#include "core/draft.h"
#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "output/export/export.h"
#include "output/film/movie.h"
#include "output/frame/frame.h"
#include "render/image/contact_sheet.h"
#include "run/frame_rows.h"
#include "run/run_frame.h"
#include "run/run_loads.h"
#include "scene/write/scene_write.h"
#include "sim/edit/edit.h"
#include "sim/play_state.h"
#include "sim/sim_powder.h"
#include "solver/collider_load.h"

const char* const firn_run_folders[] = {"frames",    "state",        "preview",  "ply",  "vtp",
                                        "vdb",       "heights",      "pictures", "mesh", "sdf",
                                        "colliders", FIRN_RUN_START, NULL};

#define FRAMES_MAX 1000000

// Files of a whole run: those of its frames, and the checkpoints that are kept.
static int64_t expected_files(const firn_sim* sim)
{
    const firn_output_block* o = &sim->scene.output;
    const int per_frame = 1 + o->preview + ((o->points & FIRN_POINTS_PLY) != 0) +
                          ((o->points & FIRN_POINTS_VTP) != 0) +
                          ((o->volume & FIRN_VOLUME_VDB) != 0);
    const int64_t frames = sim->frame_end < FRAMES_MAX ? sim->frame_end + 1 : FRAMES_MAX;
    const int64_t states = o->checkpoint_keep < frames ? o->checkpoint_keep : frames;
    return frames * per_frame + states + 4;  // and the files of the whole run
}

static firn_result begin(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    FIRN_TRY(firn_folder_make_inside(sim->output_dir, "frames", &sim->error));
    FIRN_TRY(firn_folder_make_inside(sim->output_dir, "state", &sim->error));
    firn_manifest* manifest = &folder->manifest;
    snprintf(manifest->scene, sizeof manifest->scene, "%s", folder->stem);
    snprintf(manifest->solver, sizeof manifest->solver, "%s", sim->solver->name);
    manifest->scene_hash = sim->scene.hash;
    manifest->fps = sim->scene.time.fps;
    manifest->cell = firn_sim_cell(sim);
    return firn_manifest_reserve(manifest, expected_files(sim), &sim->error);
}

// Removes what a crash has left of files that were being written.
static void clean(const firn_sim* sim)
{
    firn_draft_clean(sim->output_dir);
    for (size_t k = 0; firn_run_folders[k] != NULL; k++) {
        char* path = NULL;
        if (firn_path_print(&path, NULL, "%s/%s", sim->output_dir, firn_run_folders[k]) == FIRN_OK)
            firn_draft_clean(path);
        firn_free(path);
    }
}

static firn_result write_scene(firn_sim* sim)
{
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, &sim->error, "%s/scene.yaml", sim->output_dir));
    char* text = firn_scene_to_yaml(&sim->scene);
    const firn_result r = text != NULL
                              ? firn_file_write(path, text, strlen(text), &sim->error)
                              : firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_free(text);
    firn_free(path);
    return r;
}

// In a folder without a run, files with the names of its own are somebody else's: a scene.yaml may
// be the scene itself.
static firn_result check_others(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    // a '.' at the beginning: after NAME
    static const char* const names[] = {"scene.yaml", "stats.csv", ".mp4", ".sheet.png", ".pvd"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char* path = NULL;
        FIRN_TRY(firn_path_print(&path, &sim->error, "%s/%s%s", sim->output_dir,
                                 names[k][0] == '.' ? folder->stem : "", names[k]));
        firn_result r = FIRN_OK;
        if (!firn_file_is_missing(path))
            r = firn_fail(&sim->error, FIRN_REFUSED_IO,
                          "'%s' has no run, but '%s', which a run would replace: choose another "
                          "folder with -o, or replace it with --overwrite",
                          sim->output_dir, path);
        firn_free(path);
        FIRN_TRY(r);
    }
    return FIRN_OK;
}

// What it starts from does not count: that is there before the run.
static bool has_files(const firn_manifest* m)
{
    for (firn_local k = 0; k < m->count; k++)
        if (m->entries[k].kind != FIRN_ENTRY_START) return true;
    return false;
}

// Checks for an existing run: without a manifest there is none, and one without any file is a run
// that ended before its first frame. Whatever else keeps the manifest from being read stops the
// run.
static firn_result look(firn_run_folder* folder, bool* out_exists)
{
    firn_sim* sim = folder->sim;
    firn_error why = {0};
    const firn_result r = firn_manifest_read(sim->output_dir, &folder->manifest, &why);
    *out_exists = r == FIRN_REFUSED_DAMAGED || (r == FIRN_OK && has_files(&folder->manifest));
    if (r == FIRN_OK) return FIRN_OK;
    if (r == FIRN_REFUSED_NAME) return sim->overwrite ? FIRN_OK : check_others(folder);
    if (r != FIRN_REFUSED_DAMAGED) return firn_fail(&sim->error, r, "%s", why.text);
    if (sim->overwrite) return FIRN_OK;
    return firn_fail(&sim->error, r, "%s (to start over, use --overwrite)", why.text);
}

firn_result firn_run_folder_open(firn_run_folder* folder, firn_sim* sim)
{
    *folder = (firn_run_folder){.sim = sim};
    firn_path_stem(sim->scene.name != NULL ? sim->scene.name : "", folder->stem);
    FIRN_TRY(firn_folder_make(sim->output_dir, &sim->error));
    FIRN_TRY(firn_run_lock_take(sim->output_dir, &folder->lock, &sim->error));
    bool exists;
    FIRN_TRY(look(folder, &exists));
    clean(sim);
    if (exists && !sim->resume && !sim->overwrite)
        return firn_fail(
            &sim->error, FIRN_REFUSED_IO,
            "'%s' already contains a run of '%s': continue it with --resume, replace it with "
            "--overwrite, or choose another folder with -o",
            sim->output_dir, folder->manifest.scene);
    int64_t resume_step = -1;
    if (exists && sim->resume && !sim->overwrite) {
        const firn_result restored = firn_run_folder_restore(folder);
        if (restored == FIRN_REFUSED_SCENE) firn_run_folder_drop_start(folder);
        FIRN_TRY(restored);
        resume_step = sim->step;
    } else if (exists) {
        FIRN_TRY(firn_run_folder_clear(folder));
        firn_manifest_destroy(&folder->manifest);
    }
    FIRN_TRY(begin(folder));
    folder->manifest.frame_end = sim->frame_end;
    folder->manifest.complete = false;
    FIRN_TRY(firn_run_folder_list_start(folder));
    // first, so that there are never files of a run without a manifest
    FIRN_TRY(firn_manifest_write(sim->output_dir, &folder->manifest, &sim->error));
    FIRN_TRY(write_scene(sim));
    if (sim->scene.output.stats)
        FIRN_TRY(firn_stats_open(sim->output_dir, sim->solver->stage_names,
                                 sim->solver->stage_count, sim->load_count, resume_step,
                                 &folder->stats, &sim->error));
    return resume_step >= 0 ? firn_run_loads_resume(sim) : FIRN_OK;
}

// `loads`: [count][colliders]
static firn_result write_stats(firn_run_folder* folder, const firn_step_report* rows,
                               const firn_collider_load* loads, firn_local count, firn_error* error)
{
    if (folder->stats == NULL) return FIRN_OK;
    for (firn_local k = 0; k < count; k++)
        FIRN_TRY(firn_stats_add(folder->stats, &rows[k],
                                loads + (size_t)k * (size_t)folder->sim->load_count, error));
    return firn_stats_flush(folder->stats, error);
}

// Lists a checkpoint in the manifest, which is not written yet. *out_old: the file of an older one
// of the same frame, to be removed after that; its name is empty where there is none.
static firn_result put_checkpoint(firn_run_folder* folder, const firn_manifest_entry* entry,
                                  firn_manifest_entry* out_old, firn_error* error)
{
    const firn_manifest_entry* before =
        firn_manifest_find(&folder->manifest, FIRN_ENTRY_CHECKPOINT, entry->frame);
    *out_old = (firn_manifest_entry){0};
    if (before != NULL && strcmp(before->file, entry->file) != 0) *out_old = *before;
    return firn_manifest_put(&folder->manifest, folder->sim->output_dir, entry, error);
}

// If it cannot be removed, nothing is lost.
static void remove_old(const firn_run_folder* folder, const firn_manifest_entry* old)
{
    if (old->file[0] != 0)
        firn_file_remove_inside(folder->sim->output_dir, old->file, old->bytes, NULL);
}

char* firn_run_extra_take(firn_sim* sim, size_t* out_size)
{
    const size_t play = sizeof(firn_run_extra) + sim->extra_size;
    const size_t powder = play + firn_play_size(sim);
    const size_t size = powder + firn_sim_powder_size(sim);
    char* extra = firn_alloc(size, 1);
    if (extra == NULL) return NULL;
    const firn_run_extra own = {sim->dt_scale, sim->rollbacks, sim->culled};
    memcpy(extra, &own, sizeof own);
    sim->solver->extra_save(sim->self, extra + sizeof own);
    firn_play_save(sim, extra + play);
    firn_sim_powder_save(sim, extra + powder);
    *out_size = size;
    return extra;
}

// `rows`: where the particles are read from; null: they are here.
static firn_result write_checkpoint(firn_sim* sim, const firn_particle_rows* rows, const char* file)
{
    char* path = NULL;
    FIRN_TRY(firn_path_print(&path, &sim->error, "%s/%s", sim->output_dir, file));
    const firn_frame_info info = firn_run_frame_info(sim);
    size_t size = 0;
    char* extra = firn_run_extra_take(sim, &size);
    const firn_result r =
        extra != NULL ? firn_checkpoint_write(path, &info, sim->solver->particles(sim->self), rows,
                                              extra, size, &sim->error)
                      : firn_fail(&sim->error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_free(extra);
    firn_free(path);
    return r;
}

static int64_t checkpoint_every(const firn_run_folder* folder)
{
    const int64_t every = folder->sim->scene.output.checkpoint_every;
    return every > 0 ? every : 1;
}

// Checkpoints that are listed of the frames `first` to `last`; and the newest frame before `first`
// that has one, -1: none.
static int64_t count_checkpoints(const firn_run_folder* folder, int64_t first, int64_t last,
                                 int64_t* out_before)
{
    int64_t count = 0;
    *out_before = -1;
    for (firn_local k = 0; k < folder->manifest.count; k++) {
        const firn_manifest_entry* e = &folder->manifest.entries[k];
        if (e->kind != FIRN_ENTRY_CHECKPOINT || e->frame > last) continue;
        if (e->frame >= first) count++;
        if (e->frame < first && e->frame > *out_before) *out_before = e->frame;
    }
    return count;
}

// The oldest frame that keeps its checkpoint when `frame` has the newest. Frames without one, whose
// turn came while another was being written (run_writer.h), do not count.
static int64_t oldest_checkpoint(const firn_run_folder* folder, int64_t frame)
{
    const int64_t keep = folder->sim->scene.output.checkpoint_keep;
    int64_t oldest = frame - (keep - 1) * checkpoint_every(folder), before;
    while (count_checkpoints(folder, oldest, frame, &before) < keep && before >= 0) oldest = before;
    return oldest;
}

// The manifest is written before files are removed: a run that ended there has left some before the
// oldest, which are not listed.
static firn_result remove_unlisted(const firn_run_folder* folder, int64_t oldest, firn_error* error)
{
    const int64_t every = checkpoint_every(folder);
    for (int64_t k = 1; k <= 2 * FIRN_FRAMES_IN_FLIGHT && oldest - k * every >= 0; k++) {
        char file[FIRN_ENTRY_BYTES];
        snprintf(file, sizeof file, "state/%s.%04lld.h5", folder->stem,
                 (long long)(oldest - k * every));
        FIRN_TRY(firn_file_remove_inside(folder->sim->output_dir, file, FIRN_ANY_SIZE, error));
    }
    return FIRN_OK;
}

// Writes the manifest and removes the checkpoints that are too old. `frame`: the newest.
static firn_result write_manifest(firn_run_folder* folder, int64_t frame, firn_error* error)
{
    const int64_t first = oldest_checkpoint(folder, frame);
    FIRN_TRY(firn_manifest_write_keeping(&folder->manifest, folder->sim->output_dir,
                                         FIRN_ENTRY_CHECKPOINT, first, frame, error));
    return remove_unlisted(folder, first, error);
}

firn_result firn_run_folder_drop_checkpoints(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    const int64_t first = oldest_checkpoint(folder, sim->frame);
    FIRN_TRY(firn_manifest_keep(&folder->manifest, sim->output_dir, FIRN_ENTRY_CHECKPOINT, first,
                                sim->frame, &sim->error));
    return remove_unlisted(folder, first, &sim->error);
}

// Statistics and checkpoint; not in the manifest yet. `rows` as above.
static firn_result write_state(firn_run_folder* folder, const firn_particle_rows* rows,
                               char out_file[FIRN_ENTRY_BYTES])
{
    firn_sim* sim = folder->sim;
    FIRN_TRY(firn_sim_settle(sim));
    if (rows == NULL) FIRN_TRY(firn_sim_check_values(sim));
    FIRN_TRY(write_stats(folder, sim->rows, sim->row_loads, sim->row_count, &sim->error));
    sim->row_count = 0;
    folder->manifest.culled = sim->culled;
    char step[40] = "";
    const double frame_time = (double)sim->frame / sim->scene.time.fps;
    if (sim->time > frame_time)  // in the middle of a frame: the step makes the name unique
        snprintf(step, sizeof step, ".step%lld", (long long)sim->step);
    snprintf(out_file, FIRN_ENTRY_BYTES, "state/%s.%04lld%s.h5", folder->stem,
             (long long)sim->frame, step);
    return write_checkpoint(sim, rows, out_file);
}

firn_result firn_run_folder_checkpoint(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    char file[FIRN_ENTRY_BYTES];
    firn_manifest_entry entry;
    firn_particle_rows rows;
    bool reads;
    FIRN_TRY(firn_frame_rows_open(sim, sim->has_ranks, &rows, &reads));
    const firn_result r = write_state(folder, reads ? &rows : NULL, file);
    if (reads) firn_frame_rows_close(sim);
    if (r != FIRN_OK) return r;
    FIRN_TRY(firn_manifest_measure(sim->output_dir, FIRN_ENTRY_CHECKPOINT, sim->frame, file, &entry,
                                   &sim->error));
    firn_manifest_entry old;
    FIRN_TRY(put_checkpoint(folder, &entry, &old, &sim->error));
    FIRN_TRY(write_manifest(folder, sim->frame, &sim->error));
    remove_old(folder, &old);
    return FIRN_OK;
}

// The list of all VTP files up to this frame.
static firn_result write_series(firn_run_folder* folder, int64_t frame, firn_error* error)
{
    const firn_sim* sim = folder->sim;
    char file[FIRN_ENTRY_BYTES];
    FIRN_TRY(
        firn_export_series(sim->output_dir, folder->stem, sim->scene.time.fps, 0, frame, error));
    snprintf(file, sizeof file, "%s.pvd", folder->stem);
    return firn_manifest_add(&folder->manifest, sim->output_dir, FIRN_ENTRY_SERIES, 0, file, error);
}

// Statistics and entries of a frame; the manifest is not written yet.
static firn_result enter(firn_run_folder* folder, firn_run_frame* f)
{
    const char* dir = folder->sim->output_dir;
    FIRN_TRY(write_stats(folder, f->rows, f->row_loads, f->row_count, &f->error));
    folder->manifest.culled = f->progress.culled;
    for (int k = 0; k < f->file_count; k++) {
        if (f->files[k].kind == FIRN_ENTRY_CHECKPOINT)
            FIRN_TRY(put_checkpoint(folder, &f->files[k], &f->replaced, &f->error));
        else
            FIRN_TRY(firn_manifest_put(&folder->manifest, dir, &f->files[k], &f->error));
        if (f->files[k].kind == FIRN_ENTRY_VTP)
            FIRN_TRY(write_series(folder, f->whole.info.frame, &f->error));
    }
    return FIRN_OK;
}

static firn_result commit(firn_run_folder* folder, firn_run_frame* const* frames, int count,
                          firn_error* error)
{
    int64_t newest = -1;  // with a checkpoint
    for (int k = 0; k < count; k++)
        if (frames[k]->checkpoint) newest = frames[k]->whole.info.frame;
    FIRN_TRY(newest >= 0 ? write_manifest(folder, newest, error)
                         : firn_manifest_write(folder->sim->output_dir, &folder->manifest, error));
    for (int k = 0; k < count; k++) remove_old(folder, &frames[k]->replaced);
    return FIRN_OK;
}

void firn_run_folder_publish(firn_run_folder* folder, firn_run_frame* const* frames, int count)
{
    int entered = 0;
    while (entered < count && frames[entered]->result == FIRN_OK) {
        frames[entered]->result = enter(folder, frames[entered]);
        if (frames[entered]->result == FIRN_OK) entered++;
    }
    firn_error why = {0};
    const firn_result result = entered > 0 ? commit(folder, frames, entered, &why) : FIRN_OK;
    for (int k = 0; k < entered && result != FIRN_OK; k++) {
        frames[k]->result = result;
        frames[k]->error = why;
    }
}

// The film and the sheet are made of pictures that are complete: failures are warnings.

// In ffmpeg's pattern a % of the folder must be doubled.
static firn_result write_film(firn_run_folder* folder, const char* file, firn_error* error)
{
    firn_sim* sim = folder->sim;
    const int64_t first = sim->scene.time.first;
    char* path = NULL;
    firn_text pattern = {0};
    FIRN_TRY(firn_path_print(&path, error, "%s/%s", sim->output_dir, file));
    firn_text_add(&pattern, "%s/preview/%s.", sim->output_dir, folder->stem);
    firn_text doubled = {0};
    for (const char* c = pattern.data; c != NULL && *c != 0; c++)
        firn_text_add_bytes(&doubled, *c == '%' ? "%%" : c, *c == '%' ? 2 : 1);
    firn_text_add(&doubled, "%%04d.png");
    const firn_result r =
        pattern.failed || doubled.failed
            ? firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the film '%s'", path)
            : firn_movie_write(path, doubled.data, first, sim->frame + 1 - first,
                               sim->scene.time.fps, error);
    firn_text_destroy(&pattern);
    firn_text_destroy(&doubled);
    firn_free(path);
    return r;
}

#define SHEET_PICTURES 12
#define SHEET_COLUMNS 4

// Makes the contact sheet: frames evenly spaced from first to last.
static firn_result write_sheet(firn_run_folder* folder, const char* file, firn_error* error)
{
    firn_sim* sim = folder->sim;
    const int64_t first = sim->scene.time.first, all = sim->frame + 1 - first;
    const int count = all < SHEET_PICTURES ? (int)all : SHEET_PICTURES;
    char *paths[SHEET_PICTURES] = {0}, *out = NULL;
    firn_result r = firn_path_print(&out, error, "%s/%s", sim->output_dir, file);
    for (int k = 0; k < count && r == FIRN_OK; k++)
        r = firn_path_print(&paths[k], error, "%s/preview/%s.%04lld.png", sim->output_dir,
                            folder->stem, (long long)(first + (all - 1) * k / (count - 1)));
    if (r == FIRN_OK)
        r = firn_contact_sheet_write((const char* const*)paths, count, SHEET_COLUMNS, 1.0 / 3, out,
                                     error);
    for (int k = 0; k < count; k++) firn_free(paths[k]);
    firn_free(out);
    return r;
}

static void finish_pictures(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    char film[FIRN_ENTRY_BYTES], sheet[FIRN_ENTRY_BYTES];
    firn_error why = {0};
    if (!sim->scene.output.preview || !sim->scene.output.film ||
        sim->frame <= sim->scene.time.first)
        return;
    snprintf(film, sizeof film, "%s.mp4", folder->stem);
    snprintf(sheet, sizeof sheet, "%s.sheet.png", folder->stem);
    firn_result r = write_film(folder, film, &why);
    if (r == FIRN_OK)
        r = firn_manifest_add(&folder->manifest, sim->output_dir, FIRN_ENTRY_FILM, 0, film, &why);
    if (r != FIRN_OK) firn_log_write(&sim->log, FIRN_LOG_WARNING, "run.film", "%s", why.text);
    r = write_sheet(folder, sheet, &why);
    if (r == FIRN_OK)
        r = firn_manifest_add(&folder->manifest, sim->output_dir, FIRN_ENTRY_SHEET, 0, sheet, &why);
    if (r != FIRN_OK) firn_log_write(&sim->log, FIRN_LOG_WARNING, "run.sheet", "%s", why.text);
}

firn_result firn_run_folder_finish(firn_run_folder* folder)
{
    firn_sim* sim = folder->sim;
    finish_pictures(folder);
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
