// SPDX-License-Identifier: MIT
#include "solver/shared/device_driver.h"

#include <math.h>
#include <signal.h>
#include <string.h>

#include "core/memory.h"
#include "solver/shared/impulse.h"

void firn_device_driver_create(firn_device_driver* d, size_t record_size, int steps_max)
{
    *d = (firn_device_driver){.record_size = record_size, .steps_max = steps_max};
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->changed, NULL);
}

static void free_log(firn_device_log* log)
{
    firn_free(log->records);
    firn_free(log->loads);
}

void firn_device_driver_destroy(firn_device_driver* d)
{
    firn_device_driver_stop(d);
    free_log(&d->front);
    free_log(&d->back);
    firn_team_destroy(d->team);
    pthread_cond_destroy(&d->changed);
    pthread_mutex_destroy(&d->lock);
}

static const firn_device_record* record_at(const firn_device_driver* d, const void* records, int k)
{
    return (const firn_device_record*)((const char*)records + (size_t)k * d->record_size);
}

// Appends the records of a batch; with the lock held.
static firn_result keep(firn_device_driver* d, const char* records, int count)
{
    firn_device_log* log = &d->back;
    const firn_local all = log->count + count;
    const size_t loads = (size_t)d->load_count * sizeof *log->loads;
    // colliders may come and go between frames: room is counted in sums, not in steps
    if (!firn_reserve((void**)&log->records, &log->capacity, all, d->record_size) ||
        !firn_reserve((void**)&log->loads, &log->load_capacity, all * d->load_count,
                      sizeof *log->loads))
        return firn_fail(&d->error, FIRN_BROKEN_MEMORY, "out of memory for the records of steps");
    memcpy(log->records + (size_t)log->count * d->record_size, records,
           (size_t)count * d->record_size);
    for (int k = 0; k < count && loads > 0; k++)
        memcpy(log->loads + (size_t)(log->count + k) * (size_t)d->load_count,
               d->sim->ops->loads(d->sim, k), loads);
    log->count = all;
    return FIRN_OK;
}

// As many steps as the rest of the frame may need; one where batches have single steps.
static int steps_of(const firn_device_driver* d, const firn_device_record* last)
{
    if (d->sim->ops->single_steps(d->sim) || !(last->dt > 0)) return 1;
    const double steps = ceil(1.1 * (d->batch.frame_time - d->batch.time) / last->dt) + 1;
    return steps < d->steps_max ? (int)steps : d->steps_max;
}

// Waits for the batch that runs. False: no other follows.
static bool end_batch(firn_device_driver* d)
{
    const void* records = NULL;
    int count = 0;
    firn_error error = {0};
    firn_result result = d->sim->ops->wait(d->sim, &records, &count, &error);
    const firn_device_record* last =
        result == FIRN_OK && count > 0 ? record_at(d, records, count - 1) : NULL;
    pthread_mutex_lock(&d->lock);
    if (result != FIRN_OK) d->error = error;
    if (last != NULL) result = keep(d, records, count);
    d->result = result;
    d->ended = last == NULL || result != FIRN_OK || last->end != FIRN_DEVICE_GOES_ON || d->stop;
    const bool goes_on = !d->ended;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    if (!goes_on) return false;
    d->batch.step += count;
    d->batch.time = last->time + last->dt;
    memcpy(d->batch.carried, last->carried, sizeof d->batch.carried);
    d->batch.steps = steps_of(d, last);
    return true;
}

static bool begin_batch(firn_device_driver* d)
{
    firn_error error = {0};
    const firn_result result = d->sim->ops->begin(d->sim, &d->batch, &error);
    if (result == FIRN_OK) return true;
    pthread_mutex_lock(&d->lock);
    d->result = result;
    d->error = error;
    d->ended = true;
    pthread_cond_broadcast(&d->changed);
    pthread_mutex_unlock(&d->lock);
    return false;
}

static void* live(void* self)
{
    firn_device_driver* d = self;
    firn_memory_use(d->budget);
    firn_team_use(d->team);
    while (end_batch(d) && begin_batch(d)) {}
    return NULL;
}

void firn_device_driver_start(firn_device_driver* d, firn_device_sim* sim,
                              const firn_device_batch* batch, firn_local load_count)
{
    d->sim = sim;
    d->batch = *batch;
    d->load_count = load_count;
    if (d->team == NULL) d->team = firn_team_create(firn_team_size());  // null: runs in place
    d->budget = firn_memory_used();
    d->stop = d->ended = false;
    d->result = FIRN_OK;
    d->front.count = d->back.count = 0;
    sigset_t all, before;  // signals are for the caller's threads
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    d->started = pthread_create(&d->thread, NULL, live, d) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

firn_result firn_device_driver_take(firn_device_driver* d, bool* out_more, firn_error* error)
{
    pthread_mutex_lock(&d->lock);
    while (d->back.count == 0 && !d->ended) pthread_cond_wait(&d->changed, &d->lock);
    const firn_device_log taken = d->back;
    d->back = d->front;
    d->back.count = 0;
    d->front = taken;
    // a failure is for the call after the one that took the last record
    *out_more = !d->ended || (taken.count > 0 && d->result != FIRN_OK);
    const firn_result result = taken.count > 0 ? FIRN_OK : d->result;
    if (result != FIRN_OK && error != NULL) *error = d->error;
    pthread_mutex_unlock(&d->lock);
    if (!*out_more) firn_device_driver_stop(d);
    return result;
}

void firn_device_driver_stop(firn_device_driver* d)
{
    if (!d->started) return;
    pthread_mutex_lock(&d->lock);
    d->stop = true;
    pthread_mutex_unlock(&d->lock);
    pthread_join(d->thread, NULL);
    d->started = false;
}
