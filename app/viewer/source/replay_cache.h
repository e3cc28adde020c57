// SPDX-License-Identifier: MIT
// LRU cache of frames that were read, so that scrubbing the time line is instant. Guarded by the
// owner's lock.
#pragma once
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "viewer/source/snapshot.h"

#define VIEW_CACHE_SLOTS 240
#define VIEW_CACHE_FEWEST 4
#define VIEW_CACHE_BYTES (512ull << 20)

typedef struct view_cache_slot {
    view_snapshot snapshot;
    int64_t frame;   // -1: empty
    char field[80];  // what it contains: the key of the cache
    view_wants wants;
    bool bad;       // the frame cannot be read: do not retry
    bool busy;      // being filled without holding the lock
    uint64_t used;  // time stamp of the last request
} view_cache_slot;

typedef struct view_cache {
    view_cache_slot slots[VIEW_CACHE_SLOTS];
    int room;   // slots in use
    int front;  // the slot being drawn; -1: none
    uint64_t uses, version;
} view_cache;

static inline void view_cache_begin(view_cache* c)
{
    memset(c, 0, sizeof *c);
    for (int k = 0; k < VIEW_CACHE_SLOTS; k++) c->slots[k].frame = -1;
    c->room = VIEW_CACHE_FEWEST;
    c->front = -1;
}

// Sets the number of slots by the memory budget and the size of one snapshot.
static inline void view_cache_set_room(view_cache* c, uint64_t bytes)
{
    const uint64_t fit = bytes > 0 ? VIEW_CACHE_BYTES / bytes : VIEW_CACHE_SLOTS;
    c->room = fit < VIEW_CACHE_FEWEST  ? VIEW_CACHE_FEWEST
              : fit > VIEW_CACHE_SLOTS ? VIEW_CACHE_SLOTS
                                       : (int)fit;
}

// Null: not cached.
static inline view_cache_slot* view_cache_find(view_cache* c, int64_t frame, const char* field)
{
    for (int k = 0; k < c->room; k++) {
        view_cache_slot* s = &c->slots[k];
        if (s->frame == frame && strcmp(s->field, field) == 0) return s;
    }
    return NULL;
}

// The slot with the cached frame nearest to `frame`; -1: none.
static inline int view_cache_nearest(view_cache* c, int64_t frame, const char* field)
{
    int best = -1;
    int64_t least = INT64_MAX;
    for (int k = 0; k < c->room; k++) {
        const view_cache_slot* s = &c->slots[k];
        if (s->frame < 0 || s->bad || s->busy || strcmp(s->field, field) != 0) continue;
        const int64_t away = s->frame > frame ? s->frame - frame : frame - s->frame;
        if (away < least) {
            least = away;
            best = k;
        }
    }
    if (best >= 0) c->slots[best].used = ++c->uses;
    return best;
}

// Evicts the least recently used slot for `frame`.
static inline view_cache_slot* view_cache_claim(view_cache* c, int64_t frame, const char* field)
{
    view_cache_slot* oldest = NULL;
    for (int k = 0; k < c->room; k++) {
        view_cache_slot* s = &c->slots[k];
        if (k == c->front) continue;
        if (!oldest || s->used < oldest->used) oldest = s;
    }
    oldest->frame = frame;
    snprintf(oldest->field, sizeof oldest->field, "%s", field);
    oldest->bad = false;
    oldest->busy = true;
    oldest->used = ++c->uses;
    return oldest;
}
