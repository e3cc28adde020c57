// SPDX-License-Identifier: MIT
// Step 2 in SIMD batches, a particle per lane: firn_sph_moments_particle and firn_sph_correction
// with fused multiply-adds, compared by test_sph_tables. Lanes whose matrix may be singular (not
// firn_sph_surely_full) take the slow path through the plain function.
#include "solver/sph/fast/sph_lanes.h"
#include "solver/sph/step02_gradient_correction.h"

static void moments_part(const firn_sph_gradient_correction_args* a, firn_local slice, int lane)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    const firn_local i = part.first;
    const firn_vec3_lanes x_i = firn_sph_part_place(&part, w);
    const firn_lanes zero = firn_lanes_all(0), one = firn_lanes_all(1);
    firn_vec3_lanes S = firn_v3_lanes(zero, zero, zero);
    firn_lanes S2 = zero, M[3][3] = {{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}};
    for (int k = 0; k < part.row_count; k++) {
        const firn_sph_near near = firn_sph_part_near(&part, w->place, k);  // fourth: V_j
        const firn_vec3_lanes grad = firn_sph_part_gradient(&part, k, x_i, near.x, one);
        const firn_vec3_lanes x_ji = firn_v3_lanes_sub(near.x, x_i);
        const firn_lanes g[3] = {grad.x * near.fourth, grad.y * near.fourth, grad.z * near.fourth};
        const firn_lanes d[3] = {x_ji.x, x_ji.y, x_ji.z};
        S = firn_v3_lanes_add(S, firn_v3_lanes(g[0], g[1], g[2]));
        S2 = firn_lanes_fma(g[0], grad.x,
                            firn_lanes_fma(g[1], grad.y, firn_lanes_fma(g[2], grad.z, S2)));
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) M[r][c] = firn_lanes_fma(g[r], d[c], M[r][c]);
    }
    firn_lanes_store(w->S[0] + i, S.x);
    firn_lanes_store(w->S[1] + i, S.y);
    firn_lanes_store(w->S[2] + i, S.z);
    firn_lanes_store(w->S2 + i, S2);
    for (int k = 0; k < 9; k++) firn_lanes_store(w->L[k] + i, M[k / 3][k % 3]);
    firn_lanes_store(w->M[0] + i, M[0][0]);
    firn_lanes_store(w->M[1] + i, M[0][1]);
    firn_lanes_store(w->M[2] + i, M[0][2]);
    firn_lanes_store(w->M[3] + i, M[1][1]);
    firn_lanes_store(w->M[4] + i, M[1][2]);
    firn_lanes_store(w->M[5] + i, M[2][2]);
}

// S_i alone, added in the same order.
static void sum_part(const firn_sph_gradient_correction_args* a, firn_local slice, int lane)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    const firn_local i = part.first;
    const firn_vec3_lanes x_i = firn_sph_part_place(&part, w);
    const firn_lanes zero = firn_lanes_all(0), one = firn_lanes_all(1);
    firn_vec3_lanes S = firn_v3_lanes(zero, zero, zero);
    for (int k = 0; k < part.row_count; k++) {
        const firn_sph_near near = firn_sph_part_near(&part, w->place, k);  // fourth: V_j
        const firn_vec3_lanes grad = firn_sph_part_gradient(&part, k, x_i, near.x, one);
        S = firn_v3_lanes_add(S, firn_v3_lanes_scale(grad, near.fourth));
    }
    firn_lanes_store(w->S[0] + i, S.x);
    firn_lanes_store(w->S[1] + i, S.y);
    firn_lanes_store(w->S[2] + i, S.z);
}

static void sum_slices(const void* self, firn_local begin, firn_local end)
{
    for (firn_local s = begin; s < end; s++)
        for (int lane = 0; lane < FIRN_SLICE; lane += FIRN_LANES) sum_part(self, s, lane);
}

// The slow path: pseudo-inverses of the lanes in `bits`.
static void invert_rest(const firn_sph_work* w, firn_local first, unsigned bits,
                        const firn_mat3_lanes* M)
{
    firn_real m[9][FIRN_LANES];
    for (int k = 0; k < 9; k++) firn_lanes_store(m[k], M->m[k / 3][k % 3]);
    for (; bits != 0; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits);
        firn_mat3 one;
        for (int k = 0; k < 9; k++) one.m[k / 3][k % 3] = m[k][lane];
        const firn_mat3 L = firn_sph_pseudo_inverse(one);
        for (int k = 0; k < 9; k++) w->L[k][first + lane] = L.m[k / 3][k % 3];
    }
}

static void invert_part(const firn_sph_work* w, firn_local i)
{
    const firn_mat3_lanes M = firn_sph_planes_m3(w->L, i);
    firn_lanes_mask full;
    const firn_mat3_lanes L = firn_sph_inverse_lanes(M, &full);
    for (int k = 0; k < 9; k++) firn_lanes_store(w->L[k] + i, L.m[k / 3][k % 3]);
    if (!firn_mask_all(full)) {
        const unsigned all = (unsigned)((1ull << FIRN_LANES) - 1);
        invert_rest(w, i, all & ~firn_mask_bits(full), &M);
    }
}

static void correct_slices(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_gradient_correction_args* a = self;
    const firn_sph_range near =
        firn_sph_contacts_of(a->contact, a->contact_count, begin * FIRN_SLICE, end * FIRN_SLICE);
    for (firn_local s = begin; s < end; s++)
        for (int lane = 0; lane < FIRN_SLICE && !firn_sph_leaves_out(a->work, s);
             lane += FIRN_LANES)
            moments_part(a, s, lane);
    add_bodies(a, near);
    for (firn_local s = begin; s < end; s++)
        for (int lane = 0; lane < FIRN_SLICE && !firn_sph_leaves_out(a->work, s);
             lane += FIRN_LANES)
            invert_part(a->work, s * FIRN_SLICE + lane);
    correct_bodies(a, near);
}

static void gradient_correction_simd(const firn_sph_gradient_correction_args* a)
{
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, a->sums_only ? sum_slices : correct_slices,
               a);
}
