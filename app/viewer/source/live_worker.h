// SPDX-License-Identifier: MIT
// A live simulation and the worker thread that owns and steps it, so that the window stays
// responsive however long a step takes. The window's requests are stored under the lock and
// handled between two chunks of simulated time.
#pragma once
#include "viewer/source/live_colliders.h"
#include "viewer/source/triple_buffer.h"
#include "viewer/source/worker_source.h"

// Requests for one collider.
typedef struct view_collider_request {
    bool place, release;  // one-shot
    bool pulled;
    view_vec at;
    double yaw, scale;
    view_pull pull;
} view_collider_request;

typedef struct view_requests {
    bool playing, restart, quit, again;  // again: publish a new snapshot of the same state
    double speed;
    int steps;
    char field[32];
    double celsius;  // NaN: none
    bool colliders;  // some collider requests are new
    int64_t picked;  // < 0: none
    bool measures, describe;
    bool has_gravity, has_wind;
    double gravity[3], wind[3];
    int change_count;
    view_change changes[VIEW_CHANGES_MAX];
} view_requests;

typedef struct view_live {
    view_worker_source shared;  // first: a view_source* is a view_live*
    firn_scene* scene;
    firn_sim_def def;
    char backend[32];

    // guarded by the lock
    view_requests requests;
    view_collider_request* collider_requests;  // owned; [collider_count]
    view_triple_buffer buffer;
    char refusal[400];  // "": none
    char* description;  // owned; not taken yet

    // owned by the worker thread, or by the caller in lockstep
    firn_sim* sim;                    // the pointer changes under the lock
    view_collider_request* accepted;  // owned; [collider_count] copies of collider_requests
    view_mover* movers;               // owned; [collider_count]
    view_wants wants;
    bool measures;
    double count_due;  // [s] of the clock: next count of fragments
    double last;       // [s] of the clock when time was last advanced
    double step_seconds, steps_per_second, real_time, measured, simulated;
    int64_t steps;
} view_live;

// Main function of the worker thread; `user` is a view_live*.
void* view_live_work(void* user);
// Lockstep: handles requests, advances by `seconds` of session time, publishes a snapshot.
void view_live_advance(view_live* l, double seconds);
// Publishes a snapshot for the window.
void view_live_publish(view_live* l);
