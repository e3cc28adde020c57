// SPDX-License-Identifier: MIT
// Snow without an end: a lattice whose densities count neighbours across the sides of its box.
// Steps 1 and 2 know positions only, so that what they would find is written here, and the solves
// run on it. Gradients go by positions, too: particles at the sides have no neighbours, so that
// nothing pushes them; they stand for the rest of the snow, which is as they are.
#pragma once
#include "solver/sph/world.h"

typedef struct periodic {
    world* w;
    int n;          // particles along an edge
    double box[3];  // [m] edges, each over 4 h, so that no two images of a particle are near
} periodic;

static inline firn_vec3 periodic_between(const periodic* b, firn_vec3 from, firn_vec3 to)
{
    double d[3] = {(double)to.x - (double)from.x, (double)to.y - (double)from.y,
                   (double)to.z - (double)from.z};
    for (int a = 0; a < 3; a++) d[a] -= b->box[a] * round(d[a] / b->box[a]);
    return firn_v3((firn_real)d[0], (firn_real)d[1], (firn_real)d[2]);
}

// All that are within the support lie in the lattice itself.
static inline bool periodic_inside(const periodic* b, firn_local i)
{
    const firn_vec3 x = b->w->m->p.position[i];
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z}, reach = 2 * b->w->m->spacing;
    for (int a = 0; a < 3; a++) {
        const double last = b->box[a] * (1 - 1.0 / b->n);
        if (at[a] < reach * 0.985 || at[a] > last - reach * 0.985) return false;
    }
    return true;
}

static inline bool periodic_near(const periodic* b, firn_local i, firn_local j, firn_real* out_r)
{
    const firn_sph* m = b->w->m;
    *out_r = firn_v3_length(firn_v3_sub(m->p.position[i], m->p.position[j]));
    return j != i && periodic_inside(b, i) && (double)*out_r < 2 * m->spacing;
}

static inline int periodic_count(const periodic* b, firn_local i)
{
    int count = 0;
    firn_real r;
    for (firn_local j = 0; j < b->w->m->p.count; j++) count += periodic_near(b, i, j, &r);
    return count;
}

// The lists: who, and the kernel's slope.
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
            firn_real r;
            for (firn_local j = 0; j < m->p.count && i < m->p.count; j++) {
                if (!periodic_near(b, i, j, &r)) continue;
                firn_pair_row* row = &list->rows[s][k++];
                row->j[lane] = j;
                row->slope[lane] = firn_sph_dw_over_r(r, (firn_real)m->spacing);
            }
            for (; k < list->row_count[s]; k++) list->rows[s][k].j[lane] = i;
        }
    }
}

// What steps 1 and 2 keep of one particle, of snow with this F_E that has not hardened.
static inline void periodic_particle(const periodic* b, firn_local i, firn_mat3 F)
{
    firn_sph* m = b->w->m;
    firn_sph_work* w = &m->w;
    const firn_real h = (firn_real)m->spacing;
    firn_real rho = m->p.mass[i] * firn_sph_w0(h);
    for (firn_local j = 0; j < m->p.count; j++) {
        const firn_vec3 d = periodic_between(b, m->p.position[i], m->p.position[j]);
        if (j != i) rho += m->p.mass[j] * firn_sph_w(firn_v3_length(d), h);
    }
    m->p.density[i] = w->density[i] = rho;
    w->volume[i] = w->place[i][3] = m->p.mass[i] / rho;
    w->inverse_volume[i] = rho / m->p.mass[i];
    w->rest_density[i] = rho * firn_m3_det(F);
    w->lambda[i] = m->materials[0].lame_0.lambda;
    w->shear[i] = m->materials[0].lame_0.mu;
    const firn_real f[6] = {F.m[0][0], F.m[0][1], F.m[0][2], F.m[1][1], F.m[1][2], F.m[2][2]};
    for (int k = 0; k < 6; k++) w->F[k][i] = f[k];
}

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
    const firn_mat3 L = firn_sph_correction(sum.M);
    w->S[0][i] = sum.S.x;
    w->S[1][i] = sum.S.y;
    w->S[2][i] = sum.S.z;
    w->S2[i] = sum.S2;
    for (int k = 0; k < 9; k++) w->L[k][i] = L.m[k / 3][k % 3];
}

// n^3 particles `edge` spacings apart.
static inline periodic periodic_lattice(double h, int n, double edge, firn_mat3 F, double dt)
{
    periodic b = {world_create(h), n, {n * edge * h, n * edge * h, n * edge * h}};
    assert_greater(n * edge, 4);
    world_lattice(b.w, firn_v3(0, 0, 0), n, n, n, edge * h);
    world_start(b.w);
    world_stages(b.w, FIRN_SPH_00_PREPARE, FIRN_SPH_04_FRICTION, dt);
    periodic_pairs(&b);
    for (firn_local i = 0; i < b.w->m->p.count; i++) periodic_particle(&b, i, F);
    for (firn_local i = 0; i < b.w->m->p.count; i++) periodic_moments(&b, i);
    return b;
}
