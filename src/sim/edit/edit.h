// SPDX-License-Identifier: MIT
// What the functions of firn/edit.h share.
#pragma once
#include "firn/edit.h"
#include "math/mat3.h"
#include "sim/sim.h"

// The call may change the state now: not null, not broken; particles are on the host.
firn_result firn_sim_edit_begin(firn_sim* sim, const char* function);
// Refuses `count` particles if they are more than the simulation was created for.
firn_result firn_sim_check_room(const firn_sim* sim, int64_t count, firn_error* error);
// Particles have come or gone, or the state was replaced: the next step begins with a snapshot, so
// that a rollback returns to this state.
void firn_sim_edited(firn_sim* sim);
// Makes the state after edits consistent, if it is not yet: once for all edits between two steps,
// because that may take as long as a step. The order of particles may change. Call it before a
// snapshot or a checkpoint. A failure breaks the simulation.
firn_result firn_sim_settle(firn_sim* sim);

// field_edit.c: fields that are open for writing. Null is fine.
void firn_edit_fields_close(firn_edit_fields* fields);
void firn_edit_fields_destroy(firn_edit_fields* fields);

// A placement as x_world = position + rotation x.
typedef struct firn_edit_pose {
    firn_vec3 position;
    firn_mat3 rotation;
    bool turned;  // false: the rotation is the identity
} firn_edit_pose;
// FIRN_REFUSED_ARGUMENT: not finite, or no rotation. `where` may be null.
firn_result firn_edit_pose_of(const firn_placement* where, firn_edit_pose* out_pose,
                              firn_error* error);
