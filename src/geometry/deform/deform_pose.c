// SPDX-License-Identifier: MIT
// Poses of deforming colliders: references to their keys, and their bounds.
#include "geometry/deform/deform_pose.h"

#include "core/memory.h"
#include "geometry/deform/deform_sample.h"

void firn_deform_key_share(const firn_deform_key* key)
{
    __atomic_add_fetch(&((firn_deform_key*)key)->users, 1, __ATOMIC_RELAXED);
}

void firn_deform_key_release(const firn_deform_key* key)
{
    if (key == NULL) return;
    firn_deform_key* own = (firn_deform_key*)key;
    if (__atomic_sub_fetch(&own->users, 1, __ATOMIC_ACQ_REL) > 0) return;
    firn_level_set_release(own->phi);
    firn_velocity_grid_destroy(&own->velocity);
    firn_free(own);
}

void firn_deform_pose_share(firn_deform_pose* pose)
{
    if (pose->a == NULL) return;
    firn_deform_key_share(pose->a);
    firn_deform_key_share(pose->b);
}

void firn_deform_pose_release(firn_deform_pose* pose)
{
    firn_deform_key_release(pose->a);
    firn_deform_key_release(pose->b);
    *pose = (firn_deform_pose){0};
}

// A point inside has phi <= 0 at one or both keys, and is no farther from that key's box than the
// velocities of the keys carry it.
firn_box3 firn_deform_pose_bounds(const firn_deform_pose* pose)
{
    if (!(pose->gamma > 0)) return pose->a->phi->bounds;
    if (!(pose->gamma < 1)) return pose->b->phi->bounds;
    const firn_vec3 v =
        firn_v3_scale(firn_v3_max(pose->a->fastest, pose->b->fastest), pose->dt * pose->rate);
    const firn_vec3 from_a = firn_v3_scale(v, pose->gamma),
                    from_b = firn_v3_scale(v, 1 - pose->gamma);
    const firn_box3 a = pose->a->phi->bounds, b = pose->b->phi->bounds;
    return (firn_box3){firn_v3_min(firn_v3_sub(a.low, from_a), firn_v3_sub(b.low, from_b)),
                       firn_v3_max(firn_v3_add(a.high, from_a), firn_v3_add(b.high, from_b))};
}
