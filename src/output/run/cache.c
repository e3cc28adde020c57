// SPDX-License-Identifier: MIT
// Reading a run's folder.
#include "output/run/cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/paths.h"
#include "core/timer.h"

firn_result firn_cache_open(const char* dir, firn_cache* out_cache, firn_error* error)
{
    firn_cache cache = {0};
    FIRN_TRY(firn_manifest_read(dir, &cache.manifest, error));
    cache.dir = firn_strdup(dir);
    if (cache.dir == NULL) {
        firn_cache_close(&cache);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory opening '%s'", dir);
    }
    *out_cache = cache;
    return FIRN_OK;
}

void firn_cache_close(firn_cache* cache)
{
    firn_free(cache->dir);
    firn_manifest_destroy(&cache->manifest);
    *cache = (firn_cache){0};
}

firn_result firn_cache_path(const firn_cache* cache, const firn_manifest_entry* entry,
                            char** out_path, firn_error* error)
{
    return firn_path_print(out_path, error, "%s/%s", cache->dir, entry->file);
}

firn_result firn_cache_read_frame(const firn_cache* cache, const firn_manifest_entry* entry,
                                  firn_frame* out_frame, firn_error* error)
{
    char* path = NULL;
    FIRN_TRY(firn_cache_path(cache, entry, &path, error));
    firn_frame frame;
    firn_result r = firn_frame_read(path, &frame, error);
    if (r == FIRN_OK && frame.info.frame != entry->frame) {
        r = firn_fail(error, FIRN_REFUSED_DAMAGED,
                      "'%s' contains frame %" PRId64 " instead of frame %" PRId64, path,
                      frame.info.frame, entry->frame);
        firn_frame_destroy(&frame);
    }
    firn_free(path);
    if (r == FIRN_OK) *out_frame = frame;
    return r;
}

firn_result firn_cache_frame(const firn_cache* cache, int64_t frame, firn_frame* out_frame,
                             firn_error* error)
{
    const firn_manifest_entry* entry =
        firn_manifest_find(&cache->manifest, FIRN_ENTRY_FRAME, frame);
    if (entry == NULL)
        return firn_fail(error, FIRN_REFUSED_NAME, "'%s' has no frame %" PRId64, cache->dir, frame);
    FIRN_TRY(firn_manifest_verify(entry, cache->dir, error));
    return firn_cache_read_frame(cache, entry, out_frame, error);
}

firn_result firn_cache_newest_checkpoint(const firn_cache* cache, const firn_log* log,
                                         const firn_manifest_entry** out_entry, firn_error* error)
{
    *out_entry = NULL;
    for (firn_local k = cache->manifest.count - 1; k >= 0; k--) {
        const firn_manifest_entry* entry = &cache->manifest.entries[k];
        if (entry->kind != FIRN_ENTRY_CHECKPOINT) continue;
        firn_error why = {0};
        const firn_result r = firn_manifest_verify(entry, cache->dir, &why);
        if (r == FIRN_OK) {
            *out_entry = entry;
            return FIRN_OK;
        }
        if (r != FIRN_REFUSED_DAMAGED) return firn_fail(error, r, "%s", why.text);
        firn_log_write(log, FIRN_LOG_WARNING, "cache.damaged",
                       "skipping the checkpoint of frame %" PRId64 ": %s", entry->frame, why.text);
    }
    return FIRN_OK;
}

static bool is_chosen(const firn_frame_choice* c, int64_t frame)
{
    if (c->frames == NULL)
        return frame >= c->begin && (c->end < 0 || frame <= c->end) &&
               (frame - c->begin) % c->step == 0;
    size_t low = 0, high = c->count;  // of the first frame of the list that is not below `frame`
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (c->frames[middle] < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->count && c->frames[low] == frame;
}

bool firn_cache_job_wants(const firn_cache_job* job, const firn_manifest_entry* entry)
{
    return entry->kind == FIRN_ENTRY_FRAME && is_chosen(&job->choice, entry->frame);
}

static firn_result check_choice(const firn_frame_choice* c, firn_error* error)
{
    if (c->frames == NULL) {
        if (c->step >= 1) return FIRN_OK;
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "every %" PRId64 "th frame: use a step of at least 1", c->step);
    }
    for (size_t k = 1; k < c->count; k++)
        if (c->frames[k] <= c->frames[k - 1])
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "the list of frames must ascend: %" PRId64 " follows %" PRId64,
                             c->frames[k], c->frames[k - 1]);
    return FIRN_OK;
}

static bool has_frame(const firn_manifest* m, int64_t frame)
{
    for (firn_local k = 0; k < m->count; k++)
        if (m->entries[k].kind == FIRN_ENTRY_FRAME && m->entries[k].frame == frame) return true;
    return false;
}

static firn_result refuse_missing(const firn_cache* cache, const firn_frame_choice* c,
                                  int64_t newest, firn_error* error)
{
    if (c->frames == NULL)
        return firn_fail(error, FIRN_REFUSED_NAME,
                         "'%s' has no frames %" PRId64 " to %" PRId64
                         "; its last frame is %" PRId64,
                         cache->dir, c->begin, c->end < 0 ? newest : c->end, newest);
    int64_t missing = -1;
    for (size_t k = 0; k < c->count && missing < 0; k++)
        if (!has_frame(&cache->manifest, c->frames[k])) missing = c->frames[k];
    return firn_fail(error, FIRN_REFUSED_NAME,
                     "'%s' has no frame %" PRId64 "; its last frame is %" PRId64, cache->dir,
                     missing, newest);
}

firn_result firn_cache_job_begin(const firn_cache* cache, const firn_frame_choice* choice,
                                 firn_cache_job* out_job, firn_error* error)
{
    FIRN_TRY(check_choice(choice, error));
    const firn_manifest* m = &cache->manifest;
    firn_cache_job job = {.choice = *choice, .first = -1, .last = -1, .start = firn_seconds()};
    int64_t newest = -1;
    for (firn_local k = 0; k < m->count; k++) {
        if (m->entries[k].kind == FIRN_ENTRY_FRAME) newest = m->entries[k].frame;
        if (!firn_cache_job_wants(&job, &m->entries[k])) continue;
        if (job.wanted++ == 0) job.first = m->entries[k].frame;
        job.last = m->entries[k].frame;
    }
    if (job.wanted == 0 || (choice->frames != NULL && (size_t)job.wanted < choice->count))
        return refuse_missing(cache, choice, newest, error);
    *out_job = job;
    return FIRN_OK;
}

void firn_cache_job_report(const firn_cache_job* job, int64_t frame, double time,
                           firn_local particles, firn_progress_fn report, void* user)
{
    if (report == NULL) return;
    const double elapsed = firn_seconds() - job->start;
    const firn_progress progress = {
        .frame = frame,
        .frame_end = job->last,
        .time = time,
        .frame_fraction = 1,
        .particle_count = particles,
        .seconds_elapsed = elapsed,
        .seconds_left = elapsed / (double)job->done * (double)(job->wanted - job->done),
        .frame_done = true,
    };
    report(user, &progress);
}

// A file that is damaged or missing is skipped; one that cannot be read ends the summary.
static bool is_fatal(firn_result result, const char* path)
{
    return result == FIRN_BROKEN_MEMORY ||
           (result == FIRN_REFUSED_IO && !firn_file_is_missing(path));
}

// The number of particles of the last valid frame; 0 when there is none.
static firn_result last_particles(const firn_cache* cache, int64_t* out_count, firn_error* error)
{
    for (firn_local k = cache->manifest.count - 1; k >= 0; k--) {
        const firn_manifest_entry* entry = &cache->manifest.entries[k];
        if (entry->kind != FIRN_ENTRY_FRAME) continue;
        char* path = NULL;
        firn_frame_info info;
        firn_local count = 0;
        FIRN_TRY(firn_cache_path(cache, entry, &path, error));
        const firn_result r = firn_frame_read_info(path, &info, &count, error);
        const bool fatal = is_fatal(r, path);
        firn_free(path);
        if (fatal) return r;
        if (r != FIRN_OK) continue;
        *out_count = count;
        break;
    }
    return FIRN_OK;
}

// Frame and state hash of the newest valid checkpoint.
static firn_result add_checkpoint(const firn_cache* cache, firn_cache_info* info, firn_error* error)
{
    const firn_manifest_entry* checkpoint = NULL;
    FIRN_TRY(firn_cache_newest_checkpoint(cache, NULL, &checkpoint, error));
    if (checkpoint == NULL) return FIRN_OK;
    char* path = NULL;
    firn_frame_info header;
    firn_local count;
    size_t extra;
    FIRN_TRY(firn_cache_path(cache, checkpoint, &path, error));
    const firn_result r = firn_checkpoint_read_info(path, &header, &count, &extra, error);
    const bool fatal = is_fatal(r, path);
    firn_free(path);
    if (r != FIRN_OK) return fatal ? r : FIRN_OK;
    info->checkpoint = checkpoint->frame;
    info->state_hash = header.state_hash;
    return FIRN_OK;
}

static firn_result add_entry(const firn_cache* cache, const firn_manifest_entry* entry, bool verify,
                             firn_cache_info* info, firn_error* error)
{
    // pictures and other formats are made from these; nothing is lost without them
    if (entry->kind != FIRN_ENTRY_FRAME && entry->kind != FIRN_ENTRY_CHECKPOINT) return FIRN_OK;
    info->bytes += entry->bytes;
    if (verify) {
        const firn_result r = firn_manifest_verify(entry, cache->dir, error);
        if (r != FIRN_OK && r != FIRN_REFUSED_DAMAGED) return r;
        if (r != FIRN_OK) info->damaged++;
    }
    if (entry->kind != FIRN_ENTRY_FRAME) return FIRN_OK;
    if (info->frame_count == 0) info->frame_first = entry->frame;
    info->frame_last = entry->frame;
    info->frame_count++;
    return FIRN_OK;
}

firn_result firn_cache_summarize(const char* dir, bool verify, firn_cache_info* out_info,
                                 firn_error* error)
{
    firn_cache cache = {0};
    FIRN_TRY(firn_cache_open(dir, &cache, error));
    const firn_manifest* m = &cache.manifest;
    firn_cache_info info = {.frame_first = -1, .frame_last = -1, .checkpoint = -1};
    memcpy(info.scene, m->scene, sizeof info.scene);
    memcpy(info.solver, m->solver, sizeof info.solver);
    info.fps = m->fps;
    info.cell = m->cell;
    info.complete = m->complete;
    info.culled = m->culled;
    firn_result r = FIRN_OK;
    for (firn_local k = 0; k < m->count && r == FIRN_OK; k++)
        r = add_entry(&cache, &m->entries[k], verify, &info, error);
    if (r == FIRN_OK) r = last_particles(&cache, &info.particles, error);
    if (r == FIRN_OK) r = add_checkpoint(&cache, &info, error);
    firn_cache_close(&cache);
    if (r == FIRN_OK) *out_info = info;
    return r;
}
