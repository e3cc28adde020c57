// SPDX-License-Identifier: MIT
// Triangle meshes: growing arrays, area, volume and bounds.
#include "mesh/mesh.h"

#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

void firn_mesh_destroy(firn_mesh* mesh)
{
    firn_free(mesh->vertices);
    firn_free(mesh->triangles);
    *mesh = (firn_mesh){0};
}

static bool reserve(firn_mesh* mesh, int64_t vertices, int64_t triangles)
{
    if (vertices > FIRN_MESH_COUNT_MAX || triangles > FIRN_MESH_COUNT_MAX) return false;
    // Via a separate void pointer: reading the array's pointer as another type breaks aliasing
    // rules.
    void* array = mesh->vertices;
    if (!firn_reserve(&array, &mesh->vertex_capacity, (firn_local)vertices, sizeof(firn_vec3)))
        return false;
    mesh->vertices = array;
    array = mesh->triangles;
    if (!firn_reserve(&array, &mesh->triangle_capacity, (firn_local)triangles,
                      sizeof *mesh->triangles))
        return false;
    mesh->triangles = array;
    return true;
}

bool firn_mesh_add_vertex(firn_mesh* mesh, firn_vec3 x)
{
    if (!reserve(mesh, (int64_t)mesh->vertex_count + 1, mesh->triangle_count)) return false;
    mesh->vertices[mesh->vertex_count++] = x;
    return true;
}

bool firn_mesh_add_triangle(firn_mesh* mesh, int32_t a, int32_t b, int32_t c)
{
    if (!reserve(mesh, mesh->vertex_count, (int64_t)mesh->triangle_count + 1)) return false;
    int32_t* t = mesh->triangles[mesh->triangle_count++];
    t[0] = a, t[1] = b, t[2] = c;
    return true;
}

bool firn_mesh_append(firn_mesh* mesh, const firn_mesh* other)
{
    const firn_local vertices = other->vertex_count, triangles = other->triangle_count;
    const firn_local first = mesh->vertex_count;
    if (!reserve(mesh, (int64_t)first + vertices, (int64_t)mesh->triangle_count + triangles))
        return false;
    // `other` may be `mesh` itself, so read its array pointers only after growing.
    if (vertices > 0)
        memcpy(mesh->vertices + first, other->vertices, (size_t)vertices * sizeof(firn_vec3));
    for (firn_local k = 0; k < triangles; k++)
        for (int i = 0; i < 3; i++)
            mesh->triangles[mesh->triangle_count + k][i] = other->triangles[k][i] + first;
    mesh->vertex_count += vertices;
    mesh->triangle_count += triangles;
    return true;
}

firn_result firn_mesh_copy(const firn_mesh* mesh, firn_mesh* out_copy)
{
    firn_mesh copy = {0};
    *out_copy = copy;
    if (!firn_mesh_append(&copy, mesh)) {
        firn_mesh_destroy(&copy);
        return FIRN_BROKEN_MEMORY;
    }
    *out_copy = copy;
    return FIRN_OK;
}

void firn_mesh_to_metres(firn_mesh* mesh, double scale, bool z_up)
{
    const firn_real s = (firn_real)scale;
    for (firn_local i = 0; i < mesh->vertex_count; i++) {
        const firn_vec3 v = firn_v3_scale(mesh->vertices[i], s);
        mesh->vertices[i] = z_up ? firn_v3(v.x, v.z, -v.y) : v;
    }
}

firn_box3 firn_mesh_bounds(const firn_mesh* mesh)
{
    firn_box3 box = {firn_v3(FIRN_REAL_MAX, FIRN_REAL_MAX, FIRN_REAL_MAX),
                     firn_v3(-FIRN_REAL_MAX, -FIRN_REAL_MAX, -FIRN_REAL_MAX)};
    for (firn_local i = 0; i < mesh->vertex_count; i++) {
        box.low = firn_v3_min(box.low, mesh->vertices[i]);
        box.high = firn_v3_max(box.high, mesh->vertices[i]);
    }
    return box;
}

// Sum of the signed volumes of the tetrahedra from one point to each triangle. The point is a
// vertex, so that a small mesh far from the origin does not lose precision.
double firn_mesh_volume(const firn_mesh* mesh)
{
    double sum = 0;
    for (firn_local k = 0; k < mesh->triangle_count; k++) {
        const firn_vec3 o = mesh->vertices[mesh->triangles[0][0]];
        double e[3][3];
        for (int i = 0; i < 3; i++) {
            const firn_vec3 x = mesh->vertices[mesh->triangles[k][i]];
            e[i][0] = (double)x.x - (double)o.x;
            e[i][1] = (double)x.y - (double)o.y;
            e[i][2] = (double)x.z - (double)o.z;
        }
        sum += e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
               e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
               e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
    }
    return sum / 6;
}

uint64_t firn_mesh_hash(const firn_mesh* mesh)
{
    const firn_local counts[2] = {mesh->vertex_count, mesh->triangle_count};
    uint64_t hash = firn_hash(counts, sizeof counts, 0);
    hash = firn_hash(mesh->vertices, (size_t)mesh->vertex_count * sizeof(firn_vec3), hash);
    return firn_hash(mesh->triangles, (size_t)mesh->triangle_count * sizeof *mesh->triangles, hash);
}

firn_result firn_mesh_cannot_grow(const firn_mesh* mesh, const char* path, firn_error* error)
{
    if (mesh->vertex_count >= FIRN_MESH_COUNT_MAX || mesh->triangle_count >= FIRN_MESH_COUNT_MAX)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: more than %d vertices or triangles: make the mesh coarser", path,
                         FIRN_MESH_COUNT_MAX);
    return firn_fail(error, FIRN_BROKEN_MEMORY,
                     "%s: no memory for more than %lld vertices and %lld triangles", path,
                     (long long)mesh->vertex_count, (long long)mesh->triangle_count);
}
