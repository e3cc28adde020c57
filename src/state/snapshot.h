// SPDX-License-Identifier: MIT
// A state of the particles to return to. What never changes is not copied: particles are only put
// into another order, so their constants are found again by the field "id".
#pragma once
#include "state/particles.h"

// Zeroed to begin with.
typedef struct firn_snapshot {
    bool made;  // there is room for `capacity`
    bool taken;
    bool whole;                   // constants are copied, too
    firn_local count;             // particles
    firn_local capacity;          // of the arrays
    void* data[FIRN_FIELDS_MAX];  // owned; in the order of the particles' fields; null: not copied
} firn_snapshot;

// Copies `particles`. `whole`: constants, too, for particles that may vanish; otherwise the fields
// must include "id", with the numbers 0 to count - 1. The same of every call on one snapshot.
// Allocates when it is first taken, and when there are more particles than ever.
// FIRN_BROKEN_MEMORY: there is no snapshot.
firn_result firn_snapshot_take(firn_snapshot* snapshot, const firn_particles* particles,
                               bool whole);
// Makes room for `capacity` particles like these, so that taking one of so many allocates nothing.
firn_result firn_snapshot_reserve(firn_snapshot* snapshot, const firn_particles* particles,
                                  firn_local capacity, bool whole);
// Makes `particles` what they were, bit for bit. `before_first_step`: the snapshot was taken then,
// so what the first step computes is zero again. FIRN_BROKEN_MEMORY, and FIRN_BROKEN_INTERNAL where
// the ids are not those of the snapshot: the particles are as before. Threads only change speed.
firn_result firn_snapshot_restore(const firn_snapshot* snapshot, firn_particles* particles,
                                  bool before_first_step, int threads);
void firn_snapshot_destroy(firn_snapshot* snapshot);
