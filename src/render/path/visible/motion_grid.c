// SPDX-License-Identifier: MIT
// Filled by one thread in the order of the particles: the same sums for any number of threads.
#include "render/path/visible/motion_grid.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"

#define SLOTS_MIN 1024

// Corner and weights of the cell that contains a point.
typedef struct corner {
    int32_t at[3];
    float upper[3];
} corner;

static corner corner_of(const firn_motion_grid* g, firn_vec3 x)
{
    const double p[3] = {(double)x.x / g->cell, (double)x.y / g->cell, (double)x.z / g->cell};
    corner c;
    for (int i = 0; i < 3; i++) {
        const double low = floor(fmin(fmax(p[i], -1e9), 1e9));
        c.at[i] = (int32_t)low;
        c.upper[i] = (float)(p[i] - low);
    }
    return c;
}

static float weight_of(const corner* c, int k)
{
    float w = 1;
    for (int i = 0; i < 3; i++) w *= (k >> i & 1) != 0 ? c->upper[i] : 1 - c->upper[i];
    return w;
}

static void node_of(const corner* c, int k, int32_t out[3])
{
    for (int i = 0; i < 3; i++) out[i] = c->at[i] + (k >> i & 1);
}

// The node's slot, or the empty one where it belongs.
static size_t find(const firn_motion_node* nodes, size_t size, const int32_t at[3])
{
    uint64_t h = (uint64_t)(uint32_t)at[0] * 0x9e3779b97f4a7c15ull;
    h = (h ^ (uint32_t)at[1]) * 0xbf58476d1ce4e5b9ull;
    h = (h ^ (uint32_t)at[2]) * 0x94d049bb133111ebull;
    size_t slot = (size_t)(h >> 20) & (size - 1);
    while (nodes[slot].mass > 0 && memcmp(nodes[slot].at, at, sizeof nodes[slot].at) != 0)
        slot = (slot + 1) & (size - 1);
    return slot;
}

static bool grow(firn_motion_grid* g)
{
    const size_t size = g->size > 0 ? 2 * g->size : SLOTS_MIN;
    firn_motion_node* nodes = firn_alloc(size, sizeof *nodes);
    if (nodes == NULL) return false;
    for (size_t k = 0; k < g->size; k++)
        if (g->nodes[k].mass > 0) nodes[find(nodes, size, g->nodes[k].at)] = g->nodes[k];
    firn_free(g->nodes);
    g->nodes = nodes;
    g->size = size;
    return true;
}

static bool add(firn_motion_grid* g, firn_vec3 x, firn_vec3 v, float mass)
{
    if (2 * (g->used + 8) > g->size && !grow(g)) return false;
    const corner c = corner_of(g, x);
    for (int k = 0; k < 8; k++) {
        int32_t at[3];
        node_of(&c, k, at);
        const float m = mass * weight_of(&c, k);
        if (!(m > 0)) continue;
        firn_motion_node* node = &g->nodes[find(g->nodes, g->size, at)];
        if (!(node->mass > 0)) {
            memcpy(node->at, at, sizeof at);
            g->used++;
        }
        node->mass += m;
        node->momentum[0] += m * (float)v.x;
        node->momentum[1] += m * (float)v.y;
        node->momentum[2] += m * (float)v.z;
    }
    return true;
}

firn_result firn_motion_grid_create(firn_motion_grid* grid, const firn_vec3* x, const firn_vec3* v,
                                    const firn_real* mass, firn_local count, double cell,
                                    firn_error* error)
{
    *grid = (firn_motion_grid){.cell = cell};
    for (firn_local p = 0; v != NULL && p < count; p++) {
        if (add(grid, x[p], v[p], mass != NULL ? (float)mass[p] : 1)) continue;
        firn_motion_grid_destroy(grid);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the velocities of a picture");
    }
    return FIRN_OK;
}

void firn_motion_grid_destroy(firn_motion_grid* grid)
{
    firn_free(grid->nodes);
    *grid = (firn_motion_grid){0};
}

firn_vec3 firn_motion_grid_at(const firn_motion_grid* g, firn_vec3 x)
{
    float mass = 0, sum[3] = {0, 0, 0};
    if (g->size == 0) return firn_v3(0, 0, 0);
    const corner c = corner_of(g, x);
    for (int k = 0; k < 8; k++) {
        int32_t at[3];
        node_of(&c, k, at);
        const firn_motion_node* node = &g->nodes[find(g->nodes, g->size, at)];
        const float w = weight_of(&c, k);
        mass += w * node->mass;
        for (int i = 0; i < 3; i++) sum[i] += w * node->momentum[i];
    }
    if (!(mass > 0)) return firn_v3(0, 0, 0);
    return firn_v3((firn_real)(sum[0] / mass), (firn_real)(sum[1] / mass),
                   (firn_real)(sum[2] / mass));
}
