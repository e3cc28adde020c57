// SPDX-License-Identifier: MIT
// Step 5 with `mpm.contact: surface`: columns of nodes at the surface of a collider
// (physics/contact_column.h). For C and CUDA.
//
// Each node behind the surface (phi < h/2) looks along the axis that is nearest to its normal for
// the first node outside: its column's. A column is processed by that node, and no node is in two
// columns, so that all columns of a collider run at the same time. Nodes without a column, and
// those deep inside, collide as in the paper. Colliders come one after the other.
#pragma once
#include <math.h>

#include "physics/contact_column.h"
#include "solver/mpm/collide/collide_at.h"
#ifdef __CUDACC__
#include "solver/mpm/cuda/device_nodes.cuh"
#else
#include "solver/mpm/collide/collide_nodes.h"
#endif

#define FIRN_MPM_COLUMN_REACH 1.5  // [cells] m is nearer to the surface
#define FIRN_MPM_COLUMN_MOST 5     // nodes behind m: two and a half cells at a normal of (1, 1, 1)

// A node of the grid by its coordinates.
typedef struct firn_mpm_column_node {
    int32_t at[3];
    firn_local node;  // -1: not active
    firn_vec3 x;
} firn_mpm_column_node;

FIRN_MPM_NODES_FN firn_vec3 firn_mpm_column_position(const firn_mpm_nodes* nodes,
                                                     const int32_t at[3])
{
    const firn_real h = firn_mpm_nodes_cell(nodes);
    return firn_v3((firn_real)at[0] * h, (firn_real)at[1] * h, (firn_real)at[2] * h);
}

FIRN_MPM_NODES_FN firn_mpm_column_node firn_mpm_column_of(const firn_mpm_nodes* nodes,
                                                          firn_local node)
{
    firn_mpm_column_node n;
    n.node = node;
    firn_mpm_nodes_at(nodes, node, n.at);
    n.x = firn_mpm_column_position(nodes, n.at);
    return n;
}

FIRN_MPM_NODES_FN firn_mpm_column_node firn_mpm_column_step(const firn_mpm_nodes* nodes,
                                                            const int32_t from[3], int axis, int by)
{
    firn_mpm_column_node n;
    for (int d = 0; d < 3; d++) n.at[d] = from[d] + (d == axis ? by : 0);
    const firn_local block = firn_mpm_nodes_block(nodes, n.at[0] >> 2, n.at[1] >> 2, n.at[2] >> 2);
    n.node = -1;
    if (block >= 0)
        n.node =
            block * FIRN_BLOCK_NODES + (((n.at[0] & 3) * 4 + (n.at[1] & 3)) * 4 + (n.at[2] & 3));
    n.x = firn_mpm_column_position(nodes, n.at);
    return n;
}

// Node i after contact with these colliders, each by itself: the paper's step 5.
FIRN_MPM_NODES_FN void firn_mpm_collide_node(const firn_mpm_nodes* nodes,
                                             const firn_mpm_bodies* bodies, firn_local i)
{
    const firn_real mass = firn_mpm_nodes_mass(nodes, i);
    if (!(mass > 0)) return;
    const firn_mpm_collided r = firn_mpm_collide_at(bodies, firn_mpm_column_of(nodes, i).x,
                                                    firn_mpm_nodes_velocity(nodes, i), mass);
    if (r.touched) firn_mpm_nodes_set(nodes, i, r.velocity, r.unused);
}

// The axis, and the direction along it (1 or -1), that are nearest to n.
FIRN_MPM_NODES_FN int firn_mpm_column_axis(firn_vec3 n, int* out_sign)
{
    const firn_real a[3] = {n.x, n.y, n.z};
    int axis = 0;
    for (int d = 1; d < 3; d++)
        if (fabs((double)a[d]) > fabs((double)a[axis])) axis = d;
    *out_sign = a[axis] < 0 ? -1 : 1;
    return axis;
}

// True if the node at these coordinates, behind the surface of the one collider of `bodies` with
// normal n, belongs to a column.
FIRN_MPM_NODES_FN bool firn_mpm_column_has(const firn_mpm_nodes* nodes,
                                           const firn_mpm_bodies* bodies, const int32_t at[3],
                                           firn_vec3 n)
{
    int sign;
    const int axis = firn_mpm_column_axis(n, &sign);
    const firn_real h = firn_mpm_nodes_cell(nodes);
    for (int k = 1; k <= FIRN_MPM_COLUMN_MOST; k++) {
        const firn_mpm_column_node m = firn_mpm_column_step(nodes, at, axis, sign * k);
        const firn_real phi = firn_collider_distance_shared(bodies->colliders, bodies->shapes, m.x);
        if (phi >= (firn_real)FIRN_CONTACT_BEHIND * h)
            return m.node >= 0 && firn_mpm_nodes_mass(nodes, m.node) > 0;
    }
    return false;
}

// A column of m, the first one: its nodes, and their shares r of the velocity of m.
typedef struct firn_mpm_column {
    int count;
    firn_local node[1 + 6 * FIRN_MPM_COLUMN_MOST];
    firn_real r[1 + 6 * FIRN_MPM_COLUMN_MOST];
} firn_mpm_column;

// Adds the nodes behind m along one direction.
FIRN_MPM_NODES_FN void firn_mpm_column_collect(const firn_mpm_nodes* nodes,
                                               const firn_mpm_bodies* bodies,
                                               const firn_mpm_column_node* m, firn_real phi_m,
                                               int axis, int sign, firn_mpm_column* column)
{
    const firn_real h = firn_mpm_nodes_cell(nodes);
    for (int k = 1; k <= FIRN_MPM_COLUMN_MOST; k++) {
        const firn_mpm_column_node s = firn_mpm_column_step(nodes, m->at, axis, -sign * k);
        firn_vec3 n;
        const firn_real phi =
            firn_collider_sample_shared(bodies->colliders, bodies->shapes, s.x, &n);
        if (phi >= (firn_real)FIRN_CONTACT_BEHIND * h || phi <= FIRN_CONTACT_INSIDE * h) return;
        int own_sign;
        if (s.node < 0 || !(firn_mpm_nodes_mass(nodes, s.node) > 0) ||
            firn_mpm_column_axis(n, &own_sign) != axis || own_sign != sign)
            continue;
        column->node[column->count] = s.node;
        column->r[column->count++] = phi / phi_m;
    }
}

// Contact of a column with normal n.
FIRN_MPM_NODES_FN void firn_mpm_column_collide(const firn_mpm_nodes* nodes,
                                               const firn_mpm_bodies* bodies,
                                               const firn_mpm_column* column, firn_vec3 n)
{
    const firn_collider* body = bodies->colliders;
    firn_contact_column sums = firn_contact_column_none();
    for (int k = 0; k < column->count; k++) {
        const firn_local i = column->node[k];
        const firn_vec3 v_co = firn_collider_velocity(body, firn_mpm_column_of(nodes, i).x);
        firn_contact_column_add(&sums, firn_mpm_nodes_mass(nodes, i), column->r[k],
                                firn_v3_sub(firn_mpm_nodes_velocity(nodes, i), v_co));
    }
    const firn_contact_held held = firn_contact_column_hold(&sums, n, body->friction);
    if (!(held.across > 0)) return;
    for (int k = 0; k < column->count; k++) {
        const firn_mpm_column_node node = firn_mpm_column_of(nodes, column->node[k]);
        const firn_vec3 v_co = firn_collider_velocity(body, node.x);
        const firn_vec3 u = firn_v3_sub(firn_mpm_nodes_velocity(nodes, node.node), v_co);
        const firn_vec3 before = firn_v3_add(u, v_co);
        const firn_vec3 after =
            firn_v3_add(firn_contact_column_velocity(&held, n, column->r[k], u), v_co);
        firn_mpm_take(bodies, 0, node.x, firn_mpm_nodes_mass(nodes, node.node), before, after);
        firn_mpm_nodes_set(nodes, node.node, after, held.unused);
    }
}

// True if columns of the one collider of `bodies` may begin in block b, or nodes of b are behind
// it.
FIRN_MPM_NODES_FN bool firn_mpm_columns_near(const firn_mpm_nodes* nodes,
                                             const firn_mpm_bodies* bodies, firn_local b)
{
    const firn_real h = firn_mpm_nodes_cell(nodes), reach = (firn_real)FIRN_MPM_COLUMN_REACH * h;
    const firn_vec3 x = firn_mpm_column_of(nodes, b * FIRN_BLOCK_NODES).x;
    return !firn_collider_misses_box(
        bodies->colliders, firn_v3_sub(x, firn_v3(reach, reach, reach)),
        firn_v3_add(x, firn_v3(3 * h + reach, 3 * h + reach, 3 * h + reach)));
}

// Contact of node i with the one collider of `bodies`: with its column, if it is the one outside,
// alone, if it is behind the surface and has none.
FIRN_MPM_NODES_FN void firn_mpm_column_at(const firn_mpm_nodes* nodes,
                                          const firn_mpm_bodies* bodies, firn_local i)
{
    const firn_real h = firn_mpm_nodes_cell(nodes), far = (firn_real)FIRN_MPM_COLUMN_REACH * h;
    if (!(firn_mpm_nodes_mass(nodes, i) > 0)) return;
    const firn_mpm_column_node m = firn_mpm_column_of(nodes, i);
    const firn_vec3 reach = firn_v3(far, far, far);
    if (firn_collider_misses_box(bodies->colliders, firn_v3_sub(m.x, reach),
                                 firn_v3_add(m.x, reach)))
        return;
    firn_vec3 n;
    const firn_real phi = firn_collider_sample_shared(bodies->colliders, bodies->shapes, m.x, &n);
    if (phi >= far) return;
    if (phi < (firn_real)FIRN_CONTACT_BEHIND * h) {
        if (phi > 0 ||
            (phi > FIRN_CONTACT_INSIDE * h && firn_mpm_column_has(nodes, bodies, m.at, n)))
            return;
        firn_mpm_collide_node(nodes, bodies, i);
        return;
    }
    firn_mpm_column column;
    column.count = 1;
    column.node[0] = i;
    column.r[0] = 1;
    for (int d = 0; d < 6; d++)
        firn_mpm_column_collect(nodes, bodies, &m, phi, d >> 1, d & 1 ? -1 : 1, &column);
    if (column.count > 1) firn_mpm_column_collide(nodes, bodies, &column, n);
}
