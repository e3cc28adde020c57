// SPDX-License-Identifier: MIT
// Step 8 in SIMD batches, a particle per lane. The clamp is a second form of
// firn_sph_clamp_particle, without its singular vectors, which cost an iteration: c(sqrt(F F^T)),
// of F^T for the paper's form, is a function of a symmetric matrix, which comes from its
// eigenvalues in closed form (math/spectrum3_lanes.h). Squaring costs half the digits of a small
// stretch; lanes with |F F^T - I| > 0.6 take the slow path through the plain function.
// test_sph_tables compares the two forms.
#include "physics/snow_plasticity_lanes.h"
#include "solver/sph/fast/sph_lanes.h"
#include "solver/sph/step08_deformation.h"

typedef struct clamp_lanes {
    firn_sym3_lanes G;  // F_E - 1
    firn_lanes ratio;
    firn_lanes_mask near;  // the others take the slow path
} clamp_lanes;

static clamp_lanes clamp_near(const firn_mat3_lanes* F, firn_lanes low, firn_lanes high)
{
    const firn_lanes one = firn_lanes_all(1);
    const firn_sym3_lanes E = firn_m3_lanes_left_strain(*F);
    clamp_lanes out;
    out.near = firn_lanes_at_most(firn_sym3_lanes_dot_self(E), firn_lanes_all((firn_real)0.36));
    const firn_snow_stretches_lanes t = firn_snow_stretches_lanes_of(&E, low, high);
    // c - 1 has the rounding of c, an epsilon of 1. F_E is kept as 1 + G: finer would be lost there
    out.G = firn_spectrum3_lanes_apply(&t.e, t.c[0] - one, t.c[1] - one, t.c[2] - one);
    out.ratio = (t.s[0] * t.s[1] * t.s[2]) / (t.c[0] * t.c[1] * t.c[2]);
    return out;
}

static void keep_near(const firn_sph_deformation_args* a, firn_local first, unsigned bits,
                      const clamp_lanes* c)
{
    firn_real G[6][FIRN_LANES], ratio[FIRN_LANES];
    const firn_lanes* const parts[6] = {&c->G.xx, &c->G.xy, &c->G.xz, &c->G.yy, &c->G.yz, &c->G.zz};
    for (int k = 0; k < 6; k++) firn_lanes_store(G[k], *parts[k]);
    firn_lanes_store(ratio, c->ratio);
    for (; bits != 0; bits &= bits - 1) {
        const int k = __builtin_ctz(bits);
        a->p.def_grad_elastic[first + k] = (firn_mat3){{{1 + G[0][k], G[1][k], G[2][k]},
                                                        {G[1][k], 1 + G[3][k], G[4][k]},
                                                        {G[2][k], G[4][k], 1 + G[5][k]}}};
        if (a->plastic) a->p.plastic_det[first + k] *= ratio[k];
    }
}

static void keep_far(const firn_sph_deformation_args* a, firn_local first, unsigned bits,
                     const firn_mat3_lanes* F)
{
    firn_real m[9][FIRN_LANES];
    for (int k = 0; k < 9; k++) firn_lanes_store(m[k], F->m[k / 3][k % 3]);
    for (; bits != 0; bits &= bits - 1) {
        const int lane = __builtin_ctz(bits);
        const firn_local i = first + lane;
        firn_mat3 one;
        for (int k = 0; k < 9; k++) one.m[k / 3][k % 3] = m[k][lane];
        keep_clamped(a, i, one);
    }
}

// firn_sph_rotation_factor of a SIMD batch.
static firn_lanes rotation_factor(const firn_mat3_lanes* grad, const firn_mat3_lanes* M,
                                  firn_lanes dt)
{
    const firn_lanes half = firn_lanes_all((firn_real)0.5), one = firn_lanes_all(1);
    const firn_lanes third = firn_lanes_all((firn_real)(1.0 / 3));
    const firn_vec3_lanes curl =
        firn_v3_lanes(grad->m[2][1] - grad->m[1][2], grad->m[0][2] - grad->m[2][0],
                      grad->m[1][0] - grad->m[0][1]);
    const firn_vec3_lanes w = firn_v3_lanes_scale(curl, half * dt);
    const firn_lanes w2 = firn_v3_lanes_dot(w, w);
    const firn_lanes trace = M->m[0][0] + M->m[1][1] + M->m[2][2];
    const firn_vec3_lanes Mw = firn_v3_lanes(firn_v3_lanes_dot(firn_m3_lanes_column(*M, 0), w),
                                             firn_v3_lanes_dot(firn_m3_lanes_column(*M, 1), w),
                                             firn_v3_lanes_dot(firn_m3_lanes_column(*M, 2), w));
    const firn_lanes q = half * (w2 * trace - firn_v3_lanes_dot(w, Mw));
    const firn_lanes x = third * ((w2 - q) / (one + w2));
    return one - x - x * x;
}

static void deformation_part(const firn_sph_deformation_args* a, firn_local slice, int lane)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    const firn_local i = part.first;
    firn_real low[FIRN_LANES], high[FIRN_LANES];
    for (int k = 0; k < FIRN_LANES; k++) {
        const firn_local q = i + k < a->p.count ? i + k : a->p.count - 1;
        const firn_sph_material* mat = &a->materials[a->p.material[q]];
        low[k] = 1 - firn_sph_varied(mat->theta_c, a->p.compression, q);
        high[k] = 1 + firn_sph_varied(mat->theta_s, a->p.stretch, q);
    }
    const firn_vec3_lanes v = firn_sph_records_v3(w->b, i);
    const firn_mat3_lanes grad =
        firn_sph_gradient_lanes(&part, w, w->b, v, firn_lanes_load(w->wall_divergence + i));
    const firn_lanes dt = firn_lanes_all(a->dt);
    firn_mat3_lanes trial = firn_deformation_trial_lanes(firn_sph_planes_F(w->F, i), dt, grad);
    if (!a->paper) {
        const firn_mat3_lanes M = firn_sph_planes_F(w->M, i);
        trial = firn_m3_lanes_scale(trial, rotation_factor(&grad, &M, dt));
    }
    firn_mat3_lanes of;  // F' or, for the paper's form, F'^T
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) of.m[r][c] = a->paper ? trial.m[c][r] : trial.m[r][c];
    const clamp_lanes c = clamp_near(&of, firn_lanes_load(low), firn_lanes_load(high));
    const firn_local left = a->p.count - i;
    const unsigned all = left >= FIRN_LANES ? (unsigned)((1ull << FIRN_LANES) - 1)
                         : left > 0         ? (1u << left) - 1
                                            : 0;
    const unsigned near = firn_mask_bits(c.near) & all;
    keep_near(a, i, near, &c);
    if (near != all) keep_far(a, i, all & ~near, &trial);
}

// v^{t+dt} as records, for neighbours.
static void copy_velocities(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_deformation_args* a = self;
    for (firn_local i = begin; i < end; i++)
        a->work->b[i] = (firn_vec4){a->p.velocity[i].x, a->p.velocity[i].y, a->p.velocity[i].z, 0};
}

static void deform_slices(const void* self, firn_local begin, firn_local end)
{
    for (firn_local s = begin; s < end; s++)
        for (int lane = 0; lane < FIRN_SLICE; lane += FIRN_LANES) deformation_part(self, s, lane);
}

static void deformation_simd(const firn_sph_deformation_args* a)
{
    firn_share(a->p.count, FIRN_SPH_SIMPLE, copy_velocities, a);
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, deform_slices, a);
    relax_fluids(a);
}
