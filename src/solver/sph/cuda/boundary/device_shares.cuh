// SPDX-License-Identifier: MIT
// The colliders near a particle that has several, on a GPU: who takes which part (laws/loads.h).
#pragma once
#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/laws/loads.h"

#ifdef __CUDACC__
// Returns how many there are.
static __device__ __forceinline__ int firn_sph_shares_of(const firn_sph_device& d, int i,
                                                         firn_sph_share all[FIRN_SPH_SHARES])
{
    int count = 0;
    const uint64_t key = d.cells.key[d.cells.cell[i]];
    for (int row = 0; row < 9; row++) {
        const int2 run = firn_sph_run(d.wall.cells, d.control->wall_cell_count, key, row);
        for (int b = run.x; b < run.y; b++) {
            const firn_sph_sample s = firn_sph_sample_at(d, b);
            count =
                firn_sph_share_add(all, count, firn_sph_xyz(d.at[i]), s.x, s.volume, s.body, d.h);
        }
    }
    return count;
}
#endif
