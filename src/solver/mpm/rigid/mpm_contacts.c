// SPDX-License-Identifier: MIT
// Dynamic colliders of a step, and the nodes inside them.
#include "solver/mpm/rigid/mpm_contacts.h"

#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "solver/mpm/collide/collide_at.h"
#include "solver/mpm/rigid/contact_lump.h"
#include "solver/shared/base.h"

void firn_mpm_contacts_destroy(firn_mpm_contacts* contacts)
{
    firn_lumps_destroy(&contacts->lumps);
    void* arrays[] = {contacts->contact, contacts->first, contacts->sums};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) firn_free(arrays[k]);
    *contacts = (firn_mpm_contacts){0};
}

static bool grow(void** array, size_t count, size_t size)
{
    void* more = firn_alloc(count, size);
    if (more == NULL) return false;
    firn_free(*array);
    *array = more;
    return true;
}

static firn_result make_room(firn_mpm_contacts* t, const firn_solver_base* base, firn_local blocks)
{
    const size_t colliders = (size_t)base->collider_count + 1;
    const size_t sums = colliders * (size_t)firn_team_size() * FIRN_MPM_LUMP_SUMS;
    if (sums > t->sum_capacity) {
        t->sum_capacity = 0;
        if (!grow((void**)&t->sums, sums, sizeof *t->sums)) return FIRN_BROKEN_MEMORY;
        t->sum_capacity = sums;
    }
    if (blocks >= t->block_capacity) {
        const size_t room = (size_t)blocks + (size_t)blocks / 8 + 64;
        t->block_capacity = 0;
        if (!grow((void**)&t->first, room, sizeof *t->first)) return FIRN_BROKEN_MEMORY;
        t->block_capacity = (firn_local)room;
    }
    return FIRN_OK;
}

firn_result firn_mpm_contacts_begin(firn_mpm_contacts* t, const firn_solver_base* base,
                                    firn_local blocks)
{
    t->count = 0;
    FIRN_TRY(firn_lumps_begin(&t->lumps, base));
    return t->lumps.count > 0 ? make_room(t, base, blocks) : FIRN_OK;
}

typedef struct find_pass {
    firn_mpm_contacts* t;
    const firn_mpm_contact_args* a;
} find_pass;

static bool is_near_lump(const find_pass* pass, firn_local b)
{
    const firn_sparse_grid* grid = pass->a->at.grid;
    for (firn_local k = 0; k < pass->t->lumps.count; k++)
        if (firn_mpm_block_near_body(&pass->a->at.colliders[pass->t->lumps.all[k].collider], 1,
                                     grid->coord[b], grid->cell, false))
            return true;
    return false;
}

// Where the snow of node n of block b is, seen from it.
static firn_vec3 snow_side(const firn_mpm_contact_args* a, firn_local b, firn_local n)
{
    const firn_sparse_grid* grid = a->at.grid;
    const int32_t x = n >> 4, y = n >> 2 & 3, z = n & 3;
    firn_real mass[FIRN_MPM_AROUND];
    for (int32_t k = 0; k < FIRN_MPM_AROUND; k++) {
        const int32_t at[3] = {x + k / 9 - 1, y + k / 3 % 3 - 1, z + k % 3 - 1};  // -1 to 4
        const int32_t out[3] = {(at[0] + 4) / 4 - 1, (at[1] + 4) / 4 - 1, (at[2] + 4) / 4 - 1};
        const bool inside = out[0] == 0 && out[1] == 0 && out[2] == 0;
        const int32_t* c = grid->coord[b];
        const firn_local block =
            inside ? b : firn_grid_find(grid, c[0] + out[0], c[1] + out[1], c[2] + out[2]);
        const firn_local node = ((at[0] & 3) << 2 | (at[1] & 3)) << 2 | (at[2] & 3);
        mass[k] = block < 0 ? 0 : a->at.node_velocity[block * FIRN_BLOCK_NODES + node][3];
    }
    return firn_mpm_snow_side(mass);
}

// Contacts of block b: writes them to `out`, if that is not null. Returns their number.
static firn_local find_in_block(const find_pass* pass, firn_local b, firn_mpm_contact* out)
{
    const firn_mpm_contact_args* a = pass->a;
    const firn_lumps* lumps = &pass->t->lumps;
    firn_local count = 0;
    for (firn_local n = 0; n < FIRN_BLOCK_NODES; n++) {
        const firn_local i = b * FIRN_BLOCK_NODES + n;
        if (!(a->at.node_velocity[i][3] > 0)) continue;
        const firn_vec3 x = firn_grid_node_position(a->at.grid, i);
        const firn_local k =
            firn_mpm_find_lump(lumps->all, lumps->count, a->at.colliders, &a->at.shapes, x);
        if (k < 0) continue;
        const firn_vec4 q = a->at.node_new[i];
        if (out != NULL)
            out[count] = firn_mpm_contact_of(lumps->all, k, a->at.colliders, &a->at.shapes, i, x,
                                             firn_v3(q[0], q[1], q[2]), a->at.node_velocity[i][3],
                                             snow_side(a, b, n), a->at.grid->cell);
        count++;
    }
    return count;
}

static void count_blocks(const void* self, firn_local begin, firn_local end)
{
    const find_pass* pass = self;
    for (firn_local b = begin; b < end; b++)
        pass->t->first[b] = is_near_lump(pass, b) ? find_in_block(pass, b, NULL) : 0;
}

static void list_blocks(const void* self, firn_local begin, firn_local end)
{
    const find_pass* pass = self;
    for (firn_local b = begin; b < end; b++)
        if (pass->t->first[b] < pass->t->first[b + 1])
            (void)find_in_block(pass, b, pass->t->contact + pass->t->first[b]);
}

firn_result firn_mpm_contacts_find(firn_mpm_contacts* t, const firn_mpm_contact_args* a)
{
    const firn_local blocks = a->at.grid->block_count;
    const find_pass pass = {t, a};
    firn_share(blocks, 8, count_blocks, &pass);
    firn_local total = 0;
    for (firn_local b = 0; b < blocks; b++) {
        const firn_local own = t->first[b];
        t->first[b] = total;
        total += own;
    }
    t->first[blocks] = total;
    if (total > t->capacity) {
        const size_t room = (size_t)total + (size_t)total / 2 + 64;  // snow gathers around them
        t->capacity = 0;
        if (!grow((void**)&t->contact, room, sizeof *t->contact)) return FIRN_BROKEN_MEMORY;
        t->capacity = (firn_local)room;
    }
    firn_share(blocks, 8, list_blocks, &pass);
    t->count = total;
    return FIRN_OK;
}
