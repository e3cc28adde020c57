// SPDX-License-Identifier: MIT
// Sums over the nodes inside dynamic colliders on a GPU. Contacts are listed in any order, so their
// terms are added as integers (shared/impulse.h): a warp adds those of its contacts and gives them
// to the sums of their collider.
#pragma once
#include "solver/mpm/cuda/mpm_device.cuh"

#define FIRN_RIGID_THREADS 256

#ifdef __CUDACC__
static __device__ __forceinline__ long long firn_rigid_warp_sum(long long x)
{
    for (int d = 16; d > 0; d >>= 1) x += __shfl_xor_sync(0xffffffffu, x, d);
    return x;
}

// Adds terms FROM to TO of a contact with `lump`; -1: nothing. By all lanes of a warp.
template <int FROM, int TO>
static __device__ __forceinline__ void firn_rigid_add(const firn_mpm_rigid& r, int lump,
                                                      const double (&terms)[FIRN_MPM_LUMP_TERMS])
{
    const unsigned all = 0xffffffffu;
    unsigned left = __ballot_sync(all, lump >= 0);
    while (left != 0) {
        const int k = __shfl_sync(all, lump, __ffs((int)left) - 1);
        const bool mine = lump == k;
#pragma unroll
        for (int t = FROM; t < TO; t++) {
            int64_t high = 0, low = 0;
            if (mine && terms[t] == terms[t])
                firn_impulse_split(terms[t] * firn_mpm_lump_unit(t), &high, &low);
            high = firn_rigid_warp_sum(high);
            low = firn_rigid_warp_sum(low);
            firn_impulse* sum = &r.sums[k * FIRN_MPM_LUMP_SUMS + t / FIRN_IMPULSE_SUMS];
            if ((threadIdx.x & 31) != 0) continue;
            if (high != 0) firn_impulse_add_integer(&sum->high[t % FIRN_IMPULSE_SUMS], high);
            if (low != 0) firn_impulse_add_integer(&sum->low[t % FIRN_IMPULSE_SUMS], low);
        }
        left &= ~__ballot_sync(all, mine);
    }
}

// The sums of a lump, which are then zero again. By one thread of the last block.
static __device__ __forceinline__ void firn_rigid_terms(const firn_mpm_rigid& r, int lump,
                                                        double (&terms)[FIRN_MPM_LUMP_TERMS])
{
    for (int s = 0; s < FIRN_MPM_LUMP_SUMS; s++) {
        firn_impulse* from = &r.sums[lump * FIRN_MPM_LUMP_SUMS + s];
        firn_impulse sum;
        for (int k = 0; k < FIRN_IMPULSE_SUMS; k++) {
            sum.high[k] = (uint64_t)__ldcg((const unsigned long long*)&from->high[k]);
            sum.low[k] = (uint64_t)__ldcg((const unsigned long long*)&from->low[k]);
            from->high[k] = from->low[k] = 0;
        }
        for (int k = 0; k < FIRN_IMPULSE_SUMS; k++)
            terms[s * FIRN_IMPULSE_SUMS + k] = firn_impulse_value(&sum, k);
    }
}

// Particles then see the collider move at V.
static __device__ __forceinline__ void firn_rigid_pose(const firn_mpm_device& d,
                                                       const firn_lump* lump)
{
    firn_pose* pose = &d.bodies.bodies[lump->collider].pose;
    firn_lump_pose(lump, pose->position, &pose->velocity, &pose->spin);
}

// f(contact, terms): for each contact; true where it has added to the terms. By whole warps, so
// that these can be summed. FROM to TO: the terms that it adds to.
template <int FROM, int TO, typename Each>
static __device__ __forceinline__ void firn_rigid_each(const firn_mpm_rigid& r, Each f)
{
    const int count = r.head->contact_count, lane = threadIdx.x & 31;
    for (int first = blockIdx.x * FIRN_RIGID_THREADS + threadIdx.x - lane; first < count;
         first += gridDim.x * FIRN_RIGID_THREADS) {
        double terms[FIRN_MPM_LUMP_TERMS] = {};
        int lump = -1;
        if (first + lane < count) {
            firn_mpm_rigid_contact* contact = &r.contact[first + lane];
            if (f(contact, terms)) lump = contact->c.lump;
        }
        if (TO > FROM) firn_rigid_add<FROM, TO>(r, lump, terms);
    }
}
#endif
