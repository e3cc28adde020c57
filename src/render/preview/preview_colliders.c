// SPDX-License-Identifier: MIT
// Planes are intersected analytically, everything else by sphere tracing its SDF (Hart 1996).
#include "render/preview/preview_colliders.h"

#include "core/memory.h"
#include "geometry/collider/collider_look.h"
#include "geometry/sdf/shape.h"

#define STEPS_MAX 160  // per ray; grazing rays need the most
#define SHADOW_STEPS_MAX 48
#define CAUTION 0.75f  // step scale of deforming colliders: between keys |grad phi| may exceed 1

static void place_plane(firn_preview_collider* b, const firn_shape_node* node)
{
    const firn_pose* pose = &b->collider.pose;
    b->is_plane = true;
    b->point = firn_pose_to_world(pose, firn_v3(node->p[0], node->p[1], node->p[2]));
    const firn_vec3 n = firn_m3_mul_v3(pose->rotation, firn_v3(node->p[3], node->p[4], node->p[5]));
    b->normal = firn_v3_normalize(n, firn_v3(0, 1, 0));
}

static void place_bounds(firn_preview_collider* b, const firn_shapes* shapes)
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

// The collider's SDF; planes are evaluated directly.
static firn_real distance_to(const firn_preview_colliders* colliders,
                             const firn_preview_collider* b, firn_vec3 x)
{
    if (b->is_plane) return firn_v3_dot(b->normal, firn_v3_sub(x, b->point));
    const firn_real d = firn_collider_distance(&b->collider, colliders->shapes, x);
    return b->collider.deforming != NULL ? CAUTION * d : d;
}

// Sets plane or bounds, and the colour. A deforming collider has no shape node.
static void place_collider(firn_preview_collider* b, const firn_shapes* shapes, int32_t index)
{
    const int32_t kind = b->collider.deforming != NULL ? -1 : shapes->nodes[b->collider.shape].kind;
    if (kind == FIRN_SHAPE_PLANE)
        place_plane(b, &shapes->nodes[b->collider.shape]);
    else
        place_bounds(b, shapes);
    b->albedo = firn_collider_colour(&b->collider, shapes, index);
}

firn_result firn_preview_colliders_create(firn_preview_colliders* colliders,
                                          const firn_collider* scene_colliders, firn_local count,
                                          const firn_shapes* shapes, double time,
                                          const firn_camera* camera, firn_error* error)
{
    *colliders = (firn_preview_colliders){.shapes = shapes, .pixel = camera->pixel};
    colliders->reach = 500 * camera->distance;
    colliders->items = firn_alloc((size_t)count + 1, sizeof *colliders->items);
    if (colliders->items == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the preview's %d colliders",
                         (int)count);
    for (firn_local i = 0; i < count; i++) {
        if (scene_colliders[i].look.kind == FIRN_LOOK_HIDDEN) continue;
        firn_preview_collider* b = &colliders->items[colliders->count];
        *b = (firn_preview_collider){0};
        firn_result result = firn_collider_copy(&scene_colliders[i], &b->collider);
        if (result != FIRN_OK) firn_fail(error, result, "no memory for the preview's colliders");
        if (result == FIRN_OK) result = firn_collider_move(&b->collider, shapes, time, error);
        if (result != FIRN_OK) {
            firn_collider_destroy(&b->collider);
            firn_preview_colliders_destroy(colliders);
            return result;
        }
        place_collider(b, shapes, i);
        if (distance_to(colliders, b, camera->eye) > 0)
            colliders->count++;
        else  // the eye is inside
            firn_collider_destroy(&b->collider);
    }
    return FIRN_OK;
}

void firn_preview_colliders_destroy(firn_preview_colliders* colliders)
{
    for (int32_t i = 0; i < colliders->count; i++)
        firn_collider_destroy(&colliders->items[i].collider);
    firn_free(colliders->items);
    *colliders = (firn_preview_colliders){0};
}

// Clips [t0, t1] to the slab between two faces of the box. A ray parallel to the slab stays inside
// or outside for its whole length.
static void clip_to_slab(firn_real x, firn_real d, firn_real low, firn_real high, firn_real* t0,
                         firn_real* t1)
{
    const firn_real rate = 1 / (firn_abs(d) > 1e-12f ? d : 1e-12f);
    const firn_real a = (low - x) * rate, b = (high - x) * rate;
    *t0 = firn_max(*t0, firn_min(a, b));
    *t1 = firn_min(*t1, firn_max(a, b));
}

// Clips [t0, t1] to the collider's bounds, enlarged by `margin` times the distance; false if
// nothing is left. Uses the box after a sphere early-out: a flat pavement fills little of its
// sphere, and grazing rays take small steps.
static bool clip_to_bounds(const firn_preview_collider* b, firn_ray ray, firn_real margin,
                           firn_real* t0, firn_real* t1)
{
    if (!b->bounded) return true;
    const firn_vec3 v = firn_v3_sub(b->center, ray.origin);
    const firn_real along = firn_v3_dot(v, ray.direction);
    const firn_real room = margin * (firn_max(along, 0) + b->radius) + 1e-5f * b->radius;
    const firn_vec3 off = firn_v3_madd(v, -along, ray.direction);
    const firn_real r = b->radius + room;
    if (along < -r || !(firn_v3_dot(off, off) < r * r)) return false;  // sphere early-out
    const firn_pose* pose = &b->collider.pose;
    const firn_real local_room = room / pose->scale;
    const firn_vec3 x = firn_pose_to_body(pose, ray.origin);
    const firn_vec3 d =
        firn_v3_scale(firn_m3_transposed_mul_v3(pose->rotation, ray.direction), 1 / pose->scale);
    clip_to_slab(x.x, d.x, b->box.low.x - local_room, b->box.high.x + local_room, t0, t1);
    clip_to_slab(x.y, d.y, b->box.low.y - local_room, b->box.high.y + local_room, t0, t1);
    clip_to_slab(x.z, d.z, b->box.low.z - local_room, b->box.high.z + local_room, t0, t1);
    return *t0 < *t1;
}

// Sphere tracing. A miss by less than a pixel sets the fringe.
static void sphere_trace(const firn_preview_colliders* colliders, int32_t collider, firn_ray ray,
                         firn_collider_hit* hit)
{
    const firn_preview_collider* b = &colliders->items[collider];
    firn_real t = 0, end = hit->t;
    if (!clip_to_bounds(b, ray, colliders->pixel, &t, &end)) return;
    float nearest = 1;  // [pixels]
    firn_real nearest_t = 0;
    for (int step = 0; step < STEPS_MAX && t < end; step++) {
        const firn_real d = distance_to(colliders, b, firn_v3_madd(ray.origin, t, ray.direction));
        const firn_real pixel = colliders->pixel * t + 1e-7f * colliders->reach;
        if (d < 0.1f * pixel) {
            hit->t = t;
            hit->collider = collider;
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
        hit->fringe_collider = collider;
    }
}

firn_collider_hit firn_preview_colliders_trace(const firn_preview_colliders* colliders,
                                               firn_ray ray)
{
    firn_collider_hit hit = {.t = colliders->reach, .collider = -1, .fringe_collider = -1};
    for (int32_t i = 0; i < colliders->count; i++) {
        const firn_preview_collider* b = &colliders->items[i];
        if (!b->is_plane) continue;
        const firn_real along = firn_v3_dot(b->normal, ray.direction);
        if (!(along < 0)) continue;
        const firn_real t = firn_v3_dot(b->normal, firn_v3_sub(b->point, ray.origin)) / along;
        if (t > 0 && t < hit.t) {
            hit.t = t;
            hit.collider = i;
        }
    }
    for (int32_t i = 0; i < colliders->count; i++)
        if (!colliders->items[i].is_plane) sphere_trace(colliders, i, ray, &hit);
    if (hit.fringe_collider == hit.collider || hit.fringe_t >= hit.t) {
        hit.fringe_collider = -1;
        hit.fringe = 0;
    }
    return hit;
}

firn_vec3 firn_preview_collider_normal(const firn_preview_colliders* colliders, int32_t collider,
                                       firn_vec3 x)
{
    const firn_preview_collider* b = &colliders->items[collider];
    if (b->is_plane) return b->normal;
    firn_vec3 n = firn_v3(0, 1, 0);
    firn_collider_sample(&b->collider, colliders->shapes, x, &n);
    return n;
}

// Soft shadow by sphere tracing: smallest ratio of SDF to distance along the ray (Quilez). The
// sun's disc is taken as 3 degrees wide for soft edges.
static float trace_shadow(const firn_preview_colliders* colliders, const firn_preview_collider* b,
                          firn_ray ray, firn_real start)
{
    firn_real t = start, end = colliders->reach;
    if (!clip_to_bounds(b, ray, 0.05f, &t, &end)) return 1;
    float light = 1;
    for (int step = 0; step < SHADOW_STEPS_MAX && t < end; step++) {
        const firn_real d = distance_to(colliders, b, firn_v3_madd(ray.origin, t, ray.direction));
        const float gap = 0.5f + 20 * (float)(d / t);  // visible fraction of the disc
        if (gap < light) light = gap;
        if (light <= 0) return 0;
        t += firn_max(d, 0.02f * t);
    }
    return firn_smooth_between(0, 1, light);
}

float firn_preview_colliders_sun(const firn_preview_colliders* colliders, firn_vec3 x,
                                 firn_vec3 sun, int32_t own)
{
    float light = 1;
    const firn_ray ray = {x, sun};
    for (int32_t i = 0; i < colliders->count && light > 0; i++) {
        const firn_preview_collider* b = &colliders->items[i];
        if (b->is_plane) {
            if (i != own && firn_v3_dot(b->normal, sun) < 0) light = 0;
        } else {
            // offset the start so that the ray does not hit the collider that x lies on
            const firn_real start = i == own ? 0.02f * b->radius : 1e-6f * colliders->reach;
            light *= trace_shadow(colliders, b, ray, start > 0 ? start : 2e-5f * colliders->reach);
        }
    }
    return light;
}

// Whether x is farther than `far` from the collider's box.
static bool is_outside_bounds(const firn_preview_collider* b, firn_vec3 x, firn_real far)
{
    const firn_vec3 p = firn_pose_to_body(&b->collider.pose, x);
    const firn_real room = far / b->collider.pose.scale;
    return p.x < b->box.low.x - room || p.x > b->box.high.x + room || p.y < b->box.low.y - room ||
           p.y > b->box.high.y + room || p.z < b->box.low.z - room || p.z > b->box.high.z + room;
}

float firn_preview_colliders_visibility(const firn_preview_colliders* colliders, firn_vec3 x,
                                        firn_vec3 d, firn_real size, int32_t own)
{
    float open = 1;
    for (int32_t i = 0; i < colliders->count; i++) {
        const firn_preview_collider* b = &colliders->items[i];
        if (i == own) continue;
        if (b->bounded && is_outside_bounds(b, x, 2 * size)) continue;
        for (int k = 1; k <= 2; k++) {
            const firn_real r = k == 1 ? 0.3f * size : size;
            const float gap = (float)(distance_to(colliders, b, firn_v3_madd(x, r, d)) / r);
            open *= 0.35f + 0.65f * firn_clamp01(gap * 1.4f + 0.5f);
        }
    }
    return open;
}
