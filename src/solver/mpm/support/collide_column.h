// SPDX-License-Identifier: MIT
// Step 5 with `mpm.contact: surface`, on the CPU: columns of nodes at the surface of a collider
// (physics/contact_column.h).
//
// Each node behind the surface (phi < h/2) looks along the axis that is nearest to its normal for
// the first node outside: its column's. A column is processed by that node, and no node is in two
// columns, so that all columns of a collider run at the same time. Nodes without a column, and
// those deep inside, collide as in the paper. Colliders come one after the other.
#pragma once
#include <math.h>

#include "physics/contact_column.h"
#include "solver/mpm/support/collide_args.h"
#include "solver/mpm/support/collide_at.h"

#define FIRN_MPM_COLUMN_REACH 1.5  // [cells] m is nearer to the surface
#define FIRN_MPM_COLUMN_MOST 5     // nodes behind m: two and a half cells at a normal of (1, 1, 1)

// Node i after contact with these colliders, each by itself: the paper's step 5.
static inline void firn_mpm_collide_node(const firn_mpm_grid_collide_args* a,
                                         const firn_mpm_bodies* bodies, firn_local i)
{
    const firn_real mass = a->node_velocity[i][3];
    if (!(mass > 0)) return;
    const firn_vec4 q = a->node_new[i];
    const firn_mpm_collided r = firn_mpm_collide_at(bodies, firn_grid_node_position(a->grid, i),
                                                    firn_v3(q[0], q[1], q[2]), mass);
    if (!r.touched) return;
    a->node_new[i] = (firn_vec4){r.velocity.x, r.velocity.y, r.velocity.z, q[3] + r.unused};
    a->node_fixed[i] = 1;
}

// A collider as its columns see it.
typedef struct firn_mpm_columns {
    const firn_mpm_grid_collide_args* at;
    const firn_mpm_bodies* bodies;  // this collider alone
    const firn_collider* body;      // the same
} firn_mpm_columns;

// A node of the grid by its coordinates.
typedef struct firn_mpm_column_node {
    int32_t at[3];
    firn_local node;  // -1: not active
    firn_vec3 x;
} firn_mpm_column_node;

static inline firn_mpm_column_node firn_mpm_column_step(const firn_sparse_grid* grid,
                                                        const int32_t from[3], int axis, int by)
{
    firn_mpm_column_node n = {{from[0], from[1], from[2]}, -1, {0, 0, 0}};
    n.at[axis] += by;
    const firn_local block = firn_grid_find(grid, n.at[0] >> 2, n.at[1] >> 2, n.at[2] >> 2);
    if (block >= 0)
        n.node =
            block * FIRN_BLOCK_NODES + (((n.at[0] & 3) * 4 + (n.at[1] & 3)) * 4 + (n.at[2] & 3));
    n.x = firn_v3((firn_real)n.at[0] * grid->cell, (firn_real)n.at[1] * grid->cell,
                  (firn_real)n.at[2] * grid->cell);
    return n;
}

// The axis, and the direction along it (1 or -1), that are nearest to n.
static inline int firn_mpm_column_axis(firn_vec3 n, int* out_sign)
{
    const firn_real a[3] = {n.x, n.y, n.z};
    int axis = 0;
    for (int d = 1; d < 3; d++)
        if (fabs((double)a[d]) > fabs((double)a[axis])) axis = d;
    *out_sign = a[axis] < 0 ? -1 : 1;
    return axis;
}

// True if the node at x, behind the surface with normal n, belongs to a column.
static inline bool firn_mpm_column_has(const firn_mpm_columns* c, const int32_t at[3], firn_vec3 n)
{
    int sign;
    const int axis = firn_mpm_column_axis(n, &sign);
    const firn_real h = c->at->grid->cell;
    for (int k = 1; k <= FIRN_MPM_COLUMN_MOST; k++) {
        const firn_mpm_column_node m = firn_mpm_column_step(c->at->grid, at, axis, sign * k);
        const firn_real phi = firn_collider_distance_shared(c->body, c->bodies->shapes, m.x);
        if (phi >= (firn_real)FIRN_CONTACT_BEHIND * h)
            return m.node >= 0 && c->at->node_velocity[m.node][3] > 0;
    }
    return false;
}

// A column of m: its nodes, and their shares r of the velocity of m.
typedef struct firn_mpm_column {
    int count;
    firn_mpm_column_node nodes[1 + 6 * FIRN_MPM_COLUMN_MOST];
    firn_real r[1 + 6 * FIRN_MPM_COLUMN_MOST];
} firn_mpm_column;

static inline void firn_mpm_column_collect(const firn_mpm_columns* c, firn_real phi_m, int axis,
                                           int sign, firn_mpm_column* column)
{
    const firn_real h = c->at->grid->cell;
    for (int k = 1; k <= FIRN_MPM_COLUMN_MOST; k++) {
        const firn_mpm_column_node s =
            firn_mpm_column_step(c->at->grid, column->nodes[0].at, axis, -sign * k);
        firn_vec3 n;
        const firn_real phi = firn_collider_sample_shared(c->body, c->bodies->shapes, s.x, &n);
        if (phi >= (firn_real)FIRN_CONTACT_BEHIND * h || phi <= FIRN_CONTACT_INSIDE * h) return;
        int own_sign;
        if (s.node < 0 || !(c->at->node_velocity[s.node][3] > 0) ||
            firn_mpm_column_axis(n, &own_sign) != axis || own_sign != sign)
            continue;
        column->nodes[column->count] = s;
        column->r[column->count++] = phi / phi_m;
    }
}

static inline firn_vec3 firn_mpm_column_relative(const firn_mpm_columns* c,
                                                 const firn_mpm_column_node* node,
                                                 firn_vec3* out_v_co)
{
    const firn_vec4 q = c->at->node_new[node->node];
    *out_v_co = firn_collider_velocity(c->body, node->x);
    return firn_v3_sub(firn_v3(q[0], q[1], q[2]), *out_v_co);
}

// Contact of a column with normal n.
static inline void firn_mpm_column_collide(const firn_mpm_columns* c, const firn_mpm_column* column,
                                           firn_vec3 n)
{
    firn_contact_column sums = firn_contact_column_none();
    firn_vec3 v_co;
    for (int k = 0; k < column->count; k++)
        firn_contact_column_add(&sums, c->at->node_velocity[column->nodes[k].node][3], column->r[k],
                                firn_mpm_column_relative(c, &column->nodes[k], &v_co));
    const firn_contact_held held = firn_contact_column_hold(&sums, n, c->body->friction);
    if (!(held.across > 0)) return;
    for (int k = 0; k < column->count; k++) {
        const firn_mpm_column_node* node = &column->nodes[k];
        const firn_vec3 u = firn_mpm_column_relative(c, node, &v_co);
        const firn_vec3 before = firn_v3_add(u, v_co);
        const firn_vec3 after =
            firn_v3_add(firn_contact_column_velocity(&held, n, column->r[k], u), v_co);
        firn_mpm_take(c->bodies, 0, node->x, c->at->node_velocity[node->node][3], before, after);
        const firn_real unused = c->at->node_new[node->node][3] + held.unused;
        c->at->node_new[node->node] = (firn_vec4){after.x, after.y, after.z, unused};
        c->at->node_fixed[node->node] = 1;
    }
}

// True if columns of the collider may begin in block b, or nodes of b are behind it.
static inline bool firn_mpm_columns_near(const firn_mpm_grid_collide_args* a,
                                         const firn_mpm_bodies* bodies, firn_local b)
{
    const firn_real h = a->grid->cell, reach = (firn_real)FIRN_MPM_COLUMN_REACH * h;
    const firn_vec3 x = firn_grid_node_position(a->grid, b * FIRN_BLOCK_NODES);
    return !firn_collider_misses_box(
        bodies->colliders, firn_v3_sub(x, firn_v3(reach, reach, reach)),
        firn_v3_add(x, firn_v3(3 * h + reach, 3 * h + reach, 3 * h + reach)));
}

// Contact of node `node` with the one collider of `bodies`: with its column, if it is the one
// outside, alone, if it is behind the surface and has none.
static inline void firn_mpm_column_at(const firn_mpm_grid_collide_args* a,
                                      const firn_mpm_bodies* bodies, firn_local node)
{
    const firn_mpm_columns columns = {a, bodies, bodies->colliders}, *c = &columns;
    const firn_real h = a->grid->cell, far = (firn_real)FIRN_MPM_COLUMN_REACH * h;
    if (!(a->node_velocity[node][3] > 0)) return;
    firn_mpm_column column = {.count = 1, .r = {1}};
    firn_mpm_column_node* m = &column.nodes[0];
    m->node = node;
    m->x = firn_grid_node_position(c->at->grid, node);
    const int32_t* block = c->at->grid->coord[node / FIRN_BLOCK_NODES];
    const int32_t k = node % FIRN_BLOCK_NODES;
    m->at[0] = block[0] * 4 + (k >> 4);
    m->at[1] = block[1] * 4 + (k >> 2 & 3);
    m->at[2] = block[2] * 4 + (k & 3);
    const firn_vec3 reach = firn_v3(far, far, far);
    if (firn_collider_misses_box(c->body, firn_v3_sub(m->x, reach), firn_v3_add(m->x, reach)))
        return;
    firn_vec3 n;
    const firn_real phi = firn_collider_sample_shared(c->body, c->bodies->shapes, m->x, &n);
    if (phi >= far) return;
    if (phi < (firn_real)FIRN_CONTACT_BEHIND * h) {
        if (phi > 0 || (phi > FIRN_CONTACT_INSIDE * h && firn_mpm_column_has(c, m->at, n))) return;
        firn_mpm_collide_node(a, bodies, node);
        return;
    }
    for (int d = 0; d < 6; d++) firn_mpm_column_collect(c, phi, d >> 1, d & 1 ? -1 : 1, &column);
    if (column.count > 1) firn_mpm_column_collide(c, &column, n);
}
