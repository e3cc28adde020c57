// SPDX-License-Identifier: MIT
// Step 9: a particle whose centre would be inside a collider, for C and CUDA; step09_advect.h
// explains it.
#pragma once
#include "geometry/collider/collider_sample.h"

typedef struct firn_sph_mover {
    firn_vec3 x, v;  // in and out
    firn_real dt, h;
} firn_sph_mover;

typedef struct firn_sph_kept {
    bool stopped;  // the velocity into the collider, `inward` < 0 along the normal, is lost
    firn_real inward, phi;  // [m/s], [m]
    firn_vec3 normal;
} firn_sph_kept;

// Colliders move during the step: their distance at its end is approximated by the present one at
// the point that their velocity has carried back. False: the particle is outside, or so deep that
// it was emitted there or the collider is thin.
FIRN_FN bool firn_sph_is_inside(const firn_collider* c, const firn_shape_tables* shapes,
                                const firn_sph_mover* p, firn_sph_kept* out)
{
    const firn_vec3 v_c = firn_collider_velocity(c, p->x);
    const firn_vec3 x = firn_v3_sub(p->x, firn_v3_scale(v_c, p->dt));
    if (firn_collider_misses(c, x)) return false;
    out->phi = firn_collider_sample_shared(c, shapes, x, &out->normal);
    if (out->phi >= 0 || out->phi < -4 * p->h) return false;
    out->inward = firn_v3_dot(firn_v3_sub(p->v, v_c), out->normal);
    out->stopped = out->inward < 0;
    return true;
}
