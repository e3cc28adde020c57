// SPDX-License-Identifier: MIT
// Volumes as sums over neighbours, which are found among particles sorted by cells of edge 2 h. x
// is the lowest part of a cell's key, so three cells in a row are one range of the sorted keys.
#include "solver/sph/boundary/boundary_volume.h"

#include <math.h>

#include "core/threads/team.h"
#include "geometry/sampling/cell_table.h"
#include "solver/sph/laws/boundary_volume.h"
#include "solver/sph/laws/near_snow.h"

static void find_cell(firn_vec3 x, double edge, int64_t out[3])
{
    out[0] = (int64_t)floor((double)x.x / edge);
    out[1] = (int64_t)floor((double)x.y / edge);
    out[2] = (int64_t)floor((double)x.z / edge);
}

typedef struct sorted {
    const firn_vec3* x;
    const uint64_t* keys;
    const firn_local* order;  // null: already sorted
    firn_local count;
    double spacing, factor;
    uint64_t* key;      // out: cells of the particles
    firn_real* volume;  // out
} sorted;

static double sum_around(const sorted* s, firn_vec3 x)
{
    const double reach = FIRN_SPH_SUPPORT * s->spacing;
    int64_t cell[3];
    find_cell(x, reach, cell);
    double sum = 0;
    for (int row = 0; row < 9; row++) {
        const int64_t y = cell[1] + row % 3 - 1, z = cell[2] + row / 3 - 1;
        const uint64_t from = firn_cell_key(cell[0] - 1, y, z);
        const uint64_t to = firn_cell_key(cell[0] + 1, y, z);
        if (from == 0 || to == 0) continue;  // outside the range of keys
        for (firn_local k = firn_key_search(s->keys, s->count, from); k < s->count; k++) {
            if (s->keys[k] > to) break;
            const firn_vec3 other = s->x[s->order != NULL ? s->order[k] : k];
            sum += firn_boundary_kernel(x, other, s->spacing);
        }
    }
    return sum;
}

static void key_range(const void* self, firn_local begin, firn_local end)
{
    const sorted* s = self;
    for (firn_local p = begin; p < end; p++) {
        int64_t cell[3];
        find_cell(s->x[p], FIRN_SPH_SUPPORT * s->spacing, cell);
        s->key[p] = firn_cell_key(cell[0], cell[1], cell[2]);
    }
}

static void volume_range(const void* self, firn_local begin, firn_local end)
{
    const sorted* s = self;
    for (firn_local p = begin; p < end; p++)
        // Outside the range of keys a particle does not find itself.
        s->volume[p] = firn_boundary_volume(sum_around(s, s->x[p]), s->spacing, s->factor);
}

void firn_boundary_volumes(const firn_vec3* x, firn_local count, double spacing, double factor,
                           firn_key_sort* sort, firn_real* out_volume)
{
    sorted s = {.x = x,
                .count = count,
                .spacing = spacing,
                .factor = factor,
                .key = sort->key[0],
                .volume = out_volume};
    firn_share(count, 1024, key_range, &s);  // 5 ns
    firn_key_sort_run(sort, count, &s.keys, &s.order);
    firn_share(count, 16, volume_range, &s);  // 400 ns
}
