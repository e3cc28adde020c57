// SPDX-License-Identifier: MIT
// A cell belongs to the block of its lowest corner, an edge to that of its lower end:
//
//     cells of block b     next block
//     +---+---+-...-+---+ . . .          the last cells of a block use nodes of the next ones
//
// So the blocks with work are those with a node inside and the seven below each of them. They count
// their vertices and triangles, a sum over the blocks numbers these, and then each block writes its
// own: the order is that of the blocks, whatever the number of threads.
#include "state/surface/isosurface.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "core/threads/team.h"
#include "math/key_search.h"
#include "math/vec3.h"
#include "state/surface/cubes.h"
#include "state/surface/isosurface_nodes.h"

#define EDGE_WORDS (3 * FIRN_NODE_VOXELS / 64)
#define NEAREST 0.005  // [edges] of a vertex from a node: no triangle without area

// Which edges are crossed; bit axis * 512 + node, nodes as in a volume.
typedef struct edge_set {
    uint64_t bits[EDGE_WORDS];
    uint16_t before[EDGE_WORDS];  // crossed edges of the words before
    firn_local first_vertex, first_triangle;
    firn_local vertices, triangles;
} edge_set;

typedef struct job {
    const firn_isosurface_def* def;
    firn_cubes cubes;
    firn_key_sort sort;
    uint64_t* keys;  // owned; [count], ascending: the blocks with work
    firn_local count;
    edge_set* sets;   // owned; [count]
    uint8_t* active;  // owned; [blocks of the volume] has a node inside
    firn_isosurface* out;
} job;

static firn_local find_work(const job* j, uint64_t key)
{
    const firn_local found = firn_key_search(j->keys, j->count, key);
    return found < j->count && j->keys[found] == key ? found : -1;
}

// ---- counting -----------------------------------------------------------------------------------

static bool is_inside(const job* j, const firn_nodes* n, int i, int k, int m)
{
    return firn_node_value(n, i, k, m) >= j->def->level;
}

// Bits of the inside corners of a cell (cubes.h).
static int corners_inside(const job* j, const firn_nodes* n, int i, int k, int m)
{
    int bits = 0;
    for (int c = 0; c < 8; c++)
        bits |= is_inside(j, n, i + (c & 1), k + (c >> 1 & 1), m + (c >> 2)) << c;
    return bits;
}

static void count_block(const job* j, const firn_nodes* n, edge_set* set)
{
    memset(set, 0, sizeof *set);
    for (int node = 0; node < FIRN_NODE_VOXELS; node++) {
        const int i = node >> 6, k = node >> 3 & 7, m = node & 7;
        const int bits = corners_inside(j, n, i, k, m);
        if (bits == 0 || bits == 255) continue;
        set->triangles += j->cubes.count[bits];
        for (int axis = 0; axis < 3; axis++)
            if ((bits & 1) != (bits >> (1 << axis) & 1)) {
                const int e = axis * FIRN_NODE_VOXELS + node;
                set->bits[e >> 6] |= (uint64_t)1 << (e & 63);
            }
    }
    for (int w = 0; w < EDGE_WORDS; w++) {
        set->before[w] = (uint16_t)set->vertices;
        set->vertices += __builtin_popcountll(set->bits[w]);
    }
}

static void count_blocks(const void* self, firn_local begin, firn_local end)
{
    const job* j = self;
    firn_nodes n;
    for (firn_local b = begin; b < end; b++) {
        int32_t block[3];
        firn_node_block(j->keys[b], block);
        firn_nodes_gather(j->def->volume, block, &n);
        count_block(j, &n, &j->sets[b]);
    }
}

// ---- vertices -----------------------------------------------------------------------------------

static void slope_at(const firn_nodes* n, const int at[3], double out[3])
{
    out[0] =
        firn_node_value(n, at[0] + 1, at[1], at[2]) - firn_node_value(n, at[0] - 1, at[1], at[2]);
    out[1] =
        firn_node_value(n, at[0], at[1] + 1, at[2]) - firn_node_value(n, at[0], at[1] - 1, at[2]);
    out[2] =
        firn_node_value(n, at[0], at[1], at[2] + 1) - firn_node_value(n, at[0], at[1], at[2] - 1);
}

// Against the slope of the density; where that vanishes, along the edge to its outer end.
static firn_vec3 normal_at(const firn_nodes* n, const int low[3], int axis, double t,
                           bool low_inside)
{
    int high[3] = {low[0], low[1], low[2]};
    high[axis]++;
    double a[3], b[3], s[3], length2 = 0;
    slope_at(n, low, a);
    slope_at(n, high, b);
    for (int d = 0; d < 3; d++) {
        s[d] = -(a[d] + t * (b[d] - a[d]));
        length2 += s[d] * s[d];
    }
    if (length2 > 0) {
        const double per_length = 1 / sqrt(length2);
        return firn_v3((firn_real)(s[0] * per_length), (firn_real)(s[1] * per_length),
                       (firn_real)(s[2] * per_length));
    }
    const firn_real out = low_inside ? 1 : -1;
    return firn_v3(axis == 0 ? out : 0, axis == 1 ? out : 0, axis == 2 ? out : 0);
}

static const float* carried_at(const firn_nodes* n, const float* carried, const int at[3])
{
    const firn_local b = n->near[(at[0] + 8) >> 3][(at[1] + 8) >> 3][(at[2] + 8) >> 3];
    if (b < 0) return NULL;
    const int node = ((at[0] & 7) * 8 + (at[1] & 7)) * 8 + (at[2] & 7);
    return carried + ((size_t)b * FIRN_NODE_VOXELS + (size_t)node) * 3;
}

static firn_vec3 carry(const firn_nodes* n, const float* carried, const int low[3], int axis,
                       double t)
{
    int high[3] = {low[0], low[1], low[2]};
    high[axis]++;
    const double wa = (1 - t) * firn_node_value(n, low[0], low[1], low[2]);
    const double wb = t * firn_node_value(n, high[0], high[1], high[2]);
    const float *a = carried_at(n, carried, low), *b = carried_at(n, carried, high);
    double v[3];
    for (int d = 0; d < 3; d++)
        v[d] =
            ((a != NULL ? wa * (double)a[d] : 0) + (b != NULL ? wb * (double)b[d] : 0)) / (wa + wb);
    return firn_v3((firn_real)v[0], (firn_real)v[1], (firn_real)v[2]);
}

static void write_vertex(const job* j, const firn_nodes* n, const int32_t block[3], int edge,
                         firn_local vertex)
{
    const int axis = edge / FIRN_NODE_VOXELS, node = edge % FIRN_NODE_VOXELS;
    const int low[3] = {node >> 6, node >> 3 & 7, node & 7};
    int high[3] = {low[0], low[1], low[2]};
    high[axis]++;
    const double a = firn_node_value(n, low[0], low[1], low[2]);
    const double b = firn_node_value(n, high[0], high[1], high[2]);
    const double t = fmin(fmax((j->def->level - a) / (b - a), NEAREST), 1 - NEAREST);
    double x[3];
    for (int d = 0; d < 3; d++)
        x[d] = (block[d] * 8.0 + low[d] + (d == axis ? t : 0)) * j->def->volume->voxel;
    firn_isosurface* out = j->out;
    out->vertices[vertex] = firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
    out->normals[vertex] = normal_at(n, low, axis, t, a > b);
    for (int c = 0; c < FIRN_CARRIED_MAX; c++)
        if (out->carried[c] != NULL)
            out->carried[c][vertex] = carry(n, j->def->carried[c], low, axis, t);
}

// ---- triangles ----------------------------------------------------------------------------------

// The vertex on an edge of a cell. `around`: the sets of the blocks from this one on.
static int32_t vertex_on(const edge_set* const around[8], int i, int k, int m, int edge)
{
    const int corner = firn_cube_edge_corner(edge);
    const int at[3] = {i + (corner & 1), k + (corner >> 1 & 1), m + (corner >> 2)};
    const edge_set* set = around[at[0] >> 3 | at[1] >> 3 << 1 | at[2] >> 3 << 2];
    const int node = ((at[0] & 7) * 8 + (at[1] & 7)) * 8 + (at[2] & 7);
    const int e = edge / 4 * FIRN_NODE_VOXELS + node, w = e >> 6;
    const uint64_t lower = set->bits[w] & (((uint64_t)1 << (e & 63)) - 1);
    return set->first_vertex + set->before[w] + __builtin_popcountll(lower);
}

static void write_triangles(const job* j, const firn_nodes* n, firn_local b, const int32_t block[3])
{
    const edge_set* around[8];
    for (int c = 0; c < 8; c++) {
        const firn_local k = find_work(
            j, firn_node_key(block[0] + (c & 1), block[1] + (c >> 1 & 1), block[2] + (c >> 2)));
        around[c] = k >= 0 ? &j->sets[k] : NULL;  // null: without crossings
    }
    firn_local next = j->sets[b].first_triangle;
    for (int node = 0; node < FIRN_NODE_VOXELS; node++) {
        const int i = node >> 6, k = node >> 3 & 7, m = node & 7;
        const int bits = corners_inside(j, n, i, k, m);
        const uint8_t* edge = j->cubes.edge[bits];
        for (int t = 0; t < j->cubes.count[bits]; t++, next++, edge += 3)
            for (int c = 0; c < 3; c++)
                j->out->triangles[next][c] = vertex_on(around, i, k, m, edge[c]);
    }
}

static void write_blocks(const void* self, firn_local begin, firn_local end)
{
    const job* j = self;
    firn_nodes n;
    for (firn_local b = begin; b < end; b++) {
        const edge_set* set = &j->sets[b];
        if (set->vertices == 0 && set->triangles == 0) continue;
        int32_t block[3];
        firn_node_block(j->keys[b], block);
        firn_nodes_gather(j->def->volume, block, &n);
        firn_local vertex = set->first_vertex;
        for (int w = 0; w < EDGE_WORDS; w++)
            for (uint64_t bits = set->bits[w]; bits != 0; bits &= bits - 1)
                write_vertex(j, &n, block, 64 * w + __builtin_ctzll(bits), vertex++);
        write_triangles(j, &n, b, block);
    }
}

// ---- blocks with work ---------------------------------------------------------------------------

static void find_active(const void* self, firn_local begin, firn_local end)
{
    const job* j = self;
    for (firn_local b = begin; b < end; b++) {
        const float* value = j->def->volume->density + (size_t)b * FIRN_NODE_VOXELS;
        bool any = false;
        for (int k = 0; k < FIRN_NODE_VOXELS; k++) any |= (double)value[k] >= j->def->level;
        j->active[b] = any;
    }
}

static firn_result list_blocks(job* j)
{
    const firn_density_volume* v = j->def->volume;
    j->active = firn_alloc((size_t)v->block_count + 1, sizeof *j->active);
    if (j->active == NULL) return FIRN_BROKEN_MEMORY;
    firn_share(v->block_count, 16, find_active, j);
    int64_t all = 0;
    for (firn_local b = 0; b < v->block_count; b++) all += 8 * j->active[b];
    if (all > INT32_MAX) return FIRN_BROKEN_MEMORY;
    FIRN_TRY(firn_key_sort_reserve(&j->sort, (firn_local)all, firn_team_size()));
    firn_local n = 0;
    for (firn_local b = 0; b < v->block_count; b++)
        for (int c = 0; c < 8 && j->active[b]; c++) {
            const int32_t* o = v->origin[b];
            j->sort.key[0][n++] = firn_node_key((o[0] >> 3) - (c & 1), (o[1] >> 3) - (c >> 1 & 1),
                                                (o[2] >> 3) - (c >> 2));
        }
    const uint64_t* keys;
    const firn_local* order;
    firn_key_sort_run(&j->sort, n, &keys, &order);
    j->keys = firn_alloc((size_t)n + 1, sizeof *j->keys);
    if (j->keys == NULL) return FIRN_BROKEN_MEMORY;
    for (firn_local k = 0; k < n; k++)
        if (k == 0 || keys[k] != keys[k - 1]) j->keys[j->count++] = keys[k];
    j->sets = firn_alloc((size_t)j->count + 1, sizeof *j->sets);
    return j->sets != NULL ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

static firn_result allocate(const job* j, firn_isosurface* s)
{
    const size_t vertices = (size_t)s->vertex_count + 1;
    s->vertices = firn_alloc(vertices, sizeof *s->vertices);
    s->normals = firn_alloc(vertices, sizeof *s->normals);
    s->triangles = firn_alloc((size_t)s->triangle_count + 1, sizeof *s->triangles);
    bool good = s->vertices != NULL && s->normals != NULL && s->triangles != NULL;
    for (int c = 0; c < FIRN_CARRIED_MAX; c++)
        if (j->def->carried[c] != NULL) {
            s->carried[c] = firn_alloc(vertices, sizeof *s->carried[c]);
            good = good && s->carried[c] != NULL;
        }
    return good ? FIRN_OK : FIRN_BROKEN_MEMORY;
}

static firn_result build(job* j)
{
    FIRN_TRY(list_blocks(j));
    firn_share(j->count, 1, count_blocks, j);
    int64_t vertices = 0, triangles = 0;
    for (firn_local b = 0; b < j->count; b++) {
        j->sets[b].first_vertex = (firn_local)vertices;
        j->sets[b].first_triangle = (firn_local)triangles;
        vertices += j->sets[b].vertices;
        triangles += j->sets[b].triangles;
        if (triangles > INT32_MAX) return FIRN_REFUSED_ARGUMENT;  // more triangles than vertices
    }
    j->out->vertex_count = (firn_local)vertices;
    j->out->triangle_count = (firn_local)triangles;
    FIRN_TRY(allocate(j, j->out));
    firn_share(j->count, 1, write_blocks, j);
    return FIRN_OK;
}

firn_result firn_isosurface_make(const firn_isosurface_def* def, firn_isosurface* out_surface,
                                 firn_error* error)
{
    if (!(def->level > 0) || !isfinite(def->level))
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a surface at the level %g: use one above 0, or it is not closed",
                         def->level);
    firn_isosurface surface = {0};
    job j = {.def = def, .out = &surface};
    firn_cubes_make(&j.cubes);
    const firn_result result = build(&j);
    firn_key_sort_destroy(&j.sort);
    firn_free(j.keys);
    firn_free(j.sets);
    firn_free(j.active);
    if (result == FIRN_OK) {
        *out_surface = surface;
        return FIRN_OK;
    }
    firn_isosurface_destroy(&surface);
    return firn_fail(error, result,
                     result == FIRN_BROKEN_MEMORY
                         ? "out of memory for a surface of %d blocks of voxels of %g m: use a "
                           "larger voxel"
                         : "a surface of %d blocks of voxels of %g m has more than 2^31 triangles: "
                           "use a larger voxel",
                     (int)j.count, def->volume->voxel);
}

void firn_isosurface_destroy(firn_isosurface* surface)
{
    firn_free(surface->vertices);
    firn_free(surface->normals);
    firn_free(surface->triangles);
    for (int c = 0; c < FIRN_CARRIED_MAX; c++) firn_free(surface->carried[c]);
    *surface = (firn_isosurface){0};
}
