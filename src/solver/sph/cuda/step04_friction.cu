// SPDX-License-Identifier: MIT
// Step 4 on a GPU (step04_friction.c).
#include "solver/sph/cuda/fused_rounding.cuh"
// above all others
#include "solver/sph/cuda/device_contact.cuh"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__global__ void __launch_bounds__(THREADS) brake(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int k = firn_sph_thread();
    if (c->halt != 0 || k >= c->contact_count) return;
    firn_sph_contact_sums* t = &d.contact[k];
    if (t->fluid) return;  // fluid/step04_viscosity.cu
    float4* v = &d.v_star[t->particle];
    const firn_vec3 before = firn_sph_xyz(*v);
    const firn_vec3 slowed = firn_sph_contact_brake(t, c->dt_real, d.paper_contact, before);
    t->braked = firn_v3_sub(slowed, before);
    *v = firn_sph_quad(slowed, 0);
}

}  // namespace

void firn_sph_launch_friction(const firn_sph_device* d, cudaStream_t stream)
{
    if (!d->coulomb)  // else all of it is in step 6
        brake<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
}
