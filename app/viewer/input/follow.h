// SPDX-License-Identifier: MIT
// How a body follows the mouse: with lag, and never faster than snow can be pushed. It runs in the
// simulation's time, so that a slow simulation sees the same gentle motion as a fast one.
#pragma once
#include "viewer/input/orbit.h"
#include "viewer/vec.h"

#define VIEW_FOLLOW_RATE 9.0     // [1/s] share of the way left that is gone in a second, at first
#define VIEW_FOLLOW_PUSH 40.0    // [m/s^2] most acceleration
#define VIEW_FOLLOW_TURN 5.0     // [rad/s] most turning of a body that steers
#define VIEW_FOLLOW_STEER 0.05   // share of speed_max below which it does not turn
#define VIEW_FOLLOW_SPEED 3.0    // [m/s] no body is moved faster than this
#define VIEW_FOLLOW_SIZES 12.0   // [1/s] nor by more than so many of its own sizes in a second
#define VIEW_FOLLOW_CHUNK 0.016  // [s] simulated between two looks at where the mouse is

typedef struct view_follow {
    view_vec position, velocity;  // [m], [m/s]
    double yaw, turn;             // [rad] about y, [rad/s]
} view_follow;

// What the mouse wants of a body.
typedef struct view_pull {
    view_vec target;   // [m] where its origin is to be
    double speed_max;  // [m/s]
    bool steers;       // turns its front (+z of its own) to where it goes
} view_pull;

static inline double view_follow_speed(double size)
{
    return fmin(VIEW_FOLLOW_SPEED, VIEW_FOLLOW_SIZES * size);
}

// Velocity and turning for the next `dt` seconds; the caller moves it by them.
static inline void view_follow_steer(view_follow* f, const view_pull* pull, double dt)
{
    const view_vec way = view_vec_sub(pull->target, f->position);
    const double rate = fmin(VIEW_FOLLOW_RATE, 1 / dt);  // does not overshoot within `dt`
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
