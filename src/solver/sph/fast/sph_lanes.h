// SPDX-License-Identifier: MIT
// Access to neighbour lists with one particle per lane, for the fast passes.
#pragma once
#include "core/simd/lanes_gather.h"
#include "math/mat3.h"
#include "math/mat3_lanes.h"
#include "solver/sph/laws/gradient.h"
#include "solver/sph/sph_state.h"

// A SIMD batch of particles of a slice.
typedef struct firn_sph_part {
    const firn_pair_row* rows;
    int row_count;
    int lane;          // of the slice, where the batch begins
    firn_local first;  // particle in lane 0 of the batch
} firn_sph_part;

static inline firn_sph_part firn_sph_part_of(const firn_pair_list* pairs, firn_local slice,
                                             int lane)
{
    return (firn_sph_part){pairs->rows[slice], pairs->row_count[slice], lane,
                           slice * FIRN_SLICE + lane};
}

// Prefetches a row that will be read soon. Rows are read in order, but hardware prefetchers stop at
// the end of a page, which holds no more than the rows of a slice. Rows of the next slices follow
// in memory; a prefetch beyond the last is harmless.
#define FIRN_SPH_AHEAD 16  // [rows]
static inline void firn_sph_part_ahead(const firn_sph_part* part, int k)
{
    const char* row = (const char*)(part->rows + k + FIRN_SPH_AHEAD);
    for (size_t at = 0; at < sizeof(firn_pair_row); at += 64) __builtin_prefetch(row + at);
}

// The positions of the k-th neighbours, and the fourth reals of their records.
typedef struct firn_sph_near {
    firn_vec3_lanes x;
    firn_lanes fourth;
} firn_sph_near;

static inline firn_sph_near firn_sph_part_near(const firn_sph_part* part, const firn_vec4* place,
                                               int k)
{
    firn_lanes at[4];
    firn_sph_part_ahead(part, k);
    firn_lanes_gather4((const firn_real*)place, 4, part->rows[k].j + part->lane, at);
    return (firn_sph_near){firn_v3_lanes(at[0], at[1], at[2]), at[3]};
}

// grad W_ij of the k-th neighbours at x_j, times `factor`.
static inline firn_vec3_lanes firn_sph_part_gradient(const firn_sph_part* part, int k,
                                                     firn_vec3_lanes x_i, firn_vec3_lanes x_j,
                                                     firn_lanes factor)
{
    return firn_v3_lanes_scale(firn_v3_lanes_sub(x_i, x_j),
                               firn_lanes_load(part->rows[k].slope + part->lane) * factor);
}

// x_i of the batch's own particles.
static inline firn_vec3_lanes firn_sph_part_place(const firn_sph_part* part, const firn_sph_work* w)
{
    return firn_v3_lanes(firn_lanes_load(w->x + part->first), firn_lanes_load(w->y + part->first),
                         firn_lanes_load(w->z + part->first));
}

static inline firn_vec3_lanes firn_sph_planes_v3(firn_real* const plane[3], firn_local i)
{
    return firn_v3_lanes(firn_lanes_load(plane[0] + i), firn_lanes_load(plane[1] + i),
                         firn_lanes_load(plane[2] + i));
}

static inline firn_mat3_lanes firn_sph_planes_m3(firn_real* const plane[9], firn_local i)
{
    firn_mat3_lanes r;
    for (int k = 0; k < 9; k++) r.m[k / 3][k % 3] = firn_lanes_load(plane[k] + i);
    return r;
}

// F_E, symmetric.
static inline firn_mat3_lanes firn_sph_planes_F(firn_real* const F[6], firn_local i)
{
    const firn_lanes xx = firn_lanes_load(F[0] + i), xy = firn_lanes_load(F[1] + i);
    const firn_lanes xz = firn_lanes_load(F[2] + i), yy = firn_lanes_load(F[3] + i);
    const firn_lanes yz = firn_lanes_load(F[4] + i), zz = firn_lanes_load(F[5] + i);
    return (firn_mat3_lanes){{{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}}};
}

// The records of the batch's own particles.
static inline firn_vec3_lanes firn_sph_records_v3(const firn_vec4* records, firn_local i)
{
    firn_lanes r[4];
    firn_lanes_load4((const firn_real*)(records + i), r);
    return firn_v3_lanes(r[0], r[1], r[2]);
}

static inline void firn_sph_records_keep(firn_vec4* records, firn_local i, firn_vec3_lanes v)
{
    firn_lanes_store4((firn_real*)(records + i), v.x, v.y, v.z, firn_lanes_all(0));
}

// firn_sph_gradient_particle (velocity_gradient.h) of a SIMD batch, with fused multiply-adds and
// volumes multiplied in here: `u` of all. Compared by test_sph_tables.
static inline firn_mat3_lanes firn_sph_gradient_lanes(const firn_sph_part* part,
                                                      const firn_sph_work* w, const firn_vec4* u,
                                                      firn_vec3_lanes u_i, firn_lanes wall)
{
    firn_mat3_lanes sum;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) sum.m[r][c] = firn_lanes_all(0);
    const firn_vec3_lanes x_i = firn_sph_part_place(part, w);
    for (int k = 0; k < part->row_count; k++) {
        const firn_sph_near near = firn_sph_part_near(part, w->place, k);  // fourth: V_j
        const firn_vec3_lanes Vg = firn_sph_part_gradient(part, k, x_i, near.x, near.fourth);
        firn_lanes u_j[4];
        firn_lanes_gather4((const firn_real*)u, 4, part->rows[k].j + part->lane, u_j);
        for (int r = 0; r < 3; r++) {
            sum.m[r][0] = firn_lanes_fma(u_j[r], Vg.x, sum.m[r][0]);
            sum.m[r][1] = firn_lanes_fma(u_j[r], Vg.y, sum.m[r][1]);
            sum.m[r][2] = firn_lanes_fma(u_j[r], Vg.z, sum.m[r][2]);
        }
    }
    const firn_vec3_lanes S = firn_sph_planes_v3(w->S, part->first);
    const firn_vec3_lanes B = firn_sph_planes_v3(w->B, part->first);
    return firn_sph_gradient_from_lanes(sum, u_i, S, B, firn_sph_planes_m3(w->L, part->first),
                                        wall);
}
