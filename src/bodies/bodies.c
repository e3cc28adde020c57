// SPDX-License-Identifier: MIT
// Creates, grows and queries the bodies of a simulation.
#include "bodies/bodies.h"

#include <math.h>
#include <string.h>

#include "bodies/bodies_state.h"
#include "core/memory.h"
#include "geometry/collider/collider_sample.h"
#include "geometry/collider/dynamic_collider.h"
#include "geometry/levelset/level_set.h"

#define DEPTH 0.02       // [sizes] above a surface point its normal is sampled
#define SLIDE 0.5        // [sizes] to where points look for the deepest one
#define ROUND_POINTS 16  // spheres of a capsule at most

// The leaf of a shape that is nothing but one, moved; its points p become world = s q x + t.
static const firn_shape_node* find_leaf(const firn_shapes* shapes, firn_local shape, firn_quat* q,
                                        firn_vec3* t, firn_real* scale)
{
    *q = firn_q_identity();
    *t = firn_v3(0, 0, 0);
    *scale = 1;
    const firn_shape_node* node = &shapes->nodes[shape];
    while (node->kind == FIRN_SHAPE_TRANSFORM) {
        const firn_vec3 by = firn_v3(node->p[0], node->p[1], node->p[2]);
        *t = firn_v3_madd(*t, *scale, firn_q_rotate(*q, by));
        *q = firn_q_mul(*q, node->q);
        *scale *= node->p[3];
        node = &shapes->nodes[node->a];
    }
    return node;
}

// Spheres and capsules: points with a radius. False: the shape is something else.
static bool take_round_points(firn_body* body, const firn_shapes* shapes, firn_local shape)
{
    firn_quat q;
    firn_vec3 t;
    firn_real scale;
    const firn_shape_node* node = find_leaf(shapes, shape, &q, &t, &scale);
    const bool capsule = node->kind == FIRN_SHAPE_CAPSULE;
    if (node->kind != FIRN_SHAPE_SPHERE && !capsule) return false;
    const firn_vec3 a = firn_v3(node->p[0], node->p[1], node->p[2]);
    const firn_vec3 b = capsule ? firn_v3(node->p[3], node->p[4], node->p[5]) : a;
    const firn_real radius = node->p[capsule ? 6 : 3];
    const firn_real length = firn_v3_length(firn_v3_sub(b, a)) / radius;
    body->point_count = 1;
    if (capsule && length > 0)
        body->point_count = length < ROUND_POINTS - 2 ? 2 + (firn_local)length : ROUND_POINTS;
    for (firn_local k = 0; k < body->point_count; k++) {
        const firn_real part =
            body->point_count > 1 ? (firn_real)k / (firn_real)(body->point_count - 1) : 0;
        const firn_vec3 x = firn_v3_madd(a, part, firn_v3_sub(b, a));
        body->points[k] = firn_v3_madd(t, scale, firn_q_rotate(q, x));
    }
    body->radius = radius * scale;
    return true;
}

// The largest distance outside a shape that is one [m]: level sets have none beyond their bands.
static firn_real trusted_distance(const firn_shapes* shapes, firn_local shape)
{
    const firn_shape_node* node = &shapes->nodes[shape];
    if (node->kind == FIRN_SHAPE_LEVEL_SET) return shapes->level_sets[node->a]->band;
    if (node->kind < FIRN_SHAPE_LEVEL_SET) return FIRN_REAL_MAX;
    const firn_real a = trusted_distance(shapes, node->a);  // FIRN_SHAPE_DEPTH_MAX deep at most
    if (node->kind == FIRN_SHAPE_TRANSFORM) return a < FIRN_REAL_MAX ? node->p[3] * a : a;
    return firn_min(a, trusted_distance(shapes, node->b));
}

static firn_result fill_body(firn_body* body, const firn_collider* collider, firn_local index,
                             const firn_shapes* shapes, firn_error* error)
{
    *body = (firn_body){.collider = index, .time = collider->drive_time, .free = true};
    FIRN_TRY(firn_collider_rigid(collider, shapes, body->time, &body->rigid, error));
    body->inverse = firn_m3_inverse(body->rigid.inertia);
    const firn_box3 box = firn_shape_bounds(shapes, collider->shape);
    body->size = collider->drive.scale * firn_v3_length(firn_v3_sub(box.high, box.low));
    body->depth = (firn_real)DEPTH * body->size;
    const firn_real trusted = trusted_distance(shapes, collider->shape);
    body->slide = (firn_real)SLIDE * body->size;
    if (trusted < body->slide / collider->drive.scale)
        body->slide = (firn_real)0.8 * trusted * collider->drive.scale;
    body->damping[0] = collider->damping;
    body->damping[1] = collider->angular_damping;
    if (take_round_points(body, shapes, collider->shape)) return FIRN_OK;
    const firn_result r =
        firn_shape_contact_points(shapes, collider->shape, body->points, &body->point_count);
    return r == FIRN_OK ? r : firn_fail(error, r, "the shape of a dynamic collider has no surface");
}

// Room for `count` bodies. False: out of memory, nothing has changed.
static bool reserve(firn_bodies* bodies, firn_local count)
{
    if (count <= bodies->capacity && bodies->movers != NULL) return true;
    const size_t n = (size_t)count, old = (size_t)bodies->count, each = FIRN_BODY_CONTACTS;
    firn_body* items = firn_alloc(n + 1, sizeof *items);
    firn_mover* movers = firn_alloc(n + 1, sizeof *movers);
    firn_contact* contacts = firn_alloc(n * each + 1, sizeof *contacts);
    firn_contact_memory* memory = firn_alloc(n * each + 1, sizeof *memory);
    firn_local* island = firn_alloc(n + 1, sizeof *island);
    const bool ok =
        items != NULL && movers != NULL && contacts != NULL && memory != NULL && island != NULL;
    if (ok && old > 0) {
        memcpy(items, bodies->items, old * sizeof *items);
        memcpy(memory, bodies->memory, old * each * sizeof *memory);
    }
    void* const unused[] = {ok ? (void*)bodies->items : items, ok ? (void*)bodies->movers : movers,
                            ok ? (void*)bodies->contacts : contacts,
                            ok ? (void*)bodies->memory : memory,
                            ok ? (void*)bodies->island : island};
    for (size_t k = 0; k < sizeof unused / sizeof *unused; k++) firn_free(unused[k]);
    if (!ok) return false;
    bodies->items = items;
    bodies->movers = movers;
    bodies->contacts = contacts;
    bodies->memory = memory;
    bodies->island = island;
    bodies->capacity = count;
    return true;
}

firn_result firn_bodies_add(firn_bodies* bodies, const firn_collider* collider, firn_local index,
                            const firn_shapes* shapes, firn_error* error)
{
    const bool weighs = collider->mass > 0;
    if (!firn_reserve((void**)&bodies->of, &bodies->of_capacity, index + 1, sizeof *bodies->of) ||
        !reserve(bodies, bodies->count + weighs))
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for rigid bodies");
    if (weighs) FIRN_TRY(fill_body(&bodies->items[bodies->count], collider, index, shapes, error));
    bodies->of[index] = weighs ? bodies->count++ : -1;
    bodies->collider_count = index + 1;
    for (firn_local j = 0; j < bodies->joint_count; j++)  // the immovable one has moved
        if (bodies->joints[j].b < 0 || bodies->joints[j].b >= bodies->count - weighs)
            bodies->joints[j].b = bodies->count;
    return FIRN_OK;
}

firn_result firn_bodies_create(const firn_collider* colliders, firn_local collider_count,
                               const firn_joint* joints, firn_local joint_count,
                               const firn_shapes* shapes, firn_bodies** out_bodies,
                               firn_error* error)
{
    firn_bodies* bodies = firn_alloc(1, sizeof *bodies);
    if (bodies == NULL) return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    firn_local weigh = 0;
    for (firn_local c = 0; c < collider_count; c++) weigh += colliders[c].mass > 0;
    firn_result r = FIRN_OK;
    if (!reserve(bodies, weigh))
        r = firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for rigid bodies");
    for (firn_local c = 0; c < collider_count && r == FIRN_OK; c++)
        r = firn_bodies_add(bodies, &colliders[c], c, shapes, error);
    for (firn_local j = 0; j < joint_count && r == FIRN_OK; j++)
        r = firn_bodies_join(bodies, &joints[j], colliders, 0, error);
    if (r != FIRN_OK)
        firn_bodies_destroy(bodies);
    else
        *out_bodies = bodies;
    return r;
}

void firn_bodies_destroy(firn_bodies* bodies)
{
    if (bodies == NULL) return;
    void* const owned[] = {bodies->items,  bodies->movers, bodies->contacts, bodies->memory,
                           bodies->island, bodies->joints, bodies->of};
    for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) firn_free(owned[k]);
    firn_free(bodies);
}

firn_local firn_bodies_count(const firn_bodies* bodies)
{
    return bodies->count;
}

firn_local firn_bodies_of(const firn_bodies* bodies, firn_local collider)
{
    return bodies->of[collider];
}

const firn_rigid* firn_bodies_rigid(const firn_bodies* bodies, firn_local body)
{
    return &bodies->items[body].rigid;
}

bool firn_bodies_is_free(const firn_bodies* bodies, firn_local body)
{
    return bodies->items[body].free;
}

bool firn_bodies_is_inactive(const firn_bodies* bodies, firn_local body)
{
    return bodies->items[body].inactive;
}

void firn_bodies_never_rest(firn_bodies* bodies)
{
    bodies->never_rests = true;
}

static void activate(firn_body* body)
{
    body->inactive = false;
    body->rest = 0;
}

void firn_bodies_take(firn_bodies* bodies, const firn_collider* colliders, double time)
{
    for (firn_local k = 0; k < bodies->count; k++) {
        firn_body* body = &bodies->items[k];
        const firn_collider* c = &colliders[body->collider];
        const bool free = !c->removed && c->moved_by == FIRN_MOVED_BY_SOLVER;
        if (free != body->free) activate(body);
        body->free = free;
        if (c->removed || (free && c->drive_time == body->time)) continue;
        const firn_motion state = firn_collider_state(c, time);
        firn_rigid_set_state(&body->rigid, &state);
        body->time = c->drive_time;
        activate(body);
    }
}

void firn_bodies_impulse(firn_bodies* bodies, firn_collider* colliders, firn_local k,
                         firn_vec3 impulse, const firn_vec3* point, firn_vec3 angular)
{
    firn_body* body = &bodies->items[k];
    firn_collider* c = &colliders[body->collider];
    if (c->drive_time != body->time || c->moved_by != FIRN_MOVED_BY_SOLVER) {
        const firn_motion state = firn_collider_state(c, c->drive_time);
        firn_rigid_set_state(&body->rigid, &state);
        body->time = c->drive_time;
    }
    firn_rigid* rigid = &body->rigid;
    firn_rigid_push(rigid, point != NULL ? *point : rigid->position, impulse);
    rigid->spin =
        firn_v3_add(rigid->spin, firn_rigid_inverse_inertia(rigid, rigid->rotation, angular));
    firn_collider_follow(c, rigid, body->time);
    activate(body);
}

void firn_bodies_set(firn_bodies* bodies, firn_collider* colliders, firn_local k,
                     const firn_rigid* state, double time)
{
    firn_body* body = &bodies->items[k];
    firn_rigid* rigid = &body->rigid;
    rigid->position = state->position;
    rigid->remainder = state->remainder;
    rigid->rotation = state->rotation;
    rigid->velocity = state->velocity;
    rigid->spin = state->spin;
    body->time = time;
    activate(body);
    firn_collider_follow(&colliders[body->collider], rigid, time);
}
