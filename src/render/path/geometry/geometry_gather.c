// SPDX-License-Identifier: MIT
// Splits a collider into parts (geometry/sdf/parts.h). Meshes and animations are read again as
// triangles; other shapes are kept as SDFs.
#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "geometry/deform/deforming.h"
#include "geometry/sdf/parts.h"
#include "render/path/geometry/geometry_part.h"
#include "scene/data/scene.h"
#include "scene/data/scene_shapes.h"

typedef struct gather {
    firn_geometry* g;
    int32_t collider;
    firn_box3 within;
    firn_error* error;
} gather;

static firn_result no_memory(const gather* j)
{
    return firn_fail(j->error, FIRN_BROKEN_MEMORY, "no memory for the colliders of a picture");
}

static firn_result add_plane(const gather* j, const firn_shape_node* node, const firn_pose* pose)
{
    firn_geometry* g = j->g;
    if (!firn_reserve((void**)&g->planes, &g->plane_capacity, g->plane_count + 1,
                      sizeof *g->planes))
        return no_memory(j);
    const firn_vec3 n = firn_m3_mul_v3(pose->rotation, firn_v3(node->p[3], node->p[4], node->p[5]));
    g->planes[g->plane_count++] =
        (firn_plane){firn_pose_to_world(pose, firn_v3(node->p[0], node->p[1], node->p[2])),
                     firn_v3_normalize(n, firn_v3(0, 1, 0)), j->collider};
    return FIRN_OK;
}

// `level_set`: which the mesh is of; -1: of the deforming collider.
static firn_result add_mesh(const gather* j, const firn_mesh* mesh, const firn_pose* pose,
                            firn_local level_set)
{
    firn_geometry* g = j->g;
    firn_part* part = firn_geometry_add_part(g);
    if (part == NULL) return no_memory(j);
    part->owner = j->collider;
    FIRN_TRY(firn_part_set_mesh(part, mesh, pose, j->error));
    firn_paint paint;
    FIRN_TRY(
        firn_paint_read(g->scene, &g->colliders[j->collider], level_set, mesh, &paint, j->error));
    const firn_result result = firn_geometry_paint(g, part, &paint, j->error);
    firn_paint_destroy(&paint);
    return result;
}

static firn_result add_distance(const gather* j, firn_local shape, const firn_pose* pose)
{
    firn_part* part = firn_geometry_add_part(j->g);
    if (part == NULL) return no_memory(j);
    part->kind = FIRN_PART_SHAPE;
    part->owner = j->collider;
    part->shapes = &j->g->scene->shapes;
    part->solid.tables = firn_shapes_tables(part->shapes);
    part->solid.collider = &j->g->colliders[j->collider];
    part->solid.shape = shape;
    part->solid.pose = *pose;
    if (!firn_part_set_bounds(part, j->within)) j->g->part_count--;  // empty
    return FIRN_OK;
}

// If the mesh file is missing or has changed since the scene was read, the level set is used.
static firn_result add_level_set(const gather* j, firn_local shape, const firn_pose* pose)
{
    const firn_shape_node* node = &j->g->scene->shapes.nodes[shape];
    firn_mesh mesh;
    firn_error why = {0};
    firn_result result = firn_scene_read_mesh(j->g->scene, node->a, &mesh, &why);
    if (result == FIRN_BROKEN_MEMORY) return firn_fail(j->error, result, "%s", why.text);
    if (result != FIRN_OK || mesh.triangle_count == 0)
        result = add_distance(j, shape, pose);
    else
        result = add_mesh(j, &mesh, pose, node->a);
    firn_mesh_destroy(&mesh);
    return result;
}

static firn_result add_part(void* user, firn_local shape, const firn_pose* pose)
{
    const gather* j = user;
    const firn_shape_node* node = &j->g->scene->shapes.nodes[shape];
    if (node->kind == FIRN_SHAPE_PLANE) return add_plane(j, node, pose);
    if (node->kind == FIRN_SHAPE_LEVEL_SET) return add_level_set(j, shape, pose);
    return add_distance(j, shape, pose);
}

static firn_result add_deforming(const gather* j, double time)
{
    const firn_collider* c = &j->g->colliders[j->collider];
    firn_mesh mesh;
    FIRN_TRY(firn_deforming_closed_mesh(c->deforming, time, &mesh, j->error));
    const firn_result result =
        mesh.triangle_count > 0 ? add_mesh(j, &mesh, &c->pose, -1) : add_distance(j, -1, &c->pose);
    firn_mesh_destroy(&mesh);
    return result;
}

firn_result firn_geometry_add_collider(firn_geometry* g, int32_t collider, double time,
                                       firn_box3 within, firn_error* error)
{
    const firn_collider* c = &g->colliders[collider];
    gather j = {.g = g, .collider = collider, .within = within, .error = error};
    if (c->deforming != NULL) return add_deforming(&j, time);
    return firn_shape_walk_parts(&g->scene->shapes, c->shape, &c->pose, add_part, &j);
}
