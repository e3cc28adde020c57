// SPDX-License-Identifier: MIT
// Level set, outward normal and velocity of a collider at a point, for its pose, in C and CUDA:
// phi(x, t) = s phi_0(Q^T (x - c) / s), n = Q grad phi_0. Stomakhin 2013, section 8, with a scale
// s. phi_0 is a rigid shape, or a deforming one at the time of the pose.
#pragma once
#include "geometry/collider/collider.h"
#include "geometry/deform/deform_sample.h"
#include "geometry/sdf/evaluate.h"

// Velocity of the collider at x, in world coordinates, for the pose.
// The velocity of the deformation is rotated and scaled with the collider: v_co = v_motion + s Q
// v_deform.
FIRN_FN firn_vec3 firn_collider_velocity(const firn_collider* c, firn_vec3 x)
{
    const firn_vec3 v = firn_pose_velocity(&c->pose, x);
    if (c->deform.a == NULL) return v;
    const firn_vec3 own = firn_deform_velocity_at(&c->deform, firn_pose_to_body(&c->pose, x));
    return firn_v3_madd(v, c->pose.scale, firn_m3_mul_v3(c->pose.rotation, own));
}

// `collider` and what it points to are in the memory of the calling device; of `deforming` only
// whether it is null.
FIRN_FN firn_real firn_collider_distance_at(const firn_collider* collider,
                                            const firn_shape_tables* tables, firn_vec3 x)
{
    const firn_vec3 own = firn_pose_to_body(&collider->pose, x);
    const firn_real distance = collider->deforming != NULL
                                   ? firn_deform_distance_at(&collider->deform, own)
                                   : firn_phi_shape_distance(tables, collider->shape, own);
    return collider->pose.scale * distance;
}

FIRN_FN firn_real firn_collider_sample_at(const firn_collider* collider,
                                          const firn_shape_tables* tables, firn_vec3 x,
                                          firn_vec3* out_normal)
{
    const firn_vec3 own = firn_pose_to_body(&collider->pose, x);
    const firn_phi phi = collider->deforming != NULL ? firn_deform_sample_at(&collider->deform, own)
                                                     : firn_phi_shape(tables, collider->shape, own);
    *out_normal = firn_m3_mul_v3(collider->pose.rotation, phi.normal);
    return collider->pose.scale * phi.distance;
}

#ifdef __cplusplus
extern "C" {
#endif

// The same, compiled once for the baseline (collider.c).
firn_real firn_collider_distance_baseline(const firn_collider* collider,
                                          const firn_shape_tables* tables, firn_vec3 x);
firn_real firn_collider_sample_baseline(const firn_collider* collider,
                                        const firn_shape_tables* tables, firn_vec3 x,
                                        firn_vec3* out_normal);

#ifdef __cplusplus
}
#endif

// For functions that C and CUDA share. In C it is the baseline version: the surface of a collider
// must not depend on the SIMD level of the calling loop.
FIRN_FN firn_real firn_collider_distance_shared(const firn_collider* collider,
                                                const firn_shape_tables* tables, firn_vec3 x)
{
#ifdef __CUDA_ARCH__
    return firn_collider_distance_at(collider, tables, x);
#else
    return firn_collider_distance_baseline(collider, tables, x);
#endif
}

FIRN_FN firn_real firn_collider_sample_shared(const firn_collider* collider,
                                              const firn_shape_tables* tables, firn_vec3 x,
                                              firn_vec3* out_normal)
{
#ifdef __CUDA_ARCH__
    return firn_collider_sample_at(collider, tables, x, out_normal);
#else
    return firn_collider_sample_baseline(collider, tables, x, out_normal);
#endif
}
