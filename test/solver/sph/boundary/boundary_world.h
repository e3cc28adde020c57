// SPDX-License-Identifier: MIT
// Bodies with particles on them, for tests.
#pragma once
#include "geometry/collider/collider.h"
#include "geometry/gallery.h"
#include "geometry/sampling/surface_sample.h"
#include "solver/sph/boundary/boundary.h"
#include "team_use.h"

#define WORLD_BODIES 4

typedef struct boundary_world {
    firn_shapes shapes;
    firn_collider colliders[WORLD_BODIES];
    firn_local count;
    firn_boundary boundary;
    double h;
} boundary_world;

static inline firn_collider* world_add(boundary_world* w, firn_local shape)
{
    assert_less(w->count, WORLD_BODIES);
    firn_collider* collider = &w->colliders[w->count++];
    *collider = (firn_collider){.shape = shape, .motion = firn_motion_at_rest()};
    return collider;
}

static inline firn_local world_plane(firn_shapes* shapes)
{
    return gallery_add(shapes,
                       (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
}

static inline firn_local world_box(firn_shapes* shapes, double x, double y, double z)
{
    return gallery_add(shapes,
                       (firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                         .p = {0, 0, 0, (firn_real)x, (firn_real)y, (firn_real)z},
                                         .q = {1, 0, 0, 0}});
}

static inline firn_local world_ball(firn_shapes* shapes, double radius)
{
    return gallery_add(
        shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, (firn_real)radius}});
}

static inline void world_open(boundary_world* w, double h)
{
    firn_error error = {0};
    w->h = h;
    if (firn_boundary_create(w->count, h, 0.8, 0, &w->boundary, &error) != FIRN_OK)
        fail_msg("%s", error.text);
}

static inline void world_move(boundary_world* w, double time)
{
    for (firn_local c = 0; c < w->count; c++) {
        firn_error error = {0};
        if (firn_collider_move(&w->colliders[c], &w->shapes, time, &error) != FIRN_OK)
            fail_msg("%s", error.text);
    }
}

// Gives what the update says of change.
static inline bool world_update(boundary_world* w, const firn_vec3* near, firn_local count,
                                double reach, int threads)
{
    firn_error error = {0};
    bool changed = false;
    if (firn_team_size() != threads) use_team(threads);
    if (firn_boundary_update(&w->boundary, w->colliders, &w->shapes, near, count, reach, &changed,
                             &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return changed;
}

// The particles of one shape within `reach` of the origin.
static inline void world_sample(boundary_world* w, firn_local shape, double h, double reach)
{
    const firn_vec3 origin = {0, 0, 0};
    world_add(w, shape);
    world_open(w, h);
    world_move(w, 0);
    assert_true(world_update(w, &origin, 1, reach, 2));
}

static inline void world_close(boundary_world* w)
{
    use_team(0);
    firn_boundary_destroy(&w->boundary);
    firn_colliders_destroy(w->colliders, w->count);
    firn_shapes_destroy(&w->shapes);
    *w = (boundary_world){0};
}

static inline double world_distance(firn_vec3 a, firn_vec3 b)
{
    const double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y;
    return gallery_length(x, y, (double)a.z - (double)b.z);
}
