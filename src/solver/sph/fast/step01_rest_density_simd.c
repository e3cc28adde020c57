// SPDX-License-Identifier: MIT
// Densities and slopes of step 1 in SIMD batches, a particle per lane. Like density_particle of
// step01_rest_density.c, with the kernel of physics/sph_kernel_lanes.h and the particle's own mass
// added last; test_sph_tables compares them.
#include "physics/sph_kernel_lanes.h"
#include "solver/sph/fast/sph_lanes.h"
#include "solver/sph/step01_rest_density.h"

// How many neighbours the particles of the batch have. In rows beyond that a particle is its own
// neighbour: the gradient is 0, as x_ij is, but W is not, so its mass must be left out.
static firn_lanes neighbour_counts(const firn_pair_list* list, firn_local first)
{
    firn_real n[FIRN_LANES];
    for (int lane = 0; lane < FIRN_LANES; lane++)
        n[lane] = (firn_real)list->neighbours[first + lane];
    return firn_lanes_load(n);
}

static void density_part(const firn_sph_rest_density_args* a, firn_local slice, int lane,
                         firn_real* out)
{
    const firn_sph_work* w = a->work;
    const firn_sph_part part = firn_sph_part_of(a->pairs, slice, lane);
    firn_pair_row* rows = a->pairs->rows[slice];
    const firn_lanes x = firn_lanes_load(w->x + part.first);
    const firn_lanes y = firn_lanes_load(w->y + part.first);
    const firn_lanes z = firn_lanes_load(w->z + part.first);
    const firn_lanes count = neighbour_counts(a->pairs, part.first);
    const firn_real w0 = firn_sph_w0(a->h), inverse_h = 1 / a->h;
    firn_lanes sum = firn_lanes_all(0);
    for (int k = 0; k < part.row_count; k++) {
        firn_lanes at[4];
        firn_lanes_gather4((const firn_real*)w->place, 4, rows[k].j + lane, at);
        const firn_lanes dx = x - at[0], dy = y - at[1], dz = z - at[2];
        const firn_lanes r2 = firn_lanes_fma(dx, dx, firn_lanes_fma(dy, dy, dz * dz));
        const firn_sph_kernel_lanes W =
            firn_sph_kernel_lanes_of(firn_lanes_sqrt(r2), inverse_h, w0);
        firn_lanes_store(rows[k].slope + lane, W.dw_over_r);
        const firn_lanes_mask there = firn_lanes_less(firn_lanes_all((firn_real)k), count);
        const firn_lanes mass = firn_lanes_select(there, at[3], firn_lanes_all(0));
        sum = firn_lanes_fma(mass, W.w, sum);
    }
    firn_lanes_store(out, sum);
}

static void density_slices(const void* self, firn_local begin, firn_local end)
{
    const firn_sph_rest_density_args* a = self;
    const firn_real w0 = firn_sph_w0(a->h);
    for (firn_local s = begin; s < end; s++) {
        firn_real sum[FIRN_SLICE];
        for (int lane = 0; lane < FIRN_SLICE; lane += FIRN_LANES)
            density_part(a, s, lane, sum + lane);
        for (int lane = 0; lane < FIRN_SLICE && s * FIRN_SLICE + lane < a->p.count; lane++) {
            const firn_local i = s * FIRN_SLICE + lane;
            a->p.density[i] = firn_sph_density(a, i, firn_fma(a->work->place[i][3], w0, sum[lane]));
        }
    }
}

static void rest_density_simd(const firn_sph_rest_density_args* a)
{
    firn_share(a->pairs->slice_count, FIRN_SPH_SLICES, density_slices, a);
    rests(a);
}
