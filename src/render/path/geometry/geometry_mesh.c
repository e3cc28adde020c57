// SPDX-License-Identifier: MIT
// Triangle parts: posed meshes with interpolated normals on soft edges, and area lights.
#include <math.h>

#include "core/memory.h"
#include "math/mat3.h"
#include "mesh/topology/corner_normals.h"
#include "render/path/geometry/geometry_part.h"

#define SOFT_COSINE 0.766044443  // edges below 40 degrees are smooth-shaded

static void put(float* to, firn_vec3 x)
{
    to[0] = (float)x.x;
    to[1] = (float)x.y;
    to[2] = (float)x.z;
}

static firn_vec3 get(const float* from)
{
    return firn_v3((firn_real)from[0], (firn_real)from[1], (firn_real)from[2]);
}

static firn_result reserve(firn_part* part, size_t vertices, size_t triangles, firn_error* error)
{
    part->vertices = firn_alloc(vertices + 2, sizeof *part->vertices);
    part->triangles = firn_alloc(triangles + 1, sizeof *part->triangles);
    part->vertex_count = (uint32_t)vertices;
    part->triangle_count = (uint32_t)triangles;
    if (part->vertices != NULL && part->triangles != NULL) return FIRN_OK;
    return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for %lld triangles of a picture",
                     (long long)triangles);
}

firn_result firn_part_set_mesh(firn_part* part, const firn_mesh* mesh, const firn_pose* pose,
                               firn_error* error)
{
    part->kind = FIRN_PART_MESH;
    const size_t count = (size_t)mesh->triangle_count;
    FIRN_TRY(reserve(part, (size_t)mesh->vertex_count, count, error));
    part->normals = firn_alloc(3 * count, sizeof *part->normals);
    if (part->normals == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for normals of %lld triangles",
                         (long long)count);
    FIRN_TRY(firn_mesh_corner_normals(mesh, SOFT_COSINE, part->normals, error));
    for (firn_local v = 0; v < mesh->vertex_count; v++)
        put(part->vertices[v], firn_pose_to_world(pose, mesh->vertices[v]));
    for (size_t c = 0; c < 3 * count; c++)
        put(part->normals[c], firn_m3_mul_v3(pose->rotation, get(part->normals[c])));
    for (size_t t = 0; t < count; t++)
        for (int k = 0; k < 3; k++) part->triangles[t][k] = (uint32_t)mesh->triangles[t][k];
    return FIRN_OK;
}

firn_result firn_part_set_fluid(firn_part* part, const firn_isosurface* surface, firn_error* error)
{
    part->kind = FIRN_PART_MESH;
    const size_t count = (size_t)surface->triangle_count;
    FIRN_TRY(reserve(part, (size_t)surface->vertex_count, count, error));
    part->normals = firn_alloc(3 * count, sizeof *part->normals);
    if (part->normals == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for normals of %lld triangles",
                         (long long)count);
    for (firn_local v = 0; v < surface->vertex_count; v++)
        put(part->vertices[v], surface->vertices[v]);
    for (size_t t = 0; t < count; t++)
        for (int k = 0; k < 3; k++) {
            const int32_t v = surface->triangles[t][k];
            part->triangles[t][k] = (uint32_t)v;
            put(part->normals[3 * t + (size_t)k], surface->normals[v]);
        }
    return FIRN_OK;
}

firn_result firn_part_set_area_light(firn_part* part, const firn_lamp* lamp, firn_error* error)
{
    static const uint32_t triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
    static const int side[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    part->kind = FIRN_PART_LIGHT;
    FIRN_TRY(reserve(part, 4, 2, error));
    for (int v = 0; v < 4; v++)
        for (int i = 0; i < 3; i++)
            part->vertices[v][i] = (float)(lamp->center[i] + 0.5 * side[v][0] * lamp->edge_u[i] +
                                           0.5 * side[v][1] * lamp->edge_v[i]);
    for (int t = 0; t < 2; t++)
        for (int k = 0; k < 3; k++) part->triangles[t][k] = triangles[t][k];
    return FIRN_OK;
}

void firn_part_destroy(firn_part* part)
{
    firn_free(part->vertices);
    firn_free(part->triangles);
    firn_free(part->normals);
    firn_free(part->painted);
    firn_free(part->uv);
    *part = (firn_part){0};
}

firn_triangle firn_part_triangle(const firn_part* part, uint32_t triangle)
{
    const uint32_t* c = part->triangles[triangle];
    return (firn_triangle){part->vertices[c[0]], part->vertices[c[1]], part->vertices[c[2]],
                           part->normals != NULL ? part->normals[3 * (size_t)triangle] : NULL};
}

RTCGeometry firn_part_geometry_of_mesh(RTCDevice device, const firn_part* part)
{
    RTCGeometry g = rtcNewGeometry(device, RTC_GEOMETRY_TYPE_TRIANGLE);
    if (g == NULL) return NULL;
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, part->vertices, 0,
                               sizeof *part->vertices, part->vertex_count);
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, part->triangles, 0,
                               sizeof *part->triangles, part->triangle_count);
    rtcCommitGeometry(g);
    return g;
}
