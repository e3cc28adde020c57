// SPDX-License-Identifier: MIT
// The key frames of a deforming collider: built when they are needed, or ahead by threads of their
// own; the least recently used are evicted when they exceed the memory limit.
//
//   pose ──uses──► key ◄──uses── entry k, which also holds the key's level set
//
// An entry may hold a level set without a key: a neighbour whose level set was needed for
// velocities. One lock guards the entries. What is being built is marked as busy and built without
// the lock; a thread that needs it waits. Reference counts are atomic, since poses are released
// outside the lock.
//
//     caller      uses 0, 1 ─────── uses 1, 2 ─────── uses 2, 3 ────►
//     thread 1        └─ builds 2 ─┘  └─ builds 4 …
//     thread 2        └─ builds 3 ──────┘
//
// A key that cannot be built ahead is left to the caller who needs it, who then gets the reason.
#pragma once
#include <pthread.h>

#include "geometry/deform/deform_source.h"

typedef struct firn_deform_entry {
    const firn_level_set* phi;  // shared; null: not built
    firn_deform_key* key;       // one reference; null: not built
    size_t bytes;               // of both
    uint64_t used;              // last use, by the clock
    bool phi_busy, key_busy;    // a thread is building it
    bool failed;                // could not be built ahead
} firn_deform_entry;

typedef struct firn_deform_keys {
    pthread_mutex_t lock;
    pthread_cond_t changed;            // something is no longer busy, or threads have work, or end
    const firn_deform_source* source;  // borrowed
    const char* file;                  // borrowed, for messages
    const double* time;                // borrowed [source->key_count] [s] of the animation
    int64_t loop_keys;                 // keys per loop; 0: no loop
    double period;                     // [s] of the animation
    size_t memory;                     // [bytes] to keep at most
    firn_deform_entry* entries;        // owned [source->key_count]
    size_t bytes, largest;             // of all entries; of the largest one so far
    uint64_t clock;                    // number of uses so far
    // deform_ahead.c
    int64_t next;        // the key after those used last; -1: none was used
    size_t largest_key;  // [bytes] of the largest entry with a key so far
    bool by_neighbours;  // velocities are found from the level sets of neighbours, too
    size_t reserved;     // [bytes] that the builds under way may still take
    pthread_t* threads;  // owned; null: none
    int thread_count;
    int ahead_users;                    // callers who want keys ahead
    struct firn_memory_budget* budget;  // of the threads; held by `threads`
    bool ends;
} firn_deform_keys;

// All but lock, condition and entries is set. False: out of memory.
bool firn_deform_keys_create(firn_deform_keys* keys);
void firn_deform_keys_destroy(firn_deform_keys* keys);
// Finds or builds two keys and takes a reference to each for the caller; on failure to none.
firn_result firn_deform_keys_use(firn_deform_keys* keys, const int64_t which[2],
                                 const firn_deform_key* out_keys[2], firn_error* error);
// With the lock held, which is released while the key is built: builds key k, which is neither
// there nor busy.
firn_result firn_deform_keys_build(firn_deform_keys* keys, int64_t k, firn_error* error);
// With the lock held: evicts the least recently used entries, but none of the `spared` ones from
// keys->next on, until `room` more bytes fit beside the reserved ones or none can be evicted.
void firn_deform_keys_make_room(firn_deform_keys* keys, size_t room, int64_t spared);
// Index of the i-th key after those used last; -1: there is none.
int64_t firn_deform_keys_following(const firn_deform_keys* keys, int64_t i);

// deform_ahead.c
void firn_deform_ahead_begin(firn_deform_keys* keys, int threads);
void firn_deform_ahead_end(firn_deform_keys* keys);
