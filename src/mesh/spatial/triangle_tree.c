// SPDX-License-Identifier: MIT
// A BVH over triangles in Morton order. A node covers a range of triangles, split in the middle:
// the left child is the next node in the array, the right child is `right`. A search descends into
// the nearer child first and prunes nodes whose box is farther away than the best hit, or whose
// slab is: a small node is flat, so that two planes across its mean normal enclose it closely. Near
// the centre of a ball many boxes are about as far away, but few slabs.
#include "mesh/spatial/triangle_tree.h"

#include <math.h>

#include "core/memory.h"
#include "mesh/spatial/triangle_order.h"

#define SLAB 256    // triangles at most of a node that has a slab: a larger one is seldom flat
#define SLACK 5e-7  // of the distance along a slab, against rounding
#define LEAF 1      // triangles per leaf: one triangle costs more than several boxes
#define FEW 4       // triangles of a node that is near are all near, about
#define STACK 64    // pending nodes: one per level of the tree, which has at most 30

typedef struct tree_node {
    firn_vec3 low, high;   // AABB
    firn_vec3 normal;      // of its slab, of length 1; or 0
    double from, to;       // [m] extent along `normal`, counted from `low`
    int32_t first, count;  // triangles
    int32_t right;         // index of the right child; 0: a leaf
} tree_node;

struct firn_triangle_tree {
    const firn_mesh* mesh;  // borrowed
    firn_local* order;      // owned [triangles]
    tree_node* nodes;       // owned
    int32_t node_count;
};

static int32_t count_nodes(int32_t triangles)
{
    if (triangles <= LEAF) return 1;
    return 1 + count_nodes(triangles / 2) + count_nodes(triangles - triangles / 2);
}

static void measure(const firn_triangle_tree* tree, tree_node* b)
{
    b->low = b->high = tree->mesh->vertices[tree->mesh->triangles[tree->order[b->first]][0]];
    for (int32_t t = b->first; t < b->first + b->count; t++)
        for (int k = 0; k < 3; k++) {
            const firn_vec3 x = tree->mesh->vertices[tree->mesh->triangles[tree->order[t]][k]];
            b->low = firn_v3_min(b->low, x);
            b->high = firn_v3_max(b->high, x);
        }
}

static double along_normal(const tree_node* b, firn_vec3 x, double* out_span)
{
    const double d[3] = {(double)x.x - (double)b->low.x, (double)x.y - (double)b->low.y,
                         (double)x.z - (double)b->low.z};
    *out_span = fabs(d[0]) + fabs(d[1]) + fabs(d[2]);
    return d[0] * (double)b->normal.x + d[1] * (double)b->normal.y + d[2] * (double)b->normal.z;
}

static void measure_slab(const firn_triangle_tree* tree, tree_node* b)
{
    const firn_vec3* v = tree->mesh->vertices;
    firn_vec3 sum = firn_v3(0, 0, 0);
    for (int32_t i = b->first; i < b->first + b->count; i++) {
        const int32_t* t = tree->mesh->triangles[tree->order[i]];
        const firn_vec3 u = firn_v3_sub(v[t[1]], v[t[0]]), w = firn_v3_sub(v[t[2]], v[t[0]]);
        sum = firn_v3_add(sum, firn_v3_cross(u, w));
    }
    b->normal = firn_v3_normalize(sum, firn_v3(0, 0, 0));
    b->from = INFINITY, b->to = -INFINITY;
    for (int32_t i = b->first; i < b->first + b->count; i++)
        for (int k = 0; k < 3; k++) {
            double span;
            const double at = along_normal(b, v[tree->mesh->triangles[tree->order[i]][k]], &span);
            b->from = fmin(b->from, at);
            b->to = fmax(b->to, at);
        }
}

// Depth is log2(triangles / LEAF).
static void plant(firn_triangle_tree* tree, int32_t first, int32_t count)
{
    tree_node* b = &tree->nodes[tree->node_count++];
    *b = (tree_node){.first = first, .count = count};
    if (count <= LEAF) {
        measure(tree, b);
        measure_slab(tree, b);
        return;
    }
    const int32_t left = tree->node_count;
    plant(tree, first, count / 2);
    b->right = tree->node_count;
    plant(tree, first + count / 2, count - count / 2);
    b->low = firn_v3_min(tree->nodes[left].low, tree->nodes[b->right].low);
    b->high = firn_v3_max(tree->nodes[left].high, tree->nodes[b->right].high);
    if (count <= SLAB) measure_slab(tree, b);
}

firn_result firn_triangle_tree_create(const firn_mesh* mesh, firn_triangle_tree** out_tree,
                                      firn_error* error)
{
    const firn_local count = mesh->triangle_count;
    FIRN_ASSERT(count > 0);
    firn_triangle_tree* tree = firn_alloc(1, sizeof *tree);
    if (tree != NULL) {
        tree->mesh = mesh;
        tree->order = firn_alloc((size_t)count, sizeof *tree->order);
        tree->nodes = firn_alloc((size_t)count_nodes(count), sizeof *tree->nodes);
    }
    if (tree == NULL || tree->order == NULL || tree->nodes == NULL ||
        firn_triangle_order(mesh, tree->order) != FIRN_OK) {
        firn_triangle_tree_destroy(tree);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a tree of %d triangles",
                         (int)count);
    }
    plant(tree, 0, count);
    *out_tree = tree;
    return FIRN_OK;
}

void firn_triangle_tree_destroy(firn_triangle_tree* tree)
{
    if (tree == NULL) return;
    firn_free(tree->order);
    firn_free(tree->nodes);
    firn_free(tree);
}

// Lower bound of the squared distance to a box [m^2].
static double box_distance2(const tree_node* b, firn_vec3 x)
{
    const double low[3] = {(double)b->low.x, (double)b->low.y, (double)b->low.z};
    const double high[3] = {(double)b->high.x, (double)b->high.y, (double)b->high.z};
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    double d2 = 0;
    for (int d = 0; d < 3; d++) {
        const double below = low[d] - at[d], above = at[d] - high[d];
        double off = below > above ? below : above;
        off = off > 0 ? off : 0;
        d2 += off * off;
    }
    return d2 * (1 - 1e-12);  // rounding must not make it too large
}

// The same for its slab.
static double slab_distance2(const tree_node* b, firn_vec3 x)
{
    double span;
    const double at = along_normal(b, x, &span);
    const double off = (at < b->from ? b->from - at : at - b->to) - SLACK * span;
    return off > 0 ? off * off : 0;
}

static void look(const firn_triangle_tree* tree, firn_vec3 x, int32_t triangle, firn_nearest* best,
                 int32_t* nearest)
{
    const int32_t* t = tree->mesh->triangles[triangle];
    const firn_vec3* v = tree->mesh->vertices;
    const firn_nearest at = firn_nearest_on_triangle(x, v[t[0]], v[t[1]], v[t[2]]);
    if (at.distance2 > best->distance2) return;
    if (*nearest >= 0 && at.distance2 == best->distance2 && triangle >= *nearest) return;
    *best = at;
    *nearest = triangle;
}

static double node_distance2(const tree_node* b, firn_vec3 x)
{
    const double box = box_distance2(b, x), slab = slab_distance2(b, x);
    return box > slab ? box : slab;
}

typedef struct waiting_node {
    double distance2;  // at least
    int32_t at;
} waiting_node;

firn_nearest firn_triangle_tree_nearest(const firn_triangle_tree* tree, firn_vec3 x, int32_t guess,
                                        int32_t* out_triangle)
{
    firn_nearest best = {.distance2 = INFINITY};
    int32_t nearest = -1;
    if (guess >= 0) look(tree, x, guess, &best, &nearest);
    waiting_node waiting[STACK];
    int top = 0;
    waiting[top++] = (waiting_node){0, 0};
    while (top > 0) {
        const waiting_node w = waiting[--top];
        if (w.distance2 > best.distance2) continue;
        const tree_node* b = &tree->nodes[w.at];
        if (b->right == 0) {
            for (int32_t t = b->first; t < b->first + b->count; t++)
                look(tree, x, tree->order[t], &best, &nearest);
            continue;
        }
        const waiting_node left = {node_distance2(b + 1, x), w.at + 1};
        const waiting_node right = {node_distance2(&tree->nodes[b->right], x), b->right};
        const bool left_first = left.distance2 <= right.distance2;
        const waiting_node near = left_first ? left : right, far = left_first ? right : left;
        if (!(far.distance2 > best.distance2)) waiting[top++] = far;
        if (!(near.distance2 > best.distance2)) waiting[top++] = near;
    }
    *out_triangle = nearest;
    return best;
}

int firn_triangle_tree_within(const firn_triangle_tree* tree, firn_vec3 x, double reach,
                              int capacity, int32_t* out_triangles)
{
    int32_t waiting[STACK];
    int top = 0, count = 0;
    waiting[top++] = 0;
    while (top > 0) {
        const int32_t at = waiting[--top];
        const tree_node* b = &tree->nodes[at];
        if (node_distance2(b, x) > reach * reach) continue;
        if (b->count > FEW) {
            waiting[top++] = b->right;
            waiting[top++] = at + 1;
            continue;
        }
        if (count + b->count > capacity) return -1;
        for (int32_t t = b->first; t < b->first + b->count; t++)
            out_triangles[count++] = tree->order[t];
    }
    return count;
}
