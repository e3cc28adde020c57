// SPDX-License-Identifier: MIT
// Finds all neighbours within a radius and fills the indices of a firn_pair_list; the caller, who
// knows the kernel, fills the slopes. Header-only, so that the loops are compiled for the caller's
// SIMD level.
#pragma once
#include <string.h>

#include "core/simd/lanes_gather.h"
#include "core/threads/team.h"
#include "state/pair_list.h"

typedef struct firn_pair_search_args {
    firn_pair_list* list;          // reserved for the particles
    const firn_neighbours* cells;  // of the particles, which are sorted by it
    // Coordinates, one array each, sorted by cell; readable FIRN_SLICE beyond the end, and valid as
    // long as the list is used.
    const firn_real *x, *y, *z;
    firn_real radius;  // [m]
} firn_pair_search_args;

// Finds the particles within the radius of particle i, ascending. Returns their number, at most
// FIRN_PAIRS_MOST.
static inline int firn_pair_search_one(const firn_pair_search_args* a,
                                       const firn_neighbour_runs* runs, firn_local i,
                                       int32_t* found)
{
    const firn_lanes x = firn_lanes_all(a->x[i]), y = firn_lanes_all(a->y[i]);
    const firn_lanes z = firn_lanes_all(a->z[i]), limit = firn_lanes_all(a->radius * a->radius);
    int count = 0;
    for (int run = 0; run < runs->count; run++) {
        for (firn_local q = runs->begin[run]; q < runs->end[run]; q += FIRN_LANES) {
            const firn_lanes dx = firn_lanes_load(a->x + q) - x;
            const firn_lanes dy = firn_lanes_load(a->y + q) - y;
            const firn_lanes dz = firn_lanes_load(a->z + q) - z;
            const firn_lanes r2 = firn_lanes_fma(dx, dx, firn_lanes_fma(dy, dy, dz * dz));
            unsigned bits = firn_mask_bits(firn_lanes_less(r2, limit));
            const firn_local left = runs->end[run] - q;
            if (left < FIRN_LANES) bits &= (1u << left) - 1;
            if (i - q >= 0 && i - q < FIRN_LANES) bits &= ~(1u << (i - q));  // itself
            if (count < FIRN_PAIRS_MOST) count += firn_lanes_list(found + count, q, bits);
        }
    }
    return count < FIRN_PAIRS_MOST ? count : FIRN_PAIRS_MOST;
}

// Writes the rows of a slice, padded with the slice's own particles.
static inline void firn_pair_search_rows(firn_pair_row* rows, int row_count, firn_local first,
                                         const int32_t* neighbours, const int32_t* found)
{
    for (int k = 0; k < row_count; k++)
        for (int lane = 0; lane < FIRN_SLICE; lane++)
            rows[k].j[lane] =
                k < neighbours[lane] ? found[lane * FIRN_PAIRS_ROOM + k] : first + lane;
}

static inline firn_local firn_pair_search_cell_of(const firn_neighbours* cells, firn_local p)
{
    firn_local low = 0, high = cells->cell_count;  // begin[low] <= p < begin[high]
    while (high - low > 1) {
        const firn_local middle = low + (high - low) / 2;
        *(cells->begin[middle] <= p ? &low : &high) = middle;
    }
    return low;
}

// Writes slices [from, to) into the chunk. Rows that do not fit are only counted. `found`: scratch.
static inline void firn_pair_search_part(const firn_pair_search_args* a, firn_pair_chunk* chunk,
                                         int32_t* found, firn_local from, firn_local to)
{
    firn_pair_list* list = a->list;
    chunk->count = 0;
    if (from >= to) return;
    firn_local cell = firn_pair_search_cell_of(a->cells, from * FIRN_SLICE);
    firn_neighbour_walk walk = {0};
    firn_neighbour_runs runs = firn_neighbours_walk(a->cells, &walk, a->cells->keys[cell]);
    for (firn_local s = from; s < to; s++) {
        int32_t* neighbours = list->neighbours + (size_t)s * FIRN_SLICE;
        int most = 0;
        for (int lane = 0; lane < FIRN_SLICE; lane++) {
            const firn_local p = s * FIRN_SLICE + lane;
            neighbours[lane] = 0;
            if (p >= list->count) continue;
            if (p >= a->cells->begin[cell + 1])
                runs = firn_neighbours_walk(a->cells, &walk, a->cells->keys[++cell]);
            const int n = firn_pair_search_one(a, &runs, p, found + (size_t)lane * FIRN_PAIRS_ROOM);
            neighbours[lane] = n;
            most = n > most ? n : most;
        }
        list->row_count[s] = most;
        list->rows[s] = chunk->rows;  // may be null, which has no offsets
        if (most > 0 && chunk->count + most <= chunk->capacity) {
            list->rows[s] = chunk->rows + chunk->count;
            firn_pair_search_rows(list->rows[s], most, s * FIRN_SLICE, neighbours, found);
        }
        chunk->count += most;
    }
}

// Fills chunks [begin, end).
static inline void firn_pair_search_chunks(const void* self, firn_local begin, firn_local end)
{
    const firn_pair_search_args* a = self;
    const int64_t n = a->list->slice_count, chunks = a->list->chunk_count;
    int32_t* found = a->list->found[firn_team_worker()];
    for (firn_local c = begin; c < end; c++)
        firn_pair_search_part(a, &a->list->chunks[c], found, (firn_local)(n * c / chunks),
                              (firn_local)(n * (c + 1) / chunks));
}

// The list must have been reserved with the calling thread's team. FIRN_BROKEN_MEMORY: destroy the
// list or search again.
static inline firn_result firn_pair_search(const firn_pair_search_args* a)
{
    firn_pair_list* list = a->list;
    list->x = a->x;
    list->y = a->y;
    list->z = a->z;
    for (int round = 0; round < 2; round++) {
        firn_share(list->chunk_count, 1, firn_pair_search_chunks, a);
        bool fits = true;
        for (int c = 0; c < list->chunk_count; c++) {
            fits &= list->chunks[c].count <= list->chunks[c].capacity;
            FIRN_TRY(firn_pair_chunk_reserve(&list->chunks[c], list->chunks[c].count));
        }
        if (fits) break;
    }
    return FIRN_OK;
}
