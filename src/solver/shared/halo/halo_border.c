// SPDX-License-Identifier: MIT
// Which blocks have neighbours on other ranks. A block is announced to all ranks that own a block
// of space beside it, occupied or not; so both sides of every pair of occupied neighbours hear of
// each other, and nobody asks.
#include "solver/shared/halo/halo_own.h"

// Appends the ranks that own a neighbour of block b, occupied or not.
static bool tell_of(firn_halo* h, firn_local b)
{
    const int me = firn_comm_rank(h->comm);
    const int32_t* c = h->grid->coord[b];
    const firn_local first = h->told.count;
    for (int n = 0; n < 27; n++) {
        const int32_t at[3] = {c[0] + n / 9 - 1, c[1] + n / 3 % 3 - 1, c[2] + n % 3 - 1};
        const firn_halo_told item = {firn_cuts_owner(h->cuts, at), b};
        if (item.rank == me) continue;
        const firn_halo_told* told = h->told.data;
        bool known = false;
        for (firn_local k = first; k < h->told.count; k++) known |= told[k].rank == item.rank;
        if (!known && !firn_halo_append(&h->told, &item, sizeof item)) return false;
    }
    return true;
}

// Sorts the announcements by rank; within a rank blocks stay in order.
static bool sort_told(firn_halo* h)
{
    const int ranks = firn_comm_count(h->comm);
    const firn_local count = h->told.count;
    if (!firn_halo_room(&h->sorted, count, sizeof(firn_halo_told))) return false;
    const firn_halo_told* from = h->told.data;
    firn_halo_told* to = h->sorted.data;
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
    const bool done = firn_halo_room(&h->packed, h->told.count, sizeof(firn_halo_heard)) &&
                      firn_halo_room(&h->heard, heard, sizeof(firn_halo_heard));
    FIRN_TRY(firn_halo_settle(h, done, error));
    firn_halo_heard *out = h->packed.data, *in = h->heard.data;
    const firn_halo_told* told = h->told.data;
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

firn_result firn_halo_find_border(firn_halo* h, firn_sparse_grid* grid, firn_error* error)
{
    FIRN_TRY(firn_halo_settle(h, find_told(h), error));
    const int ranks = firn_comm_count(h->comm);
    for (int q = 0; q < ranks; q++) {
        h->counts[2 * q] = h->told_first[q + 1] - h->told_first[q];
        h->counts[2 * q + 1] = grid->occupied_count;
    }
    firn_comm_tell(h->comm, h->counts, h->their_counts, 2);
    int64_t all = 0;
    for (int q = 0; q < ranks; q++) all += h->their_counts[2 * q + 1];
    firn_grid_regroup(grid, all - grid->occupied_count);
    return hear(h, error);
}
