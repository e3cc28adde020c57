// SPDX-License-Identifier: MIT
// Distance and gradient of a tree of shapes, for C and CUDA. The tree is walked with a stack of
// fixed size instead of by recursion, whose depth a GPU does not like and nothing would bound.
#pragma once
#include "geometry/levelset/level_set_sample.h"
#include "geometry/sdf/height_field.h"
#include "geometry/sdf/primitives.h"

// What the nodes of a tree refer to: the arrays of firn_shapes, or copies of them on a GPU.
typedef struct firn_shape_tables {
    const firn_shape_node* nodes;
    const firn_height_field* fields;
    const firn_level_set* const* level_sets;
} firn_shape_tables;

FIRN_FN firn_shape_tables firn_shapes_tables(const firn_shapes* shapes)
{
    return FIRN_LIT(firn_shape_tables){shapes->nodes, shapes->fields, shapes->level_sets};
}

FIRN_FN bool firn_shape_is_leaf(int32_t kind)
{
    return kind <= FIRN_SHAPE_LEVEL_SET;
}

FIRN_FN_APART firn_phi firn_phi_leaf(const firn_shape_tables* tables, const firn_shape_node* node,
                                     firn_vec3 x)
{
    switch (node->kind) {
    case FIRN_SHAPE_PLANE: return firn_phi_plane(node, x);
    case FIRN_SHAPE_SPHERE: return firn_phi_sphere(node, x);
    case FIRN_SHAPE_BOX: return firn_phi_box(node, x);
    case FIRN_SHAPE_CAPSULE: return firn_phi_capsule(node, x);
    case FIRN_SHAPE_CYLINDER: return firn_phi_cylinder(node, x);
    case FIRN_SHAPE_CONE: return firn_phi_cone(node, x);
    case FIRN_SHAPE_WEDGE: return firn_phi_wedge(node, x);
    case FIRN_SHAPE_HEIGHT_FIELD: return firn_phi_height_field(node, &tables->fields[node->a], x);
    default: return firn_level_set_sample(tables->level_sets[node->a], x);
    }
}

// Union whose surfaces melt into each other where their distances differ by less than k: a
// quadratic between the two. Its gradient is a mean of the two gradients, so the bound stays a
// bound.
FIRN_FN firn_phi firn_phi_blend(firn_phi a, firn_phi b, firn_real k)
{
    firn_phi phi = a.distance <= b.distance ? a : b;
    const firn_real gap = firn_abs(a.distance - b.distance);
    if (!(gap < k)) return phi;
    const firn_real h = firn_clamp((firn_real)0.5 + (b.distance - a.distance) / (2 * k), 0, 1);
    const firn_vec3 mean = firn_v3_madd(firn_v3_scale(a.normal, h), 1 - h, b.normal);
    // two gradients against each other (between two equal spheres) leave nothing: keep one of them
    const firn_vec3 active = phi.normal;
    if (firn_v3_dot(mean, mean) > (firn_real)1e-8) firn_phi_direction(mean, active, &phi.normal);
    phi.distance -= k * h * (1 - h) - gap * (h < (firn_real)0.5 ? h : 1 - h);
    return phi;
}

FIRN_FN firn_phi firn_phi_combine(const firn_shape_node* node, firn_phi a, firn_phi b)
{
    if (node->kind == FIRN_SHAPE_UNION) return firn_phi_blend(a, b, node->p[0]);
    if (node->kind == FIRN_SHAPE_DIFFERENCE) {
        b.distance = -b.distance;
        b.normal = firn_v3_scale(b.normal, -1);
    }
    return a.distance >= b.distance ? a : b;
}

// One node on the way down.
typedef struct firn_shape_frame {
    firn_local node;
    int children_done;
    firn_vec3 x;     // in the node's coordinates
    firn_phi first;  // of the first child, once it is done
} firn_shape_frame;

FIRN_FN_APART firn_phi firn_phi_tree(const firn_shape_tables* tables, firn_local shape, firn_vec3 x)
{
    firn_shape_frame stack[FIRN_SHAPE_DEPTH_MAX];
    int top = 0;
    stack[0].node = shape;
    stack[0].children_done = 0;
    stack[0].x = x;
    firn_phi phi;
    phi.distance = 0;
    phi.normal = firn_v3(0, 1, 0);
    while (top >= 0) {
        firn_shape_frame* frame = &stack[top];
        const firn_shape_node* node = &tables->nodes[frame->node];
        const bool moved = node->kind == FIRN_SHAPE_TRANSFORM;
        if (firn_shape_is_leaf(node->kind)) {
            phi = firn_phi_leaf(tables, node, frame->x);
            top--;
        } else if (frame->children_done == (moved ? 1 : 2)) {
            if (moved) {
                phi.distance *= node->p[3];
                phi.normal = firn_q_rotate(node->q, phi.normal);
            } else {
                phi = firn_phi_combine(node, frame->first, phi);
            }
            top--;
        } else {
            if (frame->children_done == 1) frame->first = phi;
            firn_shape_frame* child = &stack[top + 1];
            child->node = frame->children_done == 0 ? node->a : node->b;
            child->children_done = 0;
            child->x = frame->x;
            if (moved)
                child->x =
                    firn_v3_scale(firn_q_rotate(firn_q_conjugate(node->q),
                                                firn_v3_sub(frame->x, firn_shape_vec3(node, 0))),
                                  1 / node->p[3]);
            frame->children_done++;
            top++;
        }
    }
    return phi;
}

// `shape` is an index below node_count of a tree that the builders accepted.
FIRN_FN firn_phi firn_phi_shape(const firn_shape_tables* tables, firn_local shape, firn_vec3 x)
{
    const firn_shape_node* node = &tables->nodes[shape];
    if (firn_shape_is_leaf(node->kind)) return firn_phi_leaf(tables, node, x);
    return firn_phi_tree(tables, shape, x);
}

// Distance alone: a lone level set need not find its gradient, which is most of the work.
FIRN_FN firn_real firn_phi_shape_distance(const firn_shape_tables* tables, firn_local shape,
                                          firn_vec3 x)
{
    const firn_shape_node* node = &tables->nodes[shape];
    if (node->kind == FIRN_SHAPE_LEVEL_SET)
        return firn_level_set_distance(tables->level_sets[node->a], x);
    return firn_phi_shape(tables, shape, x).distance;
}
