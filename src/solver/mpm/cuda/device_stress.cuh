// SPDX-License-Identifier: MIT
// What steps 3 and 6 need of one particle's F_E and J_P, computed as soon as these are known, by
// the laws of physics/snow_stress_lanes.h and snow_derivative_lanes.h (a thread is a lane).
#pragma once
#include "physics/snow_derivative_lanes.h"
#include "physics/snow_hardening.h"
#include "solver/mpm/cuda/mpm_device.cuh"

#ifdef __CUDACC__
// Reads F_E and the constants beside it.
struct firn_device_strain {
    firn_mat3_lanes F_E;
    float volume, stiffness;
    int material;
};

static __device__ __forceinline__ firn_device_strain
firn_device_strain_read(const firn_mpm_device& d, int p)
{
    const float4 a = d.strain0[p], b = d.strain1[p], c = d.strain2[p];
    firn_device_strain s;
    s.F_E = firn_mat3_lanes{{{a.x, a.y, a.z}, {a.w, b.x, b.y}, {b.z, b.w, c.x}}};
    s.volume = c.y;
    s.stiffness = c.z;
    s.material = __float_as_int(c.w);
    return s;
}

// Sums and extremes over all particles, found with the stress.
struct firn_device_tally {
    double elastic;        // [J]
    float J_min, J_max;    // J_P
    float speed2, sound2;  // largest |v|^2, c^2 [m^2/s^2]
};

static __device__ __forceinline__ firn_device_tally firn_device_tally_none()
{
    return firn_device_tally{0, FIRN_REAL_MAX, -FIRN_REAL_MAX, 0, 0};
}

// Writes the stress of particle p, in the form of semi-implicit steps if `linear` (mpm_device.cuh),
// and counts it. `materials`: of the time at which it acts.
static __device__ __forceinline__ void firn_device_stress_write(const firn_mpm_device& d,
                                                                const firn_mpm_material* materials,
                                                                bool linear, int p,
                                                                const firn_device_strain& s,
                                                                float J_P, firn_device_tally& tally)
{
    const firn_mpm_material* mat = &materials[s.material];
    const float rate = firn_snow_rate(mat->xi, mat->xi_t, J_P);
    const float xi = d.varied != nullptr ? rate * d.varied[p].x : rate;
    const float e = firn_snow_hardening_lanes(xi, J_P, mat->hardening_max) * s.stiffness;
    const firn_lame_lanes lame_0 = {mat->lame_0.mu, mat->lame_0.lambda};
    const firn_lame_lanes lame =
        firn_snow_harden_lanes(firn_snow_harden_lanes(lame_0, e), s.volume);  // [J]
    const firn_snow_stretch_lanes l = firn_snow_stretch_lanes_of(s.F_E);
    if (linear) {
        const firn_snow_linear_lanes k = firn_snow_linear_lanes_of(&l, lame);
        d.stress0[p] = make_float4(l.X.xx, l.X.xy, l.X.xz, l.X.yy);
        d.stress1[p] = make_float4(l.X.yz, l.X.zz, k.mu2, k.trace);
        // serves step 3 too: k.transposed but for rounding
        d.stress2[p] = firn_snow_pressure_lanes(l.J, lame);
    } else {
        const firn_sym3_lanes tau = firn_snow_stress_lanes(&l, lame);
        d.stress0[p] = make_float4(-tau.xx, -tau.xy, -tau.xz, -tau.yy);
        ((float2*)d.stress1)[p] = make_float2(-tau.yz, -tau.zz);
    }
    tally.elastic += (double)firn_snow_energy_lanes(&l, lame);
    tally.J_min = fminf(tally.J_min, J_P);
    tally.J_max = fmaxf(tally.J_max, J_P);
    tally.sound2 = fmaxf(tally.sound2, mat->sound_squared * e);
}

// Adds the threads' tallies to the control block and this block's partial sums.
template <int THREADS>
static __device__ __forceinline__ void firn_device_tally_give(const firn_mpm_device& d,
                                                              const firn_device_tally& t)
{
    const unsigned all = 0xffffffffu;
    // bits of numbers that are not negative order as the numbers do; NaN is found as a fault
    const unsigned speed2 = __reduce_max_sync(all, __float_as_uint(t.speed2));
    const unsigned sound2 = __reduce_max_sync(all, __float_as_uint(t.sound2 / d.lightest));
    if ((threadIdx.x & 31) == 0) {
        atomicMax(&d.control->speed2, speed2);
        atomicMax(&d.control->sound2, sound2);
    }
    __shared__ float low[THREADS / 32], high[THREADS / 32];
    float J_min = t.J_min, J_max = t.J_max;
    for (int k = 16; k > 0; k >>= 1) {
        J_min = fminf(J_min, __shfl_xor_sync(all, J_min, k));
        J_max = fmaxf(J_max, __shfl_xor_sync(all, J_max, k));
    }
    if ((threadIdx.x & 31) == 0) {
        low[threadIdx.x >> 5] = J_min;
        high[threadIdx.x >> 5] = J_max;
    }
    double elastic[1] = {t.elastic};
    firn_cuda_block_sum<1, THREADS>(elastic);
    if (threadIdx.x != 0) return;
    for (int w = 1; w < THREADS / 32; w++) {
        J_min = fminf(J_min, low[w]);
        J_max = fmaxf(J_max, high[w]);
    }
    firn_mpm_partial* out = &d.partial[blockIdx.x];
    out->elastic = elastic[0];
    out->plastic_min = (double)J_min;
    out->plastic_max = (double)J_max;
}
#endif
