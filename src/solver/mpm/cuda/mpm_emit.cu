// SPDX-License-Identifier: MIT
// What particles of emitters begin with on a GPU (outside/mpm_emit.c). They count in the speeds
// that choose the length of the step, and have the stress of undeformed snow.
#include "solver/mpm/cuda/device_stress.cuh"
#include "solver/shared/cuda/cuda_flakes.cuh"

namespace {

struct flakes {
    typedef firn_mpm_device device;
    enum { FULL = FIRN_MPM_CUDA_FULL, NO_PLACE = FIRN_MPM_CUDA_NO_PLACE };

    static __device__ int room(const firn_mpm_device& d)
    {
        return d.grid.particle_capacity - d.control->count;
    }

    static __device__ void put(const firn_mpm_device& d, int emitter, int i, firn_vec3 x,
                               firn_vec3 v, uint32_t id)
    {
        firn_mpm_control* c = d.control;
        const firn_device_emitter* e = &d.flakes.emitters[emitter];
        firn_device_strain s = {};
        for (int k = 0; k < 3; k++) s.F_E.m[k][k] = 1;
        s.volume = d.weighs && c->step == 0 ? 0 : e->volume;  // step 2 finds it
        s.stiffness = 1;
        s.material = e->law.material;
        d.at[i] = make_float4(x.x, x.y, x.z, e->mass);
        d.motion[i] = make_float4(v.x, v.y, v.z, 1);
        d.strain0[i] = make_float4(1, 0, 0, 0);
        d.strain1[i] = make_float4(1, 0, 0, 0);
        d.strain2[i] = make_float4(1, s.volume, s.stiffness, __int_as_float(s.material));
        d.id[i] = id;
        d.emitter[i] = (uint32_t)emitter + 1;
        if (d.affine0 != nullptr)
            d.affine0[i] = d.affine1[i] = d.affine2[i] = make_float4(0, 0, 0, 0);
        if (d.varied != nullptr) d.varied[i] = make_float4(1, 1, 1, 0);
        if (d.hold.grip != nullptr) d.hold.grip[i] = 0;
        if (d.consolidation != nullptr) d.consolidation[i] = d.materials[s.material].clay.alpha_0;
        if (d.creep != nullptr) d.creep[i] = d.healed[i] = 1;
        if (d.powder.broken != nullptr) d.powder.broken[i] = make_float2(0, 1);
        if (d.gone != nullptr) d.gone[i] = 0;
        firn_device_tally tally = firn_device_tally_none();
        firn_device_stress_write(d, d.materials, d.implicit != 0, i, s, 1, tally);
        // bits of numbers that are not negative order as the numbers do
        atomicMax(&c->speed2, __float_as_uint(firn_v3_dot(v, v)));
        atomicMax(&c->sound2, __float_as_uint(tally.sound2 / d.lightest));
    }

    // J_P is 1, and nothing is stored in them [J].
    static __device__ void appeared(const firn_mpm_device& d)
    {
        firn_mpm_control* c = d.control;
        if (c->emission.fresh == 0) return;
        c->plastic_min = fmin(c->plastic_min, 1.0);
        c->plastic_max = fmax(c->plastic_max, 1.0);
    }
};

}  // namespace

void firn_mpm_launch_emit(const firn_mpm_device* d, cudaStream_t stream)
{
    firn_cuda_launch_flakes<flakes>(d, stream);
}
