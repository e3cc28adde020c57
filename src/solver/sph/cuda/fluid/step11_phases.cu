// SPDX-License-Identifier: MIT
// Change of phase on a GPU (step11_phases.c).
#include "solver/sph/cuda/sph_device.cuh"
#include "solver/sph/laws/phases.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__global__ void __launch_bounds__(THREADS) change(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const float4 warmth = d.warmth[i];
    firn_sph_phase now;
    now.material = (firn_local)d.tag[i].y;
    now.density = d.strain1[i].w;
    now.fresh_density = d.strain2[i].w;
    now.age = warmth.z + (float)d.control->dt;
    now.birth_density = warmth.w;
    now.pressure = d.motion[i].w;
    now.heats = d.climate != nullptr;
    now.warmth = firn_snow_warmth{warmth.x, warmth.y};
    const firn_sph_becomes* b = &d.becomes[now.material];
    const firn_sph_material* mat = &d.materials[now.material];
    if (firn_sph_phase_is_due(&now, b, mat)) {
        firn_sph_phase_become(&now, b, &d.materials[b->material],
                              d.snow[b->material].heat_capacity);
        d.tag[i].y = (unsigned)now.material;
        d.strain0[i] = make_float4(1, 0, 0, 1);
        d.strain1[i] = make_float4(0, 1, 0, now.density);
        d.strain2[i] = make_float4(0, 0, 1, now.fresh_density);
        firn_sph_put3(&d.pull[i], firn_v3(0, 0, 0));
    } else if (now.birth_density > 0) {
        firn_sph_phase_ramp(&now, mat,
                            firn_sph_phase_ramp_time(d.becomes, d.material_count, now.material));
        d.strain2[i].w = now.fresh_density;
    }
    d.motion[i].w = now.pressure;
    d.warmth[i] = make_float4(now.warmth.temperature, now.warmth.water, now.age, now.birth_density);
}

}  // namespace

void firn_sph_launch_change(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->becomes != nullptr) change<<<d->blocks, THREADS, 0, stream>>>(*d);
}
