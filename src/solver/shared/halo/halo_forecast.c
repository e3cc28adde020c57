// SPDX-License-Identifier: MIT
// The rules of halo_parts.c, with all blocks at hand: a block sends the part of its tile that adds
// to a block of nodes to every other rank that has a block which adds to it, too.
#include "solver/shared/halo/halo_forecast.h"

#include "core/memory.h"
#include "core/simd/vec4.h"
#include "math/key_search.h"
#include "math/morton.h"
#include "solver/shared/halo/halo_own.h"
#include "state/sparse_grid.h"

static bool has_block(const uint64_t* keys, firn_local count, const int32_t at[3])
{
    const uint64_t key = firn_block_key(at[0], at[1], at[2]);
    const firn_local found = firn_key_search(keys, count, key);
    return found < count && keys[found] == key;
}

// The other ranks with a block that adds to this block of nodes; returns how many.
static int find_ranks(const firn_cuts* cuts, const uint64_t* keys, firn_local count,
                      const int32_t nodes[3], int own, int out_ranks[8])
{
    int found = 0;
    for (int side = 0; side < 8; side++) {
        const int32_t at[3] = {nodes[0] - (side >> 2), nodes[1] - (side >> 1 & 1),
                               nodes[2] - (side & 1)};
        const int rank = firn_cuts_owner(cuts, at);
        bool known = rank == own || !has_block(keys, count, at);
        for (int k = 0; k < found; k++) known |= out_ranks[k] == rank;
        if (!known) out_ranks[found++] = rank;
    }
    return found;
}

firn_result firn_halo_forecast_make(const firn_cuts* cuts, const uint64_t* keys, firn_local count,
                                    firn_halo_forecast* out_forecast)
{
    const size_t ranks = (size_t)cuts->ranks;
    firn_halo_forecast f = {firn_alloc(ranks, sizeof *f.bytes),
                            firn_alloc(ranks, sizeof *f.neighbours)};
    uint8_t* met = firn_alloc(ranks, ranks);  // [from][to]
    if (f.bytes == NULL || f.neighbours == NULL || met == NULL) {
        firn_halo_forecast_destroy(&f);
        firn_free(met);
        return FIRN_BROKEN_MEMORY;
    }
    for (firn_local b = 0; b < count; b++) {
        int32_t at[3];
        for (int d = 0; d < 3; d++)
            at[d] = (int32_t)firn_morton_compact(keys[b] >> (2 - d)) - FIRN_BLOCK_LIMIT;
        const int own = firn_cuts_owner(cuts, at);
        for (int side = 0; side < 8; side++) {
            const int32_t nodes[3] = {at[0] + (side >> 2), at[1] + (side >> 1 & 1),
                                      at[2] + (side & 1)};
            int to[8];
            const int others = find_ranks(cuts, keys, count, nodes, own, to);
            f.bytes[own] += others * firn_halo_part_nodes(side) * (int64_t)sizeof(firn_vec4);
            for (int k = 0; k < others; k++) {
                uint8_t* before = &met[(size_t)own * ranks + (size_t)to[k]];
                f.neighbours[own] += *before == 0;
                *before = 1;
            }
        }
    }
    firn_free(met);
    *out_forecast = f;
    return FIRN_OK;
}

void firn_halo_forecast_destroy(firn_halo_forecast* forecast)
{
    firn_free(forecast->bytes);
    firn_free(forecast->neighbours);
    *forecast = (firn_halo_forecast){0};
}
