// SPDX-License-Identifier: MIT
// The memory of the steps: one block, allocated with the simulation, split into arrays that begin
// at cache lines. Steps do not allocate.
#include "core/memory.h"
#include "solver/grains/support/grains_solver.h"

// One array of the block.
typedef struct cut {
    void** array;
    size_t count, size;
} cut;

static size_t aligned(size_t bytes)
{
    return (bytes + FIRN_ALIGNMENT - 1) / FIRN_ALIGNMENT * FIRN_ALIGNMENT;
}

firn_result firn_grains_reserve(firn_grains* m, firn_local capacity)
{
    FIRN_TRY(firn_particles_reserve(&m->base.store, capacity));
    FIRN_TRY(firn_particles_reorder(&m->base.store, NULL));  // reserves what sorting needs
    FIRN_TRY(firn_neighbours_reserve(&m->cells, capacity));
    const size_t n = (size_t)capacity + FIRN_GRAINS_SLICE, chunks = n / FIRN_GRAINS_CHUNK + 1;
    const bool wide = firn_grains_crowd(&m->constants, m->may_heat) > 0.8 * FIRN_GRAINS_LISTED;
    m->list.room = m->may_heat || wide ? FIRN_GRAINS_LIST_MOST : FIRN_GRAINS_LISTED;
    const size_t neighbours = n * (size_t)m->list.room;
    firn_grains_work* w = &m->w;
    const cut cuts[] = {
        {(void**)&m->scratch, n, sizeof *m->scratch},
        {(void**)&m->list.first, n, sizeof *m->list.first},
        {(void**)&m->list.count, n, sizeof *m->list.count},
        {(void**)&m->list.j, neighbours, sizeof *m->list.j},
        {(void**)&m->list.old_first, n, sizeof *m->list.old_first},
        {(void**)&m->list.old_j, neighbours, sizeof *m->list.old_j},
        {(void**)&m->new_index, n, sizeof *m->new_index},
        {(void**)&m->was, n, sizeof *m->was},
        {(void**)&w->grain, n, sizeof *w->grain},
        {(void**)&m->list.lane, n, sizeof *m->list.lane},
        {(void**)&m->list.row_first, n / FIRN_GRAINS_SLICE + 2, sizeof *m->list.row_first},
        {(void**)&m->list.rows, neighbours, sizeof *m->list.rows},
        {(void**)&w->x, n, sizeof *w->x},
        {(void**)&w->y, n, sizeof *w->y},
        {(void**)&w->z, n, sizeof *w->z},
        {(void**)&w->r, n, sizeof *w->r},
        {(void**)&w->gap, n, sizeof *w->gap},
        {(void**)&w->force, n, sizeof *w->force},
        {(void**)&w->torque, n, sizeof *w->torque},
        {(void**)&w->slides, n, sizeof *w->slides},
        {(void**)&w->compression, n, sizeof *w->compression},
        {(void**)&w->near, n, sizeof *w->near},
        {(void**)&w->touching, n, sizeof *w->touching},
        {(void**)&w->body_power, n, sizeof *w->body_power},
        {(void**)&w->walls, n, sizeof *w->walls},
        {(void**)&w->broken, n, sizeof *w->broken},
        {(void**)&w->power, n, sizeof *w->power},
        {(void**)&w->moved, chunks, sizeof *w->moved},
        {(void**)&w->sums, chunks, sizeof *w->sums}};
    size_t bytes = 0;
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++)
        bytes += aligned(cuts[k].count * cuts[k].size);
    char* at = firn_alloc(bytes, 1);
    if (at == NULL) return FIRN_BROKEN_MEMORY;
    firn_free(m->memory);
    m->memory = at;
    m->listed = false;
    for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
        *cuts[k].array = at;
        at += aligned(cuts[k].count * cuts[k].size);
    }
    w->capacity = m->list.capacity = capacity;
    m->list.row_capacity = (int64_t)(neighbours / FIRN_GRAINS_SLICE);
    return FIRN_OK;
}
