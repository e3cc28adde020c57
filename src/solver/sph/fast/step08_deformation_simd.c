// SPDX-License-Identifier: MIT
// Step 8 in SIMD batches, a particle per lane (laws/clamp.h).
#include "solver/sph/fast/sph_lanes.h"
#include "solver/sph/step08_deformation.h"

static void keep_near(const firn_sph_deformation_args* a, firn_local first, unsigned bits,
                      const firn_sph_clamp_lanes* c)
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
        trial = firn_m3_lanes_scale(trial, firn_sph_rotation_factor_lanes(&grad, &M, dt));
    }
    firn_mat3_lanes of;  // F' or, for the paper's form, F'^T
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) of.m[r][c] = a->paper ? trial.m[c][r] : trial.m[r][c];
    const firn_sph_clamp_lanes c =
        firn_sph_clamp_near_lanes(&of, firn_lanes_load(low), firn_lanes_load(high));
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
    const firn_sph_work* w = ((const firn_sph_deformation_args*)self)->work;
    for (firn_local s = begin; s < end; s++)
        for (int lane = 0; lane < FIRN_SLICE && !firn_sph_leaves_out(w, s); lane += FIRN_LANES)
            deformation_part(self, s, lane);
}

static void deformation_simd(const firn_sph_deformation_args* a)
{
    firn_share(a->p.count, FIRN_SPH_SIMPLE, copy_velocities, a);
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, deform_slices, a);
    relax_fluids(a);
}
