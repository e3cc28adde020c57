// SPDX-License-Identifier: MIT
// Step 3 on a GPU (step03_other_accelerations.c): gravity, drag of the air and adhesion.
#include "physics/particle_drag.h"
#include "solver/shared/cuda/cuda_air.cuh"
#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/cuda/sph_device.cuh"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__device__ firn_vec3 drag(const firn_sph_device& d, int i, firn_vec3 v)
{
    const firn_device_air* air = &d.settings.air;
    const firn_real exposed = firn_drag_exposure((firn_real)d.neighbours[i]);
    if (!(exposed > 0)) return v;
    const float4 at = d.at[i];
    const firn_vec3 wind = firn_cuda_wind_at(*air, d.wind, firn_sph_xyz(at), d.control->time);
    const firn_vec3 past = firn_v3_sub(v, wind);
    const firn_real speed = firn_sqrt(firn_v3_dot(past, past));
    const unsigned emitter = d.emitter != nullptr ? d.emitter[i] : 0;  // 0: it is not a flake
    const firn_emitter* e = emitter > 0 && emitter <= (unsigned)d.flakes.count
                                ? &d.flakes.emitters[emitter - 1].law
                                : nullptr;
    const firn_real rate =
        firn_drag_particle(exposed, speed, at.w, d.strain2[i].w, e != nullptr ? e->flake_size : 0,
                           e != nullptr ? e->flake_density : 0, air->density, air->viscosity);
    return firn_dragged(v, wind, d.control->dt_real, rate);
}

__global__ void __launch_bounds__(THREADS) accelerate(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const firn_sph_control* c = d.control;
    firn_vec3 v = firn_v3_madd(firn_sph_xyz(d.motion[i]), c->dt_real, c->gravity);
    if (d.settings.air.drags) v = drag(d, i, v);
    const int k = firn_sph_contact_of(d, i);
    if (k >= 0) v = firn_v3_add(v, firn_v3_scale(d.contact[k].adhesion, c->dt_real));
    d.v_star[i] = firn_sph_quad(v, 0);
}

}  // namespace

void firn_sph_launch_other_accelerations(const firn_sph_device* d, cudaStream_t stream)
{
    accelerate<<<d->blocks, THREADS, 0, stream>>>(*d);
}
