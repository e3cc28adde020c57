// SPDX-License-Identifier: MIT
// Snow without an end: a lattice that is its own neighbour across the sides of its box. Steps 1 and
// 2 know positions only, so that what they would find is written here, and the solves run on it.
#pragma once
#include "solver/sph/world.h"

typedef struct periodic {
    world* w;
    double box[3];  // [m] edges, each over 4 h, so that no two images of a particle are near
} periodic;

static inline firn_vec3 periodic_between(const periodic* b, firn_vec3 from, firn_vec3 to)
{
    double d[3] = {(double)to.x - (double)from.x, (double)to.y - (double)from.y,
                   (double)to.z - (double)from.z};
    for (int a = 0; a < 3; a++) d[a] -= b->box[a] * round(d[a] / b->box[a]);
    return firn_v3((firn_real)d[0], (firn_real)d[1], (firn_real)d[2]);
}

static inline int periodic_count(const periodic* b, firn_local i)
{
    const double reach = 2 * b->w->m->spacing;
    int count = 0;
    for (firn_local j = 0; j < b->w->m->p.count; j++)
        count += j != i && (double)firn_v3_length(periodic_between(b, b->w->m->p.position[i],
                                                                   b->w->m->p.position[j])) < reach;
    return count;
}

// The lists: who, and grad W_ij.
static inline void periodic_pairs(const periodic* b)
{
    firn_pair_list* list = &b->w->m->pairs;
    const firn_sph* m = b->w->m;
    int64_t rows = 0;
    for (firn_local i = 0; i < m->p.count; i++) {
        list->neighbours[i] = periodic_count(b, i);
        if (i % FIRN_SLICE == 0) list->row_count[i / FIRN_SLICE] = 0;
        int32_t* most = &list->row_count[i / FIRN_SLICE];
        *most = list->neighbours[i] > *most ? list->neighbours[i] : *most;
    }
    for (firn_local s = 0; s < list->slice_count; s++) rows += list->row_count[s];
    assert_int_equal(firn_pair_chunk_reserve(&list->chunks[0], rows), FIRN_OK);
    memset(list->chunks[0].rows, 0, (size_t)rows * sizeof(firn_pair_row));
    rows = 0;
    for (firn_local s = 0; s < list->slice_count; rows += list->row_count[s++]) {
        list->rows[s] = list->chunks[0].rows + rows;
        for (firn_local i = s * FIRN_SLICE; i < (s + 1) * FIRN_SLICE; i++) {
            const int lane = (int)(i % FIRN_SLICE);
            int k = 0;
            for (firn_local j = 0; j < m->p.count && i < m->p.count; j++) {
                const firn_vec3 d = periodic_between(b, m->p.position[j], m->p.position[i]);
                const firn_real r = firn_v3_length(d), h = (firn_real)m->spacing;
                if (j == i || !((double)r < 2 * m->spacing)) continue;
                const firn_vec3 g = firn_v3_scale(d, firn_sph_dw_over_r(r, h));
                firn_pair_row* row = &list->rows[s][k++];
                row->j[lane] = j;
                row->gx[lane] = g.x;
                row->gy[lane] = g.y;
                row->gz[lane] = g.z;
            }
            for (; k < list->row_count[s]; k++) list->rows[s][k].j[lane] = i;
        }
    }
}

// Step 1 of one particle: its density by the nearest images, and what the solver makes of it.
static inline void periodic_particle(const periodic* b, firn_local i)
{
    firn_sph* m = b->w->m;
    firn_sph_work* w = &m->w;
    const firn_real h = (firn_real)m->spacing;
    firn_real rho = m->p.mass[i] * firn_sph_w0(h) + m->p.fresh_density[i] * m->w.wall_kernel[i];
    for (int k = 0; k < m->pairs.neighbours[i]; k++) {
        const firn_local j = firn_pair_at(&m->pairs, i, k).j;
        const firn_vec3 d = periodic_between(b, m->p.position[i], m->p.position[j]);
        rho += m->p.mass[j] * firn_sph_w(firn_v3_length(d), h);
    }
    const firn_sph_rest_density_args args = {.p = m->p, .materials = m->materials};
    const firn_sph_rest r = firn_sph_rest_particle(&args, i, rho);
    m->p.density[i] = w->density[i] = rho;
    m->p.plastic_det[i] = r.J_P;
    w->volume[i] = w->place[i][3] = r.volume;
    w->inverse_volume[i] = 1 / r.volume;
    w->rest_density[i] = r.rest_density;
    w->lambda[i] = r.lame.lambda;
    w->shear[i] = r.lame.mu;
    const firn_mat3 F = m->p.def_grad_elastic[i];
    const firn_real f[6] = {F.m[0][0], F.m[0][1], F.m[0][2], F.m[1][1], F.m[1][2], F.m[2][2]};
    for (int k = 0; k < 6; k++) w->F[k][i] = f[k];
}

// Step 2 of one particle, without bodies: the moment is left in L.
static inline void periodic_moments(const periodic* b, firn_local i)
{
    firn_sph* m = b->w->m;
    firn_sph_work* w = &m->w;
    firn_sph_moments sum = {{0}, 0, {{{0}}}};
    for (int k = 0; k < m->pairs.neighbours[i]; k++) {
        const firn_pair pair = firn_pair_at(&m->pairs, i, k);
        const firn_vec3 g = firn_v3_scale(pair.g, w->volume[pair.j]);
        sum.S = firn_v3_add(sum.S, g);
        sum.S2 += firn_v3_dot(g, pair.g);
        sum.M = firn_m3_add(
            sum.M, firn_m3_outer(g, periodic_between(b, m->p.position[i], m->p.position[pair.j])));
    }
    w->S[0][i] = sum.S.x;
    w->S[1][i] = sum.S.y;
    w->S[2][i] = sum.S.z;
    w->S2[i] = sum.S2;
    for (int k = 0; k < 9; k++) w->L[k][i] = sum.M.m[k / 3][k % 3];
}

// Steps 0 to 2 across the sides of the box; bodies as they are.
static inline void periodic_prepare(const periodic* b, double dt)
{
    world_stages(b->w, FIRN_SPH_00_PREPARE, FIRN_SPH_00_PREPARE, dt);
    firn_sph* m = b->w->m;
    periodic_pairs(b);
    for (firn_local i = 0; i < m->p.count; i++) periodic_particle(b, i);
    for (firn_local i = 0; i < m->p.count; i++) periodic_moments(b, i);
    for (firn_local t = 0; t < m->touch_count; t++)
        for (int k = 0; k < 9; k++)
            m->w.L[k][m->touch[t].particle] += m->touch[t].moment.m[k / 3][k % 3];
    for (firn_local i = 0; i < m->p.count; i++) {
        const firn_mat3 L = firn_sph_correction(firn_sph_correction_of(&m->w, i));
        for (int k = 0; k < 9; k++) m->w.L[k][i] = L.m[k / 3][k % 3];
    }
}
