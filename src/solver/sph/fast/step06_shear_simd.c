// SPDX-License-Identifier: MIT
// The shear operator and right-hand side of step 6 in SIMD batches, a particle per lane: those of
// step06_shear.c with fused multiply-adds, compared by test_sph_tables. Two passes over the pairs:
// the stresses, which also leave in `out` the force of a particle's own stress (eq. 19 for
// sigma_i), since its matrices are at hand there; then the neighbours' stresses. A record of stress
// has a coordinate of its particle as fourth real: a neighbour needs both.
#include "solver/sph/fast/sph_lanes.h"
#include "solver/sph/step06_shear.h"

// What 1/rho div sigma is multiplied by, 1/rho included: it is b, and is taken from u in A u.
static firn_lanes force_factor(const firn_sph_shear_args* a, const shear_field* f, firn_local i)
{
    return firn_lanes_all(f->known ? 1 : -1) / firn_lanes_load(a->work->density + i);
}

static void keep_stress(const firn_sph_work* w, firn_local i, const firn_mat3_lanes* T)
{
    const firn_lanes x[3] = {firn_lanes_load(w->x + i), firn_lanes_load(w->y + i),
                             firn_lanes_load(w->z + i)};
    firn_vec4 out[3][FIRN_LANES] __attribute__((aligned(FIRN_LANES_BYTES)));
    for (int r = 0; r < 3; r++)
        firn_lanes_store4((firn_real*)out[r], T->m[r][0], T->m[r][1], T->m[r][2], x[r]);
    for (int k = 0; k < FIRN_LANES; k++)
        for (int r = 0; r < 3; r++) w->stress[3 * (size_t)(i + k) + (size_t)r] = out[r][k];
}

static void stress_part(const firn_sph_shear_args* a, const shear_field* f, firn_local slice,
                        int lane, firn_vec4* out)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    const firn_local i = part.first;
    const firn_lanes zero = firn_lanes_all(0);
    const firn_mat3_lanes F = firn_sph_planes_F(w->F, i);
    firn_vec3_lanes u_i = firn_v3_lanes(zero, zero, zero);
    firn_mat3_lanes H = {{{zero, zero, zero}, {zero, zero, zero}, {zero, zero, zero}}};
    if (f->u != NULL) {
        u_i = firn_sph_records_v3(f->u, i);
        const firn_mat3_lanes grad = firn_sph_gradient_lanes(
            &part, w, f->u, u_i, f->known ? firn_lanes_load(w->wall_divergence + i) : zero);
        H = firn_m3_lanes_mul(grad, F);
    }
    const firn_mat3_lanes sigma =
        firn_sph_stress_lanes(&H, &F, firn_lanes_load(w->shear + i),
                              a->combined ? firn_lanes_load(w->lambda + i) : zero, f->c, f->known);
    firn_lanes_store(w->source + i, sigma.m[0][0] + sigma.m[1][1] + sigma.m[2][2]);
    const firn_mat3_lanes L = firn_sph_planes_m3(w->L, i), T = firn_m3_lanes_mul(sigma, L);
    const firn_mat3_lanes weighted = firn_m3_lanes_scale(T, firn_lanes_load(w->volume + i));
    keep_stress(w, i, &weighted);
    const firn_vec3_lanes own = f->known ? firn_v3_lanes(zero, zero, zero) : u_i;
    firn_sph_records_keep(out, i,
                          firn_sph_own_force_lanes(&sigma, &T, firn_sph_planes_v3(w->S, i),
                                                   firn_sph_planes_v3(w->LB, i),
                                                   force_factor(a, f, i), own));
}

// Adds to `out` what the neighbours' stresses do, eq. 19 for sigma_j.
static void force_part(const firn_sph_shear_args* a, const shear_field* f, firn_local slice,
                       int lane, firn_vec4* out)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    const firn_local i = part.first;
    const firn_real* stress = (const firn_real*)w->stress;
    const firn_vec3_lanes x_i = firn_sph_part_place(&part, w);
    firn_lanes sum[3] = {firn_lanes_all(0), firn_lanes_all(0), firn_lanes_all(0)};
    for (int k = 0; k < part.row_count; k++) {
        firn_lanes T[3][4];
        firn_sph_part_ahead(&part, k);
        for (int r = 0; r < 3; r++)
            firn_lanes_gather4(stress + 4 * r, 12, part.rows[k].j + lane, T[r]);
        const firn_vec3_lanes g = firn_sph_part_gradient(
            &part, k, x_i, firn_v3_lanes(T[0][3], T[1][3], T[2][3]), firn_lanes_all(1));
        for (int r = 0; r < 3; r++)
            sum[r] = firn_lanes_fma(
                T[r][0], g.x, firn_lanes_fma(T[r][1], g.y, firn_lanes_fma(T[r][2], g.z, sum[r])));
    }
    firn_sph_records_keep(out, i,
                          firn_v3_lanes_madd(firn_sph_records_v3(out, i), force_factor(a, f, i),
                                             firn_v3_lanes(sum[0], sum[1], sum[2])));
}

static void stress_slices(const void* self, firn_local begin, firn_local end)
{
    const shear_pass* pass = self;
    for (firn_local s = begin; s < end; s++)
        for (int lane = 0; lane < FIRN_SLICE && !firn_sph_leaves_out(pass->a->work, s);
             lane += FIRN_LANES)
            stress_part(pass->a, pass->f, s, lane, pass->out);
}

static void force_slices(const void* self, firn_local begin, firn_local end)
{
    const shear_pass* pass = self;
    for (firn_local s = begin; s < end; s++)
        for (int lane = 0; lane < FIRN_SLICE && !firn_sph_leaves_out(pass->a->work, s);
             lane += FIRN_LANES)
            force_part(pass->a, pass->f, s, lane, pass->out);
}

static void apply_field(const firn_sph_shear_args* a, const shear_field* f, firn_vec4* out)
{
    const shear_pass pass = {a, f, out};
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, stress_slices, &pass);
    shear_yield(a, f, out);
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, force_slices, &pass);
}

static void shear_apply_simd(void* self, const firn_vec4* u, firn_vec4* out)
{
    const firn_sph_shear_args* a = self;
    const shear_field field = {u, a->dt * a->dt, false};
    apply_field(a, &field, out);
}

static void shear_right_hand_side_simd(const firn_sph_shear_args* a)
{
    const shear_field field = {a->work->v_star, a->dt, true};
    apply_field(a, &field, a->work->b);
}

static void shear_start_simd(const firn_sph_shear_args* a)
{
    const shear_field field = {NULL, 0, true};
    apply_field(a, &field, a->work->a_G);
}

static firn_bicg_result shear_simd(const firn_sph_shear_args* a)
{
    static const shear_loops fast = {shear_right_hand_side_simd, shear_start_simd,
                                     shear_apply_simd};
    return solve_shear(a, &fast);
}
