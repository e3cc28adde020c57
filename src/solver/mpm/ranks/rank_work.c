// SPDX-License-Identifier: MIT
#include "solver/mpm/ranks/rank_work.h"

#include <string.h>

#include "core/memory.h"
#include "core/timer.h"

void firn_work_destroy(firn_work* work)
{
    firn_free(work->seconds);
    firn_free(work->last);
    *work = (firn_work){0};
}

void firn_work_begin(firn_work* work, firn_sparse_grid* grid, firn_comm* comm, int64_t step)
{
    // not the step that reorders the particles (FIRN_MPM_STEPS_PER_REORDER), which is rare
    work->is_timed = step % FIRN_WORK_EVERY == FIRN_WORK_EVERY / 2;
    grid->block_seconds = NULL;  // of a step that failed
    comm->is_timed = work->is_timed;
    comm->thread_seconds = 0;
    if (work->is_timed) work->begun = firn_thread_seconds();
}

static bool grow(void** array, firn_local* capacity, firn_local count, firn_local wanted,
                 size_t size)
{
    if (wanted <= *capacity) return true;
    const firn_local room = wanted + wanted / 4 + 64;
    void* more = firn_alloc((size_t)room, size);
    if (more == NULL) return false;
    if (count > 0) memcpy(more, *array, (size_t)count * size);
    firn_free(*array);
    *array = more;
    *capacity = room;
    return true;
}

bool firn_work_take_blocks(firn_work* work, firn_sparse_grid* grid)
{
    const firn_local count = grid->occupied_count;
    if (!grow((void**)&work->seconds, &work->capacity, 0, count, sizeof *work->seconds) ||
        !grow((void**)&work->last, &work->last_capacity, work->last_count, count,
              sizeof *work->last))
        return false;
    if (!work->is_timed) return true;
    memset(work->seconds, 0, (size_t)count * sizeof *work->seconds);
    grid->block_seconds = work->seconds;
    return true;
}

void firn_work_end(firn_work* work, firn_sparse_grid* grid, firn_comm* comm)
{
    work->passed++;
    if (!work->is_timed) return;
    grid->block_seconds = NULL;
    comm->is_timed = work->is_timed = false;
    work->total += firn_thread_seconds() - work->begun - comm->thread_seconds;
    work->steps++;
    work->last_count = grid->occupied_count;
    for (firn_local b = 0; b < grid->occupied_count; b++) {
        const int32_t* c = grid->coord[b];
        work->last[b] =
            (firn_work_block){firn_block_key(c[0], c[1], c[2]),
                              work->seconds[b] / (double)(grid->first[b + 1] - grid->first[b])};
    }
}

void firn_work_forget(firn_work* work)
{
    work->total = 0;
    work->steps = work->passed = 0;
}

double firn_work_of_step(const firn_work* work)
{
    return work->steps > 0 ? work->total / (double)work->steps : 0;
}

// Seconds per particle of the block; negative: unknown.
static double find(const firn_work* work, uint64_t key)
{
    firn_local low = 0, high = work->last_count;
    while (low < high) {
        const firn_local middle = low + (high - low) / 2;
        if (work->last[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < work->last_count && work->last[low].key == key ? work->last[low].each : -1;
}

void firn_work_of_blocks(const firn_work* work, const firn_sparse_grid* grid, double* out_seconds)
{
    double known = 0, all = 0;
    int64_t particles = 0;  // of known blocks
    for (firn_local b = 0; b < grid->occupied_count; b++) {
        const int32_t* c = grid->coord[b];
        const firn_local n = grid->first[b + 1] - grid->first[b];
        const double each = find(work, firn_block_key(c[0], c[1], c[2]));
        out_seconds[b] = each < 0 ? -1 : each * (double)n;
        if (each < 0) continue;
        known += out_seconds[b];
        particles += n;
    }
    const double step = firn_work_of_step(work);
    for (firn_local b = 0; b < grid->occupied_count; b++) {
        const double n = (double)(grid->first[b + 1] - grid->first[b]);
        if (out_seconds[b] < 0) out_seconds[b] = known > 0 ? n * known / (double)particles : n;
        all += out_seconds[b];
    }
    for (firn_local b = 0; b < grid->occupied_count && all > 0; b++) out_seconds[b] *= step / all;
}
