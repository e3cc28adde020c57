// SPDX-License-Identifier: MIT
// What flakes of emitters begin with on a GPU (emit of support/sph_prepare.c).
#include "solver/shared/cuda/cuda_flakes.cuh"
#include "solver/sph/cuda/sph_cuda_own.cuh"
#include "solver/sph/laws/material.h"

namespace {

struct flakes {
    typedef firn_sph_device device;
    enum { FULL = FIRN_SPH_CUDA_FULL, NO_PLACE = FIRN_SPH_CUDA_NO_PLACE };

    static __device__ int room(const firn_sph_device& d)
    {
        return d.capacity - d.control->count;
    }

    static __device__ void put(const firn_sph_device& d, int emitter, int i, firn_vec3 x,
                               firn_vec3 v, uint32_t id)
    {
        const firn_device_emitter* e = &d.flakes.emitters[emitter];
        const float density = d.materials[e->law.material].density;
        d.at[i] = firn_sph_quad(x, e->mass);
        d.motion[i] = firn_sph_quad(v, 0);
        d.strain0[i] = make_float4(1, 0, 0, 1);
        d.strain1[i] = make_float4(0, 1, 0, density);
        d.strain2[i] = make_float4(0, 0, 1, density);
        d.pull[i] = make_float4(0, 0, 0, 1);
        if (d.varied != nullptr) d.varied[i] = make_float4(1, 1, 1, 0);
        d.tag[i] = make_uint2(id, (unsigned)e->law.material);
        d.emitter[i] = (uint32_t)emitter + 1;
        if (d.warmth != nullptr) d.warmth[i] = make_float4(e->temperature, e->water, 0, 0);
    }

    static __device__ void appeared(const firn_sph_device& d)
    {
        (void)d;
    }
};

}  // namespace

void firn_sph_launch_emit(const firn_sph_device* d, cudaStream_t stream)
{
    firn_cuda_launch_flakes<flakes>(d, stream);
}
