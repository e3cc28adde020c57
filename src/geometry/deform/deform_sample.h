// SPDX-License-Identifier: MIT
// A deforming collider between two key frames, for C and CUDA. Stomakhin 2013, section 8:
//   v_co     = (1 - gamma) v(x, t_k) + gamma v(x, t_k+1)
//   phi(x,t) = (1 - gamma) phi_k(x - gamma dt v_co) + gamma phi_k+1(x + (1 - gamma) dt v_co)
// Both keys are advected to the time between them and blended there; blending them in place would
// make a collider that moves by more than its size vanish between keys. gamma = 0 and 1 give the
// key frames themselves, bit for bit.
#pragma once
#include "geometry/deform/deform_pose.h"
#include "geometry/deform/velocity_grid.h"
#include "geometry/levelset/level_set_sample.h"

// A key frame, shared by counting (deforming.h).
struct firn_deform_key {
    const firn_level_set* phi;
    firn_velocity_grid velocity;
    firn_vec3 fastest;  // |v| along each axis, at most [m/s]
    double time;        // [s] of the animation
    int32_t users;      // atomic
};

// v_co [m/s]
FIRN_FN firn_vec3 firn_deform_velocity_at(const firn_deform_pose* pose, firn_vec3 x)
{
    if (!(pose->rate > 0)) return firn_v3(0, 0, 0);
    const firn_vec3 a = firn_velocity_grid_sample(&pose->a->velocity, x);
    const firn_vec3 b = firn_velocity_grid_sample(&pose->b->velocity, x);
    return firn_v3_scale(firn_velocity_mix(a, b, pose->gamma), pose->rate);
}

// Where x was at key a and will be at key b.
FIRN_FN void firn_deform_trace(const firn_deform_pose* pose, firn_vec3 x, firn_vec3* out_a,
                               firn_vec3* out_b)
{
    const firn_vec3 v = firn_deform_velocity_at(pose, x);
    *out_a = firn_v3_madd(x, -pose->gamma * pose->dt, v);
    *out_b = firn_v3_madd(x, (1 - pose->gamma) * pose->dt, v);
}

FIRN_FN firn_real firn_deform_distance_at(const firn_deform_pose* pose, firn_vec3 x)
{
    if (!(pose->gamma > 0)) return firn_level_set_distance(pose->a->phi, x);
    if (!(pose->gamma < 1)) return firn_level_set_distance(pose->b->phi, x);
    firn_vec3 xa, xb;
    firn_deform_trace(pose, x, &xa, &xb);
    const firn_real a = firn_level_set_distance(pose->a->phi, xa);
    const firn_real b = firn_level_set_distance(pose->b->phi, xb);
    return firn_fma(pose->gamma, b - a, a);
}

// The normal is blended like phi: the two normals already contain the rotation between the keys, to
// the order to which phi is accurate.
FIRN_FN firn_phi firn_deform_sample_at(const firn_deform_pose* pose, firn_vec3 x)
{
    if (!(pose->gamma > 0)) return firn_level_set_sample(pose->a->phi, x);
    if (!(pose->gamma < 1)) return firn_level_set_sample(pose->b->phi, x);
    firn_vec3 xa, xb;
    firn_deform_trace(pose, x, &xa, &xb);
    const firn_phi a = firn_level_set_sample(pose->a->phi, xa);
    const firn_phi b = firn_level_set_sample(pose->b->phi, xb);
    firn_phi phi;
    phi.distance = firn_fma(pose->gamma, b.distance - a.distance, a.distance);
    phi.normal = pose->gamma < (firn_real)0.5 ? a.normal : b.normal;
    const firn_vec3 mean = firn_velocity_mix(a.normal, b.normal, pose->gamma);
    // opposite normals leave nothing: keep the nearer key's
    if (firn_v3_dot(mean, mean) > (firn_real)1e-6) phi.normal = firn_v3_normalize(mean, phi.normal);
    return phi;
}
