// SPDX-License-Identifier: MIT
#include "solver/grains/step01_neighbours.h"

#include <string.h>

#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "solver/grains/grain_step.h"
#include "solver/grains/support/grains_cpu.h"
#include "solver/grains/support/grains_solver.h"

// Fewest grains or cells worth a part of a shared loop.
#define SIMPLE 2048  // grains that are copied or measured
#define LISTED 256   // grains whose lists are searched or copied
#define CELLS 64     // cells whose grains are listed

static void measure_moves(const void* self, firn_local begin, firn_local end)
{
    const firn_grains* m = self;
    for (firn_local k = begin; k < end; k++) {
        firn_grains_moved moved = firn_grains_moved_none();
        const firn_local from = k * FIRN_GRAINS_CHUNK, most = from + FIRN_GRAINS_CHUNK;
        for (firn_local i = from; i < most && i < m->p.count; i++)
            firn_grains_moved_add(&moved, firn_v3_sub(m->p.position[i], m->p.listed[i]));
        m->w.moved[k] = moved;
    }
}

// Whether the lists are still valid.
static bool still(const firn_grains* m)
{
    const firn_local chunks = firn_grains_chunks(m->p.count);
    firn_grains_moved all = firn_grains_moved_none();
    firn_share(chunks, SIMPLE / FIRN_GRAINS_CHUNK, measure_moves, m);
    for (firn_local k = 0; k < chunks; k++) firn_grains_moved_join(&all, &m->w.moved[k]);
    return firn_grains_still(&all, m->skin);
}

// Input of the search. Radii and gaps only shrink while a list is valid; but with heat, snow may
// become water, whose range is larger. The phase itself must not enter: it may have changed when a
// list is rebuilt after a restart.
static void spread_range(const void* self, firn_local begin, firn_local end)
{
    const firn_grains* m = self;
    const firn_grain_constants* c = &m->constants;
    const firn_grains_work* w = &m->w;
    const firn_real r_other = firn_max(c->r_ice, c->r_water);  // after a change of phase
    for (firn_local i = begin; i < end; i++) {
        const firn_real r = m->p.listed_radius[i];
        w->x[i] = m->p.listed[i].x;
        w->y[i] = m->p.listed[i].y;
        w->z[i] = m->p.listed[i].z;
        w->r[i] = m->may_heat ? firn_max(r, r_other) : r;
        w->gap[i] = m->may_heat ? c->reach : firn_grain_gap(c, r, FIRN_SNOW);
    }
}

static firn_grains_search_args spread(const firn_grains* m)
{
    const firn_grains_work* w = &m->w;
    firn_share(m->p.count, SIMPLE, spread_range, m);
    return (firn_grains_search_args){w->x, w->y, w->z, w->r, w->gap, m->skin};
}

// Neighbours of grain i among `runs`, ascending; returns their number. No more are written than a
// grain may have.
static int search(const firn_grains_search_args* a, const firn_neighbour_runs* runs, firn_local i,
                  int32_t* out)
{
    int count = 0;
    for (int k = 0; k < runs->count; k++)
        for (firn_local j = runs->begin[k]; j < runs->end[k]; j++) {
            const firn_vec3 d = firn_v3(a->x[j] - a->x[i], a->y[j] - a->y[i], a->z[j] - a->z[i]);
            const firn_real reach = a->r[i] + a->r[j] + firn_max(a->gap[i], a->gap[j]) + a->skin;
            if (!(firn_v3_dot(d, d) < reach * reach) || j == i) continue;
            if (count <= FIRN_GRAINS_LIST_MOST) out[count++] = j;
        }
    return count;
}

// Lists of the grains of cells [from, to), one after the other from where the first grain's room
// begins. Returns the first grain that has too many neighbours, or for which there is no more room;
// the store's count: none.
static firn_local walk(const firn_grains* m, const firn_grains_search_args* a, firn_local from,
                       firn_local to)
{
    const firn_grains_list* list = &m->list;
    if (from >= to) return m->p.count;
    int64_t at = (int64_t)m->cells.begin[from] * list->room;
    const int64_t end = (int64_t)m->cells.begin[to] * list->room;
    firn_neighbour_walk walk = {0};
    for (firn_local c = from; c < to; c++) {
        const firn_neighbour_runs runs = firn_neighbours_walk(&m->cells, &walk, m->cells.keys[c]);
        int32_t found[2 * FIRN_GRAINS_LIST_MOST];
        for (firn_local i = m->cells.begin[c]; i < m->cells.begin[c + 1]; i++) {
            const int count = m->ops->search != NULL ? m->ops->search(a, &runs, i, found)
                                                     : search(a, &runs, i, found);
            if (count > FIRN_GRAINS_LIST_MOST || at + count > end) return i;
            memcpy(list->j + at, found, (size_t)count * sizeof *found);
            list->first[i] = at;
            list->count[i] = (uint8_t)count;
            at += count;
        }
    }
    return m->p.count;
}

// Lanes of the grains of each block, in the order of the lengths of their lists: those of a slice
// have nearly as many neighbours, and few rows are padded. row_first: the rows of each slice.
static void order_lanes(const void* self, firn_local begin, firn_local end)
{
    const firn_grains* m = self;
    const firn_grains_list* list = &m->list;
    for (firn_local b = begin; b < end; b++) {
        const firn_local first = b * FIRN_GRAINS_BLOCK, last = first + FIRN_GRAINS_BLOCK;
        const firn_local stop = last < m->p.count ? last : m->p.count;
        firn_local place[FIRN_GRAINS_LIST_MOST + 2] = {0};
        for (firn_local i = first; i < stop; i++) place[list->count[i] + 1]++;
        for (int k = 0; k < FIRN_GRAINS_LIST_MOST; k++) place[k + 1] += place[k];
        for (firn_local i = first; i < stop; i++) list->lane[first + place[list->count[i]]++] = i;
        for (firn_local at = first; at < stop; at += FIRN_GRAINS_SLICE) {
            const firn_local most = at + FIRN_GRAINS_SLICE < stop ? at + FIRN_GRAINS_SLICE : stop;
            for (firn_local l = most; l < at + FIRN_GRAINS_SLICE; l++) list->lane[l] = stop - 1;
            list->row_first[at / FIRN_GRAINS_SLICE] = list->count[list->lane[most - 1]];
        }
    }
}

// Lanes [begin, end) of the rows; lanes beyond the last grain are padded.
static void lay_columns(const void* self, firn_local begin, firn_local end)
{
    const firn_grains* m = self;
    const firn_grains_list* list = &m->list;
    for (firn_local l = begin; l < end; l++) {
        const firn_local slice = l / FIRN_GRAINS_SLICE, i = list->lane[l];
        const int rows = (int)(list->row_first[slice + 1] - list->row_first[slice]);
        const int count = l < m->p.count ? list->count[i] : 0;
        const int32_t* j = list->j + list->first[i];
        int32_t* at = list->rows + (size_t)list->row_first[slice] * FIRN_GRAINS_SLICE +
                      (size_t)(l % FIRN_GRAINS_SLICE);
        for (int k = 0; k < count; k++, at += FIRN_GRAINS_SLICE) *at = j[k];
        for (int k = count; k < rows; k++, at += FIRN_GRAINS_SLICE) *at = i;
    }
}

// The same lists in rows, for SIMD batches (grains_state.h). Returns false when there is no room.
static bool lay_rows(firn_grains* m)
{
    firn_grains_list* list = &m->list;
    const firn_local n = m->p.count, slices = (n + FIRN_GRAINS_SLICE - 1) / FIRN_GRAINS_SLICE;
    const firn_local blocks = (n + FIRN_GRAINS_BLOCK - 1) / FIRN_GRAINS_BLOCK;
    firn_share(blocks, SIMPLE / 4 / FIRN_GRAINS_BLOCK, order_lanes, m);
    int64_t rows = 0;
    for (firn_local s = 0; s < slices; s++) {
        const firn_local here = list->row_first[s];
        list->row_first[s] = (firn_local)rows;
        rows += here;
    }
    list->row_first[slices] = (firn_local)rows;
    if (rows > list->row_capacity) return false;
    firn_share(slices * FIRN_GRAINS_SLICE, LISTED, lay_columns, m);
    return true;
}

typedef struct walk_job {
    const firn_grains* m;
    firn_grains_search_args args;
    firn_local* bad;  // first grain that does not fit
} walk_job;

static void walk_range(const void* self, firn_local begin, firn_local end)
{
    const walk_job* job = self;
    firn_atomic_min(job->bad, walk(job->m, &job->args, begin, end));
}

// Lists of the store in the order of `cells`.
static firn_result list_all(firn_grains* m, firn_error* error)
{
    firn_local bad = m->p.count;
    const walk_job job = {m, spread(m), &bad};
    firn_share(m->cells.cell_count, CELLS, walk_range, &job);
    // cells of a part may be fuller than the mean: what fits must not depend on the parts
    if (bad < m->p.count) bad = walk(m, &job.args, 0, m->cells.cell_count);
    if (bad < m->p.count) {
        const firn_culprit culprit = firn_grains_culprit_of(m, bad);
        return firn_grains_fault_crowded(m, &culprit, error);
    }
    m->list.laid = m->ops->neighbours != NULL && lay_rows(m);
    return FIRN_OK;
}

static firn_result sort(firn_grains* m, firn_error* error)
{
    const double width = 2 * m->radius + (double)m->constants.reach + (double)m->skin;
    if (firn_neighbours_update(&m->cells, m->p.listed, m->p.count, width) == FIRN_OK)
        return FIRN_OK;
    return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the cells of %d grains",
                     (int)m->p.count);
}

// Bonds of a checkpoint must be with neighbours of the lists.
static firn_result check_bonds(const firn_grains* m, firn_error* error)
{
    for (firn_local i = 0; i < m->p.count; i++) {
        const uint64_t bonds = firn_grains_bonds(m->p.bonds[i], m->p.bonds_more[i]);
        const int count = m->list.count[i];
        if (count < 64 && bonds >> count != 0)
            return firn_fail(error, FIRN_REFUSED_DAMAGED,
                             "'bonds' of particle %d are with more than its %d neighbours", (int)i,
                             count);
    }
    return FIRN_OK;
}

firn_result firn_grains_recall_lists(firn_grains* m, firn_error* error)
{
    if (m->listed || m->base.step == 0) return FIRN_OK;
    FIRN_TRY(sort(m, error));  // it is in this order already
    FIRN_TRY(list_all(m, error));
    FIRN_TRY(check_bonds(m, error));
    m->listed = true;
    return FIRN_OK;
}

static void set_bonds(const firn_grains* m, firn_local i, uint64_t bonds)
{
    m->p.bonds[i] = (uint32_t)bonds;
    m->p.bonds_more[i] = (uint32_t)(bonds >> 32);
}

// Initial bonds: firn_grains_bonds_initially.
static bool begins_bonded(const firn_grains* m, firn_local i, firn_local j)
{
    const firn_vec3 d = firn_v3_sub(m->p.position[j], m->p.position[i]);
    const bool intact = m->p.whole[i] == FIRN_GRAIN_INTACT && m->p.whole[j] == FIRN_GRAIN_INTACT;
    return firn_grains_bonds_initially(d, m->p.radius[i] + m->p.radius[j], intact);
}

// Initial bonds of grain i; `was` not null: only with grains that came with it in an edit.
static uint64_t initial_bonds(const firn_grains* m, const firn_local* was, firn_local i)
{
    uint64_t bonds = 0;
    const int32_t* list = m->list.j + m->list.first[i];
    for (int k = 0; k < m->list.count[i]; k++)
        if (was == NULL || was[list[k]] == was[i])
            bonds |= (uint64_t)begins_bonded(m, i, list[k]) << k;
    return bonds;
}

static void begin_bonds(const void* self, firn_local begin, firn_local end)
{
    const firn_grains* m = self;
    for (firn_local i = begin; i < end; i++) set_bonds(m, i, initial_bonds(m, NULL, i));
}

static uint64_t carry(const firn_grains_carry_args* a)
{
    uint64_t bonds = 0;
    for (uint64_t left = a->bonds; left != 0; left &= left - 1) {
        const firn_local j = a->new_index[a->old[__builtin_ctzll(left)]];
        for (int n = 0; n < a->count; n++) bonds |= (uint64_t)(a->now[n] == j) << n;
    }
    return bonds;
}

typedef struct carry_job {
    const firn_grains* m;
    const firn_local* was;  // [grains] index before; null: unchanged
} carry_job;

static void index_range(const void* self, firn_local begin, firn_local end)
{
    const carry_job* job = self;
    for (firn_local i = begin; i < end; i++) {
        const firn_local old = job->was != NULL ? job->was[i] : i;
        if (old >= 0) job->m->new_index[old] = i;
    }
}

// Maps bonds of the old lists to the new ones.
static void carry_bonds(const void* self, firn_local begin, firn_local end)
{
    const firn_grains* m = ((const carry_job*)self)->m;
    const firn_local* was = ((const carry_job*)self)->was;
    const firn_grains_list* list = &m->list;
    for (firn_local i = begin; i < end; i++) {
        if (was != NULL && was[i] < 0) {
            set_bonds(m, i, initial_bonds(m, was, i));
            continue;
        }
        const firn_grains_carry_args args = {
            list->old_j + list->old_first[was != NULL ? was[i] : i],
            firn_grains_bonds(m->p.bonds[i], m->p.bonds_more[i]), m->new_index,
            list->j + list->first[i], list->count[i]};
        set_bonds(m, i, m->ops->carry != NULL ? m->ops->carry(&args) : carry(&args));
    }
}

static void mark_listed(const void* self, firn_local begin, firn_local end)
{
    const firn_grains* m = self;
    const size_t n = (size_t)(end - begin);
    memcpy(m->p.listed + begin, m->p.position + begin, n * sizeof *m->p.listed);
    memcpy(m->p.listed_radius + begin, m->p.radius + begin, n * sizeof *m->p.listed_radius);
}

firn_result firn_grains_list_anew(firn_grains* m, const firn_local* kept, firn_local before,
                                  firn_error* error)
{
    firn_grains_list* list = &m->list;
    const bool first = m->base.step == 0;
    int64_t* swap_first = list->first;
    int32_t* swap_j = list->j;
    list->first = list->old_first;
    list->j = list->old_j;
    list->old_first = swap_first;
    list->old_j = swap_j;
    m->listed = false;
    firn_share(m->p.count, SIMPLE, mark_listed, m);
    FIRN_TRY(sort(m, error));
    if (firn_particles_reorder(&m->base.store, m->cells.order) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for sorting %d grains",
                         (int)m->p.count);
    firn_grains_refresh_pointers(m);
    FIRN_TRY(list_all(m, error));
    const firn_local* was = m->cells.order;
    if (kept != NULL) {
        for (firn_local old = 0; old < before; old++) m->new_index[old] = -1;
        for (firn_local i = 0; i < m->p.count; i++) m->scratch[i] = kept[was != NULL ? was[i] : i];
        was = m->scratch;
    }
    const carry_job job = {m, was};
    firn_share(m->p.count, SIMPLE, index_range, &job);
    if (first)
        firn_share(m->p.count, LISTED, begin_bonds, m);
    else
        firn_share(m->p.count, LISTED, carry_bonds, &job);
    m->listed = true;
    return FIRN_OK;
}

enum { SOME_WATER = 1, SOME_ANCHORED = 2 };  // what fill finds

typedef struct fill_job {
    const firn_grains* m;
    int* found;
} fill_job;

// Copies the properties of grains that neighbours read.
static void fill_range(const void* self, firn_local begin, firn_local end)
{
    const firn_grains* m = ((const fill_job*)self)->m;
    const firn_grain_constants* c = &m->constants;
    const firn_grains_particles* p = &m->p;
    int found = 0;
    for (firn_local i = begin; i < end; i++) {
        const firn_real r = p->radius[i], origin_r = p->origin_radius[i];
        const bool broken = p->broken[i] != 0;
        const uint8_t phase = p->phase[i], state = p->whole[i];
        const firn_real strength = firn_grain_strength(c, r);
        const firn_real anchor[] = {0, -origin_r, origin_r};  // by firn_grain_state
        m->w.grain[i] = (firn_grain){.x = p->position[i],
                                     .r = r,
                                     .v = p->velocity[i],
                                     .k = firn_grain_stiffness(c, r, phase),
                                     .spin = p->spin[i],
                                     .strength = broken ? -strength : strength,
                                     .origin = p->origin[i],
                                     .anchor = anchor[state],
                                     .slip = p->slip[i],
                                     .phase = phase,
                                     .broken = broken,
                                     .state = state,
                                     .twist = p->twist[i],
                                     .origin_r = origin_r};
        found |= phase == FIRN_WATER ? SOME_WATER : 0;
        found |= state != FIRN_GRAIN_LOOSE ? SOME_ANCHORED : 0;
    }
    firn_atomic_or(((const fill_job*)self)->found, found);
}

static void fill(firn_grains* m)
{
    int found = 0;
    firn_share(m->p.count, SIMPLE / 4, fill_range, &(fill_job){m, &found});
    m->all_solid = (found & SOME_WATER) == 0;
    m->any_anchored = (found & SOME_ANCHORED) != 0;
}

firn_result firn_grains_neighbours(firn_grains* m, firn_error* error)
{
    if (m->base.culled == 0) FIRN_TRY(firn_grains_recall_lists(m, error));
    if (m->base.step == 0 || m->base.culled > 0 || !still(m))
        FIRN_TRY(firn_grains_list_anew(m, m->base.culled > 0 ? m->base.culler.keep : NULL,
                                       m->p.count + m->base.culled, error));
    fill(m);
    return FIRN_OK;
}
