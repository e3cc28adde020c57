// SPDX-License-Identifier: MIT
#include "geometry/sdf/parts.h"

#define SPLIT_MAX 256  // parts of one shape; larger unions are not flattened

typedef struct walk {
    const firn_shapes* shapes;
    bool split;
    firn_part_fn part;
    void* user;
} walk;

static bool is_sharp_union(const firn_shape_node* node)
{
    return node->kind == FIRN_SHAPE_UNION && node->p[0] == 0;
}

static int count_parts(const firn_shapes* shapes, firn_local shape, int so_far)
{
    const firn_shape_node* node = &shapes->nodes[shape];
    if (so_far > SPLIT_MAX) return so_far;
    if (node->kind == FIRN_SHAPE_TRANSFORM) return count_parts(shapes, node->a, so_far);
    if (!is_sharp_union(node)) return so_far + 1;
    return count_parts(shapes, node->b, count_parts(shapes, node->a, so_far));
}

// x = c + s Q (t + s' Q' x')
static firn_pose inner_pose(const firn_pose* outer, const firn_shape_node* node)
{
    firn_pose pose = *outer;
    pose.position = firn_pose_to_world(outer, firn_v3(node->p[0], node->p[1], node->p[2]));
    pose.rotation = firn_m3_mul(outer->rotation, firn_q_to_m3(node->q));
    pose.scale = outer->scale * node->p[3];
    return pose;
}

// Depth is bounded by FIRN_SHAPE_DEPTH_MAX.
static firn_result walk_node(const walk* w, firn_local shape, const firn_pose* pose)
{
    const firn_shape_node* node = &w->shapes->nodes[shape];
    if (node->kind == FIRN_SHAPE_TRANSFORM) {
        const firn_pose inner = inner_pose(pose, node);
        return walk_node(w, node->a, &inner);
    }
    if (!w->split || !is_sharp_union(node)) return w->part(w->user, shape, pose);
    FIRN_TRY(walk_node(w, node->a, pose));
    return walk_node(w, node->b, pose);
}

firn_result firn_shape_walk_parts(const firn_shapes* shapes, firn_local shape,
                                  const firn_pose* pose, firn_part_fn part, void* user)
{
    const walk w = {shapes, count_parts(shapes, shape, 0) <= SPLIT_MAX, part, user};
    return walk_node(&w, shape, pose);
}
