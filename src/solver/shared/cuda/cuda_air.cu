// SPDX-License-Identifier: MIT
#include "solver/shared/cuda/cuda_air.cuh"

#include "geometry/levelset/velocity_volume.h"

firn_result firn_cuda_bring_wind(firn_cuda_sim* c, const firn_velocity_volume* from,
                                 firn_cuda_wind** out_wind, firn_error* error)
{
    if (from == nullptr) return FIRN_OK;
    const int32_t* size = from->grid.size;
    const size_t n = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    firn_cuda_taking t = {&c->particles, cudaSuccess, 0};
    firn_vec3* values;
    uint8_t* known;
    firn_cuda_take(t, &values, n);
    firn_cuda_take(t, &known, n);
    firn_cuda_take(t, out_wind, 1);
    if (t.status != cudaSuccess)
        return firn_cuda_no_room(c, t.bytes, "the volume of the wind", error);
    firn_cuda_wind wind = {from->grid, known};
    wind.grid.value = values;
    FIRN_CUDA_TRY(cudaMemcpy(values, from->grid.value, n * sizeof *values, cudaMemcpyHostToDevice),
                  error, "copying the wind");
    FIRN_CUDA_TRY(cudaMemcpy(known, from->known, n, cudaMemcpyHostToDevice), error,
                  "copying the wind");
    FIRN_CUDA_TRY(cudaMemcpy(*out_wind, &wind, sizeof wind, cudaMemcpyHostToDevice), error,
                  "copying the wind");
    return FIRN_OK;
}
