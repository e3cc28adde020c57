// SPDX-License-Identifier: MIT
// Makes the winding of triangles consistent: a union-find over triangles that share an edge.
// `flipped` is the winding of a triangle relative to its parent in the tree; the root is the
// representative of its connected component.
#include "mesh/topology/consistent_winding.h"

#include <math.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "mesh/topology/weld.h"

typedef struct triangle_sets {
    int32_t* parent;    // owned; a root is its own parent
    uint8_t* flipped;   // owned; winding relative to the parent is opposite
    double (*area)[2];  // owned; of a root: area with its winding, and with the opposite one [m^2]
} triangle_sets;

static void forget(triangle_sets* f)
{
    firn_free(f->parent);
    firn_free(f->flipped);
    firn_free(f->area);
}

// The root of t; *out_flipped: the winding of t is opposite to the root's. Compresses the path.
static int32_t find_root(triangle_sets* f, int32_t t, uint8_t* out_flipped)
{
    uint8_t flipped = 0;
    int32_t root = t;
    while (f->parent[root] != root) {
        flipped ^= f->flipped[root];
        root = f->parent[root];
    }
    *out_flipped = flipped;
    while (f->parent[t] != root && t != root) {
        const int32_t next = f->parent[t];
        const uint8_t step = f->flipped[t];
        f->parent[t] = root;
        f->flipped[t] = flipped;
        flipped ^= step;
        t = next;
    }
    return root;
}

// The smaller index becomes the root, so that the result does not depend on the order of edges.
static void unite(triangle_sets* f, int32_t a, int32_t b, uint8_t differ)
{
    uint8_t flipped_a, flipped_b;
    const int32_t root_a = find_root(f, a, &flipped_a), root_b = find_root(f, b, &flipped_b);
    if (root_a == root_b) return;
    const int32_t low = root_a < root_b ? root_a : root_b, high = root_a < root_b ? root_b : root_a;
    f->parent[high] = low;
    f->flipped[high] = flipped_a ^ flipped_b ^ differ;
}

static uint64_t edge_key(int32_t from, int32_t to)
{
    const uint64_t low = (uint64_t)(from < to ? from : to),
                   high = (uint64_t)(from < to ? to : from);
    return low << 32 | high << 1 | (from > to);
}

// Edges between the same two welded vertices connect their triangles. welded[v]: index of vertex v
// after welding.
static firn_result connect(const firn_mesh* mesh, const int32_t* welded, triangle_sets* f)
{
    const firn_local count = 3 * mesh->triangle_count;
    firn_key_sort sort = {0};
    const firn_result result = firn_key_sort_reserve(&sort, count, 1);
    if (result == FIRN_OK) {
        for (firn_local e = 0; e < count; e++) {
            const int32_t* c = mesh->triangles[e / 3];
            sort.key[0][e] = edge_key(welded[c[e % 3]], welded[c[(e + 1) % 3]]);
        }
        const uint64_t* keys;
        const firn_local* order = NULL;
        firn_key_sort_run(&sort, count, &keys, &order);
        for (firn_local begin = 0, end; begin < count; begin = end) {
            for (end = begin + 1; end < count && keys[end] >> 1 == keys[begin] >> 1;) end++;
            const bool has_length = keys[begin] >> 32 != (keys[begin] >> 1 & 0x7fffffff);
            if (end - begin != 2 || !has_length) continue;
            const firn_local e = order != NULL ? order[begin] : begin,
                             g = order != NULL ? order[begin + 1] : begin + 1;
            unite(f, e / 3, g / 3, (keys[begin] & 1) == (keys[begin + 1] & 1));
        }
    }
    firn_key_sort_destroy(&sort);
    return result;
}

static double area_of(const firn_mesh* mesh, firn_local t)
{
    const int32_t* c = mesh->triangles[t];
    const firn_vec3 n = firn_v3_cross(firn_v3_sub(mesh->vertices[c[1]], mesh->vertices[c[0]]),
                                      firn_v3_sub(mesh->vertices[c[2]], mesh->vertices[c[0]]));
    return sqrt((double)n.x * n.x + (double)n.y * n.y + (double)n.z * n.z) / 2;
}

static void flip_minorities(firn_mesh* mesh, triangle_sets* f)
{
    uint8_t flipped;
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        const int32_t root = find_root(f, t, &flipped);
        f->area[root][flipped] += area_of(mesh, t);
    }
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        const int32_t root = find_root(f, t, &flipped);
        const bool fewer = f->area[root][flipped] < f->area[root][1 - flipped];
        // A tie keeps the root's winding.
        if (!fewer && !(flipped && f->area[root][0] == f->area[root][1])) continue;
        int32_t* c = mesh->triangles[t];
        const int32_t swap = c[1];
        c[1] = c[2];
        c[2] = swap;
    }
}

// Vertices at the same position count as one.
static bool weld_vertices(const firn_mesh* mesh, int32_t* welded)
{
    firn_welder welder = {0};
    firn_mesh positions = {0};
    bool good = true;
    for (firn_local v = 0; good && v < mesh->vertex_count; v++)
        good = firn_welder_add(&welder, &positions, mesh->vertices[v], &welded[v]);
    firn_welder_destroy(&welder);
    firn_mesh_destroy(&positions);
    return good;
}

firn_result firn_mesh_make_winding_consistent(const firn_mesh* mesh, firn_mesh* out_mesh,
                                              firn_error* error)
{
    const size_t count = (size_t)mesh->triangle_count;
    triangle_sets f = {.parent = firn_alloc(count, sizeof *f.parent),
                       .flipped = firn_alloc(count, sizeof *f.flipped),
                       .area = firn_alloc(count, sizeof *f.area)};
    int32_t* welded = firn_alloc((size_t)mesh->vertex_count, sizeof *welded);
    firn_mesh consistent = {0};
    firn_result result = f.parent != NULL && f.flipped != NULL && f.area != NULL &&
                                 welded != NULL && weld_vertices(mesh, welded)
                             ? firn_mesh_copy(mesh, &consistent)
                             : FIRN_BROKEN_MEMORY;
    if (result == FIRN_OK) {
        for (firn_local t = 0; t < mesh->triangle_count; t++) f.parent[t] = t;
        result = connect(mesh, welded, &f);
    }
    if (result == FIRN_OK) flip_minorities(&consistent, &f);
    firn_free(welded);
    forget(&f);
    if (result != FIRN_OK) {
        firn_mesh_destroy(&consistent);
        firn_fail(error, result, "no memory to turn %lld triangles",
                  (long long)mesh->triangle_count);
    }
    *out_mesh = consistent;
    return result;
}
