// SPDX-License-Identifier: MIT
// Maps bonds to the indices of new lists, on a GPU (on the CPU: step01_neighbours.c).
// `held`: the new list of a grain; get(k) is its k-th neighbour.
#pragma once
#include "solver/grains/cuda/grains_device.cuh"

#ifdef __CUDACC__
// Initial bonds: firn_grains_bonds_initially.
template <typename Held>
static __device__ uint64_t firn_grains_begin_bonds(const firn_grains_device& d, int i,
                                                   const Held& held, int n)
{
    const firn_grains_moves* moves = d.moves[1 - d.control->hot];
    const bool own = firn_grains_state_of(moves[i].motion) == FIRN_GRAIN_INTACT;
    const float4 self = moves[i].at;
    uint64_t bonds = 0;
    for (int k = 0; k < n; k++) {
        const float4 other = moves[held.get(k)].at;
        const firn_vec3 way = firn_v3_sub(firn_grains_xyz(other), firn_grains_xyz(self));
        const bool intact =
            own && firn_grains_state_of(moves[held.get(k)].motion) == FIRN_GRAIN_INTACT;
        bonds |= (uint64_t)firn_grains_bonds_initially(way, self.w + other.w, intact) << k;
    }
    return bonds;
}

// Maps bonds of the old list to the new one. All of them are within the old one.
template <typename Held>
static __device__ uint64_t firn_grains_carry_bonds(const firn_grains_device& d, int i,
                                                   uint64_t before, const Held& held, int n)
{
    const int which = d.control->which;
    const uint32_t was = d.order[i];
    const uint32_t first = d.list_first[which][was >> 5];
    const uint32_t* old = d.list[which] + (size_t)first * 32 + (size_t)(was & 31u);
    uint64_t bonds = 0;
    for (; before != 0; before &= before - 1) {
        const int k = __ffsll((long long)before) - 1;
        const uint32_t j = d.new_index[old[(size_t)k * 32]];
        int low = 0, high = n;  // the list is ascending
        while (low < high) {
            const int middle = (low + high) / 2;
            if (held.get(middle) < j)
                low = middle + 1;
            else
                high = middle;
        }
        if (low < n && held.get(low) == j) bonds |= (uint64_t)1 << low;
    }
    return bonds;
}

template <typename Held>
static __device__ void firn_grains_place_bonds(const firn_grains_device& d, int i, const Held& held,
                                               int n)
{
    const firn_grains_control* c = d.control;
    uint4* ties = &d.ties[1 - c->cold][i];
    const uint64_t before = firn_grains_bonds(ties->x, ties->y);
    uint64_t bonds;
    if (c->rebuilt == 0)  // restored: only a forged checkpoint has bonds beyond the end of a list
        bonds = n < 64 ? before & (((uint64_t)1 << n) - 1) : before;
    else if (c->step == 0)
        bonds = firn_grains_begin_bonds(d, i, held, n);
    else
        bonds = firn_grains_carry_bonds(d, i, before, held, n);
    ties->x = (uint32_t)bonds;
    ties->y = (uint32_t)(bonds >> 32);
}
#endif
