// SPDX-License-Identifier: MIT
#include "solver/sph/step01_rest_density.h"

#include <math.h>

#include "core/threads/team.h"

// eq. 20 for one particle, and its pairs' slopes.
static firn_real density_particle(const firn_sph_rest_density_args* a, firn_local i)
{
    const firn_sph_work* w = a->work;
    const firn_vec3 x_i = firn_v3(w->x[i], w->y[i], w->z[i]);
    const int lane = (int)(i % FIRN_SLICE);
    firn_pair_row* rows = a->pairs->rows[i / FIRN_SLICE];
    firn_real rho = w->place[i][3] * firn_sph_w0(a->h);
    for (int k = 0; k < a->pairs->neighbours[i]; k++) {
        const firn_local j = rows[k].j[lane];
        firn_real W;
        rows[k].slope[lane] =
            firn_sph_pair_slope(x_i, firn_v3(w->x[j], w->y[j], w->z[j]), a->h, &W);
        rho = firn_fma(w->place[j][3], W, rho);
    }
    return firn_sph_density(a, i, rho);
}

static void density_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_rest_density_args* a = self;
    for (firn_local i = begin; i < end; i++) a->p.density[i] = density_particle(a, i);
}

static void add_to_sums(const firn_sph_rest_density_args* a, firn_local i, const firn_sph_rest* r,
                        firn_sums* s)
{
    const double m = (double)a->p.mass[i];
    const firn_vec3 v = a->p.velocity[i], x = a->p.position[i];
    s->momentum[0] += m * (double)v.x;
    s->momentum[1] += m * (double)v.y;
    s->momentum[2] += m * (double)v.z;
    s->kinetic += 0.5 * m * (double)firn_v3_dot(v, v);
    s->potential -= m * ((double)a->gravity.x * (double)x.x + (double)a->gravity.y * (double)x.y +
                         (double)a->gravity.z * (double)x.z);
    s->elastic += firn_sph_elastic_energy(a->p.def_grad_elastic[i], r);
    s->plastic_min = fmin(s->plastic_min, (double)r->J_P);
    s->plastic_max = fmax(s->plastic_max, (double)r->J_P);
}

static void keep_rest(const firn_sph_rest_density_args* a, firn_local i, const firn_sph_rest* r)
{
    const firn_sph_work* w = a->work;
    const firn_mat3* F = &a->p.def_grad_elastic[i];
    w->volume[i] = r->volume;
    const bool fluid = isinf(r->lame.lambda);
    w->density[i] = fluid ? r->rest_density : a->p.density[i];
    w->inverse_volume[i] = w->density[i] / a->p.mass[i];
    w->rest_density[i] = r->rest_density;
    w->lambda[i] = r->lame.lambda;
    w->shear[i] = r->lame.mu;
    w->place[i][3] = r->volume;
    a->p.plastic_det[i] = r->J_P;
    w->F[0][i] = F->m[0][0];
    w->F[1][i] = F->m[0][1];
    w->F[2][i] = F->m[0][2];
    w->F[3][i] = F->m[1][1];
    w->F[4][i] = F->m[1][2];
    w->F[5][i] = F->m[2][2];
}

// eq. 21-23, once every density is known.
static void rest_chunks(const void* self, firn_local first, firn_local last)
{
    const firn_sph_rest_density_args* a = self;
    for (firn_local chunk = first; chunk < last; chunk++) {
        firn_sums s = {.plastic_min = INFINITY, .plastic_max = -INFINITY};
        const firn_local begin = chunk * FIRN_SPH_CHUNK;
        for (firn_local i = begin; i < a->p.count && i < begin + FIRN_SPH_CHUNK; i++) {
            const firn_sph_rest r = firn_sph_rest_particle(a, i, a->p.density[i]);
            keep_rest(a, i, &r);
            add_to_sums(a, i, &r, &s);
        }
        a->sums[chunk] = s;
    }
}

static void rests(const firn_sph_rest_density_args* a)
{
    firn_share(a->p.count / FIRN_SPH_CHUNK + 1, 1, rest_chunks, a);
}

static void rest_density(const firn_sph_rest_density_args* a)
{
    firn_share(a->p.count, FIRN_SPH_SLICES * FIRN_SLICE, density_range, a);
    rests(a);
}
