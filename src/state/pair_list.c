// SPDX-License-Identifier: MIT
#include "state/pair_list.h"

#include "core/memory.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"

// Slices differ in their numbers of pairs: several chunks per worker even that out. One alone is
// the fastest without others, and takes the least memory.
#define CHUNKS_PER_WORKER 4

static bool grow(void** array, size_t count, size_t size)
{
    firn_free(*array);
    *array = firn_alloc(count, size);
    return *array != NULL;
}

static firn_result reserve_workers(firn_pair_list* list)
{
    const int workers = firn_team_size();
    if (workers <= list->workers) return FIRN_OK;
    const int chunk_count = workers > 1 ? CHUNKS_PER_WORKER * workers : 1;
    firn_pair_chunk* chunks =
        firn_realloc(list->chunks, (size_t)list->chunk_count, (size_t)chunk_count, sizeof *chunks);
    if (chunks == NULL) return FIRN_BROKEN_MEMORY;
    list->chunks = chunks;
    list->chunk_count = chunk_count;
    int32_t** found =
        firn_realloc(list->found, (size_t)list->workers, (size_t)workers, sizeof *found);
    if (found == NULL) return FIRN_BROKEN_MEMORY;
    list->found = found;
    for (; list->workers < workers; list->workers++) {
        found[list->workers] = firn_alloc((size_t)FIRN_SLICE * FIRN_PAIRS_ROOM, sizeof **found);
        if (found[list->workers] == NULL) return FIRN_BROKEN_MEMORY;
    }
    return FIRN_OK;
}

firn_result firn_pair_list_reserve(firn_pair_list* list, firn_local count)
{
    FIRN_TRY(reserve_workers(list));
    const firn_local slices = firn_slices_of(count);
    list->count = count;
    list->slice_count = slices;
    if (slices <= list->slice_capacity) return FIRN_OK;
    const size_t n = (size_t)slices + (size_t)slices / 8 + 16;
    list->slice_capacity = 0;
    if (!grow((void**)&list->rows, n, sizeof *list->rows) ||
        !grow((void**)&list->row_count, n, sizeof *list->row_count) ||
        !grow((void**)&list->neighbours, n * FIRN_SLICE, sizeof *list->neighbours))
        return FIRN_BROKEN_MEMORY;
    list->slice_capacity = (firn_local)n;
    return FIRN_OK;
}

firn_result firn_pair_chunk_reserve(firn_pair_chunk* chunk, int64_t rows)
{
    if (rows <= chunk->capacity) return FIRN_OK;
    const size_t n = (size_t)rows + (size_t)rows / 8 + 64;
    chunk->capacity = 0;
    if (!grow((void**)&chunk->rows, n, sizeof *chunk->rows)) return FIRN_BROKEN_MEMORY;
    chunk->capacity = (int64_t)n;
    return FIRN_OK;
}

void firn_pair_list_destroy(firn_pair_list* list)
{
    for (int c = 0; c < list->chunk_count; c++) firn_free(list->chunks[c].rows);
    for (int w = 0; w < list->workers; w++) firn_free(list->found[w]);
    firn_free(list->chunks);
    firn_free(list->found);
    firn_free(list->rows);
    firn_free(list->row_count);
    firn_free(list->neighbours);
    *list = (firn_pair_list){0};
}

typedef struct total_job {
    const int32_t* neighbours;
    int64_t* total;
} total_job;

static void add_range(const void* self, firn_local begin, firn_local end)
{
    const total_job* job = self;
    int64_t sum = 0;
    for (firn_local p = begin; p < end; p++) sum += job->neighbours[p];
    firn_atomic_add(job->total, sum);
}

int64_t firn_pair_list_total(const firn_pair_list* list)
{
    int64_t total = 0;
    firn_share(list->count, 16384, add_range, &(total_job){list->neighbours, &total});
    return total;
}
