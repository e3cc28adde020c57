// SPDX-License-Identifier: MIT
#include <string.h>

#include "geometry/sdf/shape.h"
#include "sim/query/query.h"

// The simulation's memory for queries.
static firn_query* find_memory(const firn_sim* sim)
{
    firn_sim* open = firn_query_open(sim);
    if (open->query == NULL) open->query = firn_alloc(1, sizeof *open->query);
    return open->query;
}

static firn_result fail_memory(const firn_sim* sim)
{
    return firn_fail(&firn_query_open(sim)->error, FIRN_BROKEN_MEMORY,
                     "out of memory to find snow among %d particles", (int)firn_sim_count(sim));
}

firn_result firn_query_columns(const firn_sim* sim, const firn_columns** out_columns)
{
    firn_query* q = find_memory(sim);
    if (q == NULL) return fail_memory(sim);
    if (!q->built || q->step != sim->step || q->time != sim->time || q->edits != sim->edits) {
        firn_height_snow snow;
        FIRN_TRY(firn_query_snow(sim, &snow));
        q->built = false;
        if (firn_columns_build(&q->columns, &snow) != FIRN_OK) return fail_memory(sim);
        q->built = true;
        q->step = sim->step;
        q->time = sim->time;
        q->edits = sim->edits;
    }
    *out_columns = &q->columns;
    return FIRN_OK;
}

static void place_plane(firn_query_collider* c, const firn_shapes* shapes)
{
    c->is_plane = c->now.deforming == NULL && shapes->nodes[c->now.shape].kind == FIRN_SHAPE_PLANE;
    if (!c->is_plane) return;
    const firn_real* p = shapes->nodes[c->now.shape].p;
    c->point = firn_pose_to_world(&c->now.pose, firn_v3(p[0], p[1], p[2]));
    const firn_vec3 n = firn_m3_mul_v3(c->now.pose.rotation, firn_v3(p[3], p[4], p[5]));
    c->normal = firn_v3_normalize(n, firn_v3(0, 1, 0));
}

// Brings one collider to the current state; only those that deform or are new allocate.
static firn_result refresh(const firn_sim* sim, firn_query_collider* c, const firn_collider* source)
{
    if (c->time == sim->time && memcmp(&c->seen, source, sizeof *source) == 0) return FIRN_OK;
    const bool same_keys = c->now.shape == source->shape && source->deforming == NULL &&
                           c->now.deforming == NULL && c->seen.motion.keys == source->motion.keys &&
                           c->seen.motion.key_count == source->motion.key_count;
    if (same_keys) {
        firn_keyframe* keys = c->now.motion.keys;
        c->now = *source;
        c->now.motion.keys = keys;
    } else {
        firn_collider_destroy(&c->now);
        if (firn_collider_copy(source, &c->now) != FIRN_OK) return fail_memory(sim);
    }
    memcpy(&c->seen, source, sizeof *source);
    c->time = sim->time;
    firn_error* error = &firn_query_open(sim)->error;
    const firn_result r = firn_collider_move(&c->now, &sim->scene.shapes, sim->time, error);
    if (r != FIRN_OK) {
        memset(&c->seen, 0xff, sizeof c->seen);  // try again next time
        return r;
    }
    place_plane(c, &sim->scene.shapes);
    return FIRN_OK;
}

firn_result firn_query_colliders(const firn_sim* sim, const firn_query** out_query)
{
    firn_query* q = find_memory(sim);
    if (q == NULL) return fail_memory(sim);
    firn_local count = 0;
    const firn_collider* all =
        sim->solver->colliders != NULL ? sim->solver->colliders(sim->self, &count) : NULL;
    if (!firn_reserve((void**)&q->colliders, &q->collider_capacity, count, sizeof *q->colliders))
        return fail_memory(sim);
    for (; q->collider_count > count; q->collider_count--)
        firn_collider_destroy(&q->colliders[q->collider_count - 1].now);
    for (; q->collider_count < count; q->collider_count++) {
        firn_query_collider* c = &q->colliders[q->collider_count];
        memset(c, 0, sizeof *c);
        memset(&c->seen, 0xff, sizeof c->seen);  // nothing yet
        c->now.shape = -1;
    }
    for (firn_local k = 0; k < count; k++) FIRN_TRY(refresh(sim, &q->colliders[k], &all[k]));
    *out_query = q;
    return FIRN_OK;
}

void firn_query_destroy(firn_query* query)
{
    if (query == NULL) return;
    for (firn_local k = 0; k < query->collider_count; k++)
        firn_collider_destroy(&query->colliders[k].now);
    firn_free(query->colliders);
    firn_columns_destroy(&query->columns);
    firn_free(query);
}
