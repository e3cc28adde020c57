// SPDX-License-Identifier: MIT
#include "render/path/glints/glint_cells.h"

#include <math.h>

#include "core/memory.h"
#include "core/sort_keys.h"
#include "core/threads/team.h"
#include "math/key_search.h"

// 21 bits along each axis; points beyond share their outermost cells.
static int64_t along(const firn_glint_cells* c, firn_real x)
{
    const double k = floor((double)x / c->cell) + 1048576;
    return k > 0 ? (int64_t)fmin(k, 2097151) : 0;
}

static uint64_t key_of(int64_t x, int64_t y, int64_t z)
{
    return (uint64_t)x << 42 | (uint64_t)y << 21 | (uint64_t)z;
}

firn_result firn_glint_cells_sort(firn_glint_cells* c, const firn_vec3* x, firn_local count,
                                  double cell)
{
    c->cell = cell;
    c->count = count;
    c->keys = firn_alloc((size_t)count + 1, sizeof *c->keys);
    firn_local* sorted = firn_alloc((size_t)count + 1, sizeof *sorted);
    firn_key_sort sort = {0};
    firn_result r = c->keys == NULL || sorted == NULL
                        ? FIRN_BROKEN_MEMORY
                        : firn_key_sort_reserve(&sort, count, firn_team_size());
    if (r == FIRN_OK) {
        for (firn_local k = 0; k < count; k++) {
            const firn_vec3 p = x[c->list[k]];
            sort.key[0][k] = key_of(along(c, p.x), along(c, p.y), along(c, p.z));
        }
        const uint64_t* keys;
        const firn_local* order;
        firn_key_sort_run(&sort, count, &keys, &order);
        for (firn_local k = 0; k < count; k++) {
            c->keys[k] = keys[k];
            sorted[k] = c->list[order != NULL ? order[k] : k];
        }
        for (firn_local k = 0; k < count; k++) c->list[k] = sorted[k];
    }
    firn_key_sort_destroy(&sort);
    firn_free(sorted);
    return r;
}

void firn_glint_cells_destroy(firn_glint_cells* c)
{
    firn_free(c->list);
    firn_free(c->keys);
    *c = (firn_glint_cells){0};
}

firn_local firn_glint_cells_nearest(const firn_glint_cells* c, const firn_vec3* x, firn_vec3 p)
{
    const int64_t at[3] = {along(c, p.x), along(c, p.y), along(c, p.z)};
    firn_local nearest = -1;
    firn_real least = 0;
    for (int64_t i = at[0] - 1; i <= at[0] + 1; i++)
        for (int64_t j = at[1] - 1; j <= at[1] + 1; j++) {
            if (i < 0 || j < 0) continue;
            // three cells along z follow each other
            const uint64_t last = key_of(i, j, at[2] + 1);
            firn_local k =
                firn_key_search(c->keys, c->count, key_of(i, j, at[2] > 0 ? at[2] - 1 : 0));
            for (; k < c->count && c->keys[k] <= last; k++) {
                const firn_vec3 way = firn_v3_sub(x[c->list[k]], p);
                const firn_real square = firn_v3_dot(way, way);
                if (nearest >= 0 && !(square < least)) continue;
                nearest = c->list[k];
                least = square;
            }
        }
    return nearest;
}
