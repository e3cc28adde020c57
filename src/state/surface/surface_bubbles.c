// SPDX-License-Identifier: MIT
// Connected parts by joining the vertices of each triangle; the signed volume of a part by the
// divergence theorem.
#include "state/surface/surface_bubbles.h"

#include "core/disjoint_sets.h"
#include "core/memory.h"
#include "math/vec3.h"

// Gives each vertex the lowest vertex of its part.
static void find_parts(const firn_isosurface* s, int32_t* part)
{
    for (firn_local i = 0; i < s->vertex_count; i++) part[i] = i;
    for (firn_local t = 0; t < s->triangle_count; t++) {
        firn_sets_join(part, s->triangles[t][0], s->triangles[t][1]);
        firn_sets_join(part, s->triangles[t][0], s->triangles[t][2]);
    }
    for (firn_local i = 0; i < s->vertex_count; i++) part[i] = firn_sets_root(part, i);
}

// [m^3] of each part, at its root. Corners are relative to it, so that small parts are exact.
static void find_volumes(const firn_isosurface* s, const int32_t* part, double* volume)
{
    for (firn_local i = 0; i < s->vertex_count; i++) volume[i] = 0;
    for (firn_local t = 0; t < s->triangle_count; t++) {
        const int32_t* v = s->triangles[t];
        const firn_vec3 o = s->vertices[part[v[0]]];
        const firn_vec3 a = firn_v3_sub(s->vertices[v[0]], o);
        const firn_vec3 b = firn_v3_sub(s->vertices[v[1]], o);
        const firn_vec3 c = firn_v3_sub(s->vertices[v[2]], o);
        volume[part[v[0]]] += (double)firn_v3_dot(a, firn_v3_cross(b, c)) / 6;
    }
}

// Keeps the vertices with to[i] >= 0, there.
static void move_vertices(firn_isosurface* s, const int32_t* to)
{
    firn_local kept = 0;
    for (firn_local i = 0; i < s->vertex_count; i++) {
        if (to[i] < 0) continue;
        s->vertices[kept] = s->vertices[i];
        s->normals[kept] = s->normals[i];
        for (int c = 0; c < FIRN_CARRIED_MAX; c++)
            if (s->carried[c] != NULL) s->carried[c][kept] = s->carried[c][i];
        kept++;
    }
    firn_local triangles = 0;
    for (firn_local t = 0; t < s->triangle_count; t++) {
        const int32_t* v = s->triangles[t];
        if (to[v[0]] < 0) continue;
        const int32_t moved[3] = {to[v[0]], to[v[1]], to[v[2]]};
        for (int c = 0; c < 3; c++) s->triangles[triangles][c] = moved[c];
        triangles++;
    }
    s->vertex_count = kept;
    s->triangle_count = triangles;
}

firn_result firn_surface_drop_bubbles(firn_isosurface* s, double largest, firn_error* error)
{
    int32_t* part = firn_alloc((size_t)s->vertex_count + 1, sizeof *part);
    double* volume = firn_alloc((size_t)s->vertex_count + 1, sizeof *volume);
    firn_result r = FIRN_OK;
    if (part != NULL && volume != NULL) {
        find_parts(s, part);
        find_volumes(s, part, volume);
        // the root of a part comes first: `part` becomes the new number of each vertex
        firn_local kept = 0;
        for (firn_local i = 0; i < s->vertex_count; i++) {
            const double v = volume[part[i]];
            part[i] = v < 0 && v > -largest ? -1 : kept++;
        }
        move_vertices(s, part);
    } else {
        r = firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for the parts of a surface");
    }
    firn_free(part);
    firn_free(volume);
    return r;
}
