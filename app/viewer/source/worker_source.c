// SPDX-License-Identifier: MIT
// Shared parts of live simulation and replay.
#include "viewer/source/worker_source.h"

#include <stdlib.h>

void view_worker_init(view_worker_source* w, const view_source_ops* ops, bool lockstep)
{
    w->base.ops = ops;
    w->base.ball = w->base.plow = -1;
    w->lockstep = lockstep;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, NULL);
}

static void add_fields(view_source* base, const view_reader* reader)
{
    for (int k = 0; k < view_read_field_count(reader); k++) {
        firn_field_view view;
        if (view_read_field_at(reader, k, &view) != FIRN_OK || view.type == FIRN_FIELD_MAT3)
            continue;
        view_source_add_field(base, view.name);
    }
    if (view_snapshot_has_field(reader, "density")) view_source_add_field(base, "density");
}

firn_result view_worker_load(view_worker_source* w, const view_reader* reader, firn_error* error)
{
    add_fields(&w->base, reader);
    const int count = view_read_collider_count(reader);
    w->meshes = calloc((size_t)count + 1, sizeof *w->meshes);
    if (!w->meshes)
        return view_refuse(error, FIRN_BROKEN_MEMORY, "out of memory for the scene's colliders");
    w->collider_count = count;
    for (int k = 0; k < count; k++) {
        firn_body_info info;
        if (view_read_collider(reader, k, &info) != FIRN_OK || info.hidden || !info.bounded)
            continue;
        const firn_result result = view_read_mesh(reader, k, &w->meshes[k], error);
        if (result != FIRN_OK) return result;
    }
    return FIRN_OK;
}

firn_result view_worker_start(view_worker_source* w, void* (*work)(void*), firn_error* error)
{
    if (w->lockstep) return FIRN_OK;
    w->has_thread = pthread_create(&w->thread, NULL, work, w) == 0;
    return w->has_thread ? FIRN_OK
                         : view_refuse(error, FIRN_BROKEN_MEMORY, "cannot start a thread");
}

void view_worker_join(view_worker_source* w)
{
    if (!w->has_thread) return;
    view_worker_lock(w);
    w->quit = true;
    view_worker_unlock(w);
    pthread_join(w->thread, NULL);
    w->has_thread = false;
}

void view_worker_destroy(view_worker_source* w)
{
    for (int k = 0; k < w->collider_count; k++) firn_body_mesh_free(&w->meshes[k]);
    free(w->meshes);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->lock);
}

void view_worker_lock(view_worker_source* w)
{
    pthread_mutex_lock(&w->lock);
}

void view_worker_unlock(view_worker_source* w)
{
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
}

const firn_body_mesh* view_worker_mesh(view_source* source, int collider)
{
    const view_worker_source* w = (view_worker_source*)source;
    const bool has =
        collider >= 0 && collider < w->collider_count && w->meshes[collider].triangle_count > 0;
    return has ? &w->meshes[collider] : NULL;
}
