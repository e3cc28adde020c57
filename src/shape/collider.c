// SPDX-License-Identifier: MIT
// Colliders: phi(x, t) = s phi_0(Q^T (x - c) / s), n = Q grad phi_0. Stomakhin 2013, section 8,
// with a scale s. phi_0 is a shape that stays, or a deforming body at the time of the pose.
#include "shape/collider.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

firn_result firn_collider_copy(const firn_collider* collider, firn_collider* out_copy)
{
    *out_copy = (firn_collider){0};
    firn_collider copy = *collider;
    copy.motion.keys = NULL;
    if (collider->motion.keys != NULL && collider->motion.key_count > 0) {
        const size_t count = (size_t)collider->motion.key_count;
        copy.motion.keys = firn_alloc(count, sizeof *copy.motion.keys);
        if (copy.motion.keys == NULL) return FIRN_BROKEN_MEMORY;
        memcpy(copy.motion.keys, collider->motion.keys, count * sizeof *copy.motion.keys);
    }
    firn_deforming_share(copy.deforming);
    firn_deform_pose_share(&copy.deform);
    *out_copy = copy;
    return FIRN_OK;
}

void firn_collider_destroy(firn_collider* collider)
{
    firn_free(collider->motion.keys);
    firn_deform_pose_release(&collider->deform);
    firn_deforming_release(collider->deforming);
    *collider = (firn_collider){0};
}

firn_result firn_colliders_copy(const firn_collider* from, firn_local count, firn_collider* to)
{
    for (firn_local c = 0; c < count; c++) {
        if (firn_collider_copy(&from[c], &to[c]) == FIRN_OK) continue;
        firn_colliders_destroy(to, c);
        return FIRN_BROKEN_MEMORY;
    }
    return FIRN_OK;
}

void firn_colliders_destroy(firn_collider* colliders, firn_local count)
{
    for (firn_local c = 0; c < count; c++) firn_collider_destroy(&colliders[c]);
}

// Side `sign` of the box that encloses `own` once it is posed, along axis i, with a hair for the
// rounding of phi; FIRN_REAL_MAX where it has no bound.
static firn_real posed_side(const firn_pose* pose, const firn_box3* own, int i, int sign)
{
    const double low[3] = {(double)own->low.x, (double)own->low.y, (double)own->low.z};
    const double high[3] = {(double)own->high.x, (double)own->high.y, (double)own->high.z};
    const firn_real position[3] = {pose->position.x, pose->position.y, pose->position.z};
    double side = (double)position[i], size = fabs(side);
    for (int j = 0; j < 3; j++) {
        const double s = (double)pose->scale * (double)pose->rotation.m[i][j];
        if (s == 0) continue;  // that side does not reach this one, however long it is
        const double end = (s > 0) == (sign > 0) ? high[j] : low[j];
        if (fabs(end) >= (double)FIRN_REAL_MAX) return (firn_real)sign * FIRN_REAL_MAX;
        side += s * end;
        size += fabs(s * end);
    }
    side += sign * 16 * (double)FIRN_REAL_EPSILON * size;
    if (fabs(side) >= (double)FIRN_REAL_MAX) return (firn_real)sign * FIRN_REAL_MAX;
    return (firn_real)side;
}

static firn_box3 posed_box(const firn_pose* pose, firn_box3 own)
{
    if (own.low.x > own.high.x) return own;  // empty
    return (firn_box3){firn_v3(posed_side(pose, &own, 0, -1), posed_side(pose, &own, 1, -1),
                               posed_side(pose, &own, 2, -1)),
                       firn_v3(posed_side(pose, &own, 0, 1), posed_side(pose, &own, 1, 1),
                               posed_side(pose, &own, 2, 1))};
}

firn_result firn_collider_move(firn_collider* collider, const firn_shapes* shapes, double time,
                               firn_error* error)
{
    if (collider->deforming != NULL)
        FIRN_TRY(firn_deforming_move(collider->deforming, time, &collider->deform, error));
    collider->pose = firn_motion_pose(&collider->motion, time);
    collider->reach = posed_box(&collider->pose, firn_collider_bounds(collider, shapes));
    return FIRN_OK;
}

firn_box3 firn_collider_bounds(const firn_collider* collider, const firn_shapes* shapes)
{
    return collider->deforming != NULL ? firn_deform_pose_bounds(&collider->deform)
                                       : firn_shape_bounds(shapes, collider->shape);
}

firn_real firn_collider_distance(const firn_collider* collider, const firn_shapes* shapes,
                                 firn_vec3 x)
{
    const firn_vec3 own = firn_pose_to_body(&collider->pose, x);
    const firn_real distance = collider->deforming != NULL
                                   ? firn_deform_distance(&collider->deform, own)
                                   : firn_shape_distance(shapes, collider->shape, own);
    return collider->pose.scale * distance;
}

firn_real firn_collider_sample(const firn_collider* collider, const firn_shapes* shapes,
                               firn_vec3 x, firn_vec3* out_normal)
{
    const firn_vec3 own = firn_pose_to_body(&collider->pose, x);
    firn_phi phi;
    if (collider->deforming != NULL)
        phi = firn_deform_sample(&collider->deform, own);
    else
        phi.distance = firn_shape_sample(shapes, collider->shape, own, &phi.normal);
    *out_normal = firn_m3_mul_v3(collider->pose.rotation, phi.normal);
    return collider->pose.scale * phi.distance;
}
