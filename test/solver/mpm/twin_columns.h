// SPDX-License-Identifier: MIT
// Where rounding decides what a column of `mpm.contact: surface` does: the impulse across it is
// nearly none, as that of snow which a collider has just carried along. It then separates with all
// its velocities, or gets those of a column that sticks, whose sum alone is the same.
#pragma once
#include "solver/mpm/collide/collide_column.h"
#include "solver/mpm/support/mpm_args.h"
#include "solver/mpm/world.h"

// Of the momenta that the impulse is the difference of: 24 epsilons of each (TWIN_SUM), some ten
// terms.
#define TWIN_NEARLY 1e-5

// If node i is the one outside of a column: marks its nodes if the impulse across is nearly none.
static inline void twin_column_note(const firn_mpm_nodes* nodes, const firn_mpm_bodies* bodies,
                                    firn_local i, uint8_t* close)
{
    const firn_real h = firn_mpm_nodes_cell(nodes);
    if (!(firn_mpm_nodes_mass(nodes, i) > 0)) return;
    const firn_mpm_column_node m = firn_mpm_column_of(nodes, i);
    firn_vec3 n;
    const firn_real phi = firn_collider_sample_shared(bodies->colliders, bodies->shapes, m.x, &n);
    if (phi < (firn_real)FIRN_CONTACT_BEHIND * h || phi >= (firn_real)FIRN_MPM_COLUMN_REACH * h)
        return;
    firn_mpm_column column = {.count = 1, .node = {i}, .r = {1}};
    for (int d = 0; d < 6; d++)
        firn_mpm_column_collect(nodes, bodies, &m, phi, d >> 1, d & 1 ? -1 : 1, &column);
    if (column.count == 1) return;
    firn_contact_column sums = firn_contact_column_none();
    double size = 0;
    for (int k = 0; k < column.count; k++) {
        const firn_local node = column.node[k];
        const firn_vec3 v_co =
            firn_collider_velocity(bodies->colliders, firn_mpm_column_of(nodes, node).x);
        const firn_vec3 u = firn_v3_sub(firn_mpm_nodes_velocity(nodes, node), v_co);
        const firn_real mass = firn_mpm_nodes_mass(nodes, node);
        firn_contact_column_add(&sums, mass, column.r[k], u);
        size += (double)mass * (double)firn_v3_length(u);
    }
    const firn_vec3 stuck = firn_v3_scale(sums.momentum_at, sums.lever / sums.inertia);
    const double across = (double)firn_v3_dot(firn_v3_sub(stuck, sums.momentum), n);
    size += (double)firn_v3_length(stuck);
    for (int k = 0; fabs(across) <= TWIN_NEARLY * size && k < column.count; k++)
        close[column.node[k]] = 1;
}

// [nodes] 1: a node of such a column. Between steps 4 and 5, whose velocities it does not change.
static inline uint8_t* twin_columns(const world* w)
{
    const firn_mpm* m = w->m;
    const size_t count = (size_t)world_nodes(w);
    firn_mpm_grid_collide_args a = firn_mpm_args_grid_collide(m);
    uint8_t* close = firn_alloc(count, sizeof *close);
    uint8_t* fixed = firn_alloc(count, sizeof *fixed);
    firn_vec4* velocity = firn_alloc(count, sizeof *velocity);
    assert_non_null(close);
    assert_non_null(fixed);
    assert_non_null(velocity);
    memcpy(velocity, a.node_new, count * sizeof *velocity);
    a.node_new = velocity;
    a.node_fixed = fixed;
    const firn_mpm_nodes nodes = {&a};
    for (firn_local c = 0; a.at_surface && c < a.collider_count; c++) {
        firn_mpm_pending pending = {-1, {0}};  // nobody takes the impulses
        const firn_mpm_bodies body = {a.colliders + c, 1, &a.shapes, NULL, &pending, NULL, NULL};
        if (firn_mpm_gives_way(body.colliders)) continue;
        for (firn_local i = 0; i < (firn_local)count; i++) {
            if (body.colliders->sticky) {
                firn_mpm_collide_node(&nodes, &body, i);
                continue;
            }
            twin_column_note(&nodes, &body, i, close);
            firn_mpm_column_at(&nodes, &body, i);
        }
    }
    firn_free(fixed);
    firn_free(velocity);
    return close;
}
