// SPDX-License-Identifier: MIT
// Step 3 on a GPU (step03_other_accelerations.c): gravity, drag of the air and adhesion.
#include "physics/particle_drag.h"
#include "scene/run/gusts.h"
#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/cuda/sph_device.cuh"
#include "solver/sph/cuda/sph_wind.cuh"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__device__ firn_vec3 drag(const firn_sph_device& d, int i, firn_vec3 v)
{
    const firn_sph_settings* s = &d.settings;
    const firn_real exposed = firn_drag_exposure((firn_real)d.neighbours[i]);
    if (!(exposed > 0)) return v;
    const float4 at = d.at[i];
    firn_vec3 mean = firn_v3((float)s->wind[0], (float)s->wind[1], (float)s->wind[2]);
    if (d.wind != nullptr)
        mean = firn_velocity_sample(&d.wind->grid, d.wind->known, firn_sph_xyz(at), mean);
    const firn_gust_block gusts = {s->gust_strength, s->gust_length, s->gust_period, s->gust_seed};
    const firn_vec3 wind = firn_gusts_add(&gusts, s->wind, mean, firn_sph_xyz(at), d.control->time);
    const firn_vec3 past = firn_v3_sub(v, wind);
    const firn_real speed = firn_sqrt(firn_v3_dot(past, past));
    const firn_real snow =
        firn_drag_lump(speed, at.w, d.strain2[i].w, s->air_density, s->air_viscosity);
    firn_real rate = exposed * snow;
    const unsigned emitter = d.emitter != nullptr ? d.emitter[i] : 0;  // 0: it is not a flake
    if (emitter > 0 && emitter <= (unsigned)d.flakes.count) {
        const firn_emitter* e = &d.flakes.emitters[emitter - 1].law;
        if (e->flake_size > 0)
            rate = firn_drag_mixed(exposed,
                                   firn_drag_flake(speed, (float)e->flake_size,
                                                   (float)e->flake_density, s->air_density,
                                                   s->air_viscosity),
                                   snow);
    }
    return firn_dragged(v, wind, d.control->dt_real, rate);
}

__global__ void __launch_bounds__(THREADS) accelerate(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const firn_sph_control* c = d.control;
    firn_vec3 v = firn_v3_madd(firn_sph_xyz(d.motion[i]), c->dt_real, c->gravity);
    if (d.settings.drags) v = drag(d, i, v);
    const int k = firn_sph_contact_of(d, i);
    if (k >= 0) v = firn_v3_add(v, firn_v3_scale(d.contact[k].adhesion, c->dt_real));
    d.v_star[i] = firn_sph_quad(v, 0);
}

}  // namespace

void firn_sph_launch_other_accelerations(const firn_sph_device* d, cudaStream_t stream)
{
    accelerate<<<d->blocks, THREADS, 0, stream>>>(*d);
}
