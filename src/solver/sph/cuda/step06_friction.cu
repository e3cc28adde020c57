// SPDX-License-Identifier: MIT
// Coulomb's friction of step 6 on a GPU (step06_friction.h), with the rounding of
// support/sph_run.c.
#include "solver/sph/cuda/device_contact.cuh"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__global__ void __launch_bounds__(THREADS) grip(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int k = firn_sph_thread();
    if (c->halt != 0 || k >= c->contact_count) return;
    firn_sph_contact_sums* t = &d.contact[k];
    const int i = t->particle;
    if (!(t->friction > 0)) return;
    const float v_least = firn_sph_least_slip(c->dt_real, c->gravity_size);
    const float psi_p = d.combined ? 0 : d.psi * d.motion[i].w;
    const float bulk = 2 * d.shear[i] + (d.combined ? 3 * d.lambda[i] : 0);
    const float trace = firn_m3_trace(firn_sph_strain_upper(d, i)) - 3;
    const float push =
        firn_sph_push(t, firn_sph_xyz(d.contact_LB[k]), psi_p, bulk * trace, d.strain1[i].w);
    firn_sph_grip(t, firn_sph_xyz(d.motion[i]), push, v_least);
}

}  // namespace

void firn_sph_launch_grip(const firn_sph_device* d, cudaStream_t stream)
{
    if (d->coulomb) grip<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
}
