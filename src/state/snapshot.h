// SPDX-License-Identifier: MIT
// Snapshots of the particles, for rollbacks. Constant fields are not copied: particles are only
// reordered, so the field "id" restores them.
#pragma once
#include "state/particles.h"

// Initialise with zeros.
typedef struct firn_snapshot {
    bool made;  // arrays of `capacity` are allocated
    bool taken;
    bool whole;                   // constant fields are copied too
    firn_local count;             // particles
    firn_local capacity;          // of the arrays
    void* data[FIRN_FIELDS_MAX];  // owned; in the order of the particles' fields; null: not copied
} firn_snapshot;

// Copies `particles`. `whole`: also copies constant fields, for particles that may vanish;
// otherwise the fields must include "id", with the numbers 0 to count - 1. `whole` must be the same
// in all calls for one snapshot. Allocates in the first call and when the number of particles
// exceeds the capacity. FIRN_BROKEN_MEMORY: there is no snapshot.
firn_result firn_snapshot_take(firn_snapshot* snapshot, const firn_particles* particles,
                               bool whole);
// Reserves for `capacity` particles with these fields, so that snapshots of as many do not
// allocate.
firn_result firn_snapshot_reserve(firn_snapshot* snapshot, const firn_particles* particles,
                                  firn_local capacity, bool whole);
// Restores `particles`, bit for bit. `before_first_step`: the snapshot was taken before the first
// step, so fields that the first step computes are set to zero. FIRN_BROKEN_MEMORY, and
// FIRN_BROKEN_INTERNAL if the ids differ from the snapshot's: the particles are unchanged. The
// result does not depend on threads.
firn_result firn_snapshot_restore(const firn_snapshot* snapshot, firn_particles* particles,
                                  bool before_first_step);
void firn_snapshot_destroy(firn_snapshot* snapshot);
