// SPDX-License-Identifier: MIT
// Planes are intersected analytically, everything else by sphere tracing its SDF (Hart 1996).
#include "render/preview/preview_colliders.h"

#include "core/memory.h"
#include "geometry/collider/collider_look.h"
#include "geometry/sdf/shape.h"

#define STEPS_MAX 160  // per ray; grazing rays need the most
#define SHADOW_STEPS_MAX 48

static const firn_preview_part* parts_of(const firn_preview_colliders* colliders,
                                         const firn_preview_collider* b)
{
    return colliders->parts.items + b->first;
}

// The collider's SDF: the least of its parts.
static firn_real distance_to(const firn_preview_colliders* colliders,
                             const firn_preview_collider* b, firn_vec3 x)
{
    const firn_preview_part* parts = parts_of(colliders, b);
    firn_real least = FIRN_REAL_MAX;
    for (int32_t k = 0; k < b->count; k++)
        least = firn_min(least,
                         firn_preview_part_distance(&parts[k], &b->collider, colliders->shapes, x));
    return least;
}

// Splits a posed collider into parts; sets its extent and colour.
static firn_result place_collider(firn_preview_colliders* colliders, firn_preview_collider* b,
                                  int32_t index, firn_error* error)
{
    b->first = colliders->parts.count;
    FIRN_TRY(firn_preview_parts_add(&colliders->parts, &b->collider, colliders->shapes, error));
    b->count = colliders->parts.count - b->first;
    const firn_preview_part* part = parts_of(colliders, b);
    b->is_plane = b->count == 1 && part->is_plane;
    if (b->is_plane) b->normal = part->normal;
    const firn_box3 box = firn_collider_bounds(&b->collider, colliders->shapes);
    const firn_vec3 size = firn_v3_sub(box.high, box.low);
    const firn_real radius = 0.5f * b->collider.pose.scale * firn_v3_length(size) * 1.001f;
    if (firn_is_finite(radius) && radius < 1e15f && size.x >= 0) b->radius = radius;
    b->albedo = firn_collider_colour(&b->collider, colliders->shapes, index);
    return FIRN_OK;
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
        if (result == FIRN_OK) result = place_collider(colliders, b, i, error);
        if (result != FIRN_OK) {
            firn_collider_destroy(&b->collider);
            firn_preview_colliders_destroy(colliders);
            return result;
        }
        if (distance_to(colliders, b, camera->eye) > 0)
            colliders->count++;
        else  // the eye is inside
            firn_collider_destroy(&b->collider);
    }
    return FIRN_OK;
}

firn_result firn_preview_colliders_paint(firn_preview_colliders* colliders,
                                         const firn_scene_data* scene, double time,
                                         firn_error* error)
{
    for (int32_t i = 0; i < colliders->count; i++) {
        firn_preview_collider* b = &colliders->items[i];
        FIRN_TRY(firn_preview_paints_create(scene, &b->collider, time, &b->paints, error));
    }
    return FIRN_OK;
}

void firn_preview_colliders_destroy(firn_preview_colliders* colliders)
{
    for (int32_t i = 0; i < colliders->count; i++) {
        firn_collider_destroy(&colliders->items[i].collider);
        firn_preview_paints_destroy(colliders->items[i].paints);
    }
    firn_preview_parts_destroy(&colliders->parts);
    firn_free(colliders->items);
    *colliders = (firn_preview_colliders){0};
}

// Sphere tracing. A miss by less than a pixel sets the fringe.
static void sphere_trace(const firn_preview_colliders* colliders, int32_t collider,
                         const firn_preview_part* part, firn_ray ray, firn_collider_hit* hit)
{
    const firn_collider* solid = &colliders->items[collider].collider;
    firn_real t = 0, end = hit->t;
    if (!firn_preview_part_clip(part, ray, colliders->pixel, &t, &end)) return;
    float nearest = 1;  // [pixels]
    firn_real nearest_t = 0;
    for (int step = 0; step < STEPS_MAX && t < end; step++) {
        const firn_vec3 x = firn_v3_madd(ray.origin, t, ray.direction);
        const firn_real d = firn_preview_part_clear(part, solid, colliders->shapes, x);
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

static void hit_plane(const firn_preview_part* part, int32_t collider, firn_ray ray,
                      firn_collider_hit* hit)
{
    const firn_real along = firn_v3_dot(part->normal, ray.direction);
    if (!(along < 0)) return;
    const firn_real t = firn_v3_dot(part->normal, firn_v3_sub(part->point, ray.origin)) / along;
    if (t > 0 && t < hit->t) {
        hit->t = t;
        hit->collider = collider;
    }
}

// Planes first: they end the rays of everything else.
firn_collider_hit firn_preview_colliders_trace(const firn_preview_colliders* colliders,
                                               firn_ray ray)
{
    firn_collider_hit hit = {.t = colliders->reach, .collider = -1, .fringe_collider = -1};
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < colliders->count; i++) {
            const firn_preview_part* parts = parts_of(colliders, &colliders->items[i]);
            for (int32_t k = 0; k < colliders->items[i].count; k++) {
                if (parts[k].is_plane != (pass == 0)) continue;
                if (pass == 0)
                    hit_plane(&parts[k], i, ray, &hit);
                else
                    sphere_trace(colliders, i, &parts[k], ray, &hit);
            }
        }
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
    const firn_preview_part* parts = parts_of(colliders, b);
    const firn_preview_part* active = parts;
    firn_real least = FIRN_REAL_MAX;
    for (int32_t k = 0; k < b->count && b->count > 1; k++) {
        if (firn_preview_part_is_far(&parts[k], x, least)) continue;
        const firn_real d =
            firn_abs(firn_preview_part_distance(&parts[k], &b->collider, colliders->shapes, x));
        if (d >= least) continue;
        least = d;
        active = &parts[k];
    }
    return firn_preview_part_normal(active, &b->collider, colliders->shapes, x);
}

// Soft shadow by sphere tracing: smallest ratio of SDF to distance along the ray (Quilez). The
// sun's disc is taken as 3 degrees wide for soft edges.
static float trace_shadow(const firn_preview_colliders* colliders, const firn_preview_collider* b,
                          const firn_preview_part* part, firn_ray ray, firn_real start)
{
    firn_real t = start, end = colliders->reach;
    if (part->is_plane) return firn_v3_dot(part->normal, ray.direction) < 0 ? 0 : 1;
    if (!firn_preview_part_clip(part, ray, 0.05f, &t, &end)) return 1;
    float light = 1;
    for (int step = 0; step < SHADOW_STEPS_MAX && t < end; step++) {
        const firn_vec3 x = firn_v3_madd(ray.origin, t, ray.direction);
        const firn_real d = firn_preview_part_clear(part, &b->collider, colliders->shapes, x);
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
        if (i == own && b->is_plane) continue;
        // offset the start so that the ray does not hit the collider that x lies on
        firn_real start = i == own ? 0.02f * b->radius : 1e-6f * colliders->reach;
        if (!(start > 0)) start = 2e-5f * colliders->reach;
        float least = 1;  // of the collider's parts
        for (int32_t k = 0; k < b->count && least > 0; k++) {
            const firn_preview_part* part = parts_of(colliders, b) + k;
            const float seen = trace_shadow(colliders, b, part, ray, start);
            if (seen < least) least = seen;
        }
        light *= least;
    }
    return light;
}

float firn_preview_colliders_visibility(const firn_preview_colliders* colliders, firn_vec3 x,
                                        firn_vec3 d, firn_real size, int32_t own)
{
    float open = 1;
    for (int32_t i = 0; i < colliders->count; i++) {
        const firn_preview_collider* b = &colliders->items[i];
        if (i == own) continue;
        firn_real distance[2] = {size, size};  // or more: fully open
        for (int32_t p = 0; p < b->count; p++) {
            const firn_preview_part* part = parts_of(colliders, b) + p;
            if (firn_preview_part_is_far(part, x, 2 * size)) continue;
            for (int k = 0; k < 2; k++) {
                const firn_vec3 y = firn_v3_madd(x, k == 0 ? 0.3f * size : size, d);
                distance[k] =
                    firn_min(distance[k],
                             firn_preview_part_distance(part, &b->collider, colliders->shapes, y));
            }
        }
        for (int k = 0; k < 2; k++) {
            const float gap = (float)(distance[k] / (k == 0 ? 0.3f * size : size));
            open *= 0.35f + 0.65f * firn_clamp01(gap * 1.4f + 0.5f);
        }
    }
    return open;
}
