// SPDX-License-Identifier: MIT
// A dragged collider follows the mouse with lag and limited speed and acceleration. Runs in
// simulated time, so that the motion is equally smooth however fast the simulation is.
#pragma once
#include "viewer/input/orbit.h"
#include "viewer/vec.h"

#define VIEW_FOLLOW_RATE 9.0     // [1/s] approach rate to the target
#define VIEW_FOLLOW_PUSH 40.0    // [m/s^2] maximum acceleration
#define VIEW_FOLLOW_TURN 5.0     // [rad/s] maximum yaw rate of a steering collider
#define VIEW_FOLLOW_STEER 0.05   // fraction of speed_max below which it does not steer
#define VIEW_FOLLOW_SPEED 3.0    // [m/s] maximum speed
#define VIEW_FOLLOW_SIZES 12.0   // [1/s] maximum speed in sizes of the collider
#define VIEW_FOLLOW_CHUNK 0.016  // [s] simulated time between updates of the target

typedef struct view_follow {
    view_vec position, velocity;  // [m], [m/s]
    double yaw, turn;             // [rad] about y, and its rate [rad/s]
} view_follow;

// Target of a dragged collider.
typedef struct view_pull {
    view_vec target;   // [m] of its origin
    double speed_max;  // [m/s]
    bool steers;       // turns its local +z into the direction of motion
} view_pull;

static inline double view_follow_speed(double size)
{
    return fmin(VIEW_FOLLOW_SPEED, VIEW_FOLLOW_SIZES * size);
}

// Sets velocity and yaw rate for the next `dt` seconds; the caller integrates them.
static inline void view_follow_steer(view_follow* f, const view_pull* pull, double dt)
{
    const view_vec way = view_vec_sub(pull->target, f->position);
    const double rate = fmin(VIEW_FOLLOW_RATE, 1 / dt);  // no overshoot within `dt`
    const view_vec wanted = view_vec_limit(view_vec_scale(way, rate), pull->speed_max);
    const view_vec change = view_vec_sub(wanted, f->velocity);
    f->velocity = view_vec_add(f->velocity, view_vec_limit(change, VIEW_FOLLOW_PUSH * dt));
    f->velocity = view_vec_limit(f->velocity, pull->speed_max);
    f->turn = 0;
    const double level = hypot(f->velocity.x, f->velocity.z);
    if (!pull->steers || level < VIEW_FOLLOW_STEER * pull->speed_max) return;
    const double ahead = atan2(f->velocity.x, f->velocity.z);
    const double left = remainder(ahead - f->yaw, 2 * VIEW_PI);
    f->turn = view_clamp(left / fmax(dt, 0.1), -VIEW_FOLLOW_TURN, VIEW_FOLLOW_TURN);
}
