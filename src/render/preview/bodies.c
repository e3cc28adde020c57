// SPDX-License-Identifier: MIT
// Solid bodies: planes by formula, everything else by walking along the ray as far as the level set
// allows (sphere tracing, Hart 1996).
#include "render/preview/bodies.h"

#include "core/memory.h"
#include "render/body_look.h"

#define STEPS_MAX 160  // of a ray; grazing rays need the most
#define SHADOW_STEPS_MAX 48
#define CAUTION \
    0.75f  // of a step towards a deforming body: between keys phi may rise faster than 1

static void place_plane(firn_body* b, const firn_shape_node* node)
{
    const firn_pose* pose = &b->collider.pose;
    b->is_plane = true;
    b->point = firn_pose_to_world(pose, firn_v3(node->p[0], node->p[1], node->p[2]));
    const firn_vec3 n = firn_m3_mul_v3(pose->rotation, firn_v3(node->p[3], node->p[4], node->p[5]));
    b->normal = firn_v3_normalize(n, firn_v3(0, 1, 0));
}

static void place_bounds(firn_body* b, const firn_shapes* shapes)
{
    const firn_box3 box = firn_collider_bounds(&b->collider, shapes);
    const firn_vec3 size = firn_v3_sub(box.high, box.low);
    const firn_real radius = 0.5f * firn_v3_length(size);
    b->bounded = firn_is_finite(radius) && radius < 1e15f && size.x >= 0;
    if (!b->bounded) return;
    b->box = box;
    b->center = firn_pose_to_world(&b->collider.pose, firn_v3_madd(box.low, 0.5f, size));
    b->radius = b->collider.pose.scale * radius * 1.001f;
}

// Same surface as the collider's, but planes skip the tree.
static firn_real distance_to(const firn_bodies* bodies, const firn_body* b, firn_vec3 x)
{
    if (b->is_plane) return firn_v3_dot(b->normal, firn_v3_sub(x, b->point));
    const firn_real d = firn_collider_distance(&b->collider, bodies->shapes, x);
    return b->collider.deforming != NULL ? CAUTION * d : d;
}

// What kind of body it is. Only shapes of the scene have nodes.
static void place_body(firn_body* b, const firn_shapes* shapes, int32_t index)
{
    const int32_t kind = b->collider.deforming != NULL ? -1 : shapes->nodes[b->collider.shape].kind;
    if (kind == FIRN_SHAPE_PLANE)
        place_plane(b, &shapes->nodes[b->collider.shape]);
    else
        place_bounds(b, shapes);
    b->albedo = firn_body_colour(&b->collider, shapes, index);
}

firn_result firn_bodies_create(firn_bodies* bodies, const firn_collider* colliders,
                               firn_local count, const firn_shapes* shapes, double time,
                               const firn_camera* camera, firn_error* error)
{
    *bodies = (firn_bodies){.shapes = shapes, .pixel = camera->pixel};
    bodies->reach = 500 * camera->distance;
    bodies->items = firn_alloc((size_t)count + 1, sizeof *bodies->items);
    if (bodies->items == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the preview's %d colliders",
                         (int)count);
    for (firn_local i = 0; i < count; i++) {
        if (colliders[i].look.kind == FIRN_LOOK_HIDDEN) continue;
        firn_body* b = &bodies->items[bodies->count];
        *b = (firn_body){0};
        firn_result result = firn_collider_copy(&colliders[i], &b->collider);
        if (result != FIRN_OK) firn_fail(error, result, "no memory for the preview's colliders");
        if (result == FIRN_OK) result = firn_collider_move(&b->collider, shapes, time, error);
        if (result != FIRN_OK) {
            firn_collider_destroy(&b->collider);
            firn_bodies_destroy(bodies);
            return result;
        }
        place_body(b, shapes, i);
        if (distance_to(bodies, b, camera->eye) > 0)
            bodies->count++;
        else  // the eye is inside
            firn_collider_destroy(&b->collider);
    }
    return FIRN_OK;
}

void firn_bodies_destroy(firn_bodies* bodies)
{
    for (int32_t i = 0; i < bodies->count; i++) firn_collider_destroy(&bodies->items[i].collider);
    firn_free(bodies->items);
    *bodies = (firn_bodies){0};
}

// Between two walls of the box across one axis. A ray along them is inside for ever, or never.
static void clip_to_walls(firn_real x, firn_real d, firn_real low, firn_real high, firn_real* t0,
                          firn_real* t1)
{
    const firn_real rate = 1 / (firn_abs(d) > 1e-12f ? d : 1e-12f);
    const firn_real a = (low - x) * rate, b = (high - x) * rate;
    *t0 = firn_max(*t0, firn_min(a, b));
    *t1 = firn_min(*t1, firn_max(a, b));
}

// The part of a ray that may meet the body, or pass it by `margin` of the way there: false when
// there is none. The box, and not a sphere around it: a pavement is a hundred times longer than it
// is high, and rays that graze it walk in small steps.
static bool clip_to_bounds(const firn_body* b, firn_ray ray, firn_real margin, firn_real* t0,
                           firn_real* t1)
{
    if (!b->bounded) return true;
    const firn_vec3 v = firn_v3_sub(b->center, ray.origin);
    const firn_real along = firn_v3_dot(v, ray.direction);
    const firn_real room = margin * (firn_max(along, 0) + b->radius) + 1e-5f * b->radius;
    const firn_vec3 off = firn_v3_madd(v, -along, ray.direction);
    const firn_real r = b->radius + room;
    if (along < -r || !(firn_v3_dot(off, off) < r * r)) return false;  // most bodies, soon
    const firn_pose* pose = &b->collider.pose;
    const firn_real wide = room / pose->scale;
    const firn_vec3 x = firn_pose_to_body(pose, ray.origin);
    const firn_vec3 d =
        firn_v3_scale(firn_m3_transposed_mul_v3(pose->rotation, ray.direction), 1 / pose->scale);
    clip_to_walls(x.x, d.x, b->box.low.x - wide, b->box.high.x + wide, t0, t1);
    clip_to_walls(x.y, d.y, b->box.low.y - wide, b->box.high.y + wide, t0, t1);
    clip_to_walls(x.z, d.z, b->box.low.z - wide, b->box.high.z + wide, t0, t1);
    return *t0 < *t1;
}

// Walks to the surface. Passing by within a pixel leaves a fringe.
static void trace_walk(const firn_bodies* bodies, int32_t body, firn_ray ray, firn_body_hit* hit)
{
    const firn_body* b = &bodies->items[body];
    firn_real t = 0, end = hit->t;
    if (!clip_to_bounds(b, ray, bodies->pixel, &t, &end)) return;
    float nearest = 1;  // [pixels]
    firn_real nearest_t = 0;
    for (int step = 0; step < STEPS_MAX && t < end; step++) {
        const firn_real d = distance_to(bodies, b, firn_v3_madd(ray.origin, t, ray.direction));
        const firn_real pixel = bodies->pixel * t + 1e-7f * bodies->reach;
        if (d < 0.1f * pixel) {
            hit->t = t;
            hit->body = body;
            return;
        }
        if (d < nearest * pixel) {
            nearest = (float)(d / pixel);
            nearest_t = t;
        }
        t += d;
    }
    if (nearest < 1 && 1 - nearest > hit->fringe) {
        hit->fringe = 1 - nearest;
        hit->fringe_t = nearest_t;
        hit->fringe_body = body;
    }
}

firn_body_hit firn_bodies_trace(const firn_bodies* bodies, firn_ray ray)
{
    firn_body_hit hit = {.t = bodies->reach, .body = -1, .fringe_body = -1};
    for (int32_t i = 0; i < bodies->count; i++) {
        const firn_body* b = &bodies->items[i];
        if (!b->is_plane) continue;
        const firn_real along = firn_v3_dot(b->normal, ray.direction);
        if (!(along < 0)) continue;
        const firn_real t = firn_v3_dot(b->normal, firn_v3_sub(b->point, ray.origin)) / along;
        if (t > 0 && t < hit.t) {
            hit.t = t;
            hit.body = i;
        }
    }
    for (int32_t i = 0; i < bodies->count; i++)
        if (!bodies->items[i].is_plane) trace_walk(bodies, i, ray, &hit);
    if (hit.fringe_body == hit.body || hit.fringe_t >= hit.t) {
        hit.fringe_body = -1;
        hit.fringe = 0;
    }
    return hit;
}

firn_vec3 firn_body_normal(const firn_bodies* bodies, int32_t body, firn_vec3 x)
{
    const firn_body* b = &bodies->items[body];
    if (b->is_plane) return b->normal;
    firn_vec3 n = firn_v3(0, 1, 0);
    firn_collider_sample(&b->collider, bodies->shapes, x, &n);
    return n;
}

// How much of the sun's disc a walk towards it leaves: the narrowest gap against the distance
// (Quilez' soft shadows). The disc is drawn 3 degrees wide, so that edges are soft.
static float shadow_walk(const firn_bodies* bodies, const firn_body* b, firn_ray ray,
                         firn_real start)
{
    firn_real t = start, end = bodies->reach;
    if (!clip_to_bounds(b, ray, 0.05f, &t, &end)) return 1;
    float light = 1;
    for (int step = 0; step < SHADOW_STEPS_MAX && t < end; step++) {
        const firn_real d = distance_to(bodies, b, firn_v3_madd(ray.origin, t, ray.direction));
        const float gap = 0.5f + 20 * (float)(d / t);  // -0.5 .. 0.5 of the disc
        if (gap < light) light = gap;
        if (light <= 0) return 0;
        t += firn_max(d, 0.02f * t);
    }
    return firn_smooth_between(0, 1, light);
}

float firn_bodies_sun(const firn_bodies* bodies, firn_vec3 x, firn_vec3 sun, int32_t own)
{
    float light = 1;
    const firn_ray ray = {x, sun};
    for (int32_t i = 0; i < bodies->count && light > 0; i++) {
        const firn_body* b = &bodies->items[i];
        if (b->is_plane) {
            if (i != own && firn_v3_dot(b->normal, sun) < 0) light = 0;
        } else {
            // from its own surface a ray starts far enough out not to meet it at once
            const firn_real start = i == own ? 0.02f * b->radius : 1e-6f * bodies->reach;
            light *= shadow_walk(bodies, b, ray, start > 0 ? start : 2e-5f * bodies->reach);
        }
    }
    return light;
}

// Further than `far` from the box around a body?
static bool is_away(const firn_body* b, firn_vec3 x, firn_real far)
{
    const firn_vec3 p = firn_pose_to_body(&b->collider.pose, x);
    const firn_real room = far / b->collider.pose.scale;
    return p.x < b->box.low.x - room || p.x > b->box.high.x + room || p.y < b->box.low.y - room ||
           p.y > b->box.high.y + room || p.z < b->box.low.z - room || p.z > b->box.high.z + room;
}

float firn_bodies_open(const firn_bodies* bodies, firn_vec3 x, firn_vec3 d, firn_real size,
                       int32_t own)
{
    float open = 1;
    for (int32_t i = 0; i < bodies->count; i++) {
        const firn_body* b = &bodies->items[i];
        if (i == own) continue;
        if (b->bounded && is_away(b, x, 2 * size)) continue;
        for (int k = 1; k <= 2; k++) {
            const firn_real r = k == 1 ? 0.3f * size : size;
            const float gap = (float)(distance_to(bodies, b, firn_v3_madd(x, r, d)) / r);
            open *= 0.35f + 0.65f * firn_clamp01(gap * 1.4f + 0.5f);
        }
    }
    return open;
}
