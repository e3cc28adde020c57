// SPDX-License-Identifier: MIT
#include "solver/grains/step01_neighbours.h"

#include <string.h>

#include "solver/grains/grain_step.h"
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
    const firn_real r_j = m->p.listed_radius[j];
    if (m->heats) return firn_max(r_i, c->r_ice) + firn_max(r_j, c->r_ice) + c->reach + m->skin;
    return r_i + r_j + firn_max(gap_i, firn_grain_gap(c, r_j, m->p.phase[j])) + m->skin;
}

// Neighbours of i among `runs`; written to `out` unless it is null.
static firn_local search(const firn_grains* m, const firn_neighbour_runs* runs, firn_local i,
                         firn_local* out)
{
    const firn_vec3 x = m->p.listed[i];
    const firn_real r = m->p.listed_radius[i];
    const firn_real gap = firn_grain_gap(&m->constants, r, m->p.phase[i]);
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

// Lists of the store in the order of `cells`.
static firn_result list_all(firn_grains* m, firn_error* error)
{
    firn_grains_list* list = &m->list;
    walk(m, false);
    int64_t total = 0;
    list->first[0] = 0;
    for (firn_local i = 0; i < m->p.count; i++) {
        const firn_local count = list->first[i + 1];
        total += count;
        if (count > FIRN_GRAINS_LIST_MOST || total > list->j_capacity || total > INT32_MAX)
            return firn_grains_fault_crowded(m, i, error);
        list->first[i + 1] = (firn_local)total;
    }
    list->j_count = total;
    walk(m, true);
    return FIRN_OK;
}

static firn_result sort(firn_grains* m, firn_error* error)
{
    const double width = 2 * m->radius + (double)m->constants.reach + (double)m->skin;
    if (firn_neighbours_update(&m->cells, m->p.listed, m->p.count, width, m->threads) == FIRN_OK)
        return FIRN_OK;
    return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the cells of %d grains",
                     (int)m->p.count);
}

firn_result firn_grains_recall_lists(firn_grains* m, firn_error* error)
{
    if (m->listed || m->step == 0) return FIRN_OK;
    FIRN_TRY(sort(m, error));  // it is in this order already
    FIRN_TRY(list_all(m, error));
    m->listed = true;
    return FIRN_OK;
}

static void set_bonds(firn_grains* m, firn_local i, uint64_t bonds)
{
    m->p.bonds[i] = (uint32_t)bonds;
    m->p.bonds_more[i] = (uint32_t)(bonds >> 32);
}

// Snow begins with bonds where grains touch, or nearly so.
static void begin_bonds(firn_grains* m)
{
    const firn_real within = 1 + (firn_real)FIRN_GRAINS_BOND_AT_START;
#pragma omp parallel for schedule(static) num_threads(m->threads)
    for (firn_local i = 0; i < m->p.count; i++) {
        uint64_t bonds = 0;
        const firn_local first = m->list.first[i], count = m->list.first[i + 1] - first;
        for (firn_local k = 0; k < count; k++) {
            const firn_local j = m->list.j[first + k];
            const firn_vec3 d = firn_v3_sub(m->p.position[j], m->p.position[i]);
            const firn_real reach = within * (m->p.radius[i] + m->p.radius[j]);
            bonds |= (uint64_t)(firn_v3_dot(d, d) < reach * reach) << k;
        }
        set_bonds(m, i, bonds);
    }
}

// Bonds of the lists before, in the order of the new ones. `was`: where the grain of the store was
// then; null: at the same place.
static void carry_bonds(firn_grains* m, const firn_local* was)
{
    const firn_grains_list* list = &m->list;
#pragma omp parallel for schedule(static) num_threads(m->threads)
    for (firn_local i = 0; i < m->p.count; i++) {
        const firn_local old = was != NULL ? was[i] : i, old_first = list->old_first[old];
        const firn_local first = list->first[i], count = list->first[i + 1] - first;
        uint64_t before = firn_grains_bonds(m->p.bonds[i], m->p.bonds_more[i]), bonds = 0;
        for (firn_local k = 0; before != 0; k++, before >>= 1) {
            if ((before & 1) == 0) continue;
            const firn_local j = m->new_index[list->old_j[old_first + k]];
            for (firn_local n = 0; n < count; n++)
                bonds |= (uint64_t)(list->j[first + n] == j) << n;
        }
        set_bonds(m, i, bonds);
    }
}

// Lists the grains where they are now. `kept`: grains that are left of those before, ascending;
// null: all.
static firn_result list_anew(firn_grains* m, const firn_local* kept, firn_local before,
                             firn_error* error)
{
    firn_grains_list* list = &m->list;
    const bool first = m->step == 0;
    firn_local *swap_first = list->first, *swap_j = list->j;
    list->first = list->old_first;
    list->j = list->old_j;
    list->old_first = swap_first;
    list->old_j = swap_j;
    m->listed = false;
    memcpy(m->p.listed, m->p.position, (size_t)m->p.count * sizeof *m->p.listed);
    memcpy(m->p.listed_radius, m->p.radius, (size_t)m->p.count * sizeof *m->p.listed_radius);
    FIRN_TRY(sort(m, error));
    if (m->cells.order != NULL) {
        firn_particles_reorder(&m->store, m->cells.order, m->scratch, m->threads);
        firn_grains_refresh_pointers(m);
    }
    FIRN_TRY(list_all(m, error));
    const firn_local* was = m->cells.order;
    if (kept != NULL) {
        for (firn_local old = 0; old < before; old++) m->new_index[old] = -1;
        for (firn_local i = 0; i < m->p.count; i++) m->scratch[i] = kept[was != NULL ? was[i] : i];
        was = m->scratch;
    }
    for (firn_local i = 0; i < m->p.count; i++) m->new_index[was != NULL ? was[i] : i] = i;
    if (first)
        begin_bonds(m);
    else
        carry_bonds(m, was);
    m->listed = true;
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
    if (m->culled == 0) FIRN_TRY(firn_grains_recall_lists(m, error));
    if (m->step == 0 || m->culled > 0 || !still(m))
        FIRN_TRY(
            list_anew(m, m->culled > 0 ? m->culler.keep : NULL, m->p.count + m->culled, error));
    fill(m);
    return FIRN_OK;
}
