// SPDX-License-Identifier: MIT
// Step 5, the loop over nodes.
#include "solver/mpm/step05_grid_collide.h"

#include "solver/mpm/collide/collide_column.h"
#include "solver/mpm/support/blocks.h"

static void clear_fixed(const void* self, firn_local begin, firn_local end)
{
    const firn_mpm_grid_collide_args* a = self;
    memset(a->node_fixed + (size_t)begin * FIRN_BLOCK_NODES, 0,
           (size_t)(end - begin) * FIRN_BLOCK_NODES);
}

// The colliders that a pass over the nodes meets.
typedef struct collide_pass {
    const firn_mpm_grid_collide_args* at;
    firn_local first, count;
} collide_pass;

// Whose loads are those of block b.
static firn_mpm_bodies bodies_of(const collide_pass* pass, firn_local b, firn_mpm_pending* pending)
{
    const firn_mpm_grid_collide_args* a = pass->at;
    const bool foreign = a->foreign != NULL && a->foreign[b] != 0;
    const firn_mpm_bodies bodies = {a->colliders + pass->first,
                                    pass->count,
                                    &a->shapes,
                                    firn_loads_mine(foreign ? a->foreign_loads : a->loads) +
                                        pass->first,
                                    pending,
                                    NULL,
                                    NULL};
    return bodies;
}

static void collide_blocks(const void* self, firn_local begin, firn_local end)
{
    const collide_pass* pass = self;
    const firn_mpm_nodes nodes = {pass->at};
    for (firn_local b = begin; b < end; b++) {
        firn_mpm_pending pending = {-1, {0}};
        const firn_mpm_bodies bodies = bodies_of(pass, b, &pending);
        for (firn_local n = 0; n < FIRN_BLOCK_NODES; n++)
            firn_mpm_collide_node(&nodes, &bodies, b * FIRN_BLOCK_NODES + n);
        firn_mpm_flush(&bodies);
    }
}

// With `contact: surface`: one collider that is not sticky.
static void collide_columns(const void* self, firn_local begin, firn_local end)
{
    const collide_pass* pass = self;
    const firn_mpm_nodes nodes = {pass->at};
    for (firn_local b = begin; b < end; b++) {
        firn_mpm_pending pending = {-1, {0}};
        const firn_mpm_bodies bodies = bodies_of(pass, b, &pending);
        if (!firn_mpm_columns_near(&nodes, &bodies, b)) continue;
        for (firn_local n = 0; n < FIRN_BLOCK_NODES; n++)
            firn_mpm_column_at(&nodes, &bodies, b * FIRN_BLOCK_NODES + n);
        firn_mpm_flush(&bodies);
    }
}

static void grid_collide(const firn_mpm_grid_collide_args* a)
{
    firn_share(a->grid->block_count, FIRN_MPM_BLOCKS_GRAIN, clear_fixed, a);
    const collide_pass all = {a, 0, a->collider_count};
    if (!a->at_surface) firn_share(a->grid->block_count, 8, collide_blocks, &all);
    for (firn_local c = 0; a->at_surface && c < a->collider_count; c++) {
        const firn_collider* body = &a->colliders[c];
        const collide_pass one = {a, c, 1};
        if (!firn_mpm_gives_way(body))
            firn_share(a->grid->block_count, 8, body->sticky ? collide_blocks : collide_columns,
                       &one);
    }
}
