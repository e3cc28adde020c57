// SPDX-License-Identifier: MIT
#include "solver/sph/step07_velocity.h"

#include "core/threads/team.h"

static void velocity_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_velocity_args* a = self;
    for (firn_local i = begin; i < end; i++) {
        const firn_vec4 v =
            a->a_G != NULL ? firn_vec4_madd(a->dt, a->a_G[i], a->v_star[i]) : a->v_star[i];
        a->velocity[i] = firn_v3(v[0], v[1], v[2]);
    }
}

static void velocity(const firn_sph_velocity_args* a)
{
    firn_share(a->count, FIRN_SPH_SIMPLE, velocity_range, a);
}
