// SPDX-License-Identifier: MIT
// Connected components of occupied voxels: a hash table of voxels, then union-find over faces.
#include "viewer/source/fragments.h"

#include <math.h>
#include <stdlib.h>

typedef struct voxels {
    int32_t (*cell)[3];  // [count]
    int32_t* parent;     // [count] union-find
    int32_t* size;       // [count] voxels of a root
    int32_t* slots;      // [mask + 1] index + 1; 0: empty
    uint32_t mask;
    int32_t count;
} voxels;

static uint32_t hash(const int32_t c[3])
{
    uint32_t h =
        (uint32_t)c[0] * 0x8da6b343u ^ (uint32_t)c[1] * 0xd8163841u ^ (uint32_t)c[2] * 0xcb1ab31fu;
    h ^= h >> 15;
    return h * 0x2c1b3c6du;
}

// Index of the voxel; -1: not there, and not added.
static int32_t find(voxels* v, const int32_t c[3], int add)
{
    for (uint32_t at = hash(c) & v->mask;; at = (at + 1) & v->mask) {
        const int32_t k = v->slots[at] - 1;
        if (k >= 0) {
            const int32_t* there = v->cell[k];
            if (there[0] == c[0] && there[1] == c[1] && there[2] == c[2]) return k;
            continue;
        }
        if (!add) return -1;
        const int32_t made = v->count++;
        for (int i = 0; i < 3; i++) v->cell[made][i] = c[i];
        v->parent[made] = made;
        v->size[made] = 1;
        v->slots[at] = made + 1;
        return made;
    }
}

static int32_t root(voxels* v, int32_t k)
{
    while (v->parent[k] != k) k = v->parent[k] = v->parent[v->parent[k]];
    return k;
}

static void connect(voxels* v, int32_t a, int32_t b)
{
    a = root(v, a);
    b = root(v, b);
    if (a == b) return;
    const int32_t large = v->size[a] < v->size[b] ? b : a, small = large == a ? b : a;
    v->parent[small] = large;
    v->size[large] += v->size[small];
}

static void fill(voxels* v, const float (*position)[3], int64_t count, double voxel)
{
    for (int64_t p = 0; p < count; p++) {
        int32_t c[3];
        double x = 0;
        for (int k = 0; k < 3; k++) {
            x = floor((double)position[p][k] / voxel);
            if (!(fabs(x) < 1e9)) break;
            c[k] = (int32_t)x;
        }
        if (fabs(x) < 1e9) find(v, c, 1);
    }
    for (int32_t k = 0; k < v->count; k++)
        for (int axis = 0; axis < 3; axis++) {
            int32_t c[3] = {v->cell[k][0], v->cell[k][1], v->cell[k][2]};
            c[axis]++;
            const int32_t next = find(v, c, 0);
            if (next >= 0) connect(v, k, next);
        }
}

int64_t view_count_fragments(const float (*position)[3], int64_t count, double voxel,
                             int64_t smallest)
{
    if (count <= 0 || !(voxel > 0) || count > 500000000) return 0;
    size_t slots = 16;
    while (slots < 2 * (size_t)count) slots *= 2;
    const size_t room = (size_t)count;
    voxels v = {.cell = malloc(room * sizeof *v.cell),
                .parent = malloc(room * sizeof *v.parent),
                .size = malloc(room * sizeof *v.size),
                .slots = calloc(slots, sizeof *v.slots),
                .mask = (uint32_t)(slots - 1)};
    int64_t fragments = -1;
    if (v.cell && v.parent && v.size && v.slots) {
        fill(&v, position, count, voxel);
        fragments = 0;
        for (int32_t k = 0; k < v.count; k++)
            fragments += v.parent[k] == k && v.size[k] >= smallest;
    }
    free(v.cell);
    free(v.parent);
    free(v.size);
    free(v.slots);
    return fragments;
}
