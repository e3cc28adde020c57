// SPDX-License-Identifier: MIT
#include "solver/shared/loads.h"

#include <string.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "geometry/collider/dynamic_collider.h"
#include "solver/collider_load.h"
#include "solver/load_of.h"
#include "solver/shared/impulse.h"

// What its torques are about: the centre of mass, or the origin of its shape.
static firn_vec3 center_of(const firn_collider* collider, const firn_shapes* shapes)
{
    firn_rigid body;
    firn_error ignored;  // the solver refuses a mass that it cannot use
    const bool weighs =
        collider->mass > 0 && firn_collider_rigid(collider, shapes, 0, &body, &ignored) == FIRN_OK;
    return weighs ? body.center : firn_v3(0, 0, 0);
}

firn_result firn_loads_create(const firn_collider* colliders, firn_local count,
                              const firn_shapes* shapes, firn_loads* out_loads)
{
    const size_t n = (size_t)count, each = n + FIRN_LOADS_MORE;
    const int workers = firn_team_size();
    firn_loads loads = {.sums = firn_alloc((size_t)workers * each, sizeof *loads.sums),
                        .last = firn_alloc(n + 1, sizeof *loads.last),
                        .center = firn_alloc(n + 1, sizeof *loads.center),
                        .count = count,
                        .workers = workers};
    if (loads.sums == NULL || loads.last == NULL || loads.center == NULL) {
        firn_loads_destroy(&loads);
        *out_loads = loads;
        return FIRN_BROKEN_MEMORY;
    }
    for (firn_local c = 0; c < count; c++) loads.center[c] = center_of(&colliders[c], shapes);
    *out_loads = loads;
    return FIRN_OK;
}

firn_result firn_loads_grown(const firn_loads* loads, const firn_collider* collider,
                             const firn_shapes* shapes, firn_loads* out_more)
{
    const size_t n = (size_t)loads->count, each = n + 1 + FIRN_LOADS_MORE;
    firn_loads more = {.sums = firn_alloc((size_t)loads->workers * each, sizeof *more.sums),
                       .last = firn_alloc(n + 2, sizeof *more.last),
                       .center = firn_alloc(n + 2, sizeof *more.center),
                       .count = loads->count + 1,
                       .workers = loads->workers};
    if (more.sums == NULL || more.last == NULL || more.center == NULL) {
        firn_loads_destroy(&more);
        *out_more = more;
        return FIRN_BROKEN_MEMORY;
    }
    memcpy(more.last, loads->last, n * sizeof *more.last);
    memcpy(more.center, loads->center, n * sizeof *more.center);
    more.center[n] = center_of(collider, shapes);
    *out_more = more;
    return FIRN_OK;
}

void firn_loads_destroy(firn_loads* loads)
{
    firn_free(loads->sums);
    firn_free(loads->last);
    firn_free(loads->center);
    *loads = (firn_loads){0};
}

void firn_loads_clear(firn_loads* loads)
{
    const size_t each = (size_t)(loads->count + FIRN_LOADS_MORE);
    if (loads->sums != NULL)
        memset(loads->sums, 0, (size_t)loads->workers * each * sizeof *loads->sums);
}

firn_impulse* firn_loads_mine(const firn_loads* loads)
{
    const size_t each = (size_t)(loads->count + FIRN_LOADS_MORE);
    return loads->sums + (size_t)firn_team_worker() * each;
}

// [kg] The weight of all colliders.
static double total_weight(const firn_impulse* sums, firn_local count)
{
    double weight = 0;
    for (firn_local c = 0; c < count; c++) weight += firn_impulse_value(&sums[c], 6);
    return weight;
}

static void set_all(firn_loads* loads, const firn_impulse* sums, const firn_collider* colliders)
{
    const firn_local n = loads->count;
    const double all = total_weight(sums, n);
    for (firn_local c = 0; c < n; c++) {
        const double part = all > 0 ? firn_impulse_value(&sums[c], 6) / all : 0;
        loads->last[c] =
            firn_load_of(&sums[c], &sums[n], part, loads->center[c], &colliders[c].pose);
    }
}

void firn_loads_take(firn_loads* loads, const firn_impulse* sums, firn_collider* colliders,
                     double time)
{
    for (firn_local c = 0; c < loads->count; c++)  // the host has moved those that deform
        if (colliders[c].deforming == NULL)
            colliders[c].pose = firn_collider_pose_at(&colliders[c], time);
    set_all(loads, sums, colliders);
}

firn_collider_load firn_loads_so_far(const firn_loads* loads, const firn_collider* colliders,
                                     firn_local c)
{
    const size_t each = (size_t)(loads->count + FIRN_LOADS_MORE);
    firn_impulse sum = loads->sums[c], shared = loads->sums[loads->count];
    double weight = total_weight(loads->sums, loads->count);
    for (int t = 1; t < loads->workers; t++) {
        const firn_impulse* other = loads->sums + (size_t)t * each;
        firn_impulse_join(&sum, &other[c]);
        firn_impulse_join(&shared, &other[loads->count]);
        weight += total_weight(other, loads->count);
    }
    const double part = weight > 0 ? firn_impulse_value(&sum, 6) / weight : 0;
    return firn_load_of(&sum, &shared, part, loads->center[c], &colliders[c].pose);
}

void firn_loads_end(firn_loads* loads, const firn_collider* colliders)
{
    const size_t each = (size_t)(loads->count + FIRN_LOADS_MORE);
    for (int t = 1; t < loads->workers; t++)
        for (firn_local c = 0; c <= loads->count; c++)
            firn_impulse_join(&loads->sums[c], &loads->sums[(size_t)t * each + (size_t)c]);
    set_all(loads, loads->sums, colliders);
}
