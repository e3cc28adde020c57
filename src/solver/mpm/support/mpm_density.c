// SPDX-License-Identifier: MIT
#include "solver/mpm/support/mpm_density.h"

#include "core/threads/team.h"
#include "math/mat3.h"

// rho = m / (V_p^0 J_E J_P); before the first step, when V_p^0 is not known, rho_0.
typedef struct density_job {
    const firn_mpm* m;
    const firn_local* list;  // null: all
    const firn_mat3* F_E;
    const firn_real *J_P, *mass, *volume;
    const uint8_t* material;
    firn_real* density;
} density_job;

static void density_range(const void* self, firn_local begin, firn_local end)
{
    const density_job* j = self;
    for (firn_local k = begin; k < end; k++) {
        const firn_local p = j->list != NULL ? j->list[k] : k;
        const firn_real V = j->volume[p] * firn_m3_det(j->F_E[p]) * j->J_P[p];
        j->density[k] = V > 0 ? j->mass[p] / V : j->m->materials[j->material[p]].density;
    }
}

void firn_mpm_density_of(const firn_mpm* m, const firn_local* list, firn_local count,
                         firn_real* out_density)
{
    const firn_particles* s = &m->base.store;
    const density_job job = {m,
                             list,
                             firn_particles_find(s, "def_grad_elastic")->data,
                             firn_particles_find(s, "plastic_det")->data,
                             firn_particles_find(s, "mass")->data,
                             firn_particles_find(s, "volume")->data,
                             firn_particles_find(s, "material")->data,
                             out_density};
    firn_share(count, 1024, density_range, &job);
}

void firn_mpm_density(const void* self, firn_real* out_density)
{
    const firn_mpm* m = self;
    firn_mpm_density_of(m, NULL, m->base.store.count, out_density);
}
