// SPDX-License-Identifier: MIT
// Replay of a run. A worker thread reads the requested frame first, then those that follow.
#include <math.h>
#include <stdlib.h>

#include "viewer/clock.h"
#include "viewer/source/file_read.h"
#include "viewer/source/replay_cache.h"
#include "viewer/source/worker_source.h"

#define READ_AHEAD 8      // frames
#define POLL_SECONDS 1.0  // [s] interval of looking for new frames of a run in progress
#define SLACK 1e-6        // [frames] rounding of times that are multiples of 1 / fps

typedef struct replay {
    view_worker_source shared;  // first: a view_source* is a replay*

    // guarded by the lock
    view_cache cache;
    int64_t* frames;  // owned; [frame_count], ascending
    int frame_count;
    double at;    // play head [frames]
    double last;  // [s] of the clock when the play head was last moved
    bool playing;
    double speed;
    view_wants wants;
    char key[80];  // of the cache, for `wants`

    char* dir;          // owned
    char* description;  // owned; not taken yet
    firn_replay* run;   // owned by the worker thread, or by the caller in lockstep
    double looked;      // [s] of the clock
    int64_t* shown;     // owned by the window: its copy of `frames`
    int shown_count;
} replay;

// ---- reading ------------------------------------------------------------------------------------

// Index of the last frame up to `at`. Call with the lock held.
static int index_at(const replay* r, double at)
{
    int k = 0;
    while (k + 1 < r->frame_count && (double)r->frames[k + 1] <= at + SLACK) k++;
    return k;
}

// Looks for new frames: the run may be in progress.
static void find_new_frames(replay* r)
{
    const int64_t* frames;
    const double now = view_clock();
    if (r->looked != 0 && now - r->looked < POLL_SECONDS) return;
    r->looked = now;
    const int count = firn_replay_frames(r->run, &frames);
    if (count <= r->frame_count) return;
    int64_t* copy = malloc((size_t)count * sizeof *copy);
    if (!copy) return;  // keep the frames known so far
    memcpy(copy, frames, (size_t)count * sizeof *copy);
    pthread_mutex_lock(&r->shared.lock);
    int64_t* old = r->frames;
    r->frames = copy;
    r->frame_count = count;
    pthread_mutex_unlock(&r->shared.lock);
    free(old);
}

// The next frame to read: at the play head, then those after it; < 0: all are cached. Call with the
// lock held.
static int64_t choose(replay* r)
{
    const int first = index_at(r, r->at);
    const int ahead = r->cache.room - 2 < READ_AHEAD ? r->cache.room - 2 : READ_AHEAD;
    for (int k = first; k <= first + (r->shared.lockstep ? 0 : ahead) && k < r->frame_count; k++)
        if (!view_cache_find(&r->cache, r->frames[k], r->key)) return r->frames[k];
    return -1;
}

static void read_frame(replay* r, view_cache_slot* slot)
{
    firn_error error = {0};
    const view_reader reader = {.run = r->run};
    view_snapshot* s = &slot->snapshot;
    firn_result result = firn_replay_seek(r->run, slot->frame, &error);
    if (result == FIRN_OK) {
        result = view_snapshot_copy(s, &reader, &slot->wants);
        if (result != FIRN_OK)
            snprintf(error.text, sizeof error.text, "out of memory for frame %lld",
                     (long long)slot->frame);
    }
    s->frame = slot->frame;
    s->time = firn_replay_time(r->run);
    s->temperature = NAN;
    pthread_mutex_lock(&r->shared.lock);
    slot->busy = false;
    slot->bad = result != FIRN_OK;
    s->version = ++r->cache.version;
    if (slot->bad) {
        r->shared.failed = true;
        r->shared.error = error;
        r->shared.error.code = result;
    }
    view_cache_set_room(&r->cache, view_snapshot_bytes(s));
    pthread_mutex_unlock(&r->shared.lock);
}

// Reads one frame; false: nothing is left to read.
static bool read_next(replay* r)
{
    pthread_mutex_lock(&r->shared.lock);
    const int64_t frame = choose(r);
    view_cache_slot* slot = frame >= 0 ? view_cache_claim(&r->cache, frame, r->key) : NULL;
    if (slot) slot->wants = r->wants;
    pthread_mutex_unlock(&r->shared.lock);
    if (slot) read_frame(r, slot);
    return slot != NULL;
}

static void* work(void* user)
{
    replay* r = user;
    for (;;) {
        find_new_frames(r);
        const bool busy = read_next(r);
        pthread_mutex_lock(&r->shared.lock);
        if (!busy && !r->shared.quit) {
            struct timespec until;
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_sec += 1;
            pthread_cond_timedwait(&r->shared.wake, &r->shared.lock, &until);
        }
        const bool quit = r->shared.quit;
        pthread_mutex_unlock(&r->shared.lock);
        if (quit) return NULL;
    }
}

// ---- window's thread ----------------------------------------------------------------------------

// Moves the play head; stops at the last frame. Call with the lock held.
static void move_head(replay* r, double frames)
{
    const double first = (double)r->frames[0], last = (double)r->frames[r->frame_count - 1];
    r->at = view_clamp(r->at + frames, first, last);
}

static const view_snapshot* latest(view_source* source)
{
    replay* r = (replay*)source;
    pthread_mutex_lock(&r->shared.lock);
    const double now = view_clock();
    if (r->playing && !r->shared.lockstep)
        move_head(r, (now - r->last) * r->speed * r->shared.base.view.fps);
    r->last = now;
    const int64_t frame = r->frames[index_at(r, r->at)];
    const int nearest = view_cache_nearest(&r->cache, frame, r->key);
    if (nearest >= 0) r->cache.front = nearest;  // else keep the previous one
    const view_snapshot* s = &r->cache.slots[r->cache.front].snapshot;
    pthread_cond_signal(&r->shared.wake);
    pthread_mutex_unlock(&r->shared.lock);
    return s;
}

static void advance(view_source* source, double seconds)
{
    replay* r = (replay*)source;
    if (!r->shared.lockstep) return;
    if (r->playing) move_head(r, seconds * r->speed * r->shared.base.view.fps);
    read_next(r);
}

static replay* lock(view_source* source)
{
    replay* r = (replay*)source;
    view_worker_lock(&r->shared);
    return r;
}

static void unlock(replay* r)
{
    view_worker_unlock(&r->shared);
}

// Snapshots with other contents are read again. Call with the lock held.
static void set_key(replay* r)
{
    snprintf(r->key, sizeof r->key, "%s/%lld/%d", r->wants.field, (long long)r->wants.picked,
             r->wants.voxel > 0);
}

static void play(view_source* source, bool playing, double speed)
{
    replay* r = lock(source);
    const bool is_at_end = r->at >= (double)r->frames[r->frame_count - 1];
    if (playing && !r->playing && is_at_end) r->at = (double)r->frames[0];
    r->playing = playing;
    r->speed = speed;
    r->last = view_clock();
    unlock(r);
}

static void step(view_source* source, int by)
{
    replay* r = lock(source);
    const int k = index_at(r, r->at) + by;
    const int last = r->frame_count - 1;
    r->at = (double)r->frames[k < 0 ? 0 : k > last ? last : k];
    unlock(r);
}

static void seek(view_source* source, int64_t frame)
{
    replay* r = lock(source);
    r->at = (double)frame;
    move_head(r, 0);
    unlock(r);
}

static void restart(view_source* source)
{
    seek(source, 0);
}

static void colour(view_source* source, const char* field)
{
    replay* r = lock(source);
    snprintf(r->wants.field, sizeof r->wants.field, "%s", field);
    set_key(r);
    unlock(r);
}

static void pick(view_source* source, int64_t id)
{
    replay* r = lock(source);
    r->wants.picked = id;
    set_key(r);
    unlock(r);
}

static void measure(view_source* source, bool on)
{
    replay* r = lock(source);
    r->wants.voxel = on ? 2 * r->shared.base.view.spacing : 0;
    set_key(r);
    unlock(r);
}

static void describe(view_source* source)
{
    replay* r = lock(source);
    free(r->description);
    r->description = view_file_read(r->dir, "scene.yaml");
    unlock(r);
}

static char* take_description(view_source* source)
{
    replay* r = lock(source);
    char* text = r->description;
    r->description = NULL;
    unlock(r);
    return text;
}

static int frames(view_source* source, const int64_t** out_frames)
{
    replay* r = lock(source);
    if (r->shown_count != r->frame_count) {
        int64_t* copy = realloc(r->shown, (size_t)r->frame_count * sizeof *copy);
        if (copy) {
            memcpy(copy, r->frames, (size_t)r->frame_count * sizeof *copy);
            r->shown = copy;
            r->shown_count = r->frame_count;
        }
    }
    unlock(r);
    *out_frames = r->shown;
    return r->shown_count;
}

// Reported once: other frames can still be shown.
static bool failed(view_source* source, firn_error* out_error)
{
    replay* r = lock(source);
    const bool is_so = r->shared.failed;
    if (is_so) *out_error = r->shared.error;
    r->shared.failed = false;
    unlock(r);
    return is_so;
}

// ---- creation -----------------------------------------------------------------------------------

static void destroy(view_source* source)
{
    replay* r = (replay*)source;
    if (!r) return;
    view_worker_join(&r->shared);
    firn_replay_close(r->run);
    for (int k = 0; k < VIEW_CACHE_SLOTS; k++) view_snapshot_free(&r->cache.slots[k].snapshot);
    free(r->frames);
    free(r->shown);
    free(r->dir);
    free(r->description);
    view_worker_destroy(&r->shared);
    free(r);
}

static firn_result load(replay* r, const firn_cache_info* info, firn_error* error)
{
    view_source* base = &r->shared.base;
    snprintf(base->name, sizeof base->name, "%s", *info->scene ? info->scene : "run");
    snprintf(base->solver, sizeof base->solver, "%s", info->solver);
    snprintf(base->backend, sizeof base->backend, "replay");
    return view_worker_load(&r->shared, &(view_reader){.run = r->run}, error);
}

static firn_result start(replay* r, const char* dir, firn_error* error)
{
    firn_cache_info info = {0};
    firn_result result = firn_replay_open(dir, &r->run, error);
    if (result == FIRN_OK) result = firn_cache_read(dir, false, &info, error);
    if (result != FIRN_OK) return result;
    result = firn_replay_view(r->run, &r->shared.base.view);
    if (result != FIRN_OK) return view_refuse(error, result, "the scene of the run cannot be read");
    find_new_frames(r);
    if (r->frame_count == 0)
        return view_refuse(error, FIRN_REFUSED_NAME, "the run has no frames yet");
    result = load(r, &info, error);
    if (result != FIRN_OK) return result;
    r->at = (double)r->frames[0];
    read_next(r);
    r->cache.front = view_cache_nearest(&r->cache, r->frames[0], r->key);
    if (r->cache.front < 0) {
        *error = r->shared.error;
        return r->shared.error.code;
    }
    return view_worker_start(&r->shared, work, error);
}

static const view_source_ops ops = {
    .latest = latest,
    .advance = advance,
    .play = play,
    .step = step,
    .restart = restart,
    .colour = colour,
    .mesh = view_worker_mesh,
    .failed = failed,
    .destroy = destroy,
    .seek = seek,
    .frames = frames,
    .pick = pick,
    .measure = measure,
    .describe = describe,
    .take_description = take_description,
};

firn_result view_source_replay(const char* dir, bool lockstep, view_source** out_source,
                               firn_error* out_error)
{
    replay* r = calloc(1, sizeof *r);
    if (!r) return view_refuse(out_error, FIRN_BROKEN_MEMORY, "out of memory");
    view_worker_init(&r->shared, &ops, lockstep);
    r->speed = 1;
    r->wants.picked = -1;
    r->dir = strdup(dir);
    set_key(r);
    view_cache_begin(&r->cache);
    const firn_result result = start(r, dir, out_error);
    if (result != FIRN_OK)
        destroy(&r->shared.base);
    else
        *out_source = &r->shared.base;
    return result;
}
