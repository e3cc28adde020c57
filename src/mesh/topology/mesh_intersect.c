// SPDX-License-Identifier: MIT
// Finds pairs of intersecting triangles with a BVH. Triangles are sorted along a Morton curve
// (Morton 1966), so that neighbours in the list are close in space; bounding boxes are built over
// runs of the list, pairwise up to the root:
//
//     1                     Node n has the children 2n and 2n + 1; the leaves are the nodes from
//     2       3             leaf_count on, each with the next LEAF triangles of the list.
//     4   5   6   7         A triangle tests only those after itself: every pair is tested once.
//     ab  cd  ef  g
#include "mesh/topology/mesh_intersect.h"

#include "core/memory.h"
#include "core/sort_keys.h"
#include "core/threads/atomics.h"
#include "core/threads/team.h"
#include "math/morton.h"
#include "mesh/topology/triangle_pair.h"

#define LEAF 4        // triangles per leaf
#define AXIS_BITS 21  // per coordinate of a Morton code
#define DEPTH_MAX 64

typedef struct tree {
    const firn_mesh* mesh;
    firn_local* order;  // owned [count]: triangles that are not degenerate, in Morton order
    firn_local count;
    firn_box3* boxes;  // owned [2 leaf_count]
    uint32_t leaf_count;
} tree;

static firn_box3 box_of(const tree* t, firn_local k)
{
    const int32_t* c = t->mesh->triangles[t->order[k]];
    const firn_vec3 *v = t->mesh->vertices, a = v[c[0]], b = v[c[1]], d = v[c[2]];
    return (firn_box3){firn_v3_min(firn_v3_min(a, b), d), firn_v3_max(firn_v3_max(a, b), d)};
}

// Boxes that touch overlap: the box of an axis-aligned triangle has no thickness.
static bool boxes_meet(const firn_box3* a, const firn_box3* b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y &&
           b->low.y <= a->high.y && a->low.z <= b->high.z && b->low.z <= a->high.z;
}

// Quantises x between low and high to 21 bits.
static uint64_t quantise(double x, double low, double high)
{
    const double t = (x - low) / (high - low) * (1 << AXIS_BITS);
    if (!(t > 0)) return 0;  // also NaN, where the mesh has no extent
    return t < (1 << AXIS_BITS) - 1 ? (uint64_t)t : (1 << AXIS_BITS) - 1;
}

static uint64_t morton_key(const tree* t, firn_local k, const firn_box3* all)
{
    const firn_box3 b = box_of(t, k);
    return firn_morton_spread(quantise(0.5 * ((double)b.low.x + (double)b.high.x),
                                       (double)all->low.x, (double)all->high.x)) |
           firn_morton_spread(quantise(0.5 * ((double)b.low.y + (double)b.high.y),
                                       (double)all->low.y, (double)all->high.y))
               << 1 |
           firn_morton_spread(quantise(0.5 * ((double)b.low.z + (double)b.high.z),
                                       (double)all->low.z, (double)all->high.z))
               << 2;
}

// Lists the triangles that are not degenerate.
static void list_triangles(tree* t)
{
    const firn_mesh* mesh = t->mesh;
    for (firn_local k = 0; k < mesh->triangle_count; k++) {
        const int32_t* c = mesh->triangles[k];
        const firn_vec3* v = mesh->vertices;
        if (!firn_triangle_is_flat(v[c[0]], v[c[1]], v[c[2]])) t->order[t->count++] = k;
    }
}

typedef struct key_job {
    const tree* tree;
    firn_box3 all;
    uint64_t* key;
} key_job;

static void find_keys(const void* self, firn_local begin, firn_local end)
{
    const key_job* j = self;
    for (firn_local k = begin; k < end; k++) j->key[k] = morton_key(j->tree, k, &j->all);
}

static firn_result sort_triangles(tree* t)
{
    firn_key_sort sort = {0};
    const firn_result result = firn_key_sort_reserve(&sort, t->count, firn_team_size());
    if (result == FIRN_OK) {
        firn_share(t->count, 256, find_keys, &(key_job){t, firn_mesh_bounds(t->mesh), sort.key[0]});
        const uint64_t* keys;
        const firn_local* from;
        if (firn_key_sort_run(&sort, t->count, &keys, &from)) {
            firn_local* before = sort.order[from == sort.order[0]];  // the free buffer
            for (firn_local k = 0; k < t->count; k++) before[k] = t->order[k];
            for (firn_local k = 0; k < t->count; k++) t->order[k] = before[from[k]];
        }
    }
    firn_key_sort_destroy(&sort);
    return result;
}

typedef struct box_level {
    tree* tree;
    uint32_t first;  // node of the level
} box_level;

// Boxes of leaves, or of nodes whose children have theirs.
static void fit_boxes(const void* self, firn_local begin, firn_local end)
{
    tree* t = ((const box_level*)self)->tree;
    const firn_real most = FIRN_REAL_MAX;
    for (firn_local k = begin; k < end; k++) {
        const uint32_t n = ((const box_level*)self)->first + (uint32_t)k;
        firn_box3 box = {firn_v3(most, most, most), firn_v3(-most, -most, -most)};
        const int64_t first = ((int64_t)n - t->leaf_count) * LEAF;
        for (int i = 0; i < (n < t->leaf_count ? 2 : LEAF); i++) {
            if (first >= 0 && first + i >= t->count) break;
            const firn_box3 part =
                first < 0 ? t->boxes[2 * n + (uint32_t)i] : box_of(t, (firn_local)first + i);
            box = (firn_box3){firn_v3_min(box.low, part.low), firn_v3_max(box.high, part.high)};
        }
        t->boxes[n] = box;
    }
}

static firn_result build(tree* t)
{
    t->order = firn_alloc((size_t)t->mesh->triangle_count, sizeof *t->order);
    if (t->order == NULL) return FIRN_BROKEN_MEMORY;
    list_triangles(t);
    FIRN_TRY(sort_triangles(t));
    t->leaf_count = 1;
    while ((int64_t)t->leaf_count * LEAF < t->count) t->leaf_count *= 2;
    t->boxes = firn_alloc(2 * (size_t)t->leaf_count, sizeof *t->boxes);
    if (t->boxes == NULL) return FIRN_BROKEN_MEMORY;
    for (uint32_t first = t->leaf_count; first > 0; first /= 2)
        firn_share((firn_local)first, 256, fit_boxes, &(box_level){t, first});
    return FIRN_OK;
}

// Counts the triangles after triangle k of the list that intersect it. `out_pairs`: who they are;
// may be null.
static int64_t find_cuts_of(const tree* t, firn_local k, firn_local (*out_pairs)[2])
{
    const firn_box3 mine = box_of(t, k);
    const int32_t(*triangles)[3] = (const int32_t(*)[3])t->mesh->triangles;
    const int levels = 31 - __builtin_clz(t->leaf_count);
    int64_t cuts = 0;
    uint32_t stack[DEPTH_MAX] = {1};
    for (int height = 1; height > 0;) {
        const uint32_t n = stack[--height];
        // Last leaf of this subtree.
        const int below = levels - (31 - __builtin_clz(n));
        const int64_t last = ((int64_t)(n + 1) << below) - 1 - t->leaf_count;
        if (last < k / LEAF || !boxes_meet(&t->boxes[n], &mine)) continue;
        if (n < t->leaf_count) {
            stack[height++] = 2 * n;
            stack[height++] = 2 * n + 1;
            continue;
        }
        const int64_t first = ((int64_t)n - t->leaf_count) * LEAF;
        for (int64_t j = first > k ? first : (int64_t)k + 1; j < first + LEAF && j < t->count;
             j++) {
            const firn_box3 other = box_of(t, (firn_local)j);
            if (!boxes_meet(&mine, &other) ||
                !firn_triangles_cut(t->mesh->vertices, triangles[t->order[k]],
                                    triangles[t->order[j]]))
                continue;
            if (out_pairs != NULL) {
                out_pairs[cuts][0] = t->order[k];
                out_pairs[cuts][1] = t->order[j];
            }
            cuts++;
        }
    }
    return cuts;
}

typedef struct cut_count {
    const tree* tree;
    int64_t* total;
} cut_count;

// A part stops early only when the limit is reached, and then the limit is the result: it does not
// depend on the order in which parts add.
static void count_cuts(const void* self, firn_local begin, firn_local end)
{
    const cut_count* c = self;
    for (firn_local k = begin; k < end; k++) {
        if (__atomic_load_n(c->total, __ATOMIC_RELAXED) >= FIRN_MESH_CUTS_MAX) return;
        const int64_t cuts = find_cuts_of(c->tree, k, NULL);
        if (cuts > 0) firn_atomic_add(c->total, cuts);
    }
}

firn_result firn_mesh_count_cuts(const firn_mesh* mesh, firn_local* out_count)
{
    tree t = {.mesh = mesh};
    *out_count = 0;
    if (mesh->triangle_count == 0) return FIRN_OK;
    const firn_result result = build(&t);
    if (result == FIRN_OK) {
        int64_t total = 0;
        firn_share(t.count, 16, count_cuts, &(cut_count){&t, &total});
        *out_count = (firn_local)(total < FIRN_MESH_CUTS_MAX ? total : FIRN_MESH_CUTS_MAX);
    }
    firn_free(t.order);
    firn_free(t.boxes);
    return result;
}

typedef struct cut_list {
    const tree* tree;
    firn_local* first;       // [count + 1] number of pairs, then index of the first one
    firn_local (*pairs)[2];  // null: they are only counted
} cut_list;

static void list_cuts(const void* self, firn_local begin, firn_local end)
{
    const cut_list* c = self;
    for (firn_local k = begin; k < end; k++) {
        if (c->pairs != NULL)
            find_cuts_of(c->tree, k, &c->pairs[c->first[k]]);
        else
            c->first[k] = (firn_local)find_cuts_of(c->tree, k, NULL);
    }
}

static firn_result list_pairs(cut_list* list, firn_local* out_count)
{
    const firn_local count = list->tree->count;
    list->first = firn_alloc((size_t)count + 1, sizeof *list->first);
    if (list->first == NULL) return FIRN_BROKEN_MEMORY;
    firn_share(count, 16, list_cuts, list);
    firn_local sum = 0;
    for (firn_local k = 0; k < count; k++) {
        const firn_local mine = list->first[k];
        list->first[k] = sum;
        sum += mine;
    }
    list->pairs = firn_alloc((size_t)sum, sizeof *list->pairs);
    if (list->pairs == NULL && sum > 0) return FIRN_BROKEN_MEMORY;
    firn_share(count, 16, list_cuts, list);
    *out_count = sum;
    return FIRN_OK;
}

firn_result firn_mesh_list_cuts(const firn_mesh* mesh, firn_local (**out_pairs)[2],
                                firn_local* out_count)
{
    tree t = {.mesh = mesh};
    *out_pairs = NULL;
    *out_count = 0;
    if (mesh->triangle_count == 0) return FIRN_OK;
    cut_list list = {.tree = &t};
    firn_result result = build(&t);
    if (result == FIRN_OK) result = list_pairs(&list, out_count);
    if (result == FIRN_OK) *out_pairs = list.pairs;
    firn_free(list.first);
    firn_free(t.order);
    firn_free(t.boxes);
    return result;
}
