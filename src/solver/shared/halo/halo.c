// SPDX-License-Identifier: MIT
#include "core/threads/team.h"
#include "solver/shared/halo/halo_own.h"

bool firn_halo_room(firn_halo_list* list, int64_t count, size_t size)
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

bool firn_halo_append(firn_halo_list* list, const void* item, size_t size)
{
    if (!firn_halo_room(list, (int64_t)list->count + 1, size)) return false;
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

firn_result firn_halo_settle(firn_halo* h, bool done, firn_error* error)
{
    const firn_result r = done ? FIRN_OK
                               : firn_fail(error, FIRN_BROKEN_MEMORY,
                                           "out of memory for the borders of "
                                           "ranks");
    return firn_comm_settle(h->comm, r, error);
}

firn_result firn_halo_make(firn_halo* halo, firn_sparse_grid* grid, firn_error* error)
{
    halo->grid = grid;
    FIRN_TRY(firn_halo_find_border(halo, grid, error));
    return firn_halo_settle(halo, firn_halo_list_parts(halo), error);
}

// ---- sending and adding -------------------------------------------------------------------------

firn_vec4* firn_halo_tiles(firn_halo* halo, int array)
{
    firn_vec4* values = halo->values[array].data;
    memset(values, 0, 8 * (size_t)halo->border.count * FIRN_BLOCK_NODES * sizeof *values);
    return values;
}

firn_ready_tiles firn_halo_ready(const firn_halo* halo, int arrays, firn_vec4* const nodes[])
{
    firn_ready_tiles ready = {.number = halo->tile_of.data, .arrays = arrays};
    for (int a = 0; a < arrays; a++) {
        ready.values[a] = halo->values[a].data;
        ready.nodes[a] = nodes[a];
    }
    return ready;
}

// Copies the nodes of a part to its packed form, or back.
static void copy_part(const firn_halo_part* p, firn_vec4* values, firn_vec4* packed, bool pack)
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
    const firn_halo_part* p = (const firn_halo_part*)parts->data + end - 1;
    return p->offset + firn_halo_part_nodes(p->side);
}

static void copy_parts(const firn_halo_list* parts, firn_local begin, firn_local end,
                       firn_vec4* values, firn_vec4* packed, bool pack)
{
    const firn_halo_part* p = parts->data;
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
    h->comm->stats.halo_arrays += arrays;
    for (int k = 0; k < h->to_count; k++) h->comm->stats.halo_bytes += (int64_t)h->to[k].bytes;
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
    const firn_halo_nodes* shared = pass->h->shared.data;
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
    return ((const firn_halo_nodes*)halo->shared.data)[k].block;
}
