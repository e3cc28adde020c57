// SPDX-License-Identifier: MIT
#include "state/neighbours.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "math/key_search.h"
#include "math/vec3.h"

#define AXIS_BITS 21
#define CHUNK 1024  // particles whose cells are counted together: a few microseconds
// The number of the cell at the origin: 1024 cells on both sides of it have numbers that differ in
// their lowest 11 bits only, which is one digit of the sort.
#define ORIGIN ((1 << (AXIS_BITS - 1)) + 1024)
#define FAR ((1 << (AXIS_BITS - 1)) - 1026)  // [cells] last cell with neighbours on both sides

// The cell of one coordinate, clamped to the last cells: particles that are close are still in the
// same cell or in adjacent ones.
static uint64_t cell_of(double x, double radius)
{
    const double cell = floor(x / radius);
    const int32_t near = cell < -FAR ? -FAR : cell > FAR ? FAR : (int32_t)cell;
    return (uint64_t)(near + ORIGIN);
}

uint64_t firn_neighbours_key(firn_vec3 x, double radius)
{
    return cell_of((double)x.x, radius) << (2 * AXIS_BITS) |
           cell_of((double)x.y, radius) << AXIS_BITS | cell_of((double)x.z, radius);
}

typedef struct key_job {
    const firn_vec3* x;
    double radius;
    uint64_t* key;
} key_job;

static void find_keys(const void* self, firn_local begin, firn_local end)
{
    const key_job* job = self;
    const double radius = job->radius;
    for (firn_local p = begin; p < end; p++) job->key[p] = firn_neighbours_key(job->x[p], radius);
}

// The table of cells, in two passes over chunks of the sorted particles: each chunk counts the
// cells that begin in it, then writes them behind those of the chunks before it.
typedef struct table_job {
    firn_neighbours* n;
    const firn_vec3* x;    // unsorted
    const uint64_t* keys;  // sorted
    firn_local count;
    uint64_t* first;  // [chunks]: number of cells of a chunk, then the first of them
} table_job;

static bool cell_begins(const uint64_t* keys, firn_local k)
{
    return k == 0 || keys[k] != keys[k - 1];
}

static firn_local chunk_end(const table_job* job, firn_local c)
{
    return (int64_t)(c + 1) * CHUNK < job->count ? (c + 1) * CHUNK : job->count;
}

static void count_cells(const void* self, firn_local begin, firn_local end)
{
    const table_job* job = self;
    const firn_local* order = job->n->order;
    for (firn_local c = begin; c < end; c++) {
        uint64_t cells = 0;
        for (firn_local k = c * CHUNK; k < chunk_end(job, c); k++) {
            cells += cell_begins(job->keys, k);
            job->n->x[k] = job->x[order != NULL ? order[k] : k];
        }
        job->first[c] = cells;
    }
}

static void list_cells(const void* self, firn_local begin, firn_local end)
{
    const table_job* job = self;
    for (firn_local c = begin; c < end; c++) {
        size_t cell = job->first[c];
        for (firn_local k = c * CHUNK; k < chunk_end(job, c); k++) {
            if (!cell_begins(job->keys, k)) continue;
            job->n->keys[cell] = job->keys[k];
            job->n->begin[cell++] = k;
        }
    }
}

// Reserves an eighth more than needed: particles spread, and updates without allocation are faster.
static bool make_room(void** array, firn_local need, size_t size)
{
    firn_free(*array);
    *array = firn_alloc((size_t)need + (size_t)need / 8 + 1, size);
    return *array != NULL;
}

static firn_result reserve_positions(firn_neighbours* n, firn_local count)
{
    if (count > n->capacity || n->x == NULL) {
        n->capacity = 0;
        if (!make_room((void**)&n->x, count, sizeof *n->x)) return FIRN_BROKEN_MEMORY;
        n->capacity = count + count / 8;
    }
    return FIRN_OK;
}

static firn_result reserve_cells(firn_neighbours* n, firn_local cells)
{
    if (cells > n->cell_capacity || n->keys == NULL || n->begin == NULL) {
        n->cell_capacity = 0;
        if (!make_room((void**)&n->keys, cells, sizeof *n->keys) ||
            !make_room((void**)&n->begin, cells, sizeof *n->begin))
            return FIRN_BROKEN_MEMORY;
        n->cell_capacity = cells + cells / 8;
    }
    return FIRN_OK;
}

firn_result firn_neighbours_update(firn_neighbours* neighbours, const firn_vec3* x,
                                   firn_local count, double radius)
{
    firn_neighbours* n = neighbours;
    n->radius = radius;
    n->cell_count = 0;
    const bool grows = count > n->sort.capacity;
    FIRN_TRY(firn_key_sort_reserve(&n->sort, grows ? count + count / 8 : count, firn_team_size()));
    FIRN_TRY(reserve_positions(n, count));
    firn_share(count, 512, find_keys, &(key_job){x, radius, n->sort.key[0]});
    const uint64_t* keys;
    firn_key_sort_run(&n->sort, count, &keys, &n->order);
    uint64_t* free_keys = n->sort.key[keys == n->sort.key[0]];
    const table_job table = {n, x, keys, count, free_keys};
    const firn_local chunks = count / CHUNK + (count % CHUNK != 0);
    firn_share(chunks, 2, count_cells, &table);
    uint64_t cells = 0;
    for (firn_local c = 0; c < chunks; c++) {
        const uint64_t here = table.first[c];
        table.first[c] = cells;
        cells += here;
    }
    FIRN_TRY(reserve_cells(n, (firn_local)cells));
    firn_share(chunks, 4, list_cells, &table);
    n->cell_count = (firn_local)cells;
    n->begin[n->cell_count] = count;
    return FIRN_OK;
}

firn_result firn_neighbours_reserve(firn_neighbours* neighbours, firn_local count)
{
    FIRN_TRY(firn_key_sort_reserve(&neighbours->sort, count, firn_team_size()));
    FIRN_TRY(reserve_positions(neighbours, count));
    return reserve_cells(neighbours, count);  // at worst one cell per particle
}

firn_result firn_neighbours_create(const firn_vec3* x, firn_local count, double radius,
                                   firn_neighbours* out_neighbours)
{
    firn_neighbours n = {0};
    const firn_result result = firn_neighbours_update(&n, x, count, radius);
    if (result == FIRN_OK)
        *out_neighbours = n;
    else
        firn_neighbours_destroy(&n);
    return result;
}

void firn_neighbours_destroy(firn_neighbours* neighbours)
{
    firn_free(neighbours->x);
    firn_free(neighbours->keys);
    firn_free(neighbours->begin);
    firn_key_sort_destroy(&neighbours->sort);
    *neighbours = (firn_neighbours){0};
}

firn_neighbour_runs firn_neighbours_of_cell(const firn_neighbours* neighbours, firn_local cell)
{
    return firn_neighbours_around(neighbours, neighbours->keys[cell]);
}

firn_vec3 firn_neighbours_cell_middle(uint64_t key, double radius)
{
    const uint64_t mask = ((uint64_t)1 << AXIS_BITS) - 1;
    const double shift = ORIGIN - 0.5;
    return firn_v3((firn_real)(((double)(key >> (2 * AXIS_BITS)) - shift) * radius),
                   (firn_real)(((double)(key >> AXIS_BITS & mask) - shift) * radius),
                   (firn_real)(((double)(key & mask) - shift) * radius));
}

// from the lowest of the 27 cells; no coordinate is 0, so subtraction does not borrow
static uint64_t first_of_row(uint64_t key, int row)
{
    const uint64_t one_x = (uint64_t)1 << (2 * AXIS_BITS), one_y = (uint64_t)1 << AXIS_BITS;
    return key - one_x - one_y - 1 + (uint64_t)(row / 3) * one_x + (uint64_t)(row % 3) * one_y;
}

// The run of three cells from key `first` on; c is the first cell whose key is at least `first`.
static void add_run(const firn_neighbours* n, uint64_t first, firn_local c,
                    firn_neighbour_runs* runs)
{
    if (c == n->cell_count || n->keys[c] > first + 2) return;
    runs->begin[runs->count] = n->begin[c];
    while (c < n->cell_count && n->keys[c] <= first + 2) c++;
    runs->end[runs->count++] = n->begin[c];
}

firn_neighbour_runs firn_neighbours_around(const firn_neighbours* neighbours, uint64_t key)
{
    firn_neighbour_runs runs = {0};
    for (int row = 0; row < 9; row++) {
        const uint64_t first = first_of_row(key, row);
        add_run(neighbours, first, firn_key_search(neighbours->keys, neighbours->cell_count, first),
                &runs);
    }
    return runs;
}

firn_neighbour_runs firn_neighbours_walk(const firn_neighbours* neighbours,
                                         firn_neighbour_walk* walk, uint64_t key)
{
    const firn_neighbours* n = neighbours;
    firn_neighbour_runs runs = {0};
    for (int row = 0; row < 9; row++) {
        const uint64_t first = first_of_row(key, row);
        firn_local c = walk->begun ? walk->at[row] : firn_key_search(n->keys, n->cell_count, first);
        while (c < n->cell_count && n->keys[c] < first) c++;
        walk->at[row] = c;
        add_run(n, first, c, &runs);
    }
    walk->begun = true;
    return runs;
}
