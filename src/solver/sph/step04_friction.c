// SPDX-License-Identifier: MIT
#include "solver/sph/step04_friction.h"

#include "core/threads/team.h"

static void friction_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_friction_args* a = self;
    for (firn_local k = begin; k < end; k++) {
        firn_sph_contact_sums* t = &a->contact[k];
        if (t->fluid) continue;  // step04_viscosity.c
        firn_vec4* v = &a->v_star[t->particle];
        const firn_vec3 before = firn_v3((*v)[0], (*v)[1], (*v)[2]);
        const firn_vec3 slowed = firn_sph_contact_brake(t, a->dt, a->paper, before);
        t->braked = firn_v3_sub(slowed, before);
        *v = (firn_vec4){slowed.x, slowed.y, slowed.z, 0};
    }
}

static void friction(const firn_sph_friction_args* a)
{
    firn_share(a->contact_count, FIRN_SPH_CONTACTS, friction_range, a);
}
