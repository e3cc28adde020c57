// SPDX-License-Identifier: MIT
#include "render/preview/preview_parts.h"

#include "core/memory.h"
#include "geometry/sdf/parts.h"

#define CAUTION 0.75f  // step scale of deforming colliders: between keys |grad phi| may exceed 1

static void place_plane(firn_preview_part* part, const firn_shape_node* node)
{
    const firn_pose* pose = &part->pose;
    part->is_plane = true;
    part->point = firn_pose_to_world(pose, firn_v3(node->p[0], node->p[1], node->p[2]));
    const firn_vec3 n = firn_m3_mul_v3(pose->rotation, firn_v3(node->p[3], node->p[4], node->p[5]));
    part->normal = firn_v3_normalize(n, firn_v3(0, 1, 0));
}

static void place_bounds(firn_preview_part* part, firn_box3 box)
{
    part->box = box;
    const firn_vec3 size = firn_v3_sub(box.high, box.low);
    part->boxed = size.x >= 0;
    const firn_real radius = 0.5f * firn_v3_length(size);
    part->bounded = part->boxed && firn_is_finite(radius) && radius < 1e15f;
    if (!part->bounded) return;
    part->center = firn_pose_to_world(&part->pose, firn_v3_madd(box.low, 0.5f, size));
    part->radius = part->pose.scale * radius * 1.001f;
}

typedef struct gather {
    firn_preview_parts* parts;
    const firn_shapes* shapes;
    firn_error* error;
} gather;

static firn_result append(firn_preview_parts* parts, const firn_preview_part* part)
{
    if (!firn_reserve((void**)&parts->items, &parts->capacity, parts->count + 1,
                      sizeof *parts->items))
        return FIRN_BROKEN_MEMORY;
    parts->items[parts->count++] = *part;
    return FIRN_OK;
}

static firn_result add_part(void* user, firn_local shape, const firn_pose* pose)
{
    const gather* g = user;
    const firn_shape_node* node = &g->shapes->nodes[shape];
    firn_preview_part part = {.shape = shape, .pose = *pose};
    if (node->kind == FIRN_SHAPE_PLANE)
        place_plane(&part, node);
    else
        place_bounds(&part, firn_shape_bounds(g->shapes, shape));
    if (node->kind == FIRN_SHAPE_LEVEL_SET)
        FIRN_TRY(firn_empty_space_create(g->shapes->level_sets[node->a], &part.space, g->error));
    const firn_result r = append(g->parts, &part);
    if (r != FIRN_OK) firn_empty_space_destroy(&part.space);
    return r;
}

firn_result firn_preview_parts_add(firn_preview_parts* parts, const firn_collider* collider,
                                   const firn_shapes* shapes, firn_error* error)
{
    firn_result r;
    if (collider->deforming != NULL) {
        firn_preview_part whole = {.shape = -1, .pose = collider->pose};
        place_bounds(&whole, firn_collider_bounds(collider, shapes));
        r = append(parts, &whole);
    } else {
        gather g = {parts, shapes, error};
        r = firn_shape_walk_parts(shapes, collider->shape, &collider->pose, add_part, &g);
    }
    if (r == FIRN_OK) return FIRN_OK;
    return firn_fail(error, r, "no memory for the preview's colliders");
}

void firn_preview_parts_destroy(firn_preview_parts* parts)
{
    for (int32_t k = 0; k < parts->count; k++) firn_empty_space_destroy(&parts->items[k].space);
    firn_free(parts->items);
    *parts = (firn_preview_parts){0};
}

firn_real firn_preview_part_distance(const firn_preview_part* part, const firn_collider* collider,
                                     const firn_shapes* shapes, firn_vec3 x)
{
    if (part->is_plane) return firn_v3_dot(part->normal, firn_v3_sub(x, part->point));
    if (part->shape < 0) return CAUTION * firn_collider_distance(collider, shapes, x);
    return part->pose.scale *
           firn_shape_distance(shapes, part->shape, firn_pose_to_body(&part->pose, x));
}

firn_real firn_preview_part_clear(const firn_preview_part* part, const firn_collider* collider,
                                  const firn_shapes* shapes, firn_vec3 x)
{
    if (part->space.set == NULL) return firn_preview_part_distance(part, collider, shapes, x);
    const firn_vec3 own = firn_pose_to_body(&part->pose, x);
    const firn_real clear = firn_empty_space_at(&part->space, own);
    return part->pose.scale * (clear > 0 ? clear : firn_shape_distance(shapes, part->shape, own));
}

firn_vec3 firn_preview_part_normal(const firn_preview_part* part, const firn_collider* collider,
                                   const firn_shapes* shapes, firn_vec3 x)
{
    firn_vec3 n = firn_v3(0, 1, 0);
    if (part->is_plane) return part->normal;
    if (part->shape < 0) {
        firn_collider_sample(collider, shapes, x, &n);
        return n;
    }
    firn_shape_sample(shapes, part->shape, firn_pose_to_body(&part->pose, x), &n);
    return firn_m3_mul_v3(part->pose.rotation, n);
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

// Clips to the box after a sphere early-out: a flat pavement fills little of its sphere, and
// grazing rays take small steps.
bool firn_preview_part_clip(const firn_preview_part* part, firn_ray ray, firn_real margin,
                            firn_real* t0, firn_real* t1)
{
    if (!part->boxed) return true;
    firn_real room = 0;
    if (part->bounded) {
        const firn_vec3 v = firn_v3_sub(part->center, ray.origin);
        const firn_real along = firn_v3_dot(v, ray.direction);
        room = margin * (firn_max(along, 0) + part->radius) + 1e-5f * part->radius;
        const firn_vec3 off = firn_v3_madd(v, -along, ray.direction);
        const firn_real r = part->radius + room;
        if (along < -r || !(firn_v3_dot(off, off) < r * r)) return false;  // sphere early-out
    }
    const firn_pose* pose = &part->pose;
    const firn_box3* box = &part->box;
    const firn_real local_room = room / pose->scale;
    const firn_vec3 x = firn_pose_to_body(pose, ray.origin);
    const firn_vec3 d =
        firn_v3_scale(firn_m3_transposed_mul_v3(pose->rotation, ray.direction), 1 / pose->scale);
    clip_to_slab(x.x, d.x, box->low.x - local_room, box->high.x + local_room, t0, t1);
    clip_to_slab(x.y, d.y, box->low.y - local_room, box->high.y + local_room, t0, t1);
    clip_to_slab(x.z, d.z, box->low.z - local_room, box->high.z + local_room, t0, t1);
    return *t0 < *t1;
}

bool firn_preview_part_is_far(const firn_preview_part* part, firn_vec3 x, firn_real far)
{
    if (part->is_plane) return firn_v3_dot(part->normal, firn_v3_sub(x, part->point)) > far;
    if (!part->boxed) return false;
    const firn_vec3 p = firn_pose_to_body(&part->pose, x);
    const firn_real room = far / part->pose.scale;
    const firn_box3* box = &part->box;
    return p.x < box->low.x - room || p.x > box->high.x + room || p.y < box->low.y - room ||
           p.y > box->high.y + room || p.z < box->low.z - room || p.z > box->high.z + room;
}
