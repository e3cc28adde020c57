// SPDX-License-Identifier: MIT
// Particles change ranks with their blocks, and keep their order: that of one process is by
// (origin, place), which each particle carries. A share's particles are in this order, but for
// those that came since the last reordering: these are at the end, in any order, and each cell that
// has one is sorted.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "solver/mpm/ranks/rank_part.h"

#define PAGE 2048  // particles whose owners are found together

static uint64_t origin_of(const firn_mpm* m, firn_local p)
{
    return (uint64_t)m->p.origin_high[p] << 32 | m->p.origin_low[p];
}

// Is particle p before q in the order of one process?
static bool is_before(const firn_mpm* m, firn_local p, firn_local q)
{
    const uint64_t a = origin_of(m, p), b = origin_of(m, q);
    return a != b ? a < b : m->p.place[p] < m->p.place[q];
}

static firn_local count_ordered(const firn_mpm* m)
{
    for (firn_local p = 1; p < m->p.count; p++)
        if (is_before(m, p, p - 1)) return p;
    return m->p.count;
}

static uint32_t cell_of(const firn_mpm* m, firn_local p)
{
    int32_t node[3];
    firn_grid_lowest_node(&m->grid, m->p.position[p], node);
    return (uint32_t)((node[0] & 3) << 4 | (node[1] & 3) << 2 | (node[2] & 3));
}

// Sorts the particles of block b, which are by cell already, within their cells.
static void order_block(firn_mpm* m, firn_local b)
{
    firn_local* order = m->grid.order;
    for (firn_local k = m->grid.first[b] + 1; k < m->grid.first[b + 1]; k++) {
        const firn_local p = order[k];
        const uint32_t cell = cell_of(m, p);
        firn_local to = k;
        for (; to > m->grid.first[b]; to--) {
            const firn_local before = order[to - 1];
            if (cell_of(m, before) != cell || !is_before(m, p, before)) break;
            order[to] = before;
        }
        order[to] = p;
    }
}

static void order_blocks(const void* self, firn_local begin, firn_local end)
{
    firn_mpm* m = *(firn_mpm* const*)self;
    for (firn_local b = begin; b < end; b++)
        if (m->part->disordered[b] != 0) order_block(m, b);
}

void firn_mpm_part_order_cells(firn_mpm* m)
{
    firn_mpm_part* part = m->part;
    const firn_local occupied = m->grid.occupied_count;
    part->ordered = count_ordered(m);
    if (part->ordered == m->p.count) return;
    if (occupied > part->disordered_capacity) {
        uint8_t* more = firn_alloc((size_t)occupied + (size_t)occupied / 4, 1);
        if (more == NULL) {  // then all blocks are looked at
            for (firn_local b = 0; b < occupied; b++) order_block(m, b);
            return;
        }
        firn_free(part->disordered);
        part->disordered = more;
        part->disordered_capacity = occupied + occupied / 4;
    }
    memset(part->disordered, 0, (size_t)occupied);
    for (firn_local p = part->ordered; p < m->p.count; p++) {
        int32_t node[3];
        firn_grid_lowest_node(&m->grid, m->p.position[p], node);
        const firn_local b = firn_grid_find(&m->grid, node[0] >> 2, node[1] >> 2, node[2] >> 2);
        part->disordered[b] = 1;
    }
    firn_share(occupied, 4, order_blocks, &m);
}

static void name_blocks(const void* self, firn_local begin, firn_local end)
{
    firn_mpm* m = *(firn_mpm* const*)self;
    for (firn_local b = begin; b < end; b++) {
        const int32_t* c = m->grid.coord[b];
        const uint64_t key = firn_block_key(c[0], c[1], c[2]) << 6;
        uint32_t last = UINT32_MAX, place = 0;
        for (firn_local k = m->grid.first[b]; k < m->grid.first[b + 1]; k++) {
            const firn_local p = m->grid.order[k];
            const uint32_t cell = cell_of(m, p);
            place = cell == last ? place + 1 : 0;
            last = cell;
            m->p.origin_high[p] = (uint32_t)((key | cell) >> 32);
            m->p.origin_low[p] = (uint32_t)(key | cell);
            m->p.place[p] = place;
        }
    }
}

void firn_mpm_part_name_places(firn_mpm* m)
{
    firn_share(m->grid.occupied_count, 8, name_blocks, &m);
    m->part->ordered = m->p.count;
}

// ---- new particles of emitters ------------------------------------------------------------------

void firn_mpm_part_take_fresh(firn_mpm* m, firn_local first)
{
    firn_mpm_part* part = m->part;
    firn_particles* s = &m->base.store;
    const int me = firn_comm_rank(part->comm);
    firn_local kept = first;
    for (firn_local p = first; p < s->count; p++) {
        int32_t node[3] = {0, 0, 0};  // of a particle that no grid can take
        firn_grid_lowest_node(&m->grid, m->p.position[p], node);
        const int32_t block[3] = {node[0] >> 2, node[1] >> 2, node[2] >> 2};
        if (firn_cuts_owner(&part->cuts, block) != me) continue;
        for (int f = 0; f < s->field_count && kept < p; f++) {
            char* data = s->fields[f].data;
            const size_t size = s->fields[f].size;
            memcpy(data + (size_t)kept * size, data + (size_t)p * size, size);
        }
        // behind all that have a place, and among each other by id
        m->p.origin_high[kept] = m->p.origin_low[kept] = UINT32_MAX;
        m->p.place[kept] = m->p.id[kept];
        kept++;
    }
    s->count = kept;
    firn_mpm_refresh_pointers(m);
}

// ---- migration ----------------------------------------------------------------------------------

static void find_owners(const void* self, firn_local begin, firn_local end)
{
    const firn_mpm* m = *(firn_mpm* const*)self;
    const firn_mpm_part* part = m->part;
    const firn_vec3* x = m->p.position;
    const firn_real inverse = m->grid.inverse_cell;
    firn_real low[3] = {INFINITY, 0, 0};  // of the last block, in cells: its particles' f - low
    int32_t owner = 0;                    // are in [0, 4) (firn_grid_lowest_node)
    for (firn_local p = begin; p < end; p++) {
        const firn_real f[3] = {x[p].x * inverse, x[p].y * inverse, x[p].z * inverse};
        if (!(f[0] >= low[0] && f[1] >= low[1] && f[2] >= low[2] && f[0] < low[0] + 4 &&
              f[1] < low[1] + 4 && f[2] < low[2] + 4)) {
            int32_t node[3] = {0, 0, 0};  // of a particle that no grid can take
            firn_grid_lowest_node(&m->grid, x[p], node);
            const int32_t block[3] = {node[0] >> 2, node[1] >> 2, node[2] >> 2};
            owner = firn_cuts_owner(&part->cuts, block);
            for (int d = 0; d < 3; d++) low[d] = (firn_real)(4 * block[d] + 1);
        }
        part->owner[p] = owner;
    }
}

bool firn_mpm_part_grow(void** array, size_t* capacity, size_t wanted)
{
    if (wanted <= *capacity) return true;
    const size_t room = wanted + wanted / 2 + 4096;
    void* more = firn_alloc(room, 1);
    if (more == NULL) return false;
    firn_free(*array);
    *array = more;
    *capacity = room;
    return true;
}

static bool grow_owners(firn_mpm_part* part, firn_local count)
{
    if (count <= part->owner_capacity) return true;
    const firn_local room = count + count / 8 + PAGE;
    int32_t* owner = firn_alloc((size_t)room, sizeof *owner);
    firn_local* keep = firn_alloc((size_t)room, sizeof *keep);
    if (owner == NULL || keep == NULL) {
        firn_free(owner);
        firn_free(keep);
        return false;
    }
    firn_free(part->owner);
    firn_free(part->keep);
    part->owner = owner;
    part->keep = keep;
    part->owner_capacity = room;
    return true;
}

// Room for what arrives, in all arrays. It is asked for before anything moves.
static bool reserve(firn_mpm* m, int64_t leaving, int64_t arriving)
{
    firn_mpm_part* part = m->part;
    const size_t each = firn_particles_bytes_each(&m->base.store);
    const int64_t count = m->p.count - leaving + arriving;
    const int64_t most = count > m->p.count ? count : m->p.count;
    if (count > INT32_MAX) return false;
    if (most > m->base.store.capacity) {
        const int64_t room = most + most / 8;
        if (firn_particles_reserve(&m->base.store,
                                   (firn_local)(room < INT32_MAX ? room : INT32_MAX)) != FIRN_OK)
            return false;
    }
    return firn_mpm_part_grow((void**)&part->out, &part->out_capacity, (size_t)leaving * each) &&
           firn_mpm_part_grow((void**)&part->in, &part->in_capacity, (size_t)arriving * each);
}

static void pack(firn_mpm* m, size_t each)
{
    firn_mpm_part* part = m->part;
    const firn_particles* s = &m->base.store;
    const int me = firn_comm_rank(part->comm);
    firn_local kept = 0;
    size_t begin = 0;
    for (int r = 0; r < firn_comm_count(part->comm); r++) {
        part->place[r] = begin;
        begin += (size_t)part->leaving[r] * each;
    }
    for (firn_local p = 0; p < s->count; p++) {
        if (part->owner[p] == me) {
            part->keep[kept++] = p;
            continue;
        }
        char* to = part->out + part->place[part->owner[p]];
        part->place[part->owner[p]] += each;
        for (int f = 0; f < s->field_count; f++) {
            const size_t size = s->fields[f].size;
            memcpy(to, (const char*)s->fields[f].data + (size_t)p * size, size);
            to += size;
        }
    }
    if (kept < s->count) firn_particles_keep(&m->base.store, part->keep, kept);
}

void firn_mpm_part_append(firn_mpm* m, const char* from, int64_t count)
{
    firn_particles* s = &m->base.store;
    for (int64_t k = 0; k < count; k++, s->count++)
        for (int f = 0; f < s->field_count; f++) {
            const size_t size = s->fields[f].size;
            memcpy((char*)s->fields[f].data + (size_t)s->count * size, from, size);
            from += size;
        }
    firn_mpm_refresh_pointers(m);
}

static void exchange(firn_mpm_part* part, size_t each)
{
    int to = 0, from = 0;
    char *out = part->out, *in = part->in;
    for (int r = 0; r < firn_comm_count(part->comm); r++) {
        const size_t leaves = (size_t)part->leaving[r] * each;
        const size_t arrives = (size_t)part->arriving[r] * each;
        if (leaves > 0) part->to[to++] = (firn_message){r, out, leaves};
        if (arrives > 0) part->from[from++] = (firn_message){r, in, arrives};
        out += leaves;
        in += arrives;
    }
    firn_comm_exchange_begin(part->comm, part->to, to, part->from, from);
    firn_comm_exchange_end(part->comm);
}

static firn_result no_memory(const firn_mpm* m, firn_error* error)
{
    return firn_fail(error, FIRN_BROKEN_MEMORY,
                     "out of memory for particles that come to rank %d, which has %d",
                     firn_comm_rank(m->part->comm), (int)m->p.count);
}

// Counts the particles that leave, and keeps here what is more than `most` of them.
static void count_leaving(firn_mpm_part* part, firn_local count, int64_t most)
{
    const int me = firn_comm_rank(part->comm);
    int64_t left = most;
    memset(part->leaving, 0, (size_t)firn_comm_count(part->comm) * sizeof *part->leaving);
    for (firn_local p = 0; p < count; p++) {
        if (part->owner[p] == me) continue;
        if (left-- > 0)
            part->leaving[part->owner[p]]++;
        else
            part->owner[p] = me;
    }
}

firn_result firn_mpm_part_migrate(firn_mpm* m, int64_t most, bool* out_moved, firn_error* error)
{
    firn_mpm_part* part = m->part;
    const int ranks = firn_comm_count(part->comm);
    const bool ready = grow_owners(part, m->p.count);
    *out_moved = false;
    FIRN_TRY(firn_comm_settle(part->comm, ready ? FIRN_OK : no_memory(m, error), error));
    firn_share(m->p.count, PAGE, find_owners, &m);
    count_leaving(part, m->p.count, most);
    firn_comm_tell(part->comm, part->leaving, part->arriving, 1);
    int64_t leaving = 0, arriving = 0, moving;
    for (int r = 0; r < ranks; r++) {
        leaving += part->leaving[r];
        arriving += part->arriving[r];
    }
    part->comm->stats.migrated += leaving;
    moving = leaving;
    firn_comm_add(part->comm, &moving, 1);
    *out_moved = moving > 0;
    if (moving == 0) return FIRN_OK;
    const bool fits = reserve(m, leaving, arriving);
    FIRN_TRY(firn_comm_settle(part->comm, fits ? FIRN_OK : no_memory(m, error), error));
    firn_mpm_refresh_pointers(m);
    const size_t each = firn_particles_bytes_each(&m->base.store);
    pack(m, each);
    exchange(part, each);
    firn_mpm_part_append(m, part->in, arriving);
    return FIRN_OK;
}
