// SPDX-License-Identifier: MIT
// Snow with everything in it that a pass over particles can meet: strained, moving, uneven snow on
// a moving floor, a flake alone, two in one place, a number that fills no slice.
#pragma once
#include "scene/data/scene.h"
#include "solver/sph/world.h"

#define BUSY_H 0.02
#define BUSY_DT 1e-3

// Strains and velocities go by the particle's number, so that every world has the same.
static inline void busy_stir(world* w, uint64_t seed)
{
    for (firn_local p = 0; p < w->m->p.count; p++) {
        any_source r = {seed + w->m->p.id[p], 0};
        const firn_mat3 R = any_rotation(&r);
        const firn_mat3 c = firn_m3_diagonal((firn_real)any_between(&r, 0.976, 1.007),
                                             (firn_real)any_between(&r, 0.976, 1.007),
                                             (firn_real)any_between(&r, 0.976, 1.007));
        firn_mat3 F = firn_m3_mul_transposed(firn_m3_mul(R, c), R);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < a; b++) F.m[a][b] = F.m[b][a];  // to the bit
        w->m->p.def_grad_elastic[p] = F;
        w->m->p.velocity[p] = any_vec3(&r, 0.5);
        // the last three have hardly any stiffness to hold a pressure with
        const bool lone = (firn_local)w->m->p.id[p] >= w->m->p.count - 3;
        w->m->p.pressure[p] = lone ? 0 : (firn_real)any_between(&r, -200, 2000);
        w->m->p.shear_acceleration[p] = any_vec3(&r, 5);
    }
}

// About n^3 particles.
static inline world* busy_world(int n, int threads, const char* simd)
{
    any_source r = {5150, 0};
    world* w = world_create(BUSY_H);
    w->scene.gravity[1] = -9.81;
    world_cloud(w, &r, n, 0.2, 0.1);
    world_add(w, firn_v3(1, 1, 1), world_mass(w));
    world_add(w, firn_v3(2, 1, 1), world_mass(w));
    world_add(w, firn_v3(2, 1, 1), world_mass(w));
    firn_collider* floor =
        world_plane(w, firn_v3(0, (firn_real)(-0.9 * BUSY_H), 0), firn_v3(0, 1, 0), 0.1);
    floor->motion.velocity = firn_v3((firn_real)0.2, (firn_real)0.05, 0);
    floor->adhesion = 1;
    world_start_on(w, threads, simd);
    busy_stir(w, 99);
    return w;
}
