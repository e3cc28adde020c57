// SPDX-License-Identifier: MIT
// Builds the BVH from the top: each node is split where the surface area heuristic (MacDonald and
// Booth 1990) is least, over bins of the centres (Wald 2007). Items end up in the order of leaves.
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "render/path/bvh/bvh.h"
#include "render/path/geometry/geometry_part.h"
#include "scene/data/scene.h"

enum {
    BINS = 16,
    DEPTH_BY_AREA = 32  // deeper than this items are halved: 31 more levels at most
};

typedef struct box {
    float low[3], high[3];
} box;

// An item on its way into the tree.
typedef struct leaf {
    box bounds;
    int32_t part, triangle;
} leaf;

typedef struct builder {
    leaf* leaves;  // owned
    firn_bvh_node* nodes;
    int32_t node_count;
} builder;

// Part of the leaves, to become child `side` of a node.
typedef struct range {
    int32_t begin, end;
    int32_t depth;
} range;

static box empty_box(void)
{
    return (box){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

static void grow(box* b, const box* with)
{
    for (int a = 0; a < 3; a++) {
        b->low[a] = fminf(b->low[a], with->low[a]);
        b->high[a] = fmaxf(b->high[a], with->high[a]);
    }
}

static float half_area(const box* b)
{
    const float x = b->high[0] - b->low[0], y = b->high[1] - b->low[1], z = b->high[2] - b->low[2];
    return x < 0 ? 0 : x * y + y * z + z * x;
}

static float centre(const leaf* l, int axis)
{
    return 0.5f * l->bounds.low[axis] + 0.5f * l->bounds.high[axis];
}

static int bin_of(const leaf* l, int axis, float low, float scale)
{
    const int k = (int)((centre(l, axis) - low) * scale);
    return k < 0 ? 0 : k < BINS ? k : BINS - 1;
}

// ---- splitting ----------------------------------------------------------------------------------

// A split between bins.
typedef struct split {
    int axis, bin;  // leaves of bins below `bin` are on the left; axis -1: none
    float low, scale;
    float cost;
} split;

static void try_axis(const builder* b, range r, int axis, const box* centres, split* best)
{
    const float low = centres->low[axis], size = centres->high[axis] - low;
    if (!(size > 0)) return;
    const float scale = BINS / size;
    if (!(scale < FLT_MAX)) return;
    box boxes[BINS], right[BINS];
    int32_t counts[BINS] = {0};
    for (int k = 0; k < BINS; k++) boxes[k] = empty_box();
    for (int32_t i = r.begin; i < r.end; i++) {
        const int k = bin_of(&b->leaves[i], axis, low, scale);
        grow(&boxes[k], &b->leaves[i].bounds);
        counts[k]++;
    }
    right[BINS - 1] = boxes[BINS - 1];
    for (int k = BINS - 2; k >= 0; k--) {
        right[k] = right[k + 1];
        grow(&right[k], &boxes[k]);
    }
    box left = empty_box();
    int32_t count = 0;
    for (int k = 1; k < BINS; k++) {
        grow(&left, &boxes[k - 1]);
        count += counts[k - 1];
        const int32_t others = r.end - r.begin - count;
        if (count == 0 || others == 0) continue;
        const float cost = half_area(&left) * (float)count + half_area(&right[k]) * (float)others;
        if (cost < best->cost) *best = (split){axis, k, low, scale, cost};
    }
}

// Moves the leaves of the left side to the front, in their order; returns where the right begins.
static int32_t partition(const builder* b, range r, const split* s)
{
    int32_t middle = r.begin;
    for (int32_t i = r.begin; i < r.end; i++) {
        if (bin_of(&b->leaves[i], s->axis, s->low, s->scale) >= s->bin) continue;
        const leaf l = b->leaves[i];
        b->leaves[i] = b->leaves[middle];
        b->leaves[middle++] = l;
    }
    return middle;
}

static box bounds_of(const builder* b, range r)
{
    box bounds = empty_box();
    for (int32_t i = r.begin; i < r.end; i++) grow(&bounds, &b->leaves[i].bounds);
    return bounds;
}

// Splits a range of at least two leaves into two that are not empty.
static int32_t divide(const builder* b, range r)
{
    box centres = empty_box();
    for (int32_t i = r.begin; i < r.end; i++) {
        box c;
        for (int a = 0; a < 3; a++) c.low[a] = c.high[a] = centre(&b->leaves[i], a);
        grow(&centres, &c);
    }
    split best = {.axis = -1, .cost = FLT_MAX};
    if (r.depth < DEPTH_BY_AREA)
        for (int axis = 0; axis < 3; axis++) try_axis(b, r, axis, &centres, &best);
    return best.axis >= 0 ? partition(b, r, &best) : r.begin + (r.end - r.begin) / 2;
}

// ---- the tree -----------------------------------------------------------------------------------

// Fills a node with two ranges; those that are no leaves become nodes, from `stack`.
typedef struct task {
    int32_t node;
    range r;
} task;

static void build(builder* b, int32_t count)
{
    // the deeper half of a division waits: one task a level
    task stack[2 * FIRN_BVH_DEPTH_MAX];
    int top = 0;
    stack[top++] = (task){b->node_count++, {0, count, 0}};
    while (top > 0) {
        const task t = stack[--top];
        firn_bvh_node* n = &b->nodes[t.node];
        range halves[2] = {t.r, t.r};  // a lone item is both children of its root
        halves[0].depth = halves[1].depth = t.r.depth + 1;
        if (t.r.end - t.r.begin > 1) halves[0].end = halves[1].begin = divide(b, t.r);
        for (int k = 0; k < 2; k++) {
            const range r = halves[k];
            const box bounds = bounds_of(b, r);
            memcpy(n->low[k], bounds.low, sizeof bounds.low);
            memcpy(n->high[k], bounds.high, sizeof bounds.high);
            n->child[k] = r.begin;
            n->count[k] = r.end - r.begin;
            if (n->count[k] <= FIRN_BVH_LEAF_MAX) continue;
            n->count[k] = 0;
            n->child[k] = b->node_count++;
            stack[top++] = (task){n->child[k], r};
        }
    }
}

// ---- items --------------------------------------------------------------------------------------

static leaf leaf_of_solid(const firn_part* part, int32_t index)
{
    const firn_vec3 low = part->solid.box.low, high = part->solid.box.high;
    const float l[3] = {(float)low.x, (float)low.y, (float)low.z};
    const float h[3] = {(float)high.x, (float)high.y, (float)high.z};
    leaf out = {.part = index, .triangle = -1};
    for (int a = 0; a < 3; a++) {  // conservative float bounds
        out.bounds.low[a] = nextafterf(l[a], -INFINITY);
        out.bounds.high[a] = nextafterf(h[a], INFINITY);
    }
    return out;
}

static leaf leaf_of_triangle(const firn_part* part, int32_t index, uint32_t triangle)
{
    leaf out = {.bounds = empty_box(), .part = index, .triangle = (int32_t)triangle};
    for (int k = 0; k < 3; k++) {
        const float* v = part->vertices[part->triangles[triangle][k]];
        const box corner = {{v[0], v[1], v[2]}, {v[0], v[1], v[2]}};
        grow(&out.bounds, &corner);
    }
    return out;
}

static void list_leaves(const firn_geometry* g, leaf* leaves)
{
    for (firn_local p = 0; p < g->part_count; p++) {
        const firn_part* part = &g->parts[p];
        if (part->kind == FIRN_PART_SHAPE) {
            *leaves++ = leaf_of_solid(part, (int32_t)p);
            continue;
        }
        for (uint32_t t = 0; t < part->triangle_count; t++)
            *leaves++ = leaf_of_triangle(part, (int32_t)p, t);
    }
}

static void fill_items(const firn_geometry* g, const leaf* leaves, firn_bvh_item* items,
                       int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        items[i] =
            (firn_bvh_item){.part = leaves[i].part, .triangle = leaves[i].triangle, .painted = -1};
        if (leaves[i].triangle < 0) continue;
        const firn_part* part = &g->parts[leaves[i].part];
        if (part->painted != NULL) items[i].painted = part->painted[leaves[i].triangle];
        for (int k = 0; k < 3; k++)
            memcpy(items[i].corner[k], part->vertices[part->triangles[leaves[i].triangle][k]],
                   sizeof items[i].corner[k]);
    }
}

static void fill_parts(const firn_geometry* g, firn_bvh_part* parts, firn_solid* solids,
                       float (*normals)[3], float (*uv)[3][2])
{
    int32_t solid = 0, normal = 0, painted = 0;
    for (firn_local p = 0; p < g->part_count; p++) {
        const firn_part* part = &g->parts[p];
        parts[p] = (firn_bvh_part){.owner = part->owner,
                                   .is_light = part->kind == FIRN_PART_LIGHT,
                                   .first_normal = -1,
                                   .first_uv = -1,
                                   .solid = -1};
        if (part->uv != NULL) {
            parts[p].first_uv = painted;
            memcpy(uv[painted], part->uv, (size_t)part->triangle_count * sizeof *uv);
            painted += (int32_t)part->triangle_count;
        }
        if (part->kind == FIRN_PART_SHAPE) {
            parts[p].solid = solid;
            solids[solid++] = part->solid;
        } else if (part->normals != NULL) {
            parts[p].first_normal = normal;
            memcpy(normals[normal], part->normals,
                   3 * (size_t)part->triangle_count * sizeof *normals);
            normal += 3 * (int32_t)part->triangle_count;
        }
    }
}

static firn_result count_all(const firn_geometry* g, firn_bvh* bvh, firn_error* error)
{
    int64_t items = 0, normals = 0, solids = 0, uv = 0;
    for (firn_local p = 0; p < g->part_count; p++) {
        const firn_part* part = &g->parts[p];
        const bool solid = part->kind == FIRN_PART_SHAPE;
        solids += solid;
        uv += part->uv != NULL ? (int64_t)part->triangle_count : 0;
        items += solid ? 1 : (int64_t)part->triangle_count;
        normals += solid || part->normals == NULL ? 0 : 3 * (int64_t)part->triangle_count;
    }
    if (normals > INT32_MAX || items > INT32_MAX / 3)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "a picture of %lld triangles: at most 700 million fit in a BVH; use "
                         "coarser meshes, or backend cpu",
                         (long long)items);
    bvh->item_count = (int32_t)items;
    bvh->normal_count = (int32_t)normals;
    bvh->solid_count = (int32_t)solids;
    bvh->uv_count = (int32_t)uv;
    bvh->part_count = (int32_t)g->part_count;
    return FIRN_OK;
}

firn_result firn_bvh_create(const firn_geometry* g, firn_bvh* out_bvh, firn_error* error)
{
    firn_bvh bvh = {.planes = g->planes,
                    .surfaces = g->surfaces,
                    .painted = g->painted,
                    .texels = g->texels,
                    .shapes = &g->scene->shapes,
                    .colliders = g->colliders,
                    .plane_count = (int32_t)g->plane_count,
                    .collider_count = (int32_t)g->collider_count,
                    .fluid_count = (int32_t)g->fluid_count,
                    .painted_count = (int32_t)g->painted_count,
                    .texel_count = g->texel_count};
    FIRN_TRY(count_all(g, &bvh, error));
    const size_t count = (size_t)bvh.item_count;
    builder b = {.leaves = firn_alloc(count + 1, sizeof *b.leaves),
                 .nodes = firn_alloc(count + 1, sizeof *b.nodes)};
    firn_bvh_item* items = firn_alloc(count + 1, sizeof *items);
    firn_bvh_part* parts = firn_alloc((size_t)bvh.part_count + 1, sizeof *parts);
    firn_solid* solids = firn_alloc((size_t)bvh.solid_count + 1, sizeof *solids);
    float(*normals)[3] = firn_alloc((size_t)bvh.normal_count + 1, sizeof *normals);
    float(*uv)[3][2] = firn_alloc((size_t)bvh.uv_count + 1, sizeof *uv);
    bvh.nodes = b.nodes;
    bvh.items = items;
    bvh.parts = parts;
    bvh.solids = solids;
    bvh.normals = (const float(*)[3])normals;
    bvh.uv = (const float(*)[3][2])uv;
    if (b.leaves == NULL || b.nodes == NULL || items == NULL || parts == NULL || solids == NULL ||
        normals == NULL || uv == NULL) {
        firn_free(b.leaves);
        firn_bvh_destroy(&bvh);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the BVH of %lld triangles",
                         (long long)count);
    }
    list_leaves(g, b.leaves);
    if (count > 0) build(&b, (int32_t)count);
    bvh.node_count = b.node_count;
    fill_items(g, b.leaves, items, (int32_t)count);
    fill_parts(g, parts, solids, normals, uv);
    firn_free(b.leaves);
    *out_bvh = bvh;
    return FIRN_OK;
}

void firn_bvh_destroy(firn_bvh* bvh)
{
    firn_free((void*)bvh->nodes);
    firn_free((void*)bvh->items);
    firn_free((void*)bvh->parts);
    firn_free((void*)bvh->solids);
    firn_free((void*)bvh->normals);
    firn_free((void*)bvh->uv);
    *bvh = (firn_bvh){0};
}
