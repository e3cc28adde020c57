// SPDX-License-Identifier: MIT
// Wind on a CUDA device: uniform or from a volume, with gusts added.
#pragma once
#include "geometry/deform/velocity_sample.h"
#include "scene/run/gusts.h"
#include "solver/shared/cuda/device_air.h"
#include "solver/shared/cuda_sim.cuh"

typedef struct firn_velocity_volume firn_velocity_volume;  // geometry/levelset/velocity_volume.h

// A volume of the wind, in the device's memory.
typedef struct firn_cuda_wind {
    firn_velocity_grid grid;
    const uint8_t* known;
} firn_cuda_wind;

// Copies the volume to the device, with the simulation's memory of particles. `from` null: there is
// none.
firn_result firn_cuda_bring_wind(firn_cuda_sim* sim, const firn_velocity_volume* from,
                                 firn_cuda_wind** out_wind, firn_error* error);

#ifdef __CUDACC__
// firn_wind: [m/s] at x [m] and time [s]. `volume` null: the same everywhere.
static __device__ __forceinline__ firn_vec3 firn_cuda_wind_at(const firn_device_air& a,
                                                              const firn_cuda_wind* volume,
                                                              firn_vec3 x, double time)
{
    firn_vec3 mean = firn_v3((float)a.wind[0], (float)a.wind[1], (float)a.wind[2]);
    if (volume != nullptr) mean = firn_velocity_sample(&volume->grid, volume->known, x, mean);
    return firn_gusts_add(&a.gusts, a.wind, mean, x, time);
}
#endif
