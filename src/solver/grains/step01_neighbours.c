// SPDX-License-Identifier: MIT
#include "solver/grains/step01_neighbours.h"

#include "solver/grains/grains_solver.h"

// Has nobody moved by half a skin since the lists were made?
static bool still(const firn_grains* m)
{
    firn_real most = 0;
#pragma omp parallel for schedule(static) num_threads(m->threads) reduction(max : most)
    for (firn_local i = 0; i < m->p.count; i++) {
        const firn_vec3 d = firn_v3_sub(m->p.position[i], m->p.listed[i]);
        most = firn_max(most, firn_v3_dot(d, d));
    }
    return firn_grains_still(most, m->skin);
}

// [m]: a pair further apart is not listed. Radii shrink while a list holds, and so do gaps; but
// where there is heat, what is snow now may be water then, and reaches further.
static firn_real range(const firn_grains* m, firn_real r_i, firn_real gap_i, firn_local j)
{
    const firn_grain_constants* c = &m->constants;
    const firn_real r_j = m->w.grain[j].r;
    if (m->heats) return firn_max(r_i, c->r_ice) + firn_max(r_j, c->r_ice) + c->reach + m->skin;
    return r_i + r_j + firn_max(gap_i, firn_grain_gap(c, r_j, m->w.grain[j].phase)) + m->skin;
}

// Neighbours of i among `runs`; written to `out` unless it is null.
static firn_local search(const firn_grains* m, const firn_neighbour_runs* runs, firn_local i,
                         firn_local* out)
{
    const firn_vec3 x = m->p.listed[i];
    const firn_real r = m->w.grain[i].r;
    const firn_real gap = firn_grain_gap(&m->constants, r, m->w.grain[i].phase);
    firn_local count = 0;
    for (int k = 0; k < runs->count; k++)
        for (firn_local j = runs->begin[k]; j < runs->end[k]; j++) {
            const firn_vec3 d = firn_v3_sub(m->cells.x[j], x);
            const firn_real reach = range(m, r, gap, j);
            if (!(firn_v3_dot(d, d) < reach * reach) || j == i) continue;
            if (out != NULL) out[count] = j;
            count++;
        }
    return count;
}

// Counts (write: false) into first[i + 1], or writes the lists of all grains.
static void walk(const firn_grains* m, bool write)
{
    const firn_grains_list* list = &m->list;
#pragma omp parallel for schedule(dynamic, 64) num_threads(m->threads)
    for (firn_local c = 0; c < m->cells.cell_count; c++) {
        const firn_neighbour_runs runs = firn_neighbours_of_cell(&m->cells, c);
        for (firn_local i = m->cells.begin[c]; i < m->cells.begin[c + 1]; i++)
            if (write)
                search(m, &runs, i, list->j + list->first[i]);
            else
                list->first[i + 1] = search(m, &runs, i, NULL);
    }
}

static firn_result list_all(firn_grains* m, firn_error* error)
{
    firn_grains_list* list = &m->list;
    walk(m, false);
    int64_t total = 0;
    list->first[0] = 0;
    for (firn_local i = 0; i < m->p.count; i++) {
        total += list->first[i + 1];
        if (total > list->j_capacity || total > INT32_MAX)
            return firn_grains_fault_crowded(m, error);
        list->first[i + 1] = (firn_local)total;
    }
    list->j_count = total;
    walk(m, true);
    return FIRN_OK;
}

// What neighbours will read of each grain.
static void fill(firn_grains* m)
{
#pragma omp parallel for schedule(static) num_threads(m->threads)
    for (firn_local i = 0; i < m->p.count; i++)
        m->w.grain[i] = (firn_grain){m->p.position[i], m->p.velocity[i], m->p.slip[i],
                                     m->p.radius[i],   m->p.phase[i],    m->p.broken[i] != 0};
}

firn_result firn_grains_neighbours(firn_grains* m, firn_error* error)
{
    const bool moved = m->step == 0 || !still(m);
    if (!moved && m->listed) {
        fill(m);
        return FIRN_OK;
    }
    m->listed = false;
    if (moved)
        for (firn_local i = 0; i < m->p.count; i++) m->p.listed[i] = m->p.position[i];
    const double width = 2 * m->radius + (double)m->constants.reach + (double)m->skin;
    if (firn_neighbours_update(&m->cells, m->p.listed, m->p.count, width, m->threads) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the cells of %d grains",
                         (int)m->p.count);
    if (m->cells.order != NULL) {
        firn_particles_reorder(&m->store, m->cells.order, m->scratch, m->threads);
        firn_grains_refresh_pointers(m);
    }
    fill(m);
    FIRN_TRY(list_all(m, error));
    m->listed = true;
    return FIRN_OK;
}
