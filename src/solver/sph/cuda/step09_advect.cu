// SPDX-License-Identifier: MIT
// Step 9 on a GPU (step09_advect.c): positions, and particles that would be inside a collider.
#include <climits>

#include "solver/sph/cuda/device_contact.cuh"
#include "solver/sph/laws/keep_out.h"

namespace {

const int THREADS = FIRN_SPH_THREADS;

__global__ void __launch_bounds__(THREADS) move(const __grid_constant__ firn_sph_device d)
{
    const int i = firn_sph_thread();
    if (firn_sph_idle(d, i)) return;
    const float dt = d.control->dt_real, limit = 2 * d.h / dt;
    const float4 at = d.at[i];
    const firn_vec3 v = firn_sph_xyz(d.motion[i]);
    if (!(firn_v3_dot(v, v) < limit * limit)) atomicMin(&d.control->runaway, i);
    d.at[i] = firn_sph_quad(firn_v3_madd(firn_sph_xyz(at), dt, v), at.w);
}

// The collider gives way; null: it does not.
__device__ const firn_lump* lump_of(const firn_sph_device& d, int body)
{
    if (!d.rigid.active || d.rigid.head->count == 0 || d.rigid.lump_of[body] < 0) return nullptr;
    return &d.rigid.lumps[d.rigid.lump_of[body]];
}

__global__ void __launch_bounds__(THREADS) keep_out(const __grid_constant__ firn_sph_device d)
{
    const firn_sph_control* c = d.control;
    const int k = firn_sph_thread();
    if (c->halt != 0 || k >= c->contact_count || c->runaway != INT_MAX) return;
    const int i = d.contact[k].particle;
    const float mass = d.at[i].w, p = d.motion[i].w;
    firn_sph_mover mover = {firn_sph_xyz(d.at[i]), firn_sph_xyz(d.motion[i]), c->dt_real, d.h};
    bool moved = false;
    for (int b = 0; b < d.bodies.count; b++) {
        const firn_collider* body = &d.bodies.bodies[b];
        firn_sph_kept kept;
        if (!firn_sph_is_inside(body, &d.bodies.shapes, &mover, &kept)) continue;
        if (kept.stopped) {
            const firn_vec3 before = mover.v;
            mover.v = firn_v3_madd(before, -kept.inward, kept.normal);
            const firn_lump* lump = lump_of(d, b);
            if (lump != nullptr) {
                const firn_vec3 change = firn_v3_scale(kept.normal, -kept.inward);
                mover.v = firn_v3_madd(before, firn_lump_share(lump, mover.x, change), change);
            }
            firn_impulse_take(&firn_cuda_loads_mine(d.loads)[b],
                              firn_v3_sub(mover.x, body->pose.position), mass, before, mover.v);
        }
        mover.x = firn_v3_madd(mover.x, -kept.phi, kept.normal);
        moved = true;
    }
    if (!moved) return;
    d.at[i] = firn_sph_quad(mover.x, mass);
    d.motion[i] = firn_sph_quad(mover.v, p);
}

}  // namespace

void firn_sph_launch_advect(const firn_sph_device* d, cudaStream_t stream)
{
    move<<<d->blocks, THREADS, 0, stream>>>(*d);
    if (d->bodies.count > 0) keep_out<<<firn_sph_contact_blocks(d), THREADS, 0, stream>>>(*d);
}
