// SPDX-License-Identifier: MIT
// The simulation behind the window, and the thread that steps it: that thread owns it, so that the
// window stays awake however long a step takes. What the window wants is written down under the
// lock, and looked at between two chunks of time.
#pragma once
#include <pthread.h>

#include "viewer/source/exchange.h"
#include "viewer/source/live_tools.h"
#include "viewer/source/source.h"

// What the window wants of one body.
typedef struct view_live_wish {
    bool place, let_go;  // once
    bool pulled;
    view_vec at;
    double yaw, scale;
    view_pull pull;
} view_live_wish;

typedef struct view_live_wishes {
    bool playing, restart, quit, again;  // again: a new copy of the same moment
    double speed;
    int steps;
    char field[32];
    double celsius;  // NaN: none
    bool bodies;     // some of the wishes below are new
} view_live_wishes;

typedef struct view_live {
    view_source base;  // first: a view_source* is a view_live*
    firn_scene* scene;
    firn_sim_def def;
    char backend[32];
    bool lockstep;
    firn_body_mesh* meshes;  // [body_count]
    int body_count;

    pthread_mutex_t lock;  // guards wish, body_wishes, exchange, error, failed
    pthread_cond_t wake;
    view_live_wishes wish;
    view_live_wish* body_wishes;  // [body_count]
    view_exchange exchange;
    firn_error error;
    bool failed;

    // the worker's, or the caller's in lockstep
    pthread_t worker;
    bool has_worker;
    firn_sim* sim;         // the pointer changes under the lock
    view_live_wish* news;  // [body_count] copies of body_wishes
    view_lead* leads;      // [body_count]
    char field[32];
    double last;  // [s] of the clock, when time was given last
    double step_seconds, steps_per_second, real_time, measured, simulated;
    int64_t steps;
} view_live;

// Body of the thread; `user` is a view_live*.
void* view_live_work(void* user);
// Lockstep: grants wishes, plays so many seconds of the screen's time, and copies.
void view_live_advance(view_live* l, double seconds);
view_reader view_live_reader(const view_live* l);
// Copies the moment for the window.
void view_live_publish(view_live* l);
