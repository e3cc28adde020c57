// SPDX-License-Identifier: MIT
#include "state/pair_list.h"

#include "core/memory.h"

static bool grow(void** array, size_t count, size_t size)
{
    firn_free(*array);
    *array = firn_alloc(count, size);
    return *array != NULL;
}

static firn_result reserve_chunks(firn_pair_list* list, int threads)
{
    if (threads <= list->chunk_count) return FIRN_OK;
    firn_pair_chunk* chunks = firn_alloc((size_t)threads, sizeof *chunks);
    if (chunks == NULL) return FIRN_BROKEN_MEMORY;
    for (int t = 0; t < list->chunk_count; t++) chunks[t] = list->chunks[t];
    firn_free(list->chunks);
    list->chunks = chunks;
    for (; list->chunk_count < threads; list->chunk_count++) {
        firn_pair_chunk* c = &list->chunks[list->chunk_count];
        c->found = firn_alloc((size_t)FIRN_SLICE * FIRN_PAIRS_ROOM, sizeof *c->found);
        if (c->found == NULL) return FIRN_BROKEN_MEMORY;
    }
    return FIRN_OK;
}

firn_result firn_pair_list_reserve(firn_pair_list* list, firn_local count, int threads)
{
    FIRN_TRY(reserve_chunks(list, threads));
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
    for (int t = 0; t < list->chunk_count; t++) {
        firn_free(list->chunks[t].rows);
        firn_free(list->chunks[t].found);
    }
    firn_free(list->chunks);
    firn_free(list->rows);
    firn_free(list->row_count);
    firn_free(list->neighbours);
    *list = (firn_pair_list){0};
}

int64_t firn_pair_list_total(const firn_pair_list* list)
{
    int64_t total = 0;
    for (firn_local p = 0; p < list->count; p++) total += list->neighbours[p];
    return total;
}
