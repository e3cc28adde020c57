// SPDX-License-Identifier: MIT
// Step 5 in SIMD batches, a particle per lane: the functions of step05_pressure.c with fused
// multiply-adds, compared by test_sph_tables. During the solve pressures are in an array of the
// work.
#include "solver/sph/fast/sph_lanes.h"
#include "solver/sph/step05_pressure.h"

static firn_lanes softness_lanes(const firn_sph_pressure_args* a, firn_local i)
{
    return firn_lanes_load(a->work->rest_density + i) / firn_lanes_load(a->work->lambda + i);
}

// sum_j (factor_j u_j) . grad W_ij - u_i . (S + B): eq. 6 for a field that is 0 on colliders. With
// `weigh` the factors are V_j; else u holds V_j u_j already, and `own` is u_i without it.
static firn_lanes divergence_lanes(const firn_sph_pressure_args* a, const firn_sph_part* part,
                                   const firn_vec4* u, bool weigh, firn_vec3_lanes own)
{
    const firn_sph_work* w = a->work;
    const firn_vec3_lanes x_i = firn_sph_part_place(part, w);
    firn_lanes sum = firn_lanes_all(0);
    for (int k = 0; k < part->row_count; k++) {
        firn_lanes u_j[4];
        firn_lanes_gather4((const firn_real*)u, 4, part->rows[k].j + part->lane, u_j);
        const firn_sph_near near = firn_sph_part_near(part, w->place, k);  // fourth: V_j
        const firn_vec3_lanes g =
            firn_sph_part_gradient(part, k, x_i, near.x, weigh ? near.fourth : firn_lanes_all(1));
        sum = firn_lanes_fma(u_j[0], g.x,
                             firn_lanes_fma(u_j[1], g.y, firn_lanes_fma(u_j[2], g.z, sum)));
    }
    const firn_vec3_lanes S = firn_sph_planes_v3(w->S, part->first);
    const firn_vec3_lanes B = firn_sph_planes_v3(w->B, part->first);
    return sum - firn_v3_lanes_dot(own, firn_v3_lanes_add(S, B));
}

// Stores p_i, and V_i p_i beside x_i for the neighbours.
static void keep_pressure(const firn_sph_work* w, firn_local i, firn_lanes p)
{
    firn_lanes_store(w->pressure + i, p);
    firn_lanes_store4((firn_real*)(w->place_p + i), firn_lanes_load(w->x + i),
                      firn_lanes_load(w->y + i), firn_lanes_load(w->z + i),
                      firn_lanes_load(w->volume + i) * p);
}

// firn_sph_psi of a SIMD batch.
static firn_lanes psi_lanes(const firn_sph_pressure_args* a, firn_local i)
{
    const firn_lanes psi = firn_lanes_all(a->psi);
    if (!a->fluids) return psi;
    return firn_sph_psi_lanes(psi, firn_lanes_load(a->work->lambda + i));
}

// firn_sph_source of a SIMD batch. Snow: w->density is rho_i; fluids: rho_0, and rho_i is separate.
static firn_lanes source_lanes(const firn_sph_pressure_args* a, firn_local i, firn_lanes div)
{
    const firn_sph_work* w = a->work;
    const firn_lanes dt = firn_lanes_all(a->dt);
    const firn_lanes rest = firn_lanes_load(w->rest_density + i);
    const firn_lanes snow = firn_sph_source_lanes(rest, firn_lanes_load(w->density + i), dt, div);
    if (!a->volumes) return snow;
    firn_real rho[FIRN_LANES];
    for (int k = 0; k < FIRN_LANES; k++) rho[k] = i + k < a->pairs->count ? a->density[i + k] : 0;
    const firn_lanes fluid =
        firn_sph_fluid_source_lanes(rest, firn_lanes_load(rho), dt, div, firn_lanes_all(a->excess));
    const firn_lanes most = firn_lanes_all(FIRN_SPH_LAMBDA_MOST);
    return firn_lanes_select(firn_lanes_less(most, firn_lanes_load(w->lambda + i)), fluid, snow);
}

// squares_particle of a SIMD batch, where densities differ. `weighted` holds x_j and V_j / rho_j.
static firn_lanes squares_lanes(const firn_sph_pressure_args* a, const firn_sph_part* part)
{
    const firn_sph_work* w = a->work;
    const firn_local i = part->first;
    const firn_vec3_lanes x_i = firn_sph_part_place(part, w);
    firn_lanes sum = firn_lanes_all(0);
    for (int k = 0; k < part->row_count; k++) {
        const firn_sph_near near = firn_sph_part_near(part, w->weighted, k);
        const firn_vec3_lanes g = firn_sph_part_gradient(part, k, x_i, near.x, firn_lanes_all(1));
        sum = firn_lanes_fma(near.fourth, firn_v3_lanes_dot(g, g), sum);
    }
    return firn_lanes_load(w->volume + i) * firn_lanes_load(w->density + i) * sum;
}

static void source_part(const firn_sph_pressure_args* a, firn_local slice, int lane)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    const firn_local i = part.first;
    const firn_lanes div =
        divergence_lanes(a, &part, w->v_star, true, firn_sph_records_v3(w->v_star, i)) +
        firn_lanes_load(w->wall_divergence + i);
    const firn_lanes dt = firn_lanes_all(a->dt);
    firn_lanes_store(w->source + i, source_lanes(a, i, div));
    const firn_vec3_lanes S = firn_sph_planes_v3(w->S, i), B = firn_sph_planes_v3(w->B, i);
    const firn_lanes own =
        firn_v3_lanes_dot(firn_v3_lanes_madd(S, psi_lanes(a, i), B), firn_v3_lanes_add(S, B));
    const firn_lanes squares = a->volumes ? squares_lanes(a, &part) + own
                                          : firn_lanes_fma(firn_lanes_load(w->volume + i),
                                                           firn_lanes_load(w->S2 + i), own);
    const firn_lanes diagonal = firn_sph_diagonal_lanes(softness_lanes(a, i), dt, squares);
    const firn_lanes_mask some = firn_lanes_less(diagonal, firn_lanes_all(0));
    const firn_lanes p =
        firn_lanes_select(some, firn_lanes_load(w->pressure + i), firn_lanes_all(0));
    firn_lanes_store(w->diagonal + i, diagonal);
    keep_pressure(w, i, p);
}

// Particles of slices [begin, end): those beyond the last do not count.
static firn_sph_range particles_of(const firn_pair_list* pairs, firn_local begin, firn_local end)
{
    const firn_local last = end * FIRN_SLICE;
    return (firn_sph_range){begin * FIRN_SLICE, last < pairs->count ? last : pairs->count};
}

static void source_slices(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    const firn_sph_range own = particles_of(a->pairs, begin, end);
    memcpy(a->work->pressure + own.begin, a->pressure + own.begin,
           (size_t)(own.end - own.begin) * sizeof(firn_real));
    for (firn_local s = begin; s < end; s++)
        for (int lane = 0; lane < FIRN_SLICE; lane += FIRN_LANES) source_part(a, s, lane);
}

// x_j and V_j / rho_j for the neighbours.
static void flow_weights(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    const firn_sph_work* w = a->work;
    for (firn_local i = begin; i < end; i++)
        w->weighted[i] = (firn_vec4){w->x[i], w->y[i], w->z[i], firn_sph_flow_weight(a, i)};
}

static void pressure_begin_simd(const firn_sph_pressure_args* a)
{
    if (a->volumes) firn_share(a->pairs->count, FIRN_SPH_SIMPLE, flow_weights, a);
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, source_slices, a);
}

static void gradient_part(const firn_sph_pressure_args* a, firn_local slice, int lane)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    const firn_lanes zero = firn_lanes_all(0);
    firn_vec3_lanes sum = firn_v3_lanes(zero, zero, zero);
    const firn_vec3_lanes x_i = firn_sph_part_place(&part, w);
    for (int k = 0; k < part.row_count; k++) {
        const firn_sph_near near = firn_sph_part_near(&part, w->place_p, k);  // fourth: V_j p_j
        const firn_lanes slope = firn_lanes_load(part.rows[k].slope + lane);
        sum = firn_v3_lanes_madd(sum, slope * near.fourth, firn_v3_lanes_sub(x_i, near.x));
    }
    const firn_vec3_lanes SB =
        firn_v3_lanes_madd(firn_sph_planes_v3(w->S, part.first), psi_lanes(a, part.first),
                           firn_sph_planes_v3(w->B, part.first));
    sum = firn_v3_lanes_madd(sum, firn_lanes_load(w->pressure + part.first), SB);
    firn_lanes weight = firn_lanes_load(w->volume + part.first);  // firn_sph_flow_weight
    if (a->volumes) weight = weight / firn_lanes_load(w->density + part.first);
    firn_sph_records_keep(w->weighted, part.first, firn_v3_lanes_scale(sum, weight));
}

static void gradient_slices(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    for (firn_local s = begin; s < end; s++)
        for (int lane = 0; lane < FIRN_SLICE; lane += FIRN_LANES) gradient_part(a, s, lane);
}

// Returns the density errors of the batch. Not inlined: gcc 12 fails with an internal error on
// masks of two doubles otherwise.
FIRN_LANES_APART firn_lanes update_part(const firn_sph_pressure_args* a, firn_local slice, int lane)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    const firn_local i = part.first;
    const firn_lanes zero = firn_lanes_all(0), old = firn_lanes_load(w->pressure + i);
    const firn_vec3_lanes own = firn_v3_lanes_scale(firn_sph_records_v3(w->weighted, i),
                                                    firn_lanes_load(w->inverse_volume + i));
    const firn_lanes laplacian = divergence_lanes(a, &part, w->weighted, false, own);
    firn_lanes factor = firn_lanes_all(a->dt * a->dt);
    if (a->volumes) factor = factor * firn_lanes_load(w->density + i);
    const firn_lanes miss = firn_sph_miss_lanes(firn_lanes_load(w->source + i), factor, laplacian,
                                                softness_lanes(a, i), old);
    const firn_lanes diagonal = firn_lanes_load(w->diagonal + i);
    const firn_lanes_mask some = firn_lanes_less(diagonal, zero);
    firn_lanes p = firn_sph_relax_lanes(old, a->relaxation, diagonal, miss);
    firn_lanes error = firn_lanes_abs(miss);
    if (a->volumes) {
        const firn_lanes_mask thin = firn_sph_thin_lanes(p, firn_lanes_load(w->lambda + i));
        p = firn_lanes_select(thin, zero, p);
        error = firn_lanes_select(thin, firn_lanes_max(-miss, zero), error);
    }
    p = firn_lanes_select(some, p, zero);
    keep_pressure(w, i, p);
    return firn_lanes_select(some, error / firn_lanes_load(w->rest_density + i), zero);
}

static void update_slices(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    for (firn_local s = begin; s < end; s++)
        for (int lane = 0; lane < FIRN_SLICE; lane += FIRN_LANES)
            firn_lanes_store(a->work->miss + s * FIRN_SLICE + lane, update_part(a, s, lane));
}

static double pressure_iterate_simd(const firn_sph_pressure_args* a)
{
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, gradient_slices, a);
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, update_slices, a);
    return mean_error(a);
}

static void push_slices(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    const firn_sph_work* w = a->work;
    const firn_sph_range own = particles_of(a->pairs, begin, end);
    gradient_slices(self, begin, end);
    for (firn_local i = own.begin; i < own.end; i++)
        w->v_star[i] = firn_vec4_madd(firn_sph_push_factor(a, i), w->weighted[i], w->v_star[i]);
    memcpy(a->pressure + own.begin, w->pressure + own.begin,
           (size_t)(own.end - own.begin) * sizeof(firn_real));
}

static void pressure_end_simd(const firn_sph_pressure_args* a)
{
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, push_slices, a);
}

static void reset_slices(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_pressure_args* a = self;
    for (firn_local i = begin * FIRN_SLICE; i < end * FIRN_SLICE; i += FIRN_LANES)
        keep_pressure(a->work, i, firn_lanes_all(0));
}

static void pressure_reset_simd(const firn_sph_pressure_args* a)
{
    firn_share(a->pairs->slice_count, FIRN_SPH_SIMPLE / FIRN_SLICE, reset_slices, a);
}

static firn_sph_pressure_result pressure_simd(const firn_sph_pressure_args* a)
{
    static const pressure_loops fast = {pressure_begin_simd, pressure_iterate_simd,
                                        pressure_end_simd, pressure_reset_simd, true};
    return solve_pressure(a, &fast);
}
