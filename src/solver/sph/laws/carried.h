// SPDX-License-Identifier: MIT
// Snow near colliders as it takes what solves leave open (residual.h), for C and CUDA: with all of
// its mass along the normal, and along the surface as far as friction answers to a change of the
// velocity. Coulomb's does so only where snow rests: of snow that slides it is mu times the push,
// and stays so. Fluids take it with all of their mass.
#pragma once
#include "physics/rigid_lump.h"
#include "solver/sph/laws/contact.h"

#define FIRN_SPH_CARRIED_LEAST 0.01  // of the mass, along a surface without friction

// W = along n n^T + across (1 - n n^T) [kg]
typedef struct firn_sph_carried {
    double n[3], along, across;
} firn_sph_carried;

FIRN_FN firn_sph_carried firn_sph_carried_by(const firn_sph_contact_sums* t, double mass, double dt)
{
    firn_sph_carried m;
    const firn_vec3 n = firn_v3_normalize(t->gradient, firn_v3(0, 0, 0));
    const bool coulomb = t->friction > 0;
    const double grip = dt * (double)(coulomb ? t->held : t->drag),
                 held = t->fluid ? 1 : grip / (1 + grip);
    m.n[0] = (double)n.x, m.n[1] = (double)n.y, m.n[2] = (double)n.z;
    m.along = mass;
    m.across = mass * (held > FIRN_SPH_CARRIED_LEAST ? held : FIRN_SPH_CARRIED_LEAST);
    return m;
}

// W v
FIRN_FN void firn_sph_carried_apply(const firn_sph_carried* m, const double v[3], double out[3])
{
    const double normal =
        (m->along - m->across) * (v[0] * m->n[0] + v[1] * m->n[1] + v[2] * m->n[2]);
    for (int d = 0; d < 3; d++) out[d] = m->across * v[d] + normal * m->n[d];
}
