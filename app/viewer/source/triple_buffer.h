// SPDX-License-Identifier: MIT
// Triple buffer of snapshots between the worker thread and the window, neither of which waits: the
// worker fills `back`, the window draws `front`, `ready` is the newest finished one. Guarded by the
// owner's lock.
#pragma once
#include "viewer/source/snapshot.h"

typedef struct view_triple_buffer {
    view_snapshot snapshots[3];
    int back, ready, front;
    bool fresh;  // `ready` is newer than `front`
    uint64_t version;
} view_triple_buffer;

static inline view_triple_buffer view_triple_buffer_init(void)
{
    return (view_triple_buffer){.back = 0, .ready = 1, .front = 2};
}

// Called by the worker: `back` is finished.
static inline void view_triple_buffer_publish(view_triple_buffer* e)
{
    const int done = e->back;
    e->snapshots[done].version = ++e->version;
    e->back = e->ready;
    e->ready = done;
    e->fresh = true;
}

// Called by the window: the newest snapshot.
static inline const view_snapshot* view_triple_buffer_latest(view_triple_buffer* e)
{
    if (e->fresh) {
        const int newest = e->ready;
        e->ready = e->front;
        e->front = newest;
        e->fresh = false;
    }
    return &e->snapshots[e->front];
}

static inline void view_triple_buffer_free(view_triple_buffer* e)
{
    for (int k = 0; k < 3; k++) view_snapshot_free(&e->snapshots[k]);
}
