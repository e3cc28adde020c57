// SPDX-License-Identifier: MIT
// Turning triangles the same way round: sets of triangles that are known to agree or to disagree,
// united edge by edge. Each triangle knows whether it must be turned to agree with the one above it
// in its tree (`turned`); the root of a tree speaks for its piece.
#include "mesh/topology/consistent_winding.h"

#include <math.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "mesh/topology/weld.h"

typedef struct piece_forest {
    int32_t* above;     // owned; a root is above itself
    uint8_t* turned;    // owned; against `above`
    double (*area)[2];  // owned; of a root: that agrees with it, that does not [m^2]
} piece_forest;

static void forget(piece_forest* f)
{
    firn_free(f->above);
    firn_free(f->turned);
    firn_free(f->area);
}

// The root of t; *out_turned is whether t must be turned to agree with it. Shortens the way.
static int32_t find_root(piece_forest* f, int32_t t, uint8_t* out_turned)
{
    uint8_t turned = 0;
    int32_t root = t;
    while (f->above[root] != root) {
        turned ^= f->turned[root];
        root = f->above[root];
    }
    *out_turned = turned;
    while (f->above[t] != root && t != root) {
        const int32_t next = f->above[t];
        const uint8_t step = f->turned[t];
        f->above[t] = root;
        f->turned[t] = turned;
        turned ^= step;
        t = next;
    }
    return root;
}

// The smaller number becomes the root, so that the result does not depend on the order of edges.
static void unite(piece_forest* f, int32_t a, int32_t b, uint8_t differ)
{
    uint8_t turned_a, turned_b;
    const int32_t root_a = find_root(f, a, &turned_a), root_b = find_root(f, b, &turned_b);
    if (root_a == root_b) return;
    const int32_t low = root_a < root_b ? root_a : root_b, high = root_a < root_b ? root_b : root_a;
    f->above[high] = low;
    f->turned[high] = turned_a ^ turned_b ^ differ;
}

static uint64_t edge_key(int32_t from, int32_t to)
{
    const uint64_t low = (uint64_t)(from < to ? from : to),
                   high = (uint64_t)(from < to ? to : from);
    return low << 32 | high << 1 | (from > to);
}

// Pairs of edges between the same two places connect their triangles. welded[v]: number of the
// place of vertex v.
static firn_result connect(const firn_mesh* mesh, const int32_t* welded, piece_forest* f)
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

static void turn_minorities(firn_mesh* mesh, piece_forest* f)
{
    uint8_t turned;
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        const int32_t root = find_root(f, t, &turned);
        f->area[root][turned] += area_of(mesh, t);
    }
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        const int32_t root = find_root(f, t, &turned);
        const bool fewer = f->area[root][turned] < f->area[root][1 - turned];
        // equal halves: the root's own stays
        if (!fewer && !(turned && f->area[root][0] == f->area[root][1])) continue;
        int32_t* c = mesh->triangles[t];
        const int32_t kept = c[1];
        c[1] = c[2];
        c[2] = kept;
    }
}

// Vertices at the same place count as one.
static bool find_places(const firn_mesh* mesh, int32_t* welded)
{
    firn_welder welder = {0};
    firn_mesh places = {0};
    bool good = true;
    for (firn_local v = 0; good && v < mesh->vertex_count; v++)
        good = firn_welder_add(&welder, &places, mesh->vertices[v], &welded[v]);
    firn_welder_destroy(&welder);
    firn_mesh_destroy(&places);
    return good;
}

firn_result firn_mesh_make_winding_consistent(const firn_mesh* mesh, firn_mesh* out_mesh,
                                              firn_error* error)
{
    const size_t count = (size_t)mesh->triangle_count;
    piece_forest f = {.above = firn_alloc(count, sizeof *f.above),
                      .turned = firn_alloc(count, sizeof *f.turned),
                      .area = firn_alloc(count, sizeof *f.area)};
    int32_t* welded = firn_alloc((size_t)mesh->vertex_count, sizeof *welded);
    firn_mesh turned = {0};
    firn_result result = f.above != NULL && f.turned != NULL && f.area != NULL && welded != NULL &&
                                 find_places(mesh, welded)
                             ? firn_mesh_copy(mesh, &turned)
                             : FIRN_BROKEN_MEMORY;
    if (result == FIRN_OK) {
        for (firn_local t = 0; t < mesh->triangle_count; t++) f.above[t] = t;
        result = connect(mesh, welded, &f);
    }
    if (result == FIRN_OK) turn_minorities(&turned, &f);
    firn_free(welded);
    forget(&f);
    if (result != FIRN_OK) {
        firn_mesh_destroy(&turned);
        firn_fail(error, result, "no memory to turn %lld triangles",
                  (long long)mesh->triangle_count);
    }
    *out_mesh = turned;
    return result;
}
