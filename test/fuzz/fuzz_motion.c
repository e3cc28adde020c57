// SPDX-License-Identifier: MIT
// Targets points, gltf and pc2: particles from PLY, and meshes that move.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "fuzz/fuzz.h"
#include "geometry/sampling/ply_points.h"
#include "mesh/io/animation.h"
#include "mesh/io/gltf.h"
#include "mesh/io/gltf_camera.h"
#include "mesh/io/gltf_paint.h"
#include "mesh/io/pc2.h"

bool firn_fuzz_points(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(firn_fuzz_cap(size));
    firn_ply_points points = {0};
    firn_error error;
    const firn_result result =
        firn_ply_read_points(firn_fuzz_file("ply", data, size), &points, &error);
    firn_fuzz_check(result, &error);
    for (firn_local p = 0; p < points.count; p++) {
        firn_fuzz_require(firn_v3_is_finite(points.position[p]), "a position is not finite");
        if (points.mass != NULL) firn_fuzz_require(points.mass[p] > 0, "a mass is not positive");
    }
    firn_ply_points_destroy(&points);
    firn_fuzz_end(&run);
    return result == FIRN_OK;
}

// Poses at the start, inside and after the animation.
static void pose(const firn_gltf* gltf)
{
    const double times[] = {0, 0.3 * gltf->duration, gltf->duration + 1};
    for (int k = 0; k < 3; k++) {
        firn_mesh mesh = {0};
        firn_error error;
        const firn_result result = firn_gltf_pose(gltf, times[k], -1, &mesh, &error);
        firn_fuzz_check(result, &error);
        for (firn_local t = 0; t < mesh.triangle_count; t++)
            for (int i = 0; i < 3; i++)
                firn_fuzz_require(mesh.triangles[t][i] >= 0 &&
                                      mesh.triangles[t][i] < mesh.vertex_count,
                                  "a triangle has no such vertex");
        firn_mesh_destroy(&mesh);
    }
}

// The path of each node, as colliders that follow one use it.
static void follow_nodes(const char* path, const firn_gltf* gltf)
{
    for (firn_local n = 0; n < gltf->node_count && n < 2; n++) {
        firn_node_key* keys = NULL;
        firn_local count = 0;
        firn_error error;
        const firn_result result =
            firn_animation_node_path(path, NULL, gltf->nodes[n].name, &keys, &count, &error);
        firn_fuzz_check(result, &error);
        for (firn_local k = 0; result == FIRN_OK && k < count; k++)
            firn_fuzz_require(firn_v3_is_finite(keys[k].position), "a path is not finite");
        if (result == FIRN_OK) firn_free(keys);
    }
}

static void look_through(const char* path)
{
    firn_gltf_camera camera;
    firn_error error;
    const firn_result result = firn_gltf_read_camera(path, NULL, &camera, &error);
    firn_fuzz_check(result, &error);
    if (result != FIRN_OK) return;
    for (firn_local k = 0; k < camera.pose_count; k++)
        for (int i = 0; i < 3; i++)
            firn_fuzz_require(isfinite(camera.poses[k].eye[i]) &&
                                  fabs(camera.poses[k].forward[i]) < 1.001 &&
                                  fabs(camera.poses[k].up[i]) < 1.001,
                              "a camera is nowhere, or looks nowhere");
    firn_gltf_camera_destroy(&camera);
}

// Materials must fit the triangles; their pictures are the target png.
static void look_at_paint(const char* path)
{
    firn_gltf_paint paint;
    firn_error error;
    const firn_result result = firn_gltf_read_paint(path, NULL, &paint, &error);
    firn_fuzz_check(result, &error);
    if (result != FIRN_OK) return;
    for (firn_local t = 0; t < paint.triangle_count; t++)
        firn_fuzz_require(paint.material[t] >= -1 && paint.material[t] < paint.material_count,
                          "a triangle has no such material");
    for (firn_local k = 0; k < paint.material_count; k++) {
        const firn_gltf_material* m = &paint.materials[k];
        firn_fuzz_require(m->image < paint.image_count, "a material has no such picture");
        firn_fuzz_require(m->image < 0 || paint.images[m->image].bytes != NULL,
                          "a material's picture is empty");
        firn_fuzz_require(m->metal >= 0 && m->roughness <= 1 && m->colour[0] >= 0,
                          "a material is out of range");
    }
    for (firn_local v = 0; paint.uv != NULL && v < paint.vertex_count; v++)
        firn_fuzz_require(isfinite(paint.uv[v][0]), "a texture coordinate is not finite");
    firn_gltf_paint_destroy(&paint);
}

bool firn_fuzz_gltf(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(firn_fuzz_cap(size));
    const char* path = firn_fuzz_file("glb", data, size);
    bool accepted = false;
    for (int animated = 0; animated < 2; animated++) {
        firn_gltf* gltf = NULL;
        firn_error error;
        const firn_result result = firn_gltf_read(path, animated != 0, NULL, &gltf, &error);
        firn_fuzz_check(result, &error);
        if (result == FIRN_OK) {
            pose(gltf);
            if (animated) follow_nodes(path, gltf);
        }
        firn_gltf_destroy(gltf);
        accepted = accepted || result == FIRN_OK;
    }
    look_through(path);
    look_at_paint(path);
    firn_fuzz_end(&run);
    return accepted;
}

bool firn_fuzz_pc2(const uint8_t* data, size_t size)
{
    firn_fuzz_run run = firn_fuzz_begin(firn_fuzz_cap(size));
    const char* path = firn_fuzz_file("pc2", data, size);
    firn_pc2 pc2;
    firn_error error;
    firn_result result = firn_pc2_open(path, &pc2, &error);
    firn_fuzz_check(result, &error);
    if (result == FIRN_OK) {
        firn_vec3* points = firn_alloc((size_t)pc2.point_count, sizeof *points);
        firn_fuzz_require(points != NULL, "more points than the size of the file allows");
        for (int64_t s = 0; s < pc2.sample_count && s < 4; s++) {
            result = firn_pc2_read(path, &pc2, s, points, &error);
            firn_fuzz_check(result, &error);
            for (firn_local p = 0; result == FIRN_OK && p < pc2.point_count; p++)
                firn_fuzz_require(firn_v3_is_finite(points[p]), "a point is not finite");
        }
        firn_free(points);
    }
    firn_fuzz_end(&run);
    return result == FIRN_OK;
}
