// SPDX-License-Identifier: MIT
// Step 5 with dynamic colliders on a GPU (rigid/contact_settle.c): the list of nodes inside them,
// velocities V by Newton's method, a kernel for each round, then the velocities of nodes. The last
// block of threads has the sums: a thread for each collider.
#include "solver/mpm/cuda/device_collide.cuh"
#include "solver/mpm/cuda/rigid/device_contacts.cuh"
#include "state/device_table.cuh"

namespace {

const int THREADS = FIRN_RIGID_THREADS;

__device__ bool is_near_lump(const firn_mpm_device& d, int lumps, int4 coord)
{
    const int32_t c[3] = {coord.x, coord.y, coord.z};
    for (int k = 0; k < lumps; k++)
        if (firn_mpm_block_near_body(&d.bodies.bodies[d.rigid.lumps[k].collider], 1, c, d.grid.cell,
                                     false))
            return true;
    return false;
}

// Where the snow of node n of a block is, seen from it (rigid/mpm_contacts.c).
__device__ firn_vec3 snow_side(const firn_mpm_device& d, int4 c, int n)
{
    const int x = n >> 4, y = n >> 2 & 3, z = n & 3;
    firn_real mass[FIRN_MPM_AROUND];
    for (int k = 0; k < FIRN_MPM_AROUND; k++) {
        const int X = x + k / 9 - 1, Y = y + k / 3 % 3 - 1, Z = z + k % 3 - 1;  // -1 to 4
        const int block = firn_device_find(d.grid, c.x + (X + 4) / 4 - 1, c.y + (Y + 4) / 4 - 1,
                                           c.z + (Z + 4) / 4 - 1);
        const int node = ((X & 3) << 2 | (Y & 3)) << 2 | (Z & 3);
        mass[k] = block < 0 ? 0 : d.node_velocity[block * FIRN_BLOCK_NODES + node].w;
    }
    return firn_mpm_snow_side(mass);
}

// A warp per block of the grid. The order of the list is of no importance.
__global__ void __launch_bounds__(THREADS) find(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const firn_mpm_rigid& r = d.rigid;
    const int lumps = r.head->lump_count;
    const int blocks = d.grid.counts->block_count, warps = (gridDim.x * THREADS) >> 5;
    for (int b = (blockIdx.x * THREADS + threadIdx.x) >> 5; b < blocks; b += warps) {
        if (!is_near_lump(d, lumps, d.grid.coord[b])) continue;
        for (int local = threadIdx.x & 31; local < FIRN_BLOCK_NODES; local += 32) {
            const int i = b * FIRN_BLOCK_NODES + local;
            const float mass = d.node_velocity[i].w;
            if (!(mass > 0)) continue;
            const firn_vec3 x = firn_mpm_node_position(d, i);
            const int k = firn_mpm_find_lump(r.lumps, lumps, d.bodies.bodies, &d.bodies.shapes, x);
            if (k < 0) continue;
            const int slot = atomicAdd(&r.head->contact_count, 1);
            if (slot >= r.contact_capacity) {
                d.grid.counts->room = 1;
                continue;
            }
            const float4 now = d.node_new[i];
            r.contact[slot].c = firn_mpm_contact_of(
                r.lumps, k, d.bodies.bodies, &d.bodies.shapes, i, x, firn_v3(now.x, now.y, now.z),
                mass, snow_side(d, d.grid.coord[b], local), d.grid.cell);
        }
    }
}

__global__ void begin_rounds(const __grid_constant__ firn_mpm_device d,
                             cudaGraphConditionalHandle loop)
{
    if (firn_mpm_idle(d)) return;
    d.rigid.head->round = 0;
    if (d.rigid.head->contact_count > 0) cudaGraphSetConditional(loop, 1);
}

__device__ __forceinline__ firn_mpm_carried carry(const firn_mpm_device& d,
                                                  const firn_mpm_contact* c)
{
    const firn_lump* lump = &d.rigid.lumps[c->lump];
    const firn_collider* body = &d.bodies.bodies[lump->collider];
    return firn_mpm_carry(c, body->friction, body->sticky, lump->V);
}

__global__ void __launch_bounds__(THREADS)
    settle_round(const __grid_constant__ firn_mpm_device d, cudaGraphConditionalHandle loop)
{
    const firn_mpm_rigid& r = d.rigid;
    if (firn_mpm_idle(d)) {
        if (blockIdx.x == 0 && threadIdx.x == 0) cudaGraphSetConditional(loop, 0);
        return;
    }
    firn_rigid_each<0, FIRN_MPM_LUMP_MASS>(
        r, [&](firn_mpm_rigid_contact* contact, double(&terms)[FIRN_MPM_LUMP_TERMS]) {
            const firn_mpm_carried after = carry(d, &contact->c);
            if (after.held) firn_mpm_contact_push(&contact->c, &after, terms);
            return after.held;
        });
    if (!firn_cuda_is_last_block(&d.control->ticket)) return;
    const int round = r.head->round;
    bool settled = true;
    for (int k = threadIdx.x; k < r.head->lump_count; k += THREADS) {
        double terms[FIRN_MPM_LUMP_TERMS];
        firn_rigid_terms(r, k, terms);
        settled = firn_mpm_lump_improve(&r.lumps[k], r.pins, terms, round) && settled;
    }
    const bool all_settled = __syncthreads_and(settled) != 0;
    if (threadIdx.x != 0) return;
    r.head->round = round + 1;
    cudaGraphSetConditional(loop, !all_settled && round + 1 < FIRN_MPM_SETTLE_ROUNDS ? 1 : 0);
}

// Velocity of the contact's node, and what the collider takes.
__device__ __forceinline__ bool place_contact(const firn_mpm_device& d,
                                              firn_mpm_rigid_contact* contact,
                                              double (&terms)[FIRN_MPM_LUMP_TERMS])
{
    firn_mpm_contact* c = &contact->c;
    const firn_mpm_carried after = carry(d, c);
    c->held = after.held;
    if (!after.held) return false;
    const firn_vec3 v = after.velocity;
    const float unused = fabsf(d.node_new[c->node].w) + after.unused;
    contact->after = v;
    d.node_new[c->node] = make_float4(v.x, v.y, v.z, -fmaxf(unused, FIRN_MPM_FIXED));
    const int collider = d.rigid.lumps[c->lump].collider;
    const firn_vec3 arm =
        firn_v3_sub(firn_mpm_node_position(d, c->node), d.bodies.bodies[collider].pose.position);
    firn_impulse_take(&firn_cuda_loads_mine(d.loads)[collider], arm, c->mass, c->before, v);
    firn_mpm_contact_weigh(c, terms);
    return true;
}

__global__ void __launch_bounds__(THREADS) place(const __grid_constant__ firn_mpm_device d)
{
    if (firn_mpm_idle(d)) return;
    const firn_mpm_rigid& r = d.rigid;
    firn_rigid_each<0, FIRN_MPM_LUMP_TERMS>(
        r, [&](firn_mpm_rigid_contact* contact, double(&terms)[FIRN_MPM_LUMP_TERMS]) {
            return place_contact(d, contact, terms);
        });
    if (!firn_cuda_is_last_block(&d.control->ticket)) return;
    for (int k = threadIdx.x; k < r.head->lump_count; k += THREADS) {
        firn_lump* lump = &r.lumps[k];
        double terms[FIRN_MPM_LUMP_TERMS];
        firn_rigid_terms(r, k, terms);
        firn_mpm_lump_close(lump, r.pins, terms);
        firn_rigid_pose(d, lump);  // step 6 does it once more
    }
}

}  // namespace

void firn_mpm_launch_find(const firn_mpm_device* d, const firn_mpm_launch* l,
                          cudaGraphConditionalHandle loop, cudaStream_t stream)
{
    find<<<l->nodes, THREADS, 0, stream>>>(*d);
    begin_rounds<<<1, 1, 0, stream>>>(*d, loop);
}

void firn_mpm_launch_round(const firn_mpm_device* d, const firn_mpm_launch* l,
                           cudaGraphConditionalHandle loop, cudaStream_t stream)
{
    settle_round<<<l->contacts, THREADS, 0, stream>>>(*d, loop);
}

void firn_mpm_launch_place(const firn_mpm_device* d, const firn_mpm_launch* l, cudaStream_t stream)
{
    place<<<l->contacts, THREADS, 0, stream>>>(*d);
}
