// SPDX-License-Identifier: MIT
// A BVH over triangles in Morton order. A node covers a range of triangles, split in the middle:
// the left child is the next node in the array, the right child is `right`. A search descends into
// the nearer child first and prunes nodes whose box is farther away than the best hit.
#include "mesh/spatial/triangle_tree.h"

#include "core/memory.h"
#include "mesh/spatial/triangle_order.h"

#define LEAF 1    // triangles per leaf: one triangle costs more than several boxes
#define STACK 64  // pending nodes: one per level of the tree, which has at most 30

typedef struct tree_node {
    firn_vec3 low, high;   // AABB
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

// Depth is log2(triangles / LEAF).
static void plant(firn_triangle_tree* tree, int32_t first, int32_t count)
{
    tree_node* b = &tree->nodes[tree->node_count++];
    *b = (tree_node){.first = first, .count = count};
    if (count <= LEAF) {
        measure(tree, b);
        return;
    }
    const int32_t left = tree->node_count;
    plant(tree, first, count / 2);
    b->right = tree->node_count;
    plant(tree, first + count / 2, count - count / 2);
    b->low = firn_v3_min(tree->nodes[left].low, tree->nodes[b->right].low);
    b->high = firn_v3_max(tree->nodes[left].high, tree->nodes[b->right].high);
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
        const double off = at[d] < low[d] ? low[d] - at[d] : at[d] > high[d] ? at[d] - high[d] : 0;
        d2 += off * off;
    }
    return d2 * (1 - 1e-12);  // rounding must not make it too large
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

firn_nearest firn_triangle_tree_nearest(const firn_triangle_tree* tree, firn_vec3 x, int32_t guess,
                                        int32_t* out_triangle)
{
    firn_nearest best = {.distance2 = INFINITY};
    int32_t nearest = -1, waiting[STACK];
    if (guess >= 0) look(tree, x, guess, &best, &nearest);
    int top = 0;
    waiting[top++] = 0;
    while (top > 0) {
        const int32_t at = waiting[--top];
        const tree_node* b = &tree->nodes[at];
        if (box_distance2(b, x) > best.distance2) continue;
        if (b->right == 0) {
            for (int32_t t = b->first; t < b->first + b->count; t++)
                look(tree, x, tree->order[t], &best, &nearest);
            continue;
        }
        const bool left_first =
            box_distance2(&tree->nodes[at + 1], x) <= box_distance2(&tree->nodes[b->right], x);
        waiting[top++] = left_first ? b->right : at + 1;
        waiting[top++] = left_first ? at + 1 : b->right;
    }
    *out_triangle = nearest;
    return best;
}
