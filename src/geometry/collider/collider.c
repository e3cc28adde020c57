// SPDX-License-Identifier: MIT
// Copies, poses and samples colliders (collider_sample.h has the formulas).
#include "geometry/collider/collider.h"

#include <string.h>

#include "core/memory.h"
#include "geometry/collider/collider_drive.h"
#include "geometry/collider/collider_sample.h"
#include "geometry/deform/deforming.h"
#include "geometry/motion/posed_box.h"

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

firn_result firn_collider_move(firn_collider* collider, const firn_shapes* shapes, double time,
                               firn_error* error)
{
    if (collider->removed) {
        const firn_real most = FIRN_REAL_MAX;
        collider->reach = (firn_box3){{most, most, most}, {-most, -most, -most}};
        return FIRN_OK;
    }
    if (collider->deforming != NULL)
        FIRN_TRY(firn_deforming_move(collider->deforming, time, &collider->deform, error));
    collider->pose = firn_collider_pose_at(collider, time);
    collider->reach = firn_posed_box(&collider->pose, firn_collider_bounds(collider, shapes));
    return FIRN_OK;
}

firn_box3 firn_collider_bounds(const firn_collider* collider, const firn_shapes* shapes)
{
    return collider->deforming != NULL ? firn_deform_pose_bounds(&collider->deform)
                                       : firn_shape_bounds(shapes, collider->shape);
}

firn_real firn_collider_distance_baseline(const firn_collider* collider,
                                          const firn_shape_tables* tables, firn_vec3 x)
{
    return firn_collider_distance_at(collider, tables, x);
}

firn_real firn_collider_sample_baseline(const firn_collider* collider,
                                        const firn_shape_tables* tables, firn_vec3 x,
                                        firn_vec3* out_normal)
{
    return firn_collider_sample_at(collider, tables, x, out_normal);
}

firn_real firn_collider_distance(const firn_collider* collider, const firn_shapes* shapes,
                                 firn_vec3 x)
{
    const firn_shape_tables tables = firn_shapes_tables(shapes);
    return firn_collider_distance_at(collider, &tables, x);
}

firn_real firn_collider_sample(const firn_collider* collider, const firn_shapes* shapes,
                               firn_vec3 x, firn_vec3* out_normal)
{
    const firn_shape_tables tables = firn_shapes_tables(shapes);
    return firn_collider_sample_at(collider, &tables, x, out_normal);
}
