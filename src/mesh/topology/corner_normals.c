// SPDX-License-Identifier: MIT
#include "mesh/topology/corner_normals.h"

#include <math.h>

#include "core/memory.h"
#include "mesh/topology/weld.h"

#define AROUND_MAX 2000  // triangles at one vertex that are smoothed: time grows with its square

// Corners by welded vertex: those of vertex v are corner[first[v]] .. corner[first[v + 1] - 1].
typedef struct welded_corners {
    int32_t* of_corner;  // owned; [3 * triangle_count]
    int32_t* first;      // owned; [count + 1]
    int32_t* corner;     // owned; [3 * triangle_count]
    firn_local count;
} welded_corners;

// Contribution of a triangle to the normals of its corners.
typedef struct facet {
    float normal[3];  // 0 for a degenerate triangle
    float angle[3];   // [rad]
} facet;

static void welded_destroy(welded_corners* p)
{
    firn_free(p->of_corner);
    firn_free(p->first);
    firn_free(p->corner);
    *p = (welded_corners){0};
}

static bool weld_corners(const firn_mesh* mesh, welded_corners* p)
{
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    firn_welder welder = {0};
    firn_mesh welded = {0};
    bool ok = true;
    p->of_corner = firn_alloc(corners, sizeof *p->of_corner);
    p->corner = firn_alloc(corners, sizeof *p->corner);
    ok = p->of_corner != NULL && p->corner != NULL;
    for (size_t c = 0; ok && c < corners; c++)
        ok = firn_welder_add(&welder, &welded, mesh->vertices[mesh->triangles[c / 3][c % 3]],
                             &p->of_corner[c]);
    p->count = welded.vertex_count;
    firn_welder_destroy(&welder);
    firn_mesh_destroy(&welded);
    if (ok) p->first = firn_alloc((size_t)p->count + 2, sizeof *p->first);
    if (p->first == NULL) return false;
    // Counting sort: while filling, first[v] advances to the start of the next vertex.
    for (size_t c = 0; c < corners; c++) p->first[p->of_corner[c] + 2]++;
    for (firn_local v = 0; v < p->count; v++) p->first[v + 2] += p->first[v + 1];
    for (size_t c = 0; c < corners; c++) p->corner[p->first[p->of_corner[c] + 1]++] = (int32_t)c;
    return true;
}

static double dot3(const double* a, const double* b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static facet measure(const firn_mesh* mesh, firn_local t)
{
    facet f = {{0, 0, 0}, {0, 0, 0}};
    double x[3][3], side[3][3], length[3];
    for (int k = 0; k < 3; k++) {
        const firn_vec3 v = mesh->vertices[mesh->triangles[t][k]];
        x[k][0] = (double)v.x, x[k][1] = (double)v.y, x[k][2] = (double)v.z;
    }
    for (int k = 0; k < 3; k++) {  // from corner k to the next
        for (int i = 0; i < 3; i++) side[k][i] = x[(k + 1) % 3][i] - x[k][i];
        length[k] = sqrt(dot3(side[k], side[k]));
    }
    const double n[3] = {side[0][1] * side[1][2] - side[0][2] * side[1][1],
                         side[0][2] * side[1][0] - side[0][0] * side[1][2],
                         side[0][0] * side[1][1] - side[0][1] * side[1][0]};
    const double area = sqrt(dot3(n, n));
    if (!(area > 0) || !isfinite(area)) return f;
    for (int i = 0; i < 3; i++) f.normal[i] = (float)(n[i] / area);
    for (int k = 0; k < 3; k++) {
        const int before = (k + 2) % 3;
        const double c = -dot3(side[k], side[before]) / (length[k] * length[before]);
        f.angle[k] = (float)acos(c > 1 ? 1 : c < -1 ? -1 : c);
    }
    return f;
}

static void smooth_corner(const welded_corners* p, const facet* facets, int32_t corner,
                          float cosine, float* out)
{
    const float* own = facets[corner / 3].normal;
    const int32_t vertex = p->of_corner[corner];
    const int32_t begin = p->first[vertex], end = p->first[vertex + 1];
    float sum[3] = {0, 0, 0};
    for (int32_t k = begin; k < end && end - begin <= AROUND_MAX; k++) {
        const facet* f = &facets[p->corner[k] / 3];
        const float* n = f->normal;
        if (!(own[0] * n[0] + own[1] * n[1] + own[2] * n[2] > cosine)) continue;
        for (int i = 0; i < 3; i++) sum[i] += f->angle[p->corner[k] % 3] * n[i];
    }
    const float length = sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
    for (int i = 0; i < 3; i++) out[i] = length > 1e-6f ? sum[i] / length : own[i];
}

firn_result firn_mesh_corner_normals(const firn_mesh* mesh, double cosine, float (*out_normals)[3],
                                     firn_error* error)
{
    welded_corners p = {0};
    facet* facets = firn_alloc((size_t)mesh->triangle_count + 1, sizeof *facets);
    const bool ok = facets != NULL && weld_corners(mesh, &p);
    if (ok) {
        for (firn_local t = 0; t < mesh->triangle_count; t++) facets[t] = measure(mesh, t);
        for (int32_t c = 0; c < 3 * mesh->triangle_count; c++)
            smooth_corner(&p, facets, c, (float)cosine, out_normals[c]);
    }
    firn_free(facets);
    welded_destroy(&p);
    if (ok) return FIRN_OK;
    return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the normals of %d triangles",
                     (int)mesh->triangle_count);
}
