// SPDX-License-Identifier: MIT
// The frames of a run. A worker reads them: the one that is wanted first, then those that come
// next.
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "viewer/clock.h"
#include "viewer/source/replay_cache.h"
#include "viewer/source/source.h"

#define READ_AHEAD 8    // frames
#define LOOK_AGAIN 1.0  // [s] how often a run that may still be going on is asked for new frames
#define SLACK 1e-6      // of a frame: rounding of times that are multiples of 1 / fps

typedef struct replay {
    view_source base;  // first: a view_source* is a replay*
    bool lockstep;
    firn_body_mesh* meshes;  // [body_count]
    int body_count;

    pthread_mutex_t lock;  // guards all down to the blank line
    pthread_cond_t wake;
    view_cache cache;
    int64_t* frames;  // [frame_count], ascending
    int frame_count;
    double at;    // where the play head is, in frames
    double last;  // [s] of the clock, when it was moved last
    bool playing, quit;
    double speed;
    char field[32];
    firn_error error;
    bool failed;

    pthread_t worker;
    bool has_worker;
    firn_replay* run;  // the worker's, or the caller's in lockstep
    double looked;     // [s] of the clock
    int64_t* shown;    // the window's copy of `frames`
    int shown_count;
} replay;

// ---- reading ------------------------------------------------------------------------------------

static firn_result read_field(void* run, const char* name, firn_field_view* out_view)
{
    return firn_replay_field(run, name, out_view);
}

static int read_body_count(void* run)
{
    return firn_replay_body_count(run);
}

static firn_result read_body(void* run, int body, firn_body_info* out_info)
{
    return firn_replay_body(run, body, out_info);
}

static firn_result read_mesh(void* run, int body, firn_body_mesh* out_mesh, firn_error* out_error)
{
    return firn_replay_body_mesh(run, body, out_mesh, out_error);
}

static view_reader reader_of(const replay* r)
{
    return (view_reader){r->run, read_field, read_body_count, read_body, read_mesh};
}

// The last frame that is there at the play head. Locked.
static int index_at(const replay* r, double at)
{
    int k = 0;
    while (k + 1 < r->frame_count && (double)r->frames[k + 1] <= at + SLACK) k++;
    return k;
}

// Frames may appear while one looks: the run goes on.
static void look_for_frames(replay* r)
{
    const int64_t* frames;
    const double now = view_clock();
    if (r->looked != 0 && now - r->looked < LOOK_AGAIN) return;
    r->looked = now;
    const int count = firn_replay_frames(r->run, &frames);
    if (count <= r->frame_count) return;
    int64_t* copy = malloc((size_t)count * sizeof *copy);
    if (!copy) return;  // those known so far can still be seen
    memcpy(copy, frames, (size_t)count * sizeof *copy);
    pthread_mutex_lock(&r->lock);
    int64_t* old = r->frames;
    r->frames = copy;
    r->frame_count = count;
    pthread_mutex_unlock(&r->lock);
    free(old);
}

// What to read next: the frame at the play head, then those after it. < 0: all are there. Locked.
static int64_t choose(replay* r)
{
    const int first = index_at(r, r->at);
    const int ahead = r->cache.room - 2 < READ_AHEAD ? r->cache.room - 2 : READ_AHEAD;
    for (int k = first; k <= first + (r->lockstep ? 0 : ahead) && k < r->frame_count; k++)
        if (!view_cache_find(&r->cache, r->frames[k], r->field)) return r->frames[k];
    return -1;
}

static void read_frame(replay* r, view_cache_slot* slot)
{
    firn_error error = {0};
    const view_reader reader = reader_of(r);
    view_snapshot* s = &slot->snapshot;
    firn_result result = firn_replay_seek(r->run, slot->frame, &error);
    if (result == FIRN_OK) {
        result = view_snapshot_copy(s, &reader, slot->field);
        if (result != FIRN_OK)
            snprintf(error.text, sizeof error.text, "out of memory for frame %lld",
                     (long long)slot->frame);
    }
    s->frame = slot->frame;
    s->time = firn_replay_time(r->run);
    s->temperature = NAN;
    pthread_mutex_lock(&r->lock);
    slot->busy = false;
    slot->bad = result != FIRN_OK;
    s->version = ++r->cache.version;
    if (slot->bad) {
        r->failed = true;
        r->error = error;
        r->error.code = result;
    }
    view_cache_set_room(&r->cache, view_snapshot_bytes(s));
    pthread_mutex_unlock(&r->lock);
}

// One frame; false: nothing is left to read.
static bool read_next(replay* r)
{
    pthread_mutex_lock(&r->lock);
    const int64_t frame = choose(r);
    view_cache_slot* slot = frame >= 0 ? view_cache_claim(&r->cache, frame, r->field) : NULL;
    pthread_mutex_unlock(&r->lock);
    if (slot) read_frame(r, slot);
    return slot != NULL;
}

static void* work(void* user)
{
    replay* r = user;
    for (;;) {
        look_for_frames(r);
        const bool busy = read_next(r);
        pthread_mutex_lock(&r->lock);
        if (!busy && !r->quit) {
            struct timespec until;
            clock_gettime(CLOCK_REALTIME, &until);
            until.tv_sec += 1;
            pthread_cond_timedwait(&r->wake, &r->lock, &until);
        }
        const bool quit = r->quit;
        pthread_mutex_unlock(&r->lock);
        if (quit) return NULL;
    }
}

// ---- the window's part --------------------------------------------------------------------------

// Locked. At the end it waits for what may still come.
static void move_head(replay* r, double frames)
{
    const double first = (double)r->frames[0], last = (double)r->frames[r->frame_count - 1];
    r->at = view_clamp(r->at + frames, first, last);
}

static const view_snapshot* take(view_source* source)
{
    replay* r = (replay*)source;
    pthread_mutex_lock(&r->lock);
    const double now = view_clock();
    if (r->playing && !r->lockstep) move_head(r, (now - r->last) * r->speed * r->base.view.fps);
    r->last = now;
    const int64_t frame = r->frames[index_at(r, r->at)];
    const int nearest = view_cache_nearest(&r->cache, frame, r->field);
    if (nearest >= 0) r->cache.front = nearest;  // else: still the one before
    const view_snapshot* s = &r->cache.slots[r->cache.front].snapshot;
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&r->lock);
    return s;
}

static void advance(view_source* source, double seconds)
{
    replay* r = (replay*)source;
    if (!r->lockstep) return;
    if (r->playing) move_head(r, seconds * r->speed * r->base.view.fps);
    read_next(r);
}

// Every wish is made between these two.
static replay* wish_begin(view_source* source)
{
    replay* r = (replay*)source;
    pthread_mutex_lock(&r->lock);
    return r;
}

static void wish_end(replay* r)
{
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&r->lock);
}

static void play(view_source* source, bool playing, double speed)
{
    replay* r = wish_begin(source);
    const bool is_at_end = r->at >= (double)r->frames[r->frame_count - 1];
    if (playing && !r->playing && is_at_end) r->at = (double)r->frames[0];
    r->playing = playing;
    r->speed = speed;
    r->last = view_clock();
    wish_end(r);
}

static void step(view_source* source, int by)
{
    replay* r = wish_begin(source);
    const int k = index_at(r, r->at) + by;
    const int last = r->frame_count - 1;
    r->at = (double)r->frames[k < 0 ? 0 : k > last ? last : k];
    wish_end(r);
}

static void seek(view_source* source, int64_t frame)
{
    replay* r = wish_begin(source);
    r->at = (double)frame;
    move_head(r, 0);
    wish_end(r);
}

static void restart(view_source* source)
{
    seek(source, 0);
}

static void colour(view_source* source, const char* field)
{
    replay* r = wish_begin(source);
    snprintf(r->field, sizeof r->field, "%s", field);
    wish_end(r);
}

static const firn_body_mesh* mesh(view_source* source, int body)
{
    const replay* r = (replay*)source;
    const bool has = body >= 0 && body < r->body_count && r->meshes[body].triangle_count > 0;
    return has ? &r->meshes[body] : NULL;
}

static int frames(view_source* source, const int64_t** out_frames)
{
    replay* r = wish_begin(source);
    if (r->shown_count != r->frame_count) {
        int64_t* copy = realloc(r->shown, (size_t)r->frame_count * sizeof *copy);
        if (copy) {
            memcpy(copy, r->frames, (size_t)r->frame_count * sizeof *copy);
            r->shown = copy;
            r->shown_count = r->frame_count;
        }
    }
    wish_end(r);
    *out_frames = r->shown;
    return r->shown_count;
}

// Told once: other frames can still be seen.
static bool failed(view_source* source, firn_error* out_error)
{
    replay* r = wish_begin(source);
    const bool is_so = r->failed;
    if (is_so) *out_error = r->error;
    r->failed = false;
    wish_end(r);
    return is_so;
}

// ---- making one ---------------------------------------------------------------------------------

static void destroy(view_source* source)
{
    replay* r = (replay*)source;
    if (!r) return;
    if (r->has_worker) {
        pthread_mutex_lock(&r->lock);
        r->quit = true;
        pthread_cond_signal(&r->wake);
        pthread_mutex_unlock(&r->lock);
        pthread_join(r->worker, NULL);
    }
    firn_replay_close(r->run);
    for (int b = 0; r->meshes && b < r->body_count; b++) firn_body_mesh_free(&r->meshes[b]);
    for (int k = 0; k < VIEW_CACHE_SLOTS; k++) view_snapshot_free(&r->cache.slots[k].snapshot);
    free(r->meshes);
    free(r->frames);
    free(r->shown);
    pthread_cond_destroy(&r->wake);
    pthread_mutex_destroy(&r->lock);
    free(r);
}

static firn_result prepare_bodies(replay* r, firn_error* error)
{
    r->base.ball = r->base.plow = -1;
    const int count = firn_replay_body_count(r->run);
    r->meshes = calloc((size_t)count + 1, sizeof *r->meshes);
    if (!r->meshes) return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory for the bodies");
    r->body_count = count;
    for (int b = 0; b < count; b++) {
        firn_body_info info;
        if (firn_replay_body(r->run, b, &info) != FIRN_OK || info.hidden || !info.bounded) continue;
        const firn_result result = firn_replay_body_mesh(r->run, b, &r->meshes[b], error);
        if (result != FIRN_OK) return result;
    }
    return FIRN_OK;
}

static void note_facts(replay* r, const firn_cache_info* info)
{
    snprintf(r->base.name, sizeof r->base.name, "%s", *info->scene ? info->scene : "run");
    snprintf(r->base.solver, sizeof r->base.solver, "%s", info->solver);
    snprintf(r->base.backend, sizeof r->base.backend, "replay");
    for (int k = 0; k < firn_replay_field_count(r->run); k++) {
        firn_field_view view;
        if (firn_replay_field_at(r->run, k, &view) != FIRN_OK || view.type == FIRN_FIELD_MAT3)
            continue;
        view_source_note_field(&r->base, view.name);
    }
    const view_reader reader = reader_of(r);
    if (view_snapshot_knows(&reader, "density")) view_source_note_field(&r->base, "density");
}

static firn_result start(replay* r, const char* dir, firn_error* error)
{
    firn_cache_info info = {0};
    firn_result result = firn_replay_open(dir, &r->run, error);
    if (result == FIRN_OK) result = firn_cache_read(dir, false, &info, error);
    if (result != FIRN_OK) return result;
    result = firn_replay_view(r->run, &r->base.view);
    if (result != FIRN_OK) return view_refuse(error, result, "the scene of the run cannot be read");
    look_for_frames(r);
    if (r->frame_count == 0)
        return view_refuse(error, FIRN_REFUSED_NAME, "the run has no frames yet");
    note_facts(r, &info);
    result = prepare_bodies(r, error);
    if (result != FIRN_OK) return result;
    r->at = (double)r->frames[0];
    read_next(r);
    r->cache.front = view_cache_nearest(&r->cache, r->frames[0], r->field);
    if (r->cache.front < 0) {
        *error = r->error;
        return r->error.code;
    }
    if (r->lockstep) return FIRN_OK;
    r->has_worker = pthread_create(&r->worker, NULL, work, r) == 0;
    return r->has_worker ? FIRN_OK
                         : view_refuse(error, FIRN_BROKEN_MEMORY, "cannot start another thread");
}

static const view_source_ops ops = {
    .take = take,
    .advance = advance,
    .play = play,
    .step = step,
    .restart = restart,
    .colour = colour,
    .mesh = mesh,
    .failed = failed,
    .destroy = destroy,
    .seek = seek,
    .frames = frames,
};

firn_result view_source_replay(const char* dir, bool lockstep, view_source** out_source,
                               firn_error* out_error)
{
    replay* r = calloc(1, sizeof *r);
    if (!r) return view_refuse(out_error, FIRN_BROKEN_MEMORY, "out of memory");
    r->base.ops = &ops;
    r->lockstep = lockstep;
    r->speed = 1;
    view_cache_begin(&r->cache);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->wake, NULL);
    const firn_result result = start(r, dir, out_error);
    if (result != FIRN_OK)
        destroy(&r->base);
    else
        *out_source = &r->base;
    return result;
}
