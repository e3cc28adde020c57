// SPDX-License-Identifier: MIT
// Step 6 with dynamic colliders on a GPU (rigid/contact_solve.c): their velocities are unknowns of
// the solve, and nodes inside them move with them. H u of these nodes is in the tiles.
#include "solver/mpm/cuda/rigid/device_contacts.cuh"
#include "solver/mpm/cuda/rigid/device_entries.cuh"

namespace {

const int THREADS = FIRN_RIGID_THREADS;

__device__ __forceinline__ firn_vec3 tiles_at(const firn_mpm_device& d, int i)
{
    const float4 H =
        firn_mpm_gather_tiles(d.grid, d.tile_b, i / FIRN_BLOCK_NODES, i % FIRN_BLOCK_NODES);
    return firn_v3(H.x, H.y, H.z);
}

// beta dt^2
__device__ __forceinline__ float by_of(const firn_mpm_device& d)
{
    const float dt = d.control->dt_real;
    return d.beta * dt * dt;
}

__device__ __forceinline__ float4* z_of(const firn_mpm_device& d)
{
    return d.cr_scale != nullptr ? d.cr_z : d.cr_r;
}

__global__ void __launch_bounds__(THREADS) lump_start(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const firn_mpm_rigid& r = d.rigid;
    const float by = by_of(d);
    if (d.cr_scale != nullptr)
        firn_rigid_each<0, FIRN_LUMP_TERMS>(
            r, [&](firn_mpm_rigid_contact* contact, double(&terms)[FIRN_MPM_LUMP_TERMS]) {
                const firn_mpm_contact* c = &contact->c;
                if (c->held) firn_mpm_contact_stiffen(c, tiles_at(d, c->node), by, terms);
                return c->held;
            });
    if (!firn_cuda_is_last_block(&d.control->ticket)) return;
    for (int k = threadIdx.x; k < r.head->lump_count; k += THREADS) {
        firn_mpm_rigid_entry* e = &r.entries[k];
        double terms[FIRN_MPM_LUMP_TERMS];
        firn_rigid_terms(r, k, terms);
        firn_mpm_lump_scale(&r.lumps[k], terms, e->scale);  // 1 where there are no terms
        for (int i = 0; i < 6; i++) e->x[i] = r.lumps[k].V[i];
        firn_lump_transposed(r.lumps[k].L, e->x);
    }
}

// Sums J^T H u of the nodes, and gives L^-1 of it to f(lump, sum), for each lump.
template <bool RETURNS, typename Each>
__device__ __forceinline__ void pull(const firn_mpm_device& d, Each f)
{
    const firn_mpm_rigid& r = d.rigid;
    const float by = by_of(d);
    float4* z = z_of(d);
    firn_rigid_each<FIRN_MPM_LUMP_SIDE, FIRN_MPM_LUMP_MASS>(
        r, [&](firn_mpm_rigid_contact* contact, double(&terms)[FIRN_MPM_LUMP_TERMS]) {
            const firn_mpm_contact* c = &contact->c;
            if (!c->held) return false;
            firn_mpm_contact_pull(c, tiles_at(d, c->node), by, terms);
            if (RETURNS) z[c->node] = make_float4(0, 0, 0, 0);
            return true;
        });
    if (!firn_cuda_is_last_block(&d.control->ticket)) return;
    for (int k = threadIdx.x; k < r.head->lump_count; k += THREADS) {
        double terms[FIRN_MPM_LUMP_TERMS];
        firn_rigid_terms(r, k, terms);
        firn_lump_forward(r.lumps[k].L, terms + FIRN_MPM_LUMP_SIDE);
        f(k, terms + FIRN_MPM_LUMP_SIDE);
    }
}

// r = b - A x, where x = b
__global__ void __launch_bounds__(THREADS) lump_residual(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    pull<false>(d, [&](int k, const double* f) {
        firn_mpm_rigid_entry* e = &d.rigid.entries[k];
        for (int i = 0; i < 6; i++) {
            e->r[i] = -f[i];
            e->p[i] = e->Ap[i] = 0;
        }
        firn_rigid_precondition(&d.rigid.lumps[k], e);
    });
}

__global__ void __launch_bounds__(THREADS) lump_lend(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const firn_mpm_rigid& r = d.rigid;
    float4* z = z_of(d);
    firn_rigid_each<0, 0>(
        r, [&](firn_mpm_rigid_contact* contact, double(&terms)[FIRN_MPM_LUMP_TERMS]) {
            (void)terms;
            const firn_mpm_contact* c = &contact->c;
            if (!c->held) return false;
            const firn_vec3 v = firn_lump_velocity_at(r.entries[c->lump].lent, c->arm);
            z[c->node] = make_float4(v.x, v.y, v.z, 0);
            return true;
        });
}

// A z
__global__ void __launch_bounds__(THREADS) lump_apply(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    pull<true>(d, [&](int k, const double* f) {
        firn_mpm_rigid_entry* e = &d.rigid.entries[k];
        for (int i = 0; i < 6; i++) e->Az[i] = f[i] + e->z[i];
    });
}

__global__ void follow_lumps(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const firn_mpm_rigid& r = d.rigid;
    for (int k = threadIdx.x; k < r.head->lump_count; k += blockDim.x) {
        firn_lump* lump = &r.lumps[k];
        firn_mpm_lump_follow(lump, r.entries[k].x);
        firn_rigid_pose(d, lump);
    }
}

__global__ void __launch_bounds__(THREADS) follow_nodes(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const firn_mpm_rigid& r = d.rigid;
    firn_rigid_each<0, 0>(
        r, [&](firn_mpm_rigid_contact* contact, double(&terms)[FIRN_MPM_LUMP_TERMS]) {
            (void)terms;
            const firn_mpm_contact* c = &contact->c;
            if (!c->held) return false;
            const firn_vec3 v = firn_lump_velocity_at(r.lumps[c->lump].change, c->arm);
            const float4 now = d.node_new[c->node];
            d.node_new[c->node] = make_float4(now.x + v.x, now.y + v.y, now.z + v.z, now.w);
            return true;
        });
}

__global__ void __launch_bounds__(THREADS) lump_react(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const firn_mpm_rigid& r = d.rigid;
    const float by = by_of(d);
    firn_impulse* taken = firn_cuda_loads_mine(d.loads);
    firn_rigid_each<0, 0>(
        r, [&](firn_mpm_rigid_contact* contact, double(&terms)[FIRN_MPM_LUMP_TERMS]) {
            (void)terms;
            const firn_mpm_contact* c = &contact->c;
            if (!c->held) return false;
            const int collider = r.lumps[c->lump].collider;
            const firn_vec3 arm = firn_v3_sub(firn_mpm_node_position(d, c->node),
                                              d.bodies.bodies[collider].pose.position);
            const float4 now = d.node_new[c->node];
            double j[3];
            firn_mpm_contact_reaction(c, tiles_at(d, c->node), by, firn_v3(now.x, now.y, now.z),
                                      contact->after, j);
            firn_impulse_add(&taken[collider], arm, j[0], j[1], j[2]);
            firn_impulse_weigh(&taken[collider], c->mass);
            return true;
        });
}

}  // namespace

void firn_mpm_launch_lump_start(const firn_mpm_device* d, const firn_mpm_launch* l,
                                cudaStream_t stream)
{
    lump_start<<<l->contacts, THREADS, 0, stream>>>(*d);
}

void firn_mpm_launch_lump_residual(const firn_mpm_device* d, const firn_mpm_launch* l,
                                   cudaStream_t stream)
{
    lump_residual<<<l->contacts, THREADS, 0, stream>>>(*d);
}

void firn_mpm_launch_lump_lend(const firn_mpm_device* d, const firn_mpm_launch* l,
                               cudaStream_t stream)
{
    lump_lend<<<l->contacts, THREADS, 0, stream>>>(*d);
}

void firn_mpm_launch_lump_apply(const firn_mpm_device* d, const firn_mpm_launch* l,
                                cudaStream_t stream)
{
    lump_apply<<<l->contacts, THREADS, 0, stream>>>(*d);
}

void firn_mpm_launch_lump_follow(const firn_mpm_device* d, const firn_mpm_launch* l,
                                 cudaStream_t stream)
{
    follow_lumps<<<1, 64, 0, stream>>>(*d);
    follow_nodes<<<l->contacts, THREADS, 0, stream>>>(*d);
}

void firn_mpm_launch_lump_react(const firn_mpm_device* d, const firn_mpm_launch* l,
                                cudaStream_t stream)
{
    lump_react<<<l->contacts, THREADS, 0, stream>>>(*d);
}
