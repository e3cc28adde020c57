// SPDX-License-Identifier: MIT
// Scenes of a few bodies, and rays at them.
#pragma once
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "geometry/collider/collider.h"
#include "geometry/mesh_solids.h"
#include "render/path/geometry/geometry.h"
#include "scene/data/scene.h"

#define PI 3.14159265358979323846
#define NODE_IDENTITY .a = -1, .b = -1, .q = {1, 0, 0, 0}

static inline firn_local add_node(firn_scene_data* scene, firn_shape_node node)
{
    firn_local shape = -1;
    firn_error error = {0};
    if (firn_shapes_add(&scene->shapes, &node, &shape, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return shape;
}

static inline firn_collider* add_collider(firn_scene_data* scene, firn_local shape)
{
    assert_true(firn_reserve((void**)&scene->colliders, &scene->collider_capacity,
                             scene->collider_count + 1, sizeof *scene->colliders));
    firn_collider* c = &scene->colliders[scene->collider_count++];
    *c = (firn_collider){.shape = shape, .motion = firn_motion_at_rest()};
    return c;
}

static inline firn_local add_sphere(firn_scene_data* scene, double x, double y, double z, double r)
{
    return add_node(
        scene, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE,
                                 NODE_IDENTITY,
                                 .p = {(firn_real)x, (firn_real)y, (firn_real)z, (firn_real)r}});
}

static inline firn_local add_box_shape(firn_scene_data* scene, double x, double y, double z,
                                       firn_quat q)
{
    return add_node(scene,
                    (firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                      .a = -1,
                                      .b = -1,
                                      .p = {0, 0, 0, (firn_real)x, (firn_real)y, (firn_real)z, 0},
                                      .q = q});
}

static inline firn_local add_plane_shape(firn_scene_data* scene, double nx, double ny, double nz)
{
    return add_node(scene,
                    (firn_shape_node){.kind = FIRN_SHAPE_PLANE,
                                      NODE_IDENTITY,
                                      .p = {0, 0, 0, (firn_real)nx, (firn_real)ny, (firn_real)nz}});
}

static inline firn_geometry* make_geometry(const firn_scene_data* scene, double time, firn_vec3 eye)
{
    firn_geometry* g = NULL;
    firn_error error = {0};
    const firn_result result = firn_geometry_create(scene, NULL, time, eye, firn_v3(-1, -1, -1),
                                                    firn_v3(1, 1, 1), &g, &error);
    if (result != FIRN_OK) fail_msg("%s", error.text);
    return g;
}

static inline firn_vec3 random_direction(firn_rng* r)
{
    const double z = 2 * (double)firn_rng_unit(r) - 1, t = 2 * PI * (double)firn_rng_unit(r);
    const double s = sqrt(1 - z * z);
    return firn_v3((firn_real)(s * cos(t)), (firn_real)(s * sin(t)), (firn_real)z);
}

// From a ball of radius `from` towards a point within `to` of the origin.
static inline firn_ray random_ray(firn_rng* r, double from, double to)
{
    const firn_vec3 origin = firn_v3_scale(random_direction(r), (firn_real)from);
    const double distance = to * (double)firn_rng_unit(r);  // apart: the order of arguments is open
    const firn_vec3 target = firn_v3_scale(random_direction(r), (firn_real)distance);
    return (firn_ray){origin, firn_v3_normalize(firn_v3_sub(target, origin), firn_v3(1, 0, 0))};
}

static inline bool is_hit(firn_surface_hit hit)
{
    return hit.surface != NULL || hit.light >= 0;
}

static inline void write_obj(const char* path, const firn_mesh* mesh)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    for (firn_local i = 0; i < mesh->vertex_count; i++)
        fprintf(file, "v %.9g %.9g %.9g\n", (double)mesh->vertices[i].x,
                (double)mesh->vertices[i].y, (double)mesh->vertices[i].z);
    for (firn_local t = 0; t < mesh->triangle_count; t++)
        fprintf(file, "f %d %d %d\n", mesh->triangles[t][0] + 1, mesh->triangles[t][1] + 1,
                mesh->triangles[t][2] + 1);
    assert_int_equal(fclose(file), 0);
}
