// SPDX-License-Identifier: MIT
// What live simulation and replay share: the lock, the worker thread, collider meshes, the error.
#pragma once
#include <pthread.h>

#include "viewer/source/source.h"

typedef struct view_worker_source {
    view_source base;  // first: a view_source* is a view_worker_source*
    bool lockstep;
    firn_body_mesh* meshes;  // owned; [collider_count] initial triangles
    int collider_count;
    pthread_mutex_t lock;
    pthread_cond_t wake;  // wakes the worker thread
    bool quit;            // guarded by the lock, as the next two
    bool failed;
    firn_error error;
    pthread_t thread;
    bool has_thread;
} view_worker_source;

void view_worker_init(view_worker_source* w, const view_source_ops* ops, bool lockstep);
// Reads names of fields and meshes of colliders.
firn_result view_worker_load(view_worker_source* w, const view_reader* reader,
                             firn_error* out_error);
// Starts the worker thread, unless in lockstep; `work` gets `w`.
firn_result view_worker_start(view_worker_source* w, void* (*work)(void*), firn_error* out_error);
// Ends the worker thread, if there is one.
void view_worker_join(view_worker_source* w);
// Call after view_worker_join; the caller frees `w` itself.
void view_worker_destroy(view_worker_source* w);

// Every request of the window is made between these two; the second wakes the worker thread.
void view_worker_lock(view_worker_source* w);
void view_worker_unlock(view_worker_source* w);

// view_source_ops.mesh
const firn_body_mesh* view_worker_mesh(view_source* source, int collider);
