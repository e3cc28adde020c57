// SPDX-License-Identifier: MIT
// Meshes of colliders for files. Those of sim/collider_mesh.h leave out what is not bounded: here a
// plane is a square.
#include <string.h>

#include "core/memory.h"
#include "geometry/collider/collider.h"
#include "geometry/deform/deforming.h"
#include "geometry/sdf/parts.h"
#include "math/vec3.h"
#include "run/export/stage_record.h"
#include "scene/data/scene.h"
#include "sim/collider_mesh.h"

typedef struct job {
    const firn_scene_data* scene;
    firn_body_mesh* out;
    firn_vec3 middle;  // in the collider's coordinates
    firn_real side;    // there, too
} job;

static firn_result grow(void** array, int64_t count, int64_t more, size_t size)
{
    void* longer = firn_realloc(*array, (size_t)count, (size_t)(count + more), size);
    if (longer == NULL) return FIRN_BROKEN_MEMORY;
    *array = longer;
    return FIRN_OK;
}

static firn_result add_square(job* j, firn_vec3 point, firn_vec3 normal)
{
    firn_body_mesh* m = j->out;
    FIRN_TRY(grow((void**)&m->vertices, m->vertex_count, 4, sizeof *m->vertices));
    FIRN_TRY(grow((void**)&m->normals, m->vertex_count, 4, sizeof *m->normals));
    FIRN_TRY(grow((void**)&m->triangles, m->triangle_count, 2, 3 * sizeof *m->triangles));
    const firn_real height = firn_v3_dot(firn_v3_sub(j->middle, point), normal);
    const firn_vec3 center = firn_v3_madd(j->middle, -height, normal);
    const bool flat = normal.x * normal.x < (firn_real)0.5;
    const firn_vec3 other = flat ? firn_v3(1, 0, 0) : firn_v3(0, 0, 1);
    const firn_vec3 v = firn_v3_normalize(firn_v3_cross(normal, other), other);
    const firn_vec3 u = firn_v3_cross(v, normal);
    const int32_t base = (int32_t)m->vertex_count;
    for (int k = 0; k < 4; k++) {  // counter-clockwise about the normal, u x v
        const firn_real a = k == 1 || k == 2 ? 1 : -1, b = k >= 2 ? 1 : -1;
        firn_vec3* x = &m->vertices[m->vertex_count];
        *x = firn_v3_madd(firn_v3_madd(center, a * j->side / 2, u), b * j->side / 2, v);
        m->normals[m->vertex_count++] = normal;
    }
    const int32_t corners[6] = {base, base + 1, base + 2, base, base + 2, base + 3};
    memcpy(m->triangles + 3 * m->triangle_count, corners, sizeof corners);
    m->triangle_count += 2;
    return FIRN_OK;
}

static firn_result add_plane(void* user, firn_local shape, const firn_pose* pose)
{
    job* j = user;
    const firn_shape_node* node = &j->scene->shapes.nodes[shape];
    if (node->kind != FIRN_SHAPE_PLANE) return FIRN_OK;
    const firn_vec3 point = firn_v3(node->p[0], node->p[1], node->p[2]);
    const firn_vec3 normal = firn_v3(node->p[3], node->p[4], node->p[5]);
    const firn_vec3 turned = firn_m3_mul_v3(pose->rotation, normal);
    return add_square(j, firn_pose_to_world(pose, point),
                      firn_v3_normalize(turned, firn_v3(0, 1, 0)));
}

// The triangles of the file where there are such: the same ones at all times.
static firn_result deforming_mesh(const firn_scene_data* scene, const firn_collider* posed,
                                  double time, firn_body_mesh* out_mesh, firn_error* error)
{
    firn_mesh mesh;
    FIRN_TRY(firn_deforming_closed_mesh(posed->deforming, time, &mesh, error));
    if (mesh.triangle_count == 0) {
        firn_mesh_destroy(&mesh);
        return firn_body_mesh_make(scene, posed, time, out_mesh, error);
    }
    const size_t corners = 3 * (size_t)mesh.triangle_count;
    *out_mesh = (firn_body_mesh){
        .vertices = firn_alloc((size_t)mesh.vertex_count, sizeof *out_mesh->vertices),
        .triangles = firn_alloc(corners, sizeof *out_mesh->triangles),
        .vertex_count = mesh.vertex_count,
        .triangle_count = mesh.triangle_count};
    const bool good = out_mesh->vertices != NULL && out_mesh->triangles != NULL;
    if (good) {
        memcpy(out_mesh->vertices, mesh.vertices,
               (size_t)mesh.vertex_count * sizeof *mesh.vertices);
        memcpy(out_mesh->triangles, mesh.triangles, corners * sizeof *out_mesh->triangles);
    }
    firn_mesh_destroy(&mesh);
    if (good) return FIRN_OK;
    firn_body_mesh_free(out_mesh);
    return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the mesh of a collider");
}

firn_result firn_stage_body_mesh(const firn_scene_data* scene, const firn_collider* posed,
                                 double time, firn_vec3 middle, double side,
                                 firn_body_mesh* out_mesh, firn_error* error)
{
    *out_mesh = (firn_body_mesh){0};
    if (posed->deforming != NULL) return deforming_mesh(scene, posed, time, out_mesh, error);
    FIRN_TRY(firn_body_mesh_make(scene, posed, time, out_mesh, error));
    job j = {scene, out_mesh, firn_pose_to_body(&posed->pose, middle),
             (firn_real)side / posed->pose.scale};
    const firn_motion rest = firn_motion_at_rest();
    const firn_pose own = firn_motion_pose(&rest, 0);
    const firn_result r = firn_shape_walk_parts(&scene->shapes, posed->shape, &own, add_plane, &j);
    if (r == FIRN_OK) return FIRN_OK;
    firn_body_mesh_free(out_mesh);
    return firn_fail(error, r, "out of memory for the mesh of a collider");
}
