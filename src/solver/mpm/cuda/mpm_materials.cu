// SPDX-License-Identifier: MIT
// Materials that change over time on a GPU (material/mpm_materials.c). There are two tables: a step
// reads the one of its start, and computes the stress that the next step begins with from the one
// of its end.
#include "solver/mpm/cuda/mpm_device.cuh"
#include "solver/mpm/material/mpm_material_at.h"

namespace {

const int THREADS = 64;

__device__ __forceinline__ void take(const firn_mpm_device& d, int table, double time)
{
    firn_mpm_material* rows = d.material_rows + (size_t)table * (size_t)d.material_count;
    for (int k = threadIdx.x; k < d.material_count; k += THREADS)
        rows[k] = firn_mpm_material_at(&d.material_defs[k], d.grid.cell, time);
}

__global__ void take_at(const __grid_constant__ firn_mpm_device d, double time)
{
    take(d, 0, time);
}

__global__ void take_now(const __grid_constant__ firn_mpm_device d)
{
    take(d, 0, d.control->time);
}

__global__ void take_next(const __grid_constant__ firn_mpm_device d)
{
    if (d.control->halt == 0) take(d, 1, d.control->time_next);
}

}  // namespace

void firn_mpm_launch_materials_at(const firn_mpm_device* d, double time, cudaStream_t stream)
{
    if (d->material_defs != nullptr) take_at<<<1, THREADS, 0, stream>>>(*d, time);
}

void firn_mpm_launch_materials_now(const firn_mpm_device* d, cudaStream_t stream)
{
    if (d->material_defs != nullptr) take_now<<<1, THREADS, 0, stream>>>(*d);
}

void firn_mpm_launch_materials_next(const firn_mpm_device* d, cudaStream_t stream)
{
    if (d->material_defs != nullptr) take_next<<<1, THREADS, 0, stream>>>(*d);
}
