// SPDX-License-Identifier: MIT
// The shear operator and right-hand side of step 6, one particle per lane.
#include "solver/sph/sph_lanes.h"
#include "solver/sph/step06_shear.h"

// firn_sph_stress for a register. sigma is symmetric: the upper triangle is found, and mirrored.
static firn_mat3_lanes stress_lanes(const firn_mat3_lanes* H, const firn_mat3_lanes* F,
                                    firn_lanes G, firn_lanes lambda, firn_real c, bool known)
{
    const firn_lanes factor = firn_lanes_all(c), two = firn_lanes_all(2);
    firn_lanes trace = factor * (H->m[0][0] + H->m[1][1] + H->m[2][2]);
    if (known) trace += F->m[0][0] + F->m[1][1] + F->m[2][2] - firn_lanes_all(3);
    firn_mat3_lanes sigma;
    for (int r = 0; r < 3; r++)
        for (int s = r; s < 3; s++) {
            firn_lanes strain = factor * (H->m[r][s] + H->m[s][r]);
            if (known) strain += two * (r == s ? F->m[r][s] - firn_lanes_all(1) : F->m[r][s]);
            sigma.m[r][s] = sigma.m[s][r] = G * strain;
        }
    for (int r = 0; r < 3; r++) sigma.m[r][r] = firn_lanes_fma(lambda, trace, sigma.m[r][r]);
    return sigma;
}

static void stress_part(const firn_sph_shear_args* a, const shear_field* f, firn_local slice,
                        int lane)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    const firn_local i = part.first;
    const firn_lanes zero = firn_lanes_all(0);
    const firn_mat3_lanes grad =
        firn_sph_gradient_lanes(&part, w, w->weighted, firn_sph_records_v3(f->u, i),
                                f->known ? firn_lanes_load(w->wall_divergence + i) : zero);
    const firn_mat3_lanes F = firn_sph_planes_F(w->F, i), H = firn_m3_lanes_mul(grad, F);
    const firn_mat3_lanes sigma =
        stress_lanes(&H, &F, firn_lanes_load(w->shear + i),
                     a->combined ? firn_lanes_load(w->lambda + i) : zero, f->c, f->known);
    const firn_mat3_lanes T = firn_m3_lanes_scale(
        firn_m3_lanes_mul(sigma, firn_sph_planes_m3(w->L, i)), firn_lanes_load(w->volume + i));
    const firn_lanes third =
        (sigma.m[0][0] + sigma.m[1][1] + sigma.m[2][2]) * firn_lanes_all((firn_real)(1.0 / 3));
    firn_real out[3][4 * FIRN_LANES] __attribute__((aligned(FIRN_LANES_BYTES)));
    for (int r = 0; r < 3; r++)
        firn_lanes_store4(out[r], T.m[r][0], T.m[r][1], T.m[r][2], r == 0 ? third : zero);
    for (int k = 0; k < FIRN_LANES; k++)
        for (int r = 0; r < 3; r++)
            w->stress[3 * (size_t)(i + k) + (size_t)r] = *(const firn_real4*)(out[r] + 4 * k);
}

static void stresses_simd(const firn_sph_shear_args* a, const shear_field* f)
{
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local s = 0; s < a->pairs->slice_count; s++)
        for (int lane = 0; lane < FIRN_SLICE; lane += FIRN_LANES) stress_part(a, f, s, lane);
}

// 1/rho div sigma of a register, eq. 19.
static firn_vec3_lanes force_part(const firn_sph_shear_args* a, firn_local slice, int lane)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    const firn_local i = part.first;
    const firn_real* stress = (const firn_real*)w->stress;
    firn_lanes sum[3] = {firn_lanes_all(0), firn_lanes_all(0), firn_lanes_all(0)};
    for (int k = 0; k < part.row_count; k++) {
        const firn_vec3_lanes g = firn_sph_part_gradient(&part, k);
        for (int r = 0; r < 3; r++) {
            firn_lanes T[4];
            firn_lanes_gather4(stress + 4 * r, 12, part.rows[k].j + lane, T);
            sum[r] = firn_lanes_fma(T[0], g.x,
                                    firn_lanes_fma(T[1], g.y, firn_lanes_fma(T[2], g.z, sum[r])));
        }
    }
    int32_t self[FIRN_LANES];
    for (int k = 0; k < FIRN_LANES; k++) self[k] = i + k;
    const firn_vec3_lanes S = firn_sph_planes_v3(w->S, i), B = firn_sph_planes_v3(w->B, i);
    const firn_mat3_lanes L = firn_sph_planes_m3(w->L, i);
    const firn_lanes inverse = firn_lanes_load(w->inverse_volume + i);
    firn_lanes third = firn_lanes_all(0);
    for (int r = 0; r < 3; r++) {
        firn_lanes T[4];
        firn_lanes_gather4(stress + 4 * r, 12, self, T);
        if (r == 0) third = T[3];
        sum[r] =
            firn_lanes_fma(inverse, firn_v3_lanes_dot(firn_v3_lanes(T[0], T[1], T[2]), S), sum[r]);
        sum[r] = firn_lanes_fma(
            third, firn_v3_lanes_dot(firn_v3_lanes(L.m[r][0], L.m[r][1], L.m[r][2]), B), sum[r]);
    }
    const firn_lanes over = firn_lanes_all(1) / firn_lanes_load(w->density + i);
    return firn_v3_lanes(sum[0] * over, sum[1] * over, sum[2] * over);
}

static void shear_apply_simd(void* self, const firn_real4* u, firn_real4* out)
{
    const firn_sph_shear_args* a = self;
    const shear_field field = {u, a->dt * a->dt, false};
    weigh(a, u);
    stresses_simd(a, &field);
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local s = 0; s < a->pairs->slice_count; s++)
        for (int lane = 0; lane < FIRN_SLICE; lane += FIRN_LANES) {
            const firn_local i = s * FIRN_SLICE + lane;
            const firn_vec3_lanes force = force_part(a, s, lane);
            firn_sph_records_keep(out, i, firn_v3_lanes_sub(firn_sph_records_v3(u, i), force));
        }
}

static void shear_right_hand_side_simd(const firn_sph_shear_args* a)
{
    const firn_sph_work* w = a->work;
    const shear_field field = {w->v_star, a->dt, true};
    weigh(a, w->v_star);
    stresses_simd(a, &field);
#pragma omp parallel for schedule(static) num_threads(a->threads)
    for (firn_local s = 0; s < a->pairs->slice_count; s++)
        for (int lane = 0; lane < FIRN_SLICE; lane += FIRN_LANES)
            firn_sph_records_keep(w->b, s * FIRN_SLICE + lane, force_part(a, s, lane));
}

static firn_bicg_result shear_simd(const firn_sph_shear_args* a)
{
    return solve_shear(a, shear_right_hand_side_simd, shear_apply_simd);
}
