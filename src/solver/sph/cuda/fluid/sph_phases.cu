// SPDX-License-Identifier: MIT
// Which phases there are, and places as they see them, on a GPU (find_phases and place_range of
// support/sph_prepare.c, snow_range of support/sph_run.c).
#include "solver/sph/cuda/chunk_sums.cuh"
#include "solver/sph/laws/material.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

// m_i / rho_0 of all, for the sums of step 1, and the masses of chunks.
__global__ void __launch_bounds__(FIRN_SPH_SUM_THREADS)
    look(const __grid_constant__ firn_sph_device d)
{
    __shared__ double sums[FIRN_SPH_SUM_CHUNKS][1][1];
    firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    const int count = c->count;
    int snow = 0, viscous = 0;
    firn_sph_chunk_sums<1, 1, 1>(
        count, sums,
        [&](int i, float* value) {
            const float4 at = d.at[i];
            const firn_sph_material* mat = &d.materials[d.tag[i].y];
            d.place_snow[i] = make_float4(at.x, at.y, at.z, at.w / d.strain2[i].w);
            snow |= mat->phase == FIRN_PHASE_SNOW;
            viscous |= mat->viscosity > 0;
            value[0] = at.w;
        },
        [](int, auto of, double* sum) { sum[0] += of(0); });
    if (d.fluids && snow) atomicOr(&c->has_snow, 1);
    if (d.fluids && viscous) atomicOr(&c->viscous, 1);
    const int chunk = (int)blockIdx.x * FIRN_SPH_SUM_CHUNKS + (int)threadIdx.x;
    if (threadIdx.x < FIRN_SPH_SUM_CHUNKS && chunk <= count / FIRN_SPH_SUM_CHUNK)
        d.partial[chunk] = sums[threadIdx.x][0][0];
}

__global__ void __launch_bounds__(THREADS) add_up(const __grid_constant__ firn_sph_device d)
{
    firn_sph_control* c = d.control;
    if (c->halt != 0) return;
    double sum[1];
    firn_sph_add_chunks<1>(d.partial, c->count / FIRN_SPH_SUM_CHUNK + 1, sum);
    if (threadIdx.x == 0) c->mass = sum[0];
}

// x_i, and V_i of snow only.
__global__ void __launch_bounds__(THREADS) snow_places(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i) || d.control->has_snow == 0) return;
    const float4 place = d.place[i];
    d.place_snow[i] = make_float4(place.x, place.y, place.z, firn_sph_is_fluid(d, i) ? 0 : place.w);
}

}  // namespace

void firn_sph_launch_phases(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->volumes) return;
    look<<<firn_sph_sum_blocks(d), FIRN_SPH_SUM_THREADS, 0, stream>>>(*d);
    if (d->fluids) add_up<<<1, THREADS, 0, stream>>>(*d);
}

void firn_sph_launch_snow_places(const firn_sph_device* d, cudaStream_t stream)
{
    snow_places<<<d->blocks, THREADS, 0, stream>>>(*d);
}
