// SPDX-License-Identifier: MIT
// Step 1: candidates of one grain, FIRN_LANES at a time; consecutive in memory, because grains are
// sorted by cell. Bonds find their places in new lists by vector compares. The bits of the plain
// loops: test_grains_promises.
#include "core/simd/lanes_gather.h"
#include "solver/grains/step01_neighbours.h"

static int search_simd(const firn_grains_search_args* a, const firn_neighbour_runs* runs,
                       firn_local i, int32_t* out)
{
    const firn_lanes x = firn_lanes_all(a->x[i]), y = firn_lanes_all(a->y[i]);
    const firn_lanes z = firn_lanes_all(a->z[i]), r = firn_lanes_all(a->r[i]);
    const firn_lanes gap = firn_lanes_all(a->gap[i]), skin = firn_lanes_all(a->skin);
    int count = 0;
    for (int run = 0; run < runs->count; run++)
        for (firn_local q = runs->begin[run]; q < runs->end[run]; q += FIRN_LANES) {
            const firn_lanes dx = firn_lanes_load(a->x + q) - x;
            const firn_lanes dy = firn_lanes_load(a->y + q) - y;
            const firn_lanes dz = firn_lanes_load(a->z + q) - z;
            const firn_lanes d2 = dx * dx + (dy * dy + dz * dz);
            const firn_lanes reach = r + firn_lanes_load(a->r + q) +
                                     firn_lanes_max(gap, firn_lanes_load(a->gap + q)) + skin;
            unsigned bits = firn_mask_bits(firn_lanes_less(d2, reach * reach));
            const firn_local left = runs->end[run] - q;
            if (left < FIRN_LANES) bits &= (1u << left) - 1;
            if (i - q >= 0 && i - q < FIRN_LANES) bits &= ~(1u << (i - q));  // itself
            if (count <= FIRN_GRAINS_LIST_MOST) count += firn_lanes_list(out + count, q, bits);
        }
    return count;
}

static uint64_t carry_simd(const firn_grains_carry_args* a)
{
    uint64_t bonds = 0;
    for (uint64_t left = a->bonds; left != 0; left &= left - 1)
        bonds |= firn_lanes_find(a->now, a->count, a->new_index[a->old[__builtin_ctzll(left)]]);
    return bonds;
}
