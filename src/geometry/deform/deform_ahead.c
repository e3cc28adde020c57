// SPDX-License-Identifier: MIT
// Threads that build the key frames which the next moves will need. Which thread builds a key, and
// when, does not show in it: a source's result depends on the key alone.
#include <signal.h>

#include "core/memory.h"
#include "geometry/deform/deform_keys.h"

#define AHEAD 16                       // keys at most
#define STACK_BYTES ((size_t)8 << 20)  // as the main thread's

// A build takes a key, and the level sets of its two neighbours where velocities need them.
static size_t room_of_build(const firn_deform_keys* keys)
{
    return (keys->by_neighbours ? 3 : 1) * keys->largest_key;
}

// The caller's next move takes two keys, and the level sets of their neighbours, while its pose
// holds two others.
static size_t room_of_caller(const firn_deform_keys* keys)
{
    return (keys->by_neighbours ? 6 : 4) * keys->largest_key;
}

// The next key to build, once there is room for it; -1: none, or no memory for another one.
static int64_t find_work(firn_deform_keys* keys)
{
    if (keys->largest_key == 0) return -1;  // the first key tells how large they are
    const size_t room = room_of_build(keys);
    if (keys->reserved + room + room_of_caller(keys) > keys->memory) return -1;
    for (int64_t i = 0; i < AHEAD; i++) {
        const int64_t k = firn_deform_keys_following(keys, i);
        if (k < 0) return -1;
        const firn_deform_entry* e = &keys->entries[k];
        if (e->key != NULL || e->key_busy || e->failed) continue;
        firn_deform_keys_make_room(keys, room, AHEAD);
        return keys->bytes + keys->reserved + room <= keys->memory ? k : -1;
    }
    return -1;
}

static void* live(void* self)
{
    firn_deform_keys* keys = self;
    firn_memory_use(keys->budget);
    pthread_mutex_lock(&keys->lock);
    while (!keys->ends) {
        const int64_t k = find_work(keys);
        if (k < 0) {
            pthread_cond_wait(&keys->changed, &keys->lock);
            continue;
        }
        const size_t room = room_of_build(keys);
        keys->reserved += room;
        if (firn_deform_keys_build(keys, k, NULL) != FIRN_OK) keys->entries[k].failed = true;
        keys->reserved -= room;
    }
    pthread_mutex_unlock(&keys->lock);
    return NULL;
}

// Signals are for the caller's threads.
static int start(firn_deform_keys* keys, int threads)
{
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return 0;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int started = 0;
    while (started < threads &&
           pthread_create(&keys->threads[started], &attributes, live, keys) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

void firn_deform_ahead_begin(firn_deform_keys* keys, int threads)
{
    pthread_mutex_lock(&keys->lock);
    keys->ahead_users++;
    if (keys->threads == NULL && threads > 0) {
        keys->threads = firn_alloc((size_t)threads, sizeof *keys->threads);
        keys->budget = firn_memory_used();
        keys->ends = false;
        if (keys->threads != NULL) keys->thread_count = start(keys, threads);
    }
    pthread_mutex_unlock(&keys->lock);
}

void firn_deform_ahead_end(firn_deform_keys* keys)
{
    pthread_mutex_lock(&keys->lock);
    const bool last = --keys->ahead_users == 0;
    if (last) keys->ends = true;
    pthread_cond_broadcast(&keys->changed);
    pthread_mutex_unlock(&keys->lock);
    if (!last) return;
    for (int i = 0; i < keys->thread_count; i++) pthread_join(keys->threads[i], NULL);
    firn_free(keys->threads);
    keys->threads = NULL;
    keys->thread_count = 0;
}
