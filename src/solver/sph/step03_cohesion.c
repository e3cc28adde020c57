// SPDX-License-Identifier: MIT
#include "solver/sph/step03_cohesion.h"

#include "core/threads/team.h"

// Force on particle i [N]. s_i: its strength.
static firn_vec3 cohesion_particle(const firn_sph_cohesion_args* a, firn_local i, firn_real s_i)
{
    const firn_sph_work* w = a->work;
    const firn_vec4 x_i = w->place[i];
    const int lane = (int)(i % FIRN_SLICE);
    const firn_pair_row* rows = a->pairs->rows[i / FIRN_SLICE];
    firn_vec3 sum = {0};
    for (int k = 0; k < a->pairs->neighbours[i]; k++) {
        const firn_local j = rows[k].j[lane];
        const firn_real s_j = a->materials[a->p.material[j]].cohesion;
        if (!(s_j > 0)) continue;
        const firn_vec4 x = x_i - w->place[j];
        sum = firn_v3_add(sum, firn_cohesion_force(firn_v3(x[0], x[1], x[2]), s_i, s_j, x_i[3],
                                                   w->place[j][3], rows[k].slope[lane]));
    }
    return sum;
}

static void cohesion_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_cohesion_args* a = self;
    for (firn_local i = begin; i < end; i++) {
        const firn_real s_i = a->materials[a->p.material[i]].cohesion;
        if (!(s_i > 0)) continue;
        const firn_vec3 f = cohesion_particle(a, i, s_i);
        a->work->v_star[i] =
            firn_vec4_madd(a->dt / a->p.mass[i], (firn_vec4){f.x, f.y, f.z, 0}, a->work->v_star[i]);
    }
}

static void cohesion(const firn_sph_cohesion_args* a)
{
    firn_share(a->pairs->count, FIRN_SPH_SLICES * FIRN_SLICE, cohesion_range, a);
}
