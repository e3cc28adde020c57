// SPDX-License-Identifier: MIT
// Three snapshots that a worker and the window pass to each other without waiting: the worker fills
// `back`, the window draws `front`, and what was finished last lies `ready` between them. Guarded
// by the lock of whoever owns it.
#pragma once
#include "viewer/source/snapshot.h"

typedef struct view_exchange {
    view_snapshot snapshots[3];
    int back, ready, front;
    bool fresh;  // `ready` is newer than `front`
    uint64_t version;
} view_exchange;

static inline view_exchange view_exchange_begin(void)
{
    return (view_exchange){.back = 0, .ready = 1, .front = 2};
}

// The worker's: `back` is finished.
static inline void view_exchange_publish(view_exchange* e)
{
    const int done = e->back;
    e->snapshots[done].version = ++e->version;
    e->back = e->ready;
    e->ready = done;
    e->fresh = true;
}

// The window's.
static inline const view_snapshot* view_exchange_take(view_exchange* e)
{
    if (e->fresh) {
        const int newest = e->ready;
        e->ready = e->front;
        e->front = newest;
        e->fresh = false;
    }
    return &e->snapshots[e->front];
}

static inline void view_exchange_free(view_exchange* e)
{
    for (int k = 0; k < 3; k++) view_snapshot_free(&e->snapshots[k]);
}
