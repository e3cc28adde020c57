// SPDX-License-Identifier: MIT
// A ring of slots, one frame each. All counters only grow; frame number n is in slot order[n % K]:
//
//     taken <= published <= begun <= submitted
#include "run/run_writer.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#include "core/memory.h"
#include "core/memory_limit.h"
#include "core/threads/team.h"
#include "run/frame_poses.h"
#include "run/frame_rows.h"

#define MOST FIRN_FRAMES_IN_FLIGHT
#define MOST_DEFORMING 6  // where colliders deform: each frame holds two key frames for its picture
#define LEAST_THREADS 4   // of a simulation on the CPU: with fewer, writing only takes time from it
#define NICENESS 5        // the solver comes first
#define LARGE (64 << 20)  // [bytes] of a checkpoint: 50 ms of a disk that writes 1.3 GB/s

typedef enum slot_state { SLOT_EMPTY, SLOT_FREE, SLOT_GIVEN, SLOT_BUSY } slot_state;

typedef struct slot {
    slot_state state;
    firn_run_frame frame;
} slot;

struct firn_run_writer {
    firn_run_folder* folder;  // borrowed
    firn_memory_budget* budget;
    int most, team_size;
    size_t large;  // [bytes] of checkpoints of which only one is written at a time
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t threads[MOST];
    int thread_count;
    bool stop;
    slot slots[MOST];
    firn_run_frame* order[MOST];
    bool written[MOST];  // as `order`: waits to be published
    bool publishing;     // a thread does it
    int64_t submitted, begun, published, taken;
    firn_result failed;  // the first failure
    firn_error why;
};

// Waits for a frame to write; -1: no more.
static int64_t next_frame(firn_run_writer* w)
{
    pthread_mutex_lock(&w->lock);
    while (w->begun == w->submitted && !w->stop) pthread_cond_wait(&w->changed, &w->lock);
    const int64_t n = w->begun < w->submitted ? w->begun++ : -1;
    pthread_mutex_unlock(&w->lock);
    return n;
}

static bool has_failed(firn_run_writer* w)
{
    pthread_mutex_lock(&w->lock);
    const bool failed = w->failed != FIRN_OK;
    pthread_mutex_unlock(&w->lock);
    return failed;
}

// After a failure no other frame may exist.
static void publish(firn_run_writer* w, firn_run_frame* const* frames, int count)
{
    if (!has_failed(w)) firn_run_folder_publish(w->folder, frames, count);
    pthread_mutex_lock(&w->lock);
    for (int k = 0; k < count; k++) {
        if (w->failed == FIRN_OK && frames[k]->result != FIRN_OK) {
            w->failed = frames[k]->result;
            w->why = frames[k]->error;
        } else if (w->failed != FIRN_OK) {
            frames[k]->result = w->failed;
            frames[k]->error = w->why;
        }
    }
    pthread_mutex_unlock(&w->lock);
}

// Frames that are written and not published, up to the first that is not written.
static int list_written(const firn_run_writer* w, firn_run_frame* out_frames[MOST])
{
    int count = 0;
    while (count < MOST && w->written[(w->published + count) % MOST]) {
        out_frames[count] = w->order[(w->published + count) % MOST];
        count++;
    }
    return count;
}

// Frame n is written. Whoever finds frames whose turn it is publishes all of them at once.
static void finish(firn_run_writer* w, int64_t n)
{
    pthread_mutex_lock(&w->lock);
    w->written[n % MOST] = true;
    firn_run_frame* frames[MOST];
    for (int count; !w->publishing && (count = list_written(w, frames)) > 0;) {
        w->publishing = true;
        pthread_mutex_unlock(&w->lock);
        publish(w, frames, count);
        pthread_mutex_lock(&w->lock);
        w->publishing = false;
        for (int k = 0; k < count; k++) w->written[(w->published + k) % MOST] = false;
        w->published += count;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
}

static void* write_frames(void* self)
{
    firn_run_writer* w = self;
    firn_memory_use(w->budget);
    setpriority(PRIO_PROCESS, 0, NICENESS);  // of this thread, and of those that it starts
    firn_team* team = firn_team_create(w->team_size);  // null: this thread alone
    firn_team_use(team);
    for (int64_t n; (n = next_frame(w)) >= 0;) {
        if (!has_failed(w)) firn_run_frame_write(w->order[n % MOST], true);
        finish(w, n);
    }
    firn_team_use(NULL);
    firn_team_destroy(team);
    return NULL;
}

firn_run_writer* firn_run_writer_create(firn_run_folder* folder)
{
    const firn_sim* sim = folder->sim;
    const int threads = firn_team_size();
    if (!firn_sim_remote(sim) && threads < LEAST_THREADS) return NULL;
    if (firn_frame_rows_suffice(sim)) return NULL;  // there is no copy that could be written
    firn_run_writer* w = firn_alloc(1, sizeof *w);
    if (w == NULL) return NULL;
    const int most = firn_frame_poses_deform(&sim->scene) ? MOST_DEFORMING : MOST,
              half = (threads + 1) / 2;
    w->folder = folder;
    w->budget = firn_memory_used();
    w->team_size = half;
    w->most = half < most ? half : most;
    w->large = LARGE;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    return w;
}

void firn_run_writer_destroy(firn_run_writer* w)
{
    if (w == NULL) return;
    pthread_mutex_lock(&w->lock);
    w->stop = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    for (int k = 0; k < w->thread_count; k++) pthread_join(w->threads[k], NULL);
    for (int k = 0; k < MOST; k++) firn_run_frame_destroy(&w->slots[k].frame);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    firn_free(w);
}

// Whether a copy fits well into what this process, or the simulation, may use. Steps may need more
// memory later: half of it is left to them.
static bool fits(const firn_run_writer* w, size_t bytes)
{
    const firn_sim* sim = w->folder->sim;
    const uint64_t limit = sim->memory_cap > 0 ? sim->memory_cap : firn_memory_limit();
    return w->budget == NULL || firn_memory_budget_bytes(w->budget) + bytes <= limit / 2;
}

// One thread for each slot.
static bool start_thread(firn_run_writer* w)
{
    sigset_t all, before;  // signals are for the caller's threads
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool started = pthread_create(&w->threads[w->thread_count], NULL, write_frames, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (started) w->thread_count++;
    return started;
}

firn_run_frame* firn_run_writer_room(firn_run_writer* w)
{
    slot* empty = NULL;
    for (int k = 0; k < w->most; k++) {
        slot* s = &w->slots[k];
        if (s->state == SLOT_EMPTY && empty == NULL) empty = s;
        if (s->state != SLOT_FREE) continue;
        s->state = SLOT_GIVEN;
        return &s->frame;
    }
    if (empty == NULL || !fits(w, firn_run_frame_bytes(w->folder->sim)) || !start_thread(w))
        return NULL;
    empty->state = SLOT_GIVEN;
    return &empty->frame;
}

static slot* slot_of(firn_run_writer* w, const firn_run_frame* frame)
{
    for (int k = 0; k < MOST; k++)
        if (&w->slots[k].frame == frame) return &w->slots[k];
    return NULL;
}

void firn_run_writer_decline(firn_run_writer* w, firn_run_frame* frame)
{
    firn_run_frame_destroy(frame);
    slot_of(w, frame)->state = SLOT_FREE;
}

void firn_run_writer_submit(firn_run_writer* w, firn_run_frame* frame)
{
    slot_of(w, frame)->state = SLOT_BUSY;
    pthread_mutex_lock(&w->lock);
    w->order[w->submitted++ % MOST] = frame;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

// Only the run's thread changes the state of a slot. All ranks must write a checkpoint, or none.
bool firn_run_writer_is_saving(const firn_run_writer* w)
{
    const firn_sim* sim = w->folder->sim;
    if (sim->has_ranks || firn_run_frame_bytes(sim) < w->large) return false;
    for (int k = 0; k < MOST; k++)
        if (w->slots[k].state == SLOT_BUSY && w->slots[k].frame.checkpoint) return true;
    return false;
}

void firn_run_writer_set_large(firn_run_writer* writer, size_t bytes)
{
    writer->large = bytes;
}

firn_run_frame* firn_run_writer_take(firn_run_writer* w, bool wait)
{
    firn_run_frame* frame = NULL;
    pthread_mutex_lock(&w->lock);
    while (wait && w->taken < w->submitted && w->published == w->taken)
        pthread_cond_wait(&w->changed, &w->lock);
    if (w->published > w->taken) frame = w->order[w->taken++ % MOST];
    pthread_mutex_unlock(&w->lock);
    return frame;
}

void firn_run_writer_release(firn_run_writer* w, firn_run_frame* frame)
{
    firn_run_frame_end(frame);
    slot_of(w, frame)->state = SLOT_FREE;
}
