// SPDX-License-Identifier: MIT
// What is sent to other ranks, what they send, and how it adds up. Both sides find the same lists
// in the same order from the blocks that they announced to each other.
#include "solver/shared/halo/halo_own.h"

static size_t slot_of(const firn_halo* h, const int32_t at[3])
{
    const firn_local* slots = h->slots.data;
    const firn_halo_heard* heard = h->heard.data;
    const size_t mask = (size_t)h->slots.count - 1;
    uint64_t z = firn_block_key(at[0], at[1], at[2]) * 0x9e3779b97f4a7c15ull;
    size_t slot = (size_t)(z ^ z >> 29) & mask;
    while (slots[slot] >= 0 && memcmp(heard[slots[slot]].at, at, sizeof heard->at) != 0)
        slot = (slot + 1) & mask;
    return slot;
}

// Index in `heard`, or -1.
static firn_local find_heard(const firn_halo* h, const int32_t at[3])
{
    return ((const firn_local*)h->slots.data)[slot_of(h, at)];
}

static bool enter_heard(firn_halo* h)
{
    firn_local size = 64;
    while (size < 2 * h->heard.count) size *= 2;
    h->slots.count = 0;
    if (!firn_halo_room(&h->slots, size, sizeof(firn_local))) return false;
    h->slots.count = size;
    firn_local* slots = h->slots.data;
    for (firn_local k = 0; k < size; k++) slots[k] = -1;
    const firn_halo_heard* heard = h->heard.data;
    for (firn_local k = 0; k < h->heard.count; k++) slots[slot_of(h, heard[k].at)] = k;
    return true;
}

// ---- what is sent, received and added -----------------------------------------------------------

static void side_of(int side, const int32_t block[3], int sign, int32_t out[3])
{
    out[0] = block[0] + sign * (side >> 2);
    out[1] = block[1] + sign * (side >> 1 & 1);
    out[2] = block[2] + sign * (side & 1);
}

// Does rank `rank` have an occupied block that reaches the nodes of this block?
static bool is_needed(const firn_halo* h, const int32_t nodes[3], int rank)
{
    const firn_halo_heard* heard = h->heard.data;
    for (int side = 0; side < 8; side++) {
        int32_t at[3];
        side_of(side, nodes, -1, at);
        const firn_local k = find_heard(h, at);
        if (k >= 0 && heard[k].rank == rank) return true;
    }
    return false;
}

// The tile of block b, which is made where there is none yet.
static firn_local tile_of(firn_halo* h, firn_local b)
{
    firn_local* tile = h->tile_of.data;
    if (tile[b] >= 0) return tile[b];
    if (!firn_halo_append(&h->border, &b, sizeof b)) return -1;
    return tile[b] = h->border.count - 1;
}

static bool list_out(firn_halo* h)
{
    const int ranks = firn_comm_count(h->comm);
    const firn_halo_told* told = h->told.data;
    firn_local* tile = h->tile_of.data;
    for (firn_local b = 0; b < h->grid->occupied_count; b++) tile[b] = -1;
    h->border.count = h->out.count = 0;
    int32_t offset = 0;
    for (int q = 0; q < ranks; q++) {
        h->out_first[q] = h->out.count;
        for (firn_local k = h->told_first[q]; k < h->told_first[q + 1]; k++)
            for (int side = 0; side < 8; side++) {
                int32_t nodes[3];
                side_of(side, h->grid->coord[told[k].block], 1, nodes);
                if (!is_needed(h, nodes, q)) continue;
                const firn_local t = tile_of(h, told[k].block);
                const firn_halo_part p = {8 * t + side, side, offset};
                if (t < 0 || !firn_halo_append(&h->out, &p, sizeof p)) return false;
                offset += firn_halo_part_nodes(side);
            }
    }
    h->out_first[ranks] = h->out.count;
    return true;
}

// The grid's blocks of nodes that tiles of others reach, as they will come.
static bool list_in(firn_halo* h, firn_local* reached)
{
    const int ranks = firn_comm_count(h->comm);
    const firn_halo_heard* heard = h->heard.data;
    h->in.count = 0;
    int32_t offset = 0;
    for (int q = 0; q < ranks; q++) {
        h->in_first[q] = h->in.count;
        for (firn_local k = h->heard_first[q]; k < h->heard_first[q + 1]; k++)
            for (int side = 0; side < 8; side++) {
                int32_t nodes[3];
                side_of(side, heard[k].at, 1, nodes);
                const firn_local n = firn_grid_find(h->grid, nodes[0], nodes[1], nodes[2]);
                reached[8 * k + side] = -1;
                if (n < 0) continue;
                const firn_halo_part p = {8 * h->border.count + h->in.count, side, offset};
                reached[8 * k + side] = h->in.count;
                if (!firn_halo_append(&h->in, &p, sizeof p)) return false;
                offset += firn_halo_part_nodes(side);
            }
    }
    h->in_first[ranks] = h->in.count;
    return true;
}

// A block that adds to a shared block of nodes, and its place in the order of the sum.
typedef struct source {
    uint64_t key;
    int colour;
    firn_local values;
} source;

static void insert(source* sources, int count, source s)
{
    int k = count;
    for (; k > 0; k--) {
        const source* last = &sources[k - 1];
        if (last->colour < s.colour || (last->colour == s.colour && last->key < s.key)) break;
        sources[k] = *last;
    }
    sources[k] = s;
}

// What adds to block n of nodes; *out_foreign: the lowest of all blocks is another rank's.
static void find_sources(firn_halo* h, firn_local n, const firn_local* reached,
                         firn_halo_nodes* out, bool* out_foreign)
{
    source sources[8];
    int count = 0;
    uint64_t lowest = UINT64_MAX;
    for (int side = 0; side < 8; side++) {
        int32_t at[3];
        side_of(side, h->grid->coord[n], -1, at);
        source s = {firn_block_key(at[0], at[1], at[2]), firn_grid_colour(h->grid, at), -1};
        const firn_local heard = find_heard(h, at);
        const firn_local b = heard >= 0 ? -1 : firn_grid_find(h->grid, at[0], at[1], at[2]);
        if (heard >= 0)
            s.values = 8 * h->border.count + reached[8 * heard + side];
        else if (b >= 0 && b < h->grid->occupied_count)
            s.values = 8 * ((const firn_local*)h->tile_of.data)[b] + side;
        else
            continue;
        if (s.key < lowest) {
            lowest = s.key;
            *out_foreign = heard >= 0;
        }
        insert(sources, count++, s);
    }
    *out = (firn_halo_nodes){.block = n, .count = count};
    for (int k = 0; k < count; k++) out->values[k] = sources[k].values;
}

static bool list_shared(firn_halo* h, const firn_local* reached)
{
    h->shared.count = 0;
    uint8_t* foreign = h->foreign.data;
    memset(foreign, 0, (size_t)h->grid->block_count);
    const firn_halo_heard* heard = h->heard.data;
    for (firn_local k = 0; k < h->heard.count; k++)
        for (int side = 0; side < 8; side++) {
            if (reached[8 * k + side] < 0) continue;
            int32_t at[3];
            side_of(side, heard[k].at, 1, at);
            const firn_local n = firn_grid_find(h->grid, at[0], at[1], at[2]);
            if (foreign[n] != 0) continue;  // listed: 2 until all are
            firn_halo_nodes s;
            bool is_foreign = false;
            find_sources(h, n, reached, &s, &is_foreign);
            foreign[n] = is_foreign ? 1 : 2;
            if (!firn_halo_append(&h->shared, &s, sizeof s)) return false;
        }
    for (firn_local n = 0; n < h->grid->block_count; n++) foreign[n] &= 1;
    return true;
}

// The border as a grid of its own.
static bool make_view(firn_halo* h)
{
    const firn_local borders = h->border.count;
    h->group.count = h->tile_neighbour.count = 0;
    if (!firn_halo_room(&h->group, (int64_t)borders + 1, sizeof(firn_local)) ||
        !firn_halo_room(&h->tile_neighbour, h->grid->occupied_count, 8 * sizeof(firn_local)))
        return false;
    firn_local* first = h->group.data;
    firn_local(*neighbour)[8] = h->tile_neighbour.data;
    const firn_local* border = h->border.data;
    for (firn_local t = 0; t < borders; t++) {
        first[t] = t;
        for (int side = 0; side < 8; side++) neighbour[border[t]][side] = 8 * t + side;
    }
    first[borders] = borders;
    h->view = *h->grid;
    h->view.block_count = 0;  // loops over nodes find none
    h->view.block_seconds = NULL;
    h->view.ready = NULL;
    h->view.neighbour = neighbour;
    h->view.by_colour = h->border.data;
    h->view.group_first = first;
    h->view.colour_first[0] = 0;
    for (int colour = 1; colour <= FIRN_GRID_COLOURS; colour++)
        h->view.colour_first[colour] = borders;
    return true;
}

bool firn_halo_list_parts(firn_halo* h)
{
    h->tile_of.count = h->foreign.count = 0;
    bool done = enter_heard(h) &&
                firn_halo_room(&h->tile_of, h->grid->occupied_count, sizeof(firn_local)) &&
                firn_halo_room(&h->foreign, h->grid->block_count, 1) &&
                firn_halo_room(&h->reached, 8 * (int64_t)h->heard.count, sizeof(firn_local));
    done = done && list_out(h) && list_in(h, h->reached.data) && list_shared(h, h->reached.data) &&
           make_view(h);
    const int64_t values = (8 * (int64_t)h->border.count + h->in.count) * FIRN_BLOCK_NODES;
    for (int a = 0; a < FIRN_HALO_ARRAYS; a++)
        done = done && firn_halo_room(&h->values[a], values, sizeof(firn_vec4));
    const int64_t most = (int64_t)FIRN_HALO_ARRAYS * FIRN_BLOCK_NODES;
    return done && firn_halo_room(&h->sent, most * h->out.count, sizeof(firn_vec4)) &&
           firn_halo_room(&h->received, most * h->in.count, sizeof(firn_vec4));
}
