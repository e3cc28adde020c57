// SPDX-License-Identifier: MIT
// Height fields as level sets: a bound of the distance that has the right sign everywhere, is exact
// over flat and evenly sloping ground, and never too large.
//
// At a height d over the ground, every surface point nearer than d lies within a horizontal
// distance d. If the ground rises by at most L per metre there, the distance is at least d / sqrt(1
// + L^2), and exactly that over a plane; the same holds below it. L of any neighbourhood comes from
// a pyramid:
//
//     level 0: blocks of 4x4 cells    level 1: 8x8    ...    last level: one block
//
// each block holding the largest steps in x and in z between neighbouring values inside it. A
// neighbourhood is covered by at most 5x5 blocks a quarter as large as it, and little else.
#pragma once
#include "geometry/sdf/primitives.h"

#define FIRN_STEEP_BLOCK 4  // [cells] a side of a block of level 0

// Blocks a side of a level, for a side of `cells`.
FIRN_FN firn_local firn_steep_side(firn_local cells, int level)
{
    const firn_local block = (firn_local)FIRN_STEEP_BLOCK << level;
    return (cells + block - 1) / block;
}

// Values of the pyramid of a field, and how many levels it has.
FIRN_FN size_t firn_steep_count(firn_local nx, firn_local nz, int32_t* out_levels)
{
    size_t count = 0;
    firn_local side_x, side_z;
    int32_t level = 0;
    do {
        side_x = firn_steep_side(nx - 1, level);
        side_z = firn_steep_side(nz - 1, level);
        count += 2 * (size_t)side_x * (size_t)side_z;
        level++;
    } while (side_x > 1 || side_z > 1);
    *out_levels = level;
    return count;
}

// Largest steps between neighbouring values, in units of value.
typedef struct firn_steps {
    firn_real x, z;
} firn_steps;

FIRN_FN firn_steps firn_steps_max(firn_steps a, firn_real x, firn_real z)
{
    a.x = firn_max(a.x, x);
    a.z = firn_max(a.z, z);
    return a;
}

// Of one cell: a bilinear patch is steepest on its edges.
FIRN_FN firn_steps firn_steps_cell(const firn_height_field* field, firn_local i, firn_local j,
                                   firn_steps steps)
{
    const firn_real* v = field->value + (size_t)j * (size_t)field->nx + (size_t)i;
    const firn_real* w = v + field->nx;
    return firn_steps_max(steps, firn_max(firn_abs(v[1] - v[0]), firn_abs(w[1] - w[0])),
                          firn_max(firn_abs(w[0] - v[0]), firn_abs(w[1] - v[1])));
}

// Of the cells i0..i1, j0..j1 (inclusive) or a little more.
FIRN_FN firn_steps firn_steps_range(const firn_height_field* field, firn_local i0, firn_local i1,
                                    firn_local j0, firn_local j1)
{
    firn_steps steps;
    steps.x = steps.z = 0;
    if (i1 - i0 < 3 && j1 - j0 < 3) {
        for (firn_local j = j0; j <= j1; j++)
            for (firn_local i = i0; i <= i1; i++) steps = firn_steps_cell(field, i, j, steps);
        return steps;
    }
    const firn_real* block = field->steep;  // [levels][blocks z][blocks x][2]
    int level = 0;
    firn_local side = firn_steep_side(field->nx - 1, 0);
    const firn_local span = i1 - i0 > j1 - j0 ? i1 - i0 : j1 - j0;
    while (level + 1 < field->steep_levels && span >> level >= 4 * FIRN_STEEP_BLOCK) {
        block += 2 * (size_t)side * (size_t)firn_steep_side(field->nz - 1, level);
        level++;
        side = firn_steep_side(field->nx - 1, level);
    }
    const firn_local size = (firn_local)FIRN_STEEP_BLOCK << level;
    for (firn_local j = j0 / size; j <= j1 / size; j++)
        for (firn_local i = i0 / size; i <= i1 / size; i++) {
            const firn_real* at = block + 2 * ((size_t)j * (size_t)side + (size_t)i);
            steps = firn_steps_max(steps, at[0], at[1]);
        }
    return steps;
}

FIRN_FN firn_local firn_field_cell(firn_real u, firn_local count)
{
    const firn_local i = (firn_local)u;  // u is in [0, count - 1]
    return i > count - 2 ? count - 2 : i;
}

// The ground as if it went on level beyond the rectangle.
FIRN_FN firn_phi firn_phi_ground(const firn_shape_node* node, const firn_height_field* field,
                                 firn_vec3 x)
{
    const firn_vec3 size = firn_shape_vec3(node, 3);
    const firn_real last_x = (firn_real)(field->nx - 1), last_z = (firn_real)(field->nz - 1);
    const firn_real per_x = last_x / size.x, per_z = last_z / size.z;  // [cells/m]
    const firn_real free_u = (x.x - node->p[0]) * per_x, free_w = (x.z - node->p[2]) * per_z;
    const firn_real u = firn_clamp(free_u, 0, last_x), w = firn_clamp(free_w, 0, last_z);
    const firn_local i = firn_field_cell(u, field->nx), j = firn_field_cell(w, field->nz);
    const firn_real fu = u - (firn_real)i, fw = w - (firn_real)j;
    const firn_real* a = field->value + (size_t)j * (size_t)field->nx + (size_t)i;
    const firn_real* b = a + field->nx;

    // height and slopes of the bilinear patch; beyond the rectangle the slope is 0
    const firn_real near_row = a[0] + fu * (a[1] - a[0]), far_row = b[0] + fu * (b[1] - b[0]);
    const firn_real height = node->p[1] + size.y * (near_row + fw * (far_row - near_row));
    const firn_real step_x = a[1] - a[0] + fw * ((b[1] - b[0]) - (a[1] - a[0]));
    const firn_real slope_x = free_u == u ? size.y * per_x * step_x : 0;
    const firn_real slope_z = free_w == w ? size.y * per_z * (far_row - near_row) : 0;

    const firn_real above = x.y - height, reach = firn_abs(above);
    const firn_real ru = reach * per_x, rw = reach * per_z;
    const firn_steps steps =
        firn_steps_range(field, firn_field_cell(firn_max(u - ru, 0), field->nx),
                         firn_field_cell(firn_min(u + ru, last_x), field->nx),
                         firn_field_cell(firn_max(w - rw, 0), field->nz),
                         firn_field_cell(firn_min(w + rw, last_z), field->nz));
    const firn_real L_x = size.y * per_x * steps.x, L_z = size.y * per_z * steps.z;
    firn_phi phi;
    phi.distance = above / firn_sqrt(1 + L_x * L_x + L_z * L_z);
    firn_phi_direction(firn_v3(-slope_x, 1, -slope_z), firn_v3(0, 1, 0), &phi.normal);
    return phi;
}

// The solid: below the ground and inside the box from its base to its highest point.
FIRN_FN_APART firn_phi firn_phi_height_field(const firn_shape_node* node,
                                             const firn_height_field* field, firn_vec3 x)
{
    const firn_real top = node->p[4] * field->highest, depth = node->p[6];
    const firn_vec3 half = firn_v3(node->p[3] / 2, (top + depth) / 2, node->p[5] / 2);
    const firn_vec3 center =
        firn_v3(node->p[0] + half.x, node->p[1] + (top - depth) / 2, node->p[2] + half.z);
    const firn_phi box = firn_phi_box_centred(firn_v3_sub(x, center), half, 0);
    const firn_phi ground = firn_phi_ground(node, field, x);
    return box.distance > ground.distance ? box : ground;
}
