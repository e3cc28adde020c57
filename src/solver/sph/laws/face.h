// SPDX-License-Identifier: MIT
// Coulomb's friction of the faces of dynamic colliders, for C and CUDA. Some of the snow near a
// collider pulls at it, mostly at the rims of where they touch: 1 to 2 % of what the rest pushes
// with. Friction is mu times what a face really presses with, pulls included, so that what pushes
// counts less by
//
//     sum over d of (n_i . d)^2 Q_d/P_d,   P_d = sum of pushes times n . d,   Q_d: of pulls
//
// with the six directions d along the axes, as far as n . d > 0: opposite faces do not mix, and for
// a flat face, however it lies, it is the sum of pulls over that of pushes.
#pragma once
#include "solver/sph/laws/hold.h"

#define FIRN_SPH_FACE_TERMS 12  // P_d, then Q_d, of +x -x +y -y +z -z

// n . d, 0 where it is negative.
FIRN_FN double firn_sph_face_part(firn_vec3 n, int d)
{
    const firn_real along = d < 2 ? n.x : d < 4 ? n.y : n.z;
    const firn_real part = d % 2 == 0 ? along : -along;
    return part > 0 ? (double)part : 0;
}

// Adds a particle of `mass`.
FIRN_FN void firn_sph_face_add(const firn_sph_hold* hold, const firn_sph_contact_sums* t,
                               firn_real mass, double sum[FIRN_SPH_FACE_TERMS])
{
    const firn_vec3 n = firn_v3_normalize(t->gradient, firn_v3(0, 0, 0));
    const double by = (double)hold->part * (double)mass * (double)t->push;
    for (int d = 0; d < 6; d++) {
        const double part = firn_sph_face_part(n, d);
        if (by > 0)
            sum[d] += by * part;
        else
            sum[6 + d] -= by * part;
    }
}

// What of a push counts less.
FIRN_FN double firn_sph_face_less(const firn_sph_contact_sums* t,
                                  const double sum[FIRN_SPH_FACE_TERMS])
{
    const firn_vec3 n = firn_v3_normalize(t->gradient, firn_v3(0, 0, 0));
    double less = 0;
    for (int d = 0; d < 6; d++) {
        const double part = firn_sph_face_part(n, d);
        if (sum[6 + d] > 0 && part > 0)
            less += part * part * (sum[6 + d] < sum[d] ? sum[6 + d] / sum[d] : 1);
    }
    return less < 1 ? less : 1;
}

// Coulomb's friction with that much less of the push.
FIRN_FN void firn_sph_grip_less(firn_sph_contact_sums* t, double less)
{
    if (!(t->friction * t->push > 0) || !(less > 0)) return;
    const firn_vec3 v_b = firn_v3_scale(t->drag_velocity, 1 / t->drag);
    const firn_real keep = (firn_real)(1 - (less < 1 ? less : 1));
    t->push *= keep;
    t->drag = t->sticky + keep * (t->drag - t->sticky);
    t->drag_velocity = firn_v3_scale(v_b, t->drag);
}
