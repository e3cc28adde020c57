// SPDX-License-Identifier: MIT
// Step 2 on a GPU (step02_volumes.h), first step only. A block of threads per occupied block, a
// thread per particle; plain, as it runs once.
#include "solver/mpm/step02_volumes.h"

#include "math/bspline.h"
#include "solver/mpm/cuda/mpm_device.cuh"

namespace {

const int THREADS = 256, BLOCKS = 1024;

__global__ void __launch_bounds__(THREADS) volumes(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const int occupied = d.grid.counts->occupied_count;
    const float inv = d.grid.inverse_cell;
    for (int h = blockIdx.x; h < occupied; h += gridDim.x) {
        const int* neighbour = d.grid.neighbour + (size_t)h * 8;
        for (int k = d.grid.first[h] + (int)threadIdx.x; k < d.grid.first[h + 1]; k += THREADS) {
            const int p = d.grid.order[k];
            const float4 at = d.at[p];
            float w[3][4], mass = 0;
            int base[3];
            const float x[3] = {at.x, at.y, at.z};
            for (int a = 0; a < 3; a++) {
                float t;
                firn_weights_axis(x[a] * inv, &base[a], &t);
                firn_spline_weights((firn_spline)d.spline, t, w[a]);
                base[a] &= 3;
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    for (int l = 0; l < 4; l++) {
                        const int n =
                            firn_device_tile_node(neighbour, base[0] + i, base[1] + j, base[2] + l);
                        mass = fmaf(w[0][i] * w[1][j] * w[2][l], d.node_velocity[n].w, mass);
                    }
            ((float*)&d.strain2[p])[1] = firn_mpm_volume(at.w, mass, inv);
        }
    }
}

}  // namespace

void firn_mpm_launch_volumes(const firn_mpm_device* d, cudaStream_t stream)
{
    volumes<<<BLOCKS, THREADS, 0, stream>>>(*d);
}
