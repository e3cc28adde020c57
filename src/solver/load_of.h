// SPDX-License-Identifier: MIT
// The load of a collider from sums of what it took (loads.h), for C and CUDA.
#pragma once
#include "geometry/motion/motion.h"
#include "solver/collider_load.h"
#include "solver/shared/impulse.h"

// a × b
FIRN_FN void firn_load_cross(const double a[3], const double b[3], double out[3])
{
    for (int d = 0; d < 3; d++) {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        out[d] = a[e] * b[f] - a[f] * b[e];
    }
}

// `sum`: of the collider, about the position of its pose. `shared`: of all, about the origin of the
// world, of which the collider gets `part`. `center`: what the torque is about, in its coordinates.
FIRN_FN firn_collider_load firn_load_of(const firn_impulse* sum, const firn_impulse* shared,
                                        double part, firn_vec3 center, const firn_pose* pose)
{
    const firn_vec3 way = firn_m3_mul_v3(pose->rotation, firn_v3_scale(center, pose->scale));
    const double origin[3] = {(double)pose->position.x, (double)pose->position.y,
                              (double)pose->position.z};
    const double arm[3] = {(double)way.x, (double)way.y, (double)way.z};
    firn_collider_load load;
    double common[3], lever[3], turn[3];
    for (int d = 0; d < 3; d++) {
        common[d] = part * firn_impulse_value(shared, d);
        load.about[d] = origin[d] + arm[d];
        load.impulse[d] = firn_impulse_value(sum, d) + common[d];
    }
    firn_load_cross(origin, common, lever);    // `shared` is about the origin of the world
    firn_load_cross(arm, load.impulse, turn);  // from the pose's position to the centre
    for (int d = 0; d < 3; d++)
        load.angular[d] = firn_impulse_value(sum, 3 + d) +
                          part * firn_impulse_value(shared, 3 + d) - lever[d] - turn[d];
    return load;
}
