// SPDX-License-Identifier: MIT
#include "solver/shared/halo.h"

#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"

// A block of this rank that a rank is told of.
typedef struct told_block {
    int32_t rank;
    firn_local block;
} told_block;

// An occupied block of another rank.
typedef struct heard_block {
    int32_t at[3];
    int32_t rank;
} heard_block;

// One of the eight parts of a tile: what it adds to a block of nodes.
typedef struct part {
    firn_local values;  // block of nodes in halo->values
    int32_t side;       // 0 to 7, as firn_sparse_grid.neighbour: three or four nodes per axis
    int32_t offset;     // [nodes] in the packed array
} part;

// What is added to a shared block of nodes, in this order.
typedef struct shared_block {
    firn_local block;  // in the grid
    int32_t count;
    firn_local values[8];
} shared_block;

static bool make_room(firn_halo_list* list, int64_t count, size_t size)
{
    if (count <= list->capacity && list->data != NULL) return true;
    const int64_t capacity = count + count / 2 + 64;
    if (capacity > INT32_MAX) return false;
    void* more = firn_alloc((size_t)capacity, size);
    if (more == NULL) return false;
    if (list->count > 0) memcpy(more, list->data, (size_t)list->count * size);
    firn_free(list->data);
    list->data = more;
    list->capacity = (firn_local)capacity;
    return true;
}

static bool append(firn_halo_list* list, const void* item, size_t size)
{
    if (!make_room(list, (int64_t)list->count + 1, size)) return false;
    memcpy((char*)list->data + (size_t)list->count++ * size, item, size);
    return true;
}

firn_result firn_halo_create(firn_comm* comm, const firn_cuts* cuts, firn_halo* out_halo)
{
    const size_t n = (size_t)firn_comm_count(comm) + 1;
    firn_halo h = {.comm = comm, .cuts = cuts};
    h.counts = firn_alloc(2 * n, sizeof *h.counts);
    h.their_counts = firn_alloc(2 * n, sizeof *h.their_counts);
    firn_local** firsts[] = {&h.told_first, &h.heard_first, &h.out_first, &h.in_first};
    bool done = h.counts != NULL && h.their_counts != NULL;
    for (int k = 0; k < 4; k++) done &= (*firsts[k] = firn_alloc(n, sizeof(firn_local))) != NULL;
    h.to = firn_alloc(n, sizeof *h.to);
    h.from = firn_alloc(n, sizeof *h.from);
    *out_halo = h;
    if (done && h.to != NULL && h.from != NULL) return FIRN_OK;
    firn_halo_destroy(out_halo);
    return FIRN_BROKEN_MEMORY;
}

void firn_halo_destroy(firn_halo* halo)
{
    firn_halo_list* lists[] = {&halo->border,   &halo->tile_of,   &halo->tile_neighbour,
                               &halo->group,    &halo->told,      &halo->heard,
                               &halo->slots,    &halo->out,       &halo->in,
                               &halo->shared,   &halo->foreign,   &halo->sent,
                               &halo->received, &halo->values[0], &halo->values[1],
                               &halo->sorted,   &halo->packed,    &halo->reached};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) firn_free(lists[k]->data);
    firn_free(halo->counts);
    firn_free(halo->their_counts);
    firn_free(halo->told_first);
    firn_free(halo->heard_first);
    firn_free(halo->out_first);
    firn_free(halo->in_first);
    firn_free(halo->to);
    firn_free(halo->from);
    *halo = (firn_halo){0};
}

// ---- who has blocks near ours -------------------------------------------------------------------

// Appends the ranks that own a neighbour of block b, occupied or not.
static bool tell_of(firn_halo* h, firn_local b)
{
    const int me = firn_comm_rank(h->comm);
    const int32_t* c = h->grid->coord[b];
    const firn_local first = h->told.count;
    for (int n = 0; n < 27; n++) {
        const int32_t at[3] = {c[0] + n / 9 - 1, c[1] + n / 3 % 3 - 1, c[2] + n % 3 - 1};
        const told_block item = {firn_cuts_owner(h->cuts, at), b};
        if (item.rank == me) continue;
        const told_block* told = h->told.data;
        bool known = false;
        for (firn_local k = first; k < h->told.count; k++) known |= told[k].rank == item.rank;
        if (!known && !append(&h->told, &item, sizeof item)) return false;
    }
    return true;
}

// Sorts what is told by rank; within a rank blocks stay in order.
static bool sort_told(firn_halo* h)
{
    const int ranks = firn_comm_count(h->comm);
    const firn_local count = h->told.count;
    if (!make_room(&h->sorted, count, sizeof(told_block))) return false;
    const told_block* from = h->told.data;
    told_block* to = h->sorted.data;
    memset(h->told_first, 0, ((size_t)ranks + 1) * sizeof *h->told_first);
    for (firn_local k = 0; k < count; k++) h->told_first[from[k].rank + 1]++;
    for (int r = 0; r < ranks; r++) h->told_first[r + 1] += h->told_first[r];
    for (firn_local k = 0; k < count; k++) to[h->told_first[from[k].rank]++] = from[k];
    for (int r = ranks; r > 0; r--) h->told_first[r] = h->told_first[r - 1];
    h->told_first[0] = 0;
    const firn_halo_list unsorted = h->told;
    h->told = h->sorted;
    h->told.count = count;
    h->sorted = unsorted;
    h->sorted.count = 0;
    return true;
}

static bool find_told(firn_halo* h)
{
    h->told.count = 0;
    for (firn_local b = 0; b < h->grid->occupied_count; b++)
        if (!tell_of(h, b)) return false;
    return sort_told(h);
}

static firn_result settle(firn_halo* h, bool done, firn_error* error)
{
    const firn_result r = done ? FIRN_OK
                               : firn_fail(error, FIRN_BROKEN_MEMORY,
                                           "out of memory for the borders of "
                                           "ranks");
    return firn_comm_settle(h->comm, r, error);
}

// Exchanges the lists of blocks.
static firn_result hear(firn_halo* h, firn_error* error)
{
    const int ranks = firn_comm_count(h->comm);
    int64_t heard = 0;
    h->heard_first[0] = 0;
    for (int r = 0; r < ranks; r++) {
        heard += h->their_counts[2 * r];
        h->heard_first[r + 1] = (firn_local)heard;
    }
    h->heard.count = 0;
    const bool done = make_room(&h->packed, h->told.count, sizeof(heard_block)) &&
                      make_room(&h->heard, heard, sizeof(heard_block));
    FIRN_TRY(settle(h, done, error));
    heard_block *out = h->packed.data, *in = h->heard.data;
    const told_block* told = h->told.data;
    for (firn_local k = 0; k < h->told.count; k++) {
        memcpy(out[k].at, h->grid->coord[told[k].block], sizeof out[k].at);
        out[k].rank = firn_comm_rank(h->comm);
    }
    h->to_count = h->from_count = 0;
    for (int q = 0; q < ranks; q++) {
        const firn_local n = h->told_first[q + 1] - h->told_first[q];
        const firn_local m = h->heard_first[q + 1] - h->heard_first[q];
        if (n > 0)
            h->to[h->to_count++] =
                (firn_message){q, out + h->told_first[q], (size_t)n * sizeof *out};
        if (m > 0)
            h->from[h->from_count++] =
                (firn_message){q, in + h->heard_first[q], (size_t)m * sizeof *in};
    }
    firn_comm_exchange_begin(h->comm, h->to, h->to_count, h->from, h->from_count);
    firn_comm_exchange_end(h->comm);
    h->heard.count = (firn_local)heard;
    return firn_comm_check(h->comm, error);
}

// ---- a table of the blocks heard of -------------------------------------------------------------

static size_t slot_of(const firn_halo* h, const int32_t at[3])
{
    const firn_local* slots = h->slots.data;
    const heard_block* heard = h->heard.data;
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
    if (!make_room(&h->slots, size, sizeof(firn_local))) return false;
    h->slots.count = size;
    firn_local* slots = h->slots.data;
    for (firn_local k = 0; k < size; k++) slots[k] = -1;
    const heard_block* heard = h->heard.data;
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

static int32_t nodes_of(int side)
{
    return ((side & 4) != 0 ? 3 : 4) * ((side & 2) != 0 ? 3 : 4) * ((side & 1) != 0 ? 3 : 4);
}

// Does rank `rank` have an occupied block that reaches the nodes of this block?
static bool is_needed(const firn_halo* h, const int32_t nodes[3], int rank)
{
    const heard_block* heard = h->heard.data;
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
    if (!append(&h->border, &b, sizeof b)) return -1;
    return tile[b] = h->border.count - 1;
}

static bool list_out(firn_halo* h)
{
    const int ranks = firn_comm_count(h->comm);
    const told_block* told = h->told.data;
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
                const part p = {8 * t + side, side, offset};
                if (t < 0 || !append(&h->out, &p, sizeof p)) return false;
                offset += nodes_of(side);
            }
    }
    h->out_first[ranks] = h->out.count;
    return true;
}

// The grid's blocks of nodes that tiles of others reach, as they will come.
static bool list_in(firn_halo* h, firn_local* reached)
{
    const int ranks = firn_comm_count(h->comm);
    const heard_block* heard = h->heard.data;
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
                const part p = {8 * h->border.count + h->in.count, side, offset};
                reached[8 * k + side] = h->in.count;
                if (!append(&h->in, &p, sizeof p)) return false;
                offset += nodes_of(side);
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
static void find_sources(firn_halo* h, firn_local n, const firn_local* reached, shared_block* out,
                         bool* out_foreign)
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
    *out = (shared_block){.block = n, .count = count};
    for (int k = 0; k < count; k++) out->values[k] = sources[k].values;
}

static bool list_shared(firn_halo* h, const firn_local* reached)
{
    h->shared.count = 0;
    uint8_t* foreign = h->foreign.data;
    memset(foreign, 0, (size_t)h->grid->block_count);
    const heard_block* heard = h->heard.data;
    for (firn_local k = 0; k < h->heard.count; k++)
        for (int side = 0; side < 8; side++) {
            if (reached[8 * k + side] < 0) continue;
            int32_t at[3];
            side_of(side, heard[k].at, 1, at);
            const firn_local n = firn_grid_find(h->grid, at[0], at[1], at[2]);
            if (foreign[n] != 0) continue;  // listed: 2 until all are
            shared_block s;
            bool is_foreign = false;
            find_sources(h, n, reached, &s, &is_foreign);
            foreign[n] = is_foreign ? 1 : 2;
            if (!append(&h->shared, &s, sizeof s)) return false;
        }
    for (firn_local n = 0; n < h->grid->block_count; n++) foreign[n] &= 1;
    return true;
}

// The border as a grid of its own.
static bool make_view(firn_halo* h)
{
    const firn_local borders = h->border.count;
    h->group.count = h->tile_neighbour.count = 0;
    if (!make_room(&h->group, (int64_t)borders + 1, sizeof(firn_local)) ||
        !make_room(&h->tile_neighbour, h->grid->occupied_count, 8 * sizeof(firn_local)))
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
    h->view.neighbour = neighbour;
    h->view.by_colour = h->border.data;
    h->view.group_first = first;
    h->view.colour_first[0] = 0;
    for (int colour = 1; colour <= FIRN_GRID_COLOURS; colour++)
        h->view.colour_first[colour] = borders;
    return true;
}

static bool make_lists(firn_halo* h)
{
    h->tile_of.count = h->foreign.count = 0;
    bool done = enter_heard(h) &&
                make_room(&h->tile_of, h->grid->occupied_count, sizeof(firn_local)) &&
                make_room(&h->foreign, h->grid->block_count, 1) &&
                make_room(&h->reached, 8 * (int64_t)h->heard.count, sizeof(firn_local));
    done = done && list_out(h) && list_in(h, h->reached.data) && list_shared(h, h->reached.data) &&
           make_view(h);
    const int64_t values = (8 * (int64_t)h->border.count + h->in.count) * FIRN_BLOCK_NODES;
    for (int a = 0; a < FIRN_HALO_ARRAYS; a++)
        done = done && make_room(&h->values[a], values, sizeof(firn_vec4));
    const int64_t most = (int64_t)FIRN_HALO_ARRAYS * FIRN_BLOCK_NODES;
    return done && make_room(&h->sent, most * h->out.count, sizeof(firn_vec4)) &&
           make_room(&h->received, most * h->in.count, sizeof(firn_vec4));
}

firn_result firn_halo_make(firn_halo* halo, firn_sparse_grid* grid, firn_error* error)
{
    halo->grid = grid;
    FIRN_TRY(settle(halo, find_told(halo), error));
    const int ranks = firn_comm_count(halo->comm);
    for (int q = 0; q < ranks; q++) {
        halo->counts[2 * q] = halo->told_first[q + 1] - halo->told_first[q];
        halo->counts[2 * q + 1] = grid->occupied_count;
    }
    firn_comm_tell(halo->comm, halo->counts, halo->their_counts, 2);
    int64_t all = 0;
    for (int q = 0; q < ranks; q++) all += halo->their_counts[2 * q + 1];
    firn_grid_regroup(grid, all - grid->occupied_count);
    FIRN_TRY(hear(halo, error));
    return settle(halo, make_lists(halo), error);
}

// ---- sending and adding -------------------------------------------------------------------------

firn_vec4* firn_halo_tiles(firn_halo* halo, int array)
{
    firn_vec4* values = halo->values[array].data;
    memset(values, 0, 8 * (size_t)halo->border.count * FIRN_BLOCK_NODES * sizeof *values);
    return values;
}

// Copies the nodes of a part to its packed form, or back.
static void copy_part(const part* p, firn_vec4* values, firn_vec4* packed, bool pack)
{
    const int side[3] = {(p->side & 4) != 0 ? 3 : 4, (p->side & 2) != 0 ? 3 : 4,
                         (p->side & 1) != 0 ? 3 : 4};
    firn_vec4* nodes = values + (size_t)p->values * FIRN_BLOCK_NODES;
    if (!pack) memset(nodes, 0, FIRN_BLOCK_NODES * sizeof *nodes);
    for (int x = 0; x < side[0]; x++)
        for (int y = 0; y < side[1]; y++) {
            firn_vec4* row = nodes + x * 16 + y * 4;
            const size_t bytes = (size_t)side[2] * sizeof *row;
            memcpy(pack ? packed : row, pack ? row : packed, bytes);
            packed += side[2];
        }
}

static int32_t end_of(const firn_halo_list* parts, firn_local end)
{
    if (end == 0) return 0;
    const part* p = (const part*)parts->data + end - 1;
    return p->offset + nodes_of(p->side);
}

static void copy_parts(const firn_halo_list* parts, firn_local begin, firn_local end,
                       firn_vec4* values, firn_vec4* packed, bool pack)
{
    const part* p = parts->data;
    const int32_t first = end_of(parts, begin);
    for (firn_local k = begin; k < end; k++)
        copy_part(&p[k], values, packed + (p[k].offset - first), pack);
}

// Packed: rank by rank, and for each the arrays one after the other.
static void copy_all(firn_halo* h, const firn_halo_list* parts, const firn_local* first,
                     firn_vec4* packed, bool pack)
{
    for (int q = 0; q < firn_comm_count(h->comm); q++) {
        const int32_t begin = end_of(parts, first[q]), end = end_of(parts, first[q + 1]);
        for (int a = 0; a < h->arrays; a++)
            copy_parts(parts, first[q], first[q + 1], h->values[a].data,
                       packed + (size_t)begin * (size_t)h->arrays +
                           (size_t)a * (size_t)(end - begin),
                       pack);
    }
}

static int list_messages(const firn_halo* h, const firn_halo_list* parts, const firn_local* first,
                         firn_vec4* packed, firn_message* out)
{
    int count = 0;
    for (int q = 0; q < firn_comm_count(h->comm); q++) {
        const size_t begin = (size_t)end_of(parts, first[q]);
        const size_t nodes = (size_t)end_of(parts, first[q + 1]) - begin;
        if (nodes == 0 || first[q + 1] == first[q]) continue;
        const size_t arrays = (size_t)h->arrays;
        out[count++] = (firn_message){q, packed + begin * arrays, nodes * arrays * sizeof *packed};
    }
    return count;
}

void firn_halo_begin(firn_halo* halo, int arrays)
{
    firn_halo* h = halo;
    h->arrays = arrays;
    copy_all(h, &h->out, h->out_first, h->sent.data, true);
    h->to_count = list_messages(h, &h->out, h->out_first, h->sent.data, h->to);
    h->from_count = list_messages(h, &h->in, h->in_first, h->received.data, h->from);
    for (int k = 0; k < h->to_count; k++) h->bytes += (int64_t)h->to[k].bytes;
    firn_comm_exchange_begin(h->comm, h->to, h->to_count, h->from, h->from_count);
}

typedef struct join_pass {
    const firn_halo* h;
    const firn_vec4* values;
    firn_vec4* nodes;
} join_pass;

static void join_blocks(const void* self, firn_local begin, firn_local end)
{
    const join_pass* pass = self;
    const shared_block* shared = pass->h->shared.data;
    for (firn_local k = begin; k < end; k++) {
        firn_vec4* to = pass->nodes + (size_t)shared[k].block * FIRN_BLOCK_NODES;
        memset(to, 0, FIRN_BLOCK_NODES * sizeof *to);
        for (int s = 0; s < shared[k].count; s++) {
            const firn_vec4* from = pass->values + (size_t)shared[k].values[s] * FIRN_BLOCK_NODES;
            for (int n = 0; n < FIRN_BLOCK_NODES; n++) to[n] += from[n];
        }
    }
}

void firn_halo_join(firn_halo* halo, firn_vec4* const nodes[])
{
    firn_comm_exchange_end(halo->comm);
    copy_all(halo, &halo->in, halo->in_first, halo->received.data, false);
    for (int a = 0; a < halo->arrays; a++)
        firn_share(halo->shared.count, 8, join_blocks,
                   &(join_pass){halo, halo->values[a].data, nodes[a]});
}

firn_local firn_halo_shared(const firn_halo* halo, firn_local k)
{
    return ((const shared_block*)halo->shared.data)[k].block;
}
