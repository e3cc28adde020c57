// SPDX-License-Identifier: MIT
// Triangles sorted by the Morton codes of their centres.
#include "mesh/spatial/triangle_order.h"

#include <math.h>

#include "core/sort_keys.h"
#include "core/threads/team.h"
#include "math/morton.h"

#define MOST 2097151  // 21 bits per axis

// Morton code of a triangle's centre within the bounding box of the mesh.
static uint64_t curve_key(const firn_mesh* mesh, int32_t t, firn_box3 box, double scale)
{
    double c[3] = {0};
    for (int k = 0; k < 3; k++) {
        const firn_vec3 x = mesh->vertices[mesh->triangles[t][k]];
        c[0] += ((double)x.x - (double)box.low.x) / 3;
        c[1] += ((double)x.y - (double)box.low.y) / 3;
        c[2] += ((double)x.z - (double)box.low.z) / 3;
    }
    uint64_t key = 0;
    for (int i = 0; i < 3; i++) {
        const double at = c[i] * scale;
        key |= firn_morton_spread(at < 0 ? 0 : at > MOST ? MOST : (uint64_t)at) << i;
    }
    return key;
}

typedef struct key_job {
    const firn_mesh* mesh;
    firn_box3 box;
    double scale;
    uint64_t* key;
} key_job;

static void find_keys(const void* self, firn_local begin, firn_local end)
{
    const key_job* j = self;
    for (firn_local t = begin; t < end; t++) j->key[t] = curve_key(j->mesh, t, j->box, j->scale);
}

firn_result firn_triangle_order(const firn_mesh* mesh, firn_local* out_order)
{
    const firn_local count = mesh->triangle_count;
    firn_key_sort sort = {0};
    const firn_result result = firn_key_sort_reserve(&sort, count, firn_team_size());
    if (result == FIRN_OK) {
        const firn_box3 box = firn_mesh_bounds(mesh);
        const double side =
            fmax((double)(box.high.x - box.low.x),
                 fmax((double)(box.high.y - box.low.y), (double)(box.high.z - box.low.z)));
        const double scale = side > 0 ? MOST / side : 0;
        firn_share(count, 256, find_keys, &(key_job){mesh, box, scale, sort.key[0]});
        const uint64_t* keys;
        const firn_local* order = NULL;
        firn_key_sort_run(&sort, count, &keys, &order);
        for (firn_local t = 0; t < count; t++) out_order[t] = order != NULL ? order[t] : t;
    }
    firn_key_sort_destroy(&sort);
    return result;
}
