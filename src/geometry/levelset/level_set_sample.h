// SPDX-License-Identifier: MIT
// phi and its gradient from a level set's blocks, at any point, for C and CUDA.
//
// phi is trilinear between the nodes; a node without a block is at +-band, one beyond the table at
// +band, so that phi is continuous everywhere and every solid is closed. Outside, the distance to
// the bounding box is a lower bound too, and the tighter one from a band away on. The gradient is
// trilinear between central differences at the nodes: continuous, with an error of O(h^2); the
// derivative of trilinear phi would jump from cell to cell, with an error of O(h).
#pragma once
#include "geometry/levelset/level_set.h"
#include "geometry/sdf/primitives.h"

// The block that holds a node, OUTSIDE beyond the table.
FIRN_FN int32_t firn_level_set_block(const firn_level_set* set, int32_t i, int32_t j, int32_t k)
{
    const int32_t bi = i >> 3, bj = j >> 3, bk = k >> 3;  // rounds down, also below 0
    if (bi < 0 || bj < 0 || bk < 0 || bi >= set->size[0] || bj >= set->size[1] ||
        bk >= set->size[2])
        return FIRN_LEVEL_SET_OUTSIDE;
    return set->table[((size_t)bk * (size_t)set->size[1] + (size_t)bj) * (size_t)set->size[0] +
                      (size_t)bi];
}

FIRN_FN firn_real firn_level_set_node(const firn_level_set* set, int32_t i, int32_t j, int32_t k)
{
    const int32_t block = firn_level_set_block(set, i, j, k);
    if (block < 0) return block == FIRN_LEVEL_SET_INSIDE ? -set->band : set->band;
    return set->value[(size_t)block * FIRN_LEVEL_SET_NODES +
                      (size_t)((k & 7) << 6 | (j & 7) << 3 | (i & 7))];
}

// The cell around a point, and where in it.
typedef struct firn_level_set_cell {
    int32_t i, j, k;     // node with the lowest coordinates
    firn_real u, v, w;   // [0, 1] from there along x, y, z
    firn_real value[8];  // phi at its corners, x fastest [m]
} firn_level_set_cell;

// Index in nodes from the origin, clamped to a few nodes around the table, where phi is constant.
FIRN_FN firn_real firn_level_set_index(firn_real x, firn_real origin, firn_real voxel, int32_t size)
{
    return firn_clamp((x - origin) / voxel, -4, (firn_real)size * FIRN_LEVEL_SET_EDGE + 4);
}

FIRN_FN firn_level_set_cell firn_level_set_find(const firn_level_set* set, firn_vec3 x)
{
    const firn_real u = firn_level_set_index(x.x, set->origin.x, set->voxel, set->size[0]);
    const firn_real v = firn_level_set_index(x.y, set->origin.y, set->voxel, set->size[1]);
    const firn_real w = firn_level_set_index(x.z, set->origin.z, set->voxel, set->size[2]);
    firn_level_set_cell c;
    c.i = (int32_t)firn_floor(u);
    c.j = (int32_t)firn_floor(v);
    c.k = (int32_t)firn_floor(w);
    c.u = u - (firn_real)c.i;
    c.v = v - (firn_real)c.j;
    c.w = w - (firn_real)c.k;
    const int32_t at_i = c.i & 7, at_j = c.j & 7, at_k = c.k & 7;
    const int32_t block = firn_level_set_block(set, c.i, c.j, c.k);
    if (block >= 0 && at_i < 7 && at_j < 7 && at_k < 7) {  // two cells in three lie in one block
        const firn_real* value = set->value + (size_t)block * FIRN_LEVEL_SET_NODES +
                                 (size_t)(at_k << 6 | at_j << 3 | at_i);
        for (int n = 0; n < 8; n++) c.value[n] = value[(n >> 2) << 6 | (n >> 1 & 1) << 3 | (n & 1)];
        return c;
    }
    for (int n = 0; n < 8; n++)
        c.value[n] = firn_level_set_node(set, c.i + (n & 1), c.j + (n >> 1 & 1), c.k + (n >> 2));
    return c;
}

FIRN_FN firn_real firn_level_set_mix(const firn_real corner[8], firn_real u, firn_real v,
                                     firn_real w)
{
    const firn_real a = firn_fma(u, corner[1] - corner[0], corner[0]);
    const firn_real b = firn_fma(u, corner[3] - corner[2], corner[2]);
    const firn_real c = firn_fma(u, corner[5] - corner[4], corner[4]);
    const firn_real d = firn_fma(u, corner[7] - corner[6], corner[6]);
    const firn_real near_side = firn_fma(v, b - a, a), far_side = firn_fma(v, d - c, c);
    return firn_fma(w, far_side - near_side, near_side);
}

// Central differences at the eight corners, mixed like phi [-].
FIRN_FN firn_vec3 firn_level_set_gradient(const firn_level_set* set, const firn_level_set_cell* c)
{
    firn_real gx[8], gy[8], gz[8];
    for (int n = 0; n < 8; n++) {
        // of a corner's two neighbours along an axis one is a corner, the other beyond the cell
        const int x = n & 1, y = n >> 1 & 1, z = n >> 2;
        const int32_t i = c->i + x, j = c->j + y, k = c->k + z;
        const firn_real px = firn_level_set_node(set, i + (x ? 1 : -1), j, k) - c->value[n ^ 1];
        const firn_real py = firn_level_set_node(set, i, j + (y ? 1 : -1), k) - c->value[n ^ 2];
        const firn_real pz = firn_level_set_node(set, i, j, k + (z ? 1 : -1)) - c->value[n ^ 4];
        gx[n] = x ? px : -px;
        gy[n] = y ? py : -py;
        gz[n] = z ? pz : -pz;
    }
    const firn_vec3 g =
        firn_v3(firn_level_set_mix(gx, c->u, c->v, c->w), firn_level_set_mix(gy, c->u, c->v, c->w),
                firn_level_set_mix(gz, c->u, c->v, c->w));
    return firn_v3_scale(g, (firn_real)0.5 / set->voxel);
}

// Distance to the bounding box of the solid.
FIRN_FN firn_phi firn_level_set_box(const firn_level_set* set, firn_vec3 x)
{
    const firn_vec3 half =
        firn_v3_scale(firn_v3_sub(set->bounds.high, set->bounds.low), (firn_real)0.5);
    const firn_vec3 center = firn_v3_add(set->bounds.low, half);
    return firn_phi_box_centred(firn_v3_sub(x, center), half, 0);
}

FIRN_FN_APART firn_real firn_level_set_distance(const firn_level_set* set, firn_vec3 x)
{
    const firn_real box = firn_level_set_box(set, x).distance;
    if (box >= set->band) return box;
    const firn_level_set_cell c = firn_level_set_find(set, x);
    const firn_real phi = firn_level_set_mix(c.value, c.u, c.v, c.w);
    return box > 0 ? firn_max(phi, box) : phi;
}

// Where phi is constant (outside the band, or deep inside an unfilled solid) the normal points to
// the nearest face of the bounding box.
FIRN_FN_APART firn_phi firn_level_set_sample(const firn_level_set* set, firn_vec3 x)
{
    const firn_phi box = firn_level_set_box(set, x);
    if (box.distance >= set->band) return box;
    const firn_level_set_cell c = firn_level_set_find(set, x);
    const firn_vec3 gradient = firn_level_set_gradient(set, &c);
    firn_phi phi;
    phi.distance = firn_level_set_mix(c.value, c.u, c.v, c.w);
    phi.normal = box.normal;
    // below this what is left of a distance's gradient is rounding
    if (firn_v3_dot(gradient, gradient) > (firn_real)1e-6)
        firn_phi_direction(gradient, box.normal, &phi.normal);
    if (box.distance > 0) phi.distance = firn_max(phi.distance, box.distance);
    return phi;
}
