// SPDX-License-Identifier: MIT
// Boundary particles of colliders that deform or change their scale, for C and CUDA: how they
// follow the surface between two key frames, how deep they lie, their volumes, and for which scale
// a surface is sampled. boundary/boundary_deforming.h explains it.
#pragma once
#include "geometry/collider/collider_sample.h"
#include "geometry/sampling/surface_sample.h"

#define FIRN_SPH_WALKS 3  // projection steps; a fixed number, so that motion is smooth in time

// Position on a triangle with corners `from` and `to` at two keys; velocity [m/s] in simulated
// time. Both local.
FIRN_FN firn_vec3 firn_sph_follow_triangle(const firn_vec3 from[3], const firn_vec3 to[3],
                                           firn_vec3 barycentric, const firn_deform_pose* pose,
                                           firn_vec3* out_velocity)
{
    const firn_real weight[3] = {barycentric.x, barycentric.y, barycentric.z};
    firn_vec3 x = firn_v3(0, 0, 0), way = firn_v3(0, 0, 0);
    for (int i = 0; i < 3; i++) {
        const firn_vec3 step = firn_v3_sub(to[i], from[i]);
        x = firn_v3_madd(x, weight[i], firn_v3_madd(from[i], pose->gamma, step));
        way = firn_v3_madd(way, weight[i], step);
    }
    *out_velocity = pose->rate > 0 ? firn_v3_scale(way, 1 / pose->dt) : firn_v3(0, 0, 0);
    return x;
}

// Advects the position from key a with its velocity, then projects it to the interpolated surface.
FIRN_FN firn_vec3 firn_sph_follow_surface(const firn_deform_pose* pose, firn_vec3 x)
{
    if (!(pose->gamma > 0)) return x;
    x = firn_v3_madd(x, pose->gamma * pose->dt, firn_deform_velocity_at(pose, x));
    for (int walk = 0; walk < FIRN_SPH_WALKS; walk++) {
        const firn_phi phi = firn_deform_sample_at(pose, x);
        x = firn_v3_madd(x, -phi.distance, phi.normal);
    }
    return x;
}

// World velocity of a particle at x that moves in its collider with own_velocity.
FIRN_FN firn_vec3 firn_sph_follow_velocity(const firn_pose* pose, firn_vec3 x,
                                           firn_vec3 own_velocity)
{
    return firn_v3_madd(firn_pose_velocity(pose, x), pose->scale,
                        firn_m3_mul_v3(pose->rotation, own_velocity));
}

// Moves a particle of the surface to `depth` [m] below it, less where the collider is thin; gives
// the normal.
FIRN_FN firn_vec3 firn_sph_sink(const firn_collider* collider, const firn_shape_tables* shapes,
                                firn_vec3 x, double depth, firn_vec3* out_normal)
{
    firn_collider_sample_shared(collider, shapes, x, out_normal);
    for (int k = 0; depth > 0 && k < FIRN_SINK_TRIES; k++, depth /= 2) {
        const firn_vec3 in = firn_v3_madd(x, -(firn_real)depth, *out_normal);
        if (firn_surface_deep(firn_collider_distance_shared(collider, shapes, in), depth))
            return in;
    }
    return x;
}
