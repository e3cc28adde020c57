// SPDX-License-Identifier: MIT
// The operator of step 4's viscosity in SIMD batches, a particle per lane: that of
// step04_viscosity.c, compared by test_sph_fluids. A solve applies it dozens of times, but the
// factors k_ij of physics/viscosity.h stay the same: meanwhile they take the place of the slopes,
// which are computed again at the end. An array of their own would be one more to stream.
#include "physics/sph_kernel_lanes.h"
#include "physics/viscosity.h"
#include "solver/sph/fast/sph_lanes.h"
#include "solver/sph/step04_viscosity.h"

// The k-th neighbours: x_ij, V_j, and r^2.
typedef struct viscosity_near {
    firn_vec3_lanes x_ij;
    firn_lanes V, r2;
} viscosity_near;

static viscosity_near viscosity_near_at(const firn_sph_part* part, const firn_sph_work* w, int k,
                                        firn_vec3_lanes x_i)
{
    const firn_sph_near near = firn_sph_part_near(part, w->place, k);
    const firn_vec3_lanes x_ij = firn_v3_lanes_sub(x_i, near.x);
    return (viscosity_near){x_ij, near.fourth, firn_v3_lanes_dot(x_ij, x_ij)};
}

// v* with the viscosity as fourth real, which neighbours read together.
static void pack_range(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_work* w = ((const firn_sph_viscosity_args*)self)->work;
    for (firn_local i = begin; i < end; i++) {
        w->weighted[i] = w->v_star[i];
        w->weighted[i][3] = w->source[i];
    }
}

// Lanes beyond the last particle have no viscosity and no acceleration.
static void viscosity_begin_simd(const firn_sph_viscosity_args* a)
{
    const firn_sph_work* w = a->work;
    const firn_local n = a->pairs->count;
    firn_share(n, FIRN_SPH_SIMPLE, pack_range, a);
    memset(w->source + n, 0, FIRN_SLICE * sizeof *w->source);
    memset(w->diagonal + n, 0, FIRN_SLICE * sizeof *w->diagonal);
    memset(w->weighted + n, 0, FIRN_SLICE * sizeof *w->weighted);
}

// Whether a particle of the slice, or a neighbour of one, is a fluid. Most of a fluid that freezes
// is soon neither.
static bool flows(const firn_sph_viscosity_args* a, firn_local slice)
{
    const firn_real* mu = a->work->source;
    const firn_pair_row* rows = a->pairs->rows[slice];
    bool fluid = false;
    for (int lane = 0; lane < FIRN_SLICE; lane++)
        fluid |= mu[slice * FIRN_SLICE + lane] < FIRN_REAL_MAX &&
                 slice * FIRN_SLICE + lane < a->pairs->count;
    for (int k = 0; !fluid && k < a->pairs->row_count[slice]; k++)
        for (int lane = 0; lane < FIRN_SLICE; lane++)
            fluid |= mu[rows[k].j[lane]] < FIRN_REAL_MAX && rows[k].j[lane] < a->pairs->count;
    return fluid;
}

// out = u - dt/m F
static void keep_row(const viscosity_pass* pass, firn_local i, firn_vec3_lanes u_i,
                     firn_vec3_lanes force)
{
    const firn_lanes scale = firn_lanes_load(pass->a->work->diagonal + i);
    firn_sph_records_keep(pass->out, i, firn_v3_lanes_madd(u_i, scale, force));
}

static void once_part(const viscosity_pass* pass, firn_local slice, int lane)
{
    const firn_sph_viscosity_args* a = pass->a;
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    const firn_local i = part.first;
    const firn_vec3_lanes x_i = firn_sph_part_place(&part, w);
    const firn_vec3_lanes u_i = firn_sph_records_v3(w->weighted, i);
    const firn_lanes mu_i = firn_lanes_load(w->source + i), V_i = firn_lanes_load(w->volume + i);
    const firn_lanes zero = firn_lanes_all(0);
    firn_vec3_lanes sum = firn_v3_lanes(zero, zero, zero);
    for (int k = 0; k < part.row_count; k++) {
        const viscosity_near near = viscosity_near_at(&part, w, k, x_i);
        firn_lanes other[4];
        firn_lanes_gather4((const firn_real*)w->weighted, 4, part.rows[k].j + lane, other);
        const firn_lanes mu = firn_viscosity_pair_lanes(mu_i, other[3]);
        const firn_lanes slope = firn_lanes_load(part.rows[k].slope + lane);
        const firn_lanes factor =
            firn_viscosity_factor_lanes(mu, V_i, near.V, slope, near.r2, a->h);
        const firn_vec3_lanes u_j = firn_v3_lanes(other[0], other[1], other[2]);
        sum = firn_viscosity_add_lanes(sum, factor, near.x_ij, firn_v3_lanes_sub(u_i, u_j));
    }
    keep_row(pass, i, u_i, sum);
}

typedef void viscosity_part(const viscosity_pass* pass, firn_local slice, int lane);

// out = A u of a slice
static void apply_slice(const viscosity_pass* pass, firn_local slice, bool some,
                        viscosity_part* part)
{
    const size_t first = (size_t)slice * FIRN_SLICE;
    if (!some) {
        memcpy(pass->out + first, pass->u + first, FIRN_SLICE * sizeof *pass->out);
        return;
    }
    for (int lane = 0; lane < FIRN_SLICE; lane += FIRN_LANES) part(pass, slice, lane);
}

static void once_slices(const void* self, firn_local begin, firn_local end)
{
    const viscosity_pass* pass = self;
    for (firn_local s = begin; s < end; s++) apply_slice(pass, s, flows(pass->a, s), once_part);
    add_walls(pass, begin * FIRN_SLICE, end * FIRN_SLICE);
}

// One explicit step of v*.
static void viscosity_once_simd(const firn_sph_viscosity_args* a, const firn_vec4* u,
                                firn_vec4* out)
{
    const viscosity_pass pass = {a, u, out};
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, once_slices, &pass);
}

// Writes k_ij over the slopes of a batch.
static void factor_part(const firn_sph_viscosity_args* a, firn_local slice, int lane)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    firn_pair_row* rows = a->pairs->rows[slice];
    const firn_vec3_lanes x_i = firn_sph_part_place(&part, w);
    const firn_lanes mu_i = firn_lanes_load(w->source + part.first);
    const firn_lanes V_i = firn_lanes_load(w->volume + part.first);
    for (int k = 0; k < part.row_count; k++) {
        const viscosity_near near = viscosity_near_at(&part, w, k, x_i);
        firn_lanes other[4];
        firn_lanes_gather4((const firn_real*)w->weighted, 4, rows[k].j + lane, other);
        const firn_lanes mu = firn_viscosity_pair_lanes(mu_i, other[3]);
        const firn_lanes slope = firn_lanes_load(rows[k].slope + lane);
        firn_lanes_store(rows[k].slope + lane,
                         firn_viscosity_factor_lanes(mu, V_i, near.V, slope, near.r2, a->h));
    }
}

// Marks slices that flow in their first entry of work->miss.
static void open_slices(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_viscosity_args* a = self;
    for (firn_local s = begin; s < end; s++) {
        const bool some = flows(a, s);
        a->work->miss[s * FIRN_SLICE] = some;
        for (int lane = 0; some && lane < FIRN_SLICE; lane += FIRN_LANES) factor_part(a, s, lane);
    }
}

static void slope_part(const firn_sph_viscosity_args* a, firn_local slice, int lane)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    firn_pair_row* rows = a->pairs->rows[slice];
    const firn_vec3_lanes x_i = firn_sph_part_place(&part, w);
    const firn_real w0 = firn_sph_w0(a->h), inverse_h = 1 / a->h;
    for (int k = 0; k < part.row_count; k++) {
        const firn_lanes r = firn_lanes_sqrt(viscosity_near_at(&part, w, k, x_i).r2);
        firn_lanes_store(rows[k].slope + lane,
                         firn_sph_kernel_lanes_of(r, inverse_h, w0).dw_over_r);
    }
}

static void close_slices(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_viscosity_args* a = self;
    for (firn_local s = begin; s < end; s++)
        for (int lane = 0; a->work->miss[s * FIRN_SLICE] > 0 && lane < FIRN_SLICE;
             lane += FIRN_LANES)
            slope_part(a, s, lane);
}

static void often_part(const viscosity_pass* pass, firn_local slice, int lane)
{
    const firn_sph_work* w = pass->a->work;
    const firn_sph_part part = firn_sph_part_of(pass->a->pairs, slice, lane);
    const firn_vec3_lanes x_i = firn_sph_part_place(&part, w);
    const firn_vec3_lanes u_i = firn_sph_records_v3(pass->u, part.first);
    const firn_lanes zero = firn_lanes_all(0);
    firn_vec3_lanes sum = firn_v3_lanes(zero, zero, zero);
    for (int k = 0; k < part.row_count; k++) {
        const firn_sph_near near = firn_sph_part_near(&part, w->place, k);
        firn_lanes u_j[4];
        firn_lanes_gather4((const firn_real*)pass->u, 4, part.rows[k].j + lane, u_j);
        sum = firn_viscosity_add_lanes(
            sum, firn_lanes_load(part.rows[k].slope + lane), firn_v3_lanes_sub(x_i, near.x),
            firn_v3_lanes_sub(u_i, firn_v3_lanes(u_j[0], u_j[1], u_j[2])));
    }
    keep_row(pass, part.first, u_i, sum);
}

static void often_slices(const void* self, firn_local begin, firn_local end)
{
    const viscosity_pass* pass = self;
    const firn_sph_work* w = pass->a->work;
    for (firn_local s = begin; s < end; s++)
        apply_slice(pass, s, w->miss[s * FIRN_SLICE] > 0, often_part);
    add_walls(pass, begin * FIRN_SLICE, end * FIRN_SLICE);
}

static void viscosity_often_simd(const firn_sph_viscosity_args* a, const firn_vec4* u,
                                 firn_vec4* out)
{
    const viscosity_pass pass = {a, u, out};
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, often_slices, &pass);
}

static void viscosity_open_simd(const firn_sph_viscosity_args* a)
{
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, open_slices, a);
}

static void viscosity_close_simd(const firn_sph_viscosity_args* a)
{
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, close_slices, a);
}

static firn_cr_result viscosity_simd(const firn_sph_viscosity_args* a)
{
    static const viscosity_loops fast = {.begin = viscosity_begin_simd,
                                         .once = viscosity_once_simd,
                                         .open = viscosity_open_simd,
                                         .often = viscosity_often_simd,
                                         .close = viscosity_close_simd};
    return solve_viscosity(a, &fast);
}
