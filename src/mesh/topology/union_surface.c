// SPDX-License-Identifier: MIT
// Fragments of triangles: halves across their longest edge, as long as a triangle that cuts them is
// near and they are not small enough. One that nothing cuts has the same winding numbers on all of
// a side, so that one point decides.
//
//      +-------------+       . the cut; / halves
//      | \   /| \   /|
//      |   \ .|.  \.. .
//      +---.-+---.---+
#include "mesh/topology/union_surface.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "mesh/spatial/nearest_triangle.h"
#include "mesh/topology/mesh_intersect.h"

#define CHUNK 64     // triangles that a thread takes at a time
#define ASIDE 0.004  // [finest] from a facet to the points on both sides of it that decide

// Facets of some triangles, in order.
typedef struct part {
    firn_mesh facets;  // owned
    int32_t* near;     // owned: stack of the triangles that cut the fragments being divided
    firn_local near_count, near_capacity;
    bool failed;
} part;

typedef struct surface_job {
    const firn_mesh* mesh;
    const firn_union_surface_args* args;
    const firn_local* first;  // [triangles + 1] of the lists of those that cut a triangle
    const int32_t* cutters;
    part* parts;
} surface_job;

typedef struct fragment {
    double x[3][3];
} fragment;

// ---- one fragment -------------------------------------------------------------------------------

static bool is_solid(const firn_union_surface_args* a, const double at[3])
{
    int number;
    firn_line_winding_number(a->winding, &at[0], 1, at[1], at[2], &number);
    return a->sign * number >= 1;
}

static bool is_outer(const firn_union_surface_args* a, const fragment* f, const double normal[3])
{
    double above[3], below[3];
    for (int i = 0; i < 3; i++) {
        const double middle = (f->x[0][i] + f->x[1][i] + f->x[2][i]) / 3;
        above[i] = middle + ASIDE * a->finest * normal[i];
        below[i] = middle - ASIDE * a->finest * normal[i];
    }
    return is_solid(a, above) != is_solid(a, below);
}

static firn_vec3 rounded(const double x[3])
{
    return firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
}

static void add(part* p, const fragment* f)
{
    const firn_local v = p->facets.vertex_count;
    for (int k = 0; k < 3; k++)
        p->failed = !firn_mesh_add_vertex(&p->facets, rounded(f->x[k])) || p->failed;
    p->failed = p->failed || !firn_mesh_add_triangle(&p->facets, v, v + 1, v + 2);
}

// The corner after which the longest edge begins.
static int longest_edge(const fragment* f, double* out_length)
{
    int longest = 0;
    double most = -1;
    for (int k = 0; k < 3; k++) {
        double l2 = 0;
        for (int i = 0; i < 3; i++) {
            const double e = f->x[(k + 1) % 3][i] - f->x[k][i];
            l2 += e * e;
        }
        if (l2 > most) {
            most = l2;
            longest = k;
        }
    }
    *out_length = sqrt(most);
    return longest;
}

static void halve(const fragment* f, int edge, fragment out[2])
{
    out[0] = out[1] = *f;
    for (int i = 0; i < 3; i++) {
        const double middle = (f->x[edge][i] + f->x[(edge + 1) % 3][i]) / 2;
        out[0].x[(edge + 1) % 3][i] = middle;
        out[1].x[edge][i] = middle;
    }
}

static void add_halves(const surface_job* job, part* p, const fragment* f)
{
    double length;
    const int edge = longest_edge(f, &length);
    if (!(length > job->args->largest)) {
        add(p, f);
        return;
    }
    fragment half[2];
    halve(f, edge, half);
    add_halves(job, p, &half[0]);
    add_halves(job, p, &half[1]);
}

// Puts those of the triangles on top of the stack that may cut the fragment on top of them.
static firn_local keep_near(const surface_job* job, part* p, const fragment* f, firn_local begin,
                            firn_local end)
{
    double sum[3], radius2 = 0;
    for (int i = 0; i < 3; i++) sum[i] = (f->x[0][i] + f->x[1][i] + f->x[2][i]) / 3;
    const firn_vec3 at = rounded(sum);
    const double middle[3] = {(double)at.x, (double)at.y, (double)at.z};
    for (int k = 0; k < 3; k++) {
        double d2 = 0;
        for (int i = 0; i < 3; i++) d2 += (f->x[k][i] - middle[i]) * (f->x[k][i] - middle[i]);
        radius2 = fmax(radius2, d2);
    }
    if (!firn_reserve((void**)&p->near, &p->near_capacity, p->near_count + end - begin,
                      sizeof *p->near)) {
        p->failed = true;
        return 0;
    }
    firn_local kept = 0;
    for (firn_local n = begin; n < end; n++) {
        const int32_t* c = job->mesh->triangles[p->near[n]];
        const firn_vec3* v = job->mesh->vertices;
        const firn_nearest to = firn_nearest_on_triangle(at, v[c[0]], v[c[1]], v[c[2]]);
        if (to.distance2 <= (1 + 1e-9) * radius2) p->near[p->near_count + kept++] = p->near[n];
    }
    return kept;
}

// The triangles that may cut the fragment are those on the stack from `begin` to `end`.
static void divide(const surface_job* job, part* p, const fragment* f, const double normal[3],
                   firn_local begin, firn_local end)
{
    const firn_local top = p->near_count;
    const firn_local kept = keep_near(job, p, f, begin, end);
    if (p->failed) return;
    double length;
    const int edge = longest_edge(f, &length);
    if (kept == 0 || !(length > job->args->finest)) {
        if (is_outer(job->args, f, normal)) add_halves(job, p, f);
        return;
    }
    fragment half[2];
    halve(f, edge, half);
    p->near_count = top + kept;
    divide(job, p, &half[0], normal, top, top + kept);
    divide(job, p, &half[1], normal, top, top + kept);
    p->near_count = top;
}

// ---- all triangles ------------------------------------------------------------------------------

// False: it has no area.
static bool find_normal(const fragment* f, double out[3])
{
    double length2 = 0;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = (f->x[1][j] - f->x[0][j]) * (f->x[2][k] - f->x[0][k]) -
                 (f->x[1][k] - f->x[0][k]) * (f->x[2][j] - f->x[0][j]);
        length2 += out[i] * out[i];
    }
    for (int i = 0; i < 3 && length2 > 0; i++) out[i] /= sqrt(length2);
    return length2 > 0;
}

static void divide_triangle(const surface_job* job, part* p, int32_t t)
{
    fragment f;
    double normal[3];
    for (int k = 0; k < 3; k++) {
        const firn_vec3 v = job->mesh->vertices[job->mesh->triangles[t][k]];
        f.x[k][0] = (double)v.x, f.x[k][1] = (double)v.y, f.x[k][2] = (double)v.z;
    }
    if (!find_normal(&f, normal)) return;
    const firn_local count = job->first[t + 1] - job->first[t];
    if (!firn_reserve((void**)&p->near, &p->near_capacity, count, sizeof *p->near)) {
        p->failed = true;
        return;
    }
    for (firn_local n = 0; n < count; n++) p->near[n] = job->cutters[job->first[t] + n];
    p->near_count = count;
    divide(job, p, &f, normal, 0, count);
}

static void divide_parts(const void* self, firn_local begin, firn_local end)
{
    const surface_job* job = self;
    for (firn_local k = begin; k < end; k++) {
        part* p = &job->parts[k];
        const firn_local count = job->mesh->triangle_count;
        const firn_local last = count - k * CHUNK > CHUNK ? (k + 1) * CHUNK : count;
        for (int32_t t = k * CHUNK; t < last && !p->failed; t++) divide_triangle(job, p, t);
        firn_free(p->near);
        p->near = NULL;
    }
}

static firn_result join_parts(const surface_job* job, firn_local count, firn_mesh* out_facets)
{
    bool good = true;
    for (firn_local k = 0; k < count; k++) {
        good = good && !job->parts[k].failed && firn_mesh_append(out_facets, &job->parts[k].facets);
        firn_mesh_destroy(&job->parts[k].facets);
    }
    return good ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

static firn_result divide_all(surface_job* job, firn_mesh* out_facets)
{
    const firn_local count = (job->mesh->triangle_count + CHUNK - 1) / CHUNK;
    job->parts = firn_alloc((size_t)count, sizeof *job->parts);
    if (job->parts == NULL) return FIRN_BROKEN_MEMORY;
    firn_share(count, 1, divide_parts, job);
    const firn_result result = join_parts(job, count, out_facets);
    firn_free(job->parts);
    if (result != FIRN_OK) firn_mesh_destroy(out_facets);
    return result;
}

// Lists, for each triangle, those that cut it.
static firn_result divide_by(surface_job* job, const firn_local (*pairs)[2], firn_local pair_count,
                             firn_mesh* out_facets)
{
    const firn_local count = job->mesh->triangle_count;
    firn_local* first = firn_alloc((size_t)count + 2, sizeof *first);
    int32_t* cutters = firn_alloc(2 * (size_t)pair_count + 1, sizeof *cutters);
    firn_result result = FIRN_BROKEN_MEMORY;
    if (first != NULL && cutters != NULL) {
        firn_local* next = first + 1;  // the end of a list, while it fills: its beginning before
        for (firn_local p = 0; p < pair_count; p++)
            for (int i = 0; i < 2; i++) next[pairs[p][i] + 1]++;
        for (firn_local t = 0; t < count; t++) next[t + 1] += next[t];
        for (firn_local p = 0; p < pair_count; p++)
            for (int i = 0; i < 2; i++) cutters[next[pairs[p][i]]++] = pairs[p][1 - i];
        job->first = first;
        job->cutters = cutters;
        result = divide_all(job, out_facets);
    }
    firn_free(first);
    firn_free(cutters);
    return result;
}

firn_result firn_union_surface(const firn_mesh* mesh, const firn_union_surface_args* args,
                               firn_mesh* out_facets, firn_error* error)
{
    *out_facets = (firn_mesh){0};
    surface_job job = {.mesh = mesh, .args = args};
    firn_local(*pairs)[2] = NULL;
    firn_local pair_count = 0;
    firn_result result = firn_mesh_list_cuts(mesh, &pairs, &pair_count);
    if (result == FIRN_OK)
        result = divide_by(&job, (const firn_local(*)[2])pairs, pair_count, out_facets);
    firn_free(pairs);
    if (result != FIRN_OK)
        return firn_fail(error, result, "no memory for the surface of %lld triangles",
                         (long long)mesh->triangle_count);
    return FIRN_OK;
}
