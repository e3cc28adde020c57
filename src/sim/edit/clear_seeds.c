// SPDX-License-Identifier: MIT
// Only particles within reach of the bounds of the seeds are looked at; they and the seeds are
// sorted into cells together.
#include "sim/edit/clear_seeds.h"

#include <math.h>

#include "core/memory.h"
#include "math/box3.h"
#include "state/neighbours.h"

// [m] Distance of the particles where snow is packed.
static double spacing_of(const firn_seeds* seeds, firn_local p)
{
    if (seeds->size != NULL) return (double)seeds->size[p];
    return seeds->volume != NULL ? cbrt((double)seeds->volume[p]) : 0;
}

static bool is_within(const firn_box3* b, firn_vec3 x)
{
    return x.x >= b->low.x && x.y >= b->low.y && x.z >= b->low.z && x.x <= b->high.x &&
           x.y <= b->high.y && x.z <= b->high.z;
}

static firn_box3 box_around(const firn_seeds* seeds, double reach)
{
    firn_box3 box = {seeds->position[0], seeds->position[0]};
    for (firn_local p = 1; p < seeds->count; p++) {
        box.low = firn_v3_min(box.low, seeds->position[p]);
        box.high = firn_v3_max(box.high, seeds->position[p]);
    }
    const firn_real r = (firn_real)reach;
    box.low = firn_v3_sub(box.low, firn_v3(r, r, r));
    box.high = firn_v3_add(box.high, firn_v3(r, r, r));
    return box;
}

// Is seed `s` at x closer than `least` [m] to one of the first `near` points of the cells?
static bool is_blocked(const firn_neighbours* cells, const firn_neighbour_runs* runs,
                       firn_local near, firn_vec3 x, double least)
{
    for (int r = 0; r < runs->count; r++)
        for (firn_local q = runs->begin[r]; q < runs->end[r]; q++) {
            const firn_local point = cells->order != NULL ? cells->order[q] : q;
            const firn_vec3 d = firn_v3_sub(cells->x[q], x);
            if (point < near && (double)firn_v3_dot(d, d) < least * least) return true;
        }
    return false;
}

// Points: `near` particles, then the seeds. Marks the seeds that stay.
static void find_clear(const firn_neighbours* cells, const firn_seeds* seeds, firn_local near,
                       double clearance, firn_local* stays)
{
    for (firn_local c = 0; c < cells->cell_count; c++) {
        const firn_neighbour_runs runs = firn_neighbours_of_cell(cells, c);
        for (firn_local k = cells->begin[c]; k < cells->begin[c + 1]; k++) {
            const firn_local s = (cells->order != NULL ? cells->order[k] : k) - near;
            if (s >= 0)
                stays[s] =
                    !is_blocked(cells, &runs, near, cells->x[k], clearance * spacing_of(seeds, s));
        }
    }
}

firn_result firn_seeds_keep_clear(firn_seeds* seeds, double clearance, const firn_vec3* position,
                                  firn_local count, firn_error* error)
{
    double widest = 0;
    for (firn_local p = 0; p < seeds->count; p++) widest = fmax(widest, spacing_of(seeds, p));
    const double reach = clearance * widest;
    if (!(reach > 0) || seeds->count == 0) return FIRN_OK;
    const firn_box3 box = box_around(seeds, reach);
    firn_local near = 0;
    for (firn_local p = 0; p < count; p++) near += is_within(&box, position[p]);
    if (near == 0) return FIRN_OK;
    firn_neighbours cells = {0};
    const size_t all = (size_t)near + (size_t)seeds->count;
    firn_vec3* points = firn_alloc(all, sizeof *points);
    firn_local* stays = firn_alloc((size_t)seeds->count, sizeof *stays);
    bool ok = points != NULL && stays != NULL && all <= INT32_MAX;
    if (ok) {
        firn_local n = 0;
        for (firn_local p = 0; p < count; p++)
            if (is_within(&box, position[p])) points[n++] = position[p];
        for (firn_local s = 0; s < seeds->count; s++) points[n++] = seeds->position[s];
        ok = firn_neighbours_create(points, n, reach, &cells) == FIRN_OK;
    }
    if (ok) {
        find_clear(&cells, seeds, near, clearance, stays);
        firn_local kept = 0;
        for (firn_local s = 0; s < seeds->count; s++)
            if (stays[s] != 0) stays[kept++] = s;
        firn_seeds_keep(seeds, stays, kept);
        firn_neighbours_destroy(&cells);
    }
    firn_free(points);
    firn_free(stays);
    return ok ? FIRN_OK
              : firn_fail(error, FIRN_REFUSED_ARGUMENT, "no memory to look for existing snow");
}
