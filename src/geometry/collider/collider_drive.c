// SPDX-License-Identifier: MIT
// Sets the motion of a collider.
#include "geometry/collider/collider_drive.h"

firn_motion firn_collider_state(const firn_collider* collider, double time)
{
    const firn_dpose at = collider->moved_by == FIRN_MOVED_BY_SCENE
                              ? firn_motion_dpose_at(&collider->motion, time)
                              : firn_motion_dpose_at(&collider->drive, time - collider->drive_time);
    firn_motion state = firn_motion_at_rest();
    state.position = state.pivot = firn_dv3_round(at.position);
    state.rotation = (firn_quat){(firn_real)at.rotation.q[0], (firn_real)at.rotation.q[1],
                                 (firn_real)at.rotation.q[2], (firn_real)at.rotation.q[3]};
    state.scale = (firn_real)at.scale;
    state.velocity = firn_dv3_round(at.velocity);
    state.spin = firn_dv3_round(at.spin);
    return state;
}

firn_result firn_collider_drive(firn_collider* collider, firn_moved_by moved_by,
                                const firn_motion* state, double time, firn_error* error)
{
    firn_motion drive = *state;
    drive.pivot = state->position;  // so that the velocity is that of `position`
    drive.keys = NULL;
    drive.key_count = 0;
    FIRN_TRY(firn_motion_check(&drive, error));
    collider->moved_by = moved_by;
    collider->drive = drive;
    collider->drive_time = time;
    return FIRN_OK;
}

void firn_collider_release(firn_collider* collider, double time)
{
    if (!(collider->mass > 0)) {
        collider->moved_by = FIRN_MOVED_BY_SCENE;
        return;
    }
    collider->drive = firn_collider_state(collider, time);
    collider->drive_time = time;
    collider->moved_by = FIRN_MOVED_BY_SOLVER;
}
