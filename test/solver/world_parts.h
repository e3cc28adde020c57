// SPDX-License-Identifier: MIT
// What the worlds of mpm, sph and grains (solver/*/world.h) share: colliders, particles by their
// number, momenta.
#pragma once
#include <math.h>

#include "firn_test.h"
#include "geometry/collider/collider.h"
#include "math/vec3.h"
#include "scene/data/scene.h"

#define WORLD_BODIES 6

static inline firn_local world_add_shape(firn_scene_data* scene, const firn_shape_node* node)
{
    firn_error error;
    firn_local shape = -1;
    if (firn_shapes_add(&scene->shapes, node, &shape, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return shape;
}

// At rest, without a temperature. `bodies` [WORLD_BODIES] are the scene's colliders.
static inline firn_collider* world_add_body(firn_scene_data* scene, firn_collider* bodies,
                                            const firn_shape_node* node)
{
    assert_less(scene->collider_count, WORLD_BODIES);
    firn_collider* body = &bodies[scene->collider_count++];
    *body = (firn_collider){.shape = world_add_shape(scene, node),
                            .motion = firn_motion_at_rest(),
                            .temperature = (firn_real)NAN};
    return body;
}

static inline firn_shape_node world_plane_node(firn_vec3 point, firn_vec3 normal)
{
    const firn_vec3 n = firn_v3_normalize(normal, normal);
    return (firn_shape_node){.kind = FIRN_SHAPE_PLANE,
                             .a = -1,
                             .b = -1,
                             .p = {point.x, point.y, point.z, n.x, n.y, n.z},
                             .q = firn_q_identity()};
}

static inline firn_shape_node world_ball_node(firn_vec3 center, double radius)
{
    return (firn_shape_node){.kind = FIRN_SHAPE_SPHERE,
                             .a = -1,
                             .b = -1,
                             .p = {center.x, center.y, center.z, (firn_real)radius},
                             .q = firn_q_identity()};
}

// Where the particle with this number is among ids [count].
static inline firn_local world_find_id(const uint32_t* ids, firn_local count, firn_local id)
{
    for (firn_local p = 0; p < count; p++)
        if (ids[p] == (uint32_t)id) return p;
    fail_msg("no particle has number %d", (int)id);
    return -1;
}

// Total momentum about a centre: linear and angular, of particles or nodes, in double.
typedef struct world_momentum {
    double mass, linear[3], angular[3], size;  // size: sum of m |v|
} world_momentum;

static inline void world_add_momentum(world_momentum* s, double m, firn_vec3 x, firn_vec3 c,
                                      firn_vec3 v)
{
    const double d[3] = {(double)x.x - (double)c.x, (double)x.y - (double)c.y,
                         (double)x.z - (double)c.z};
    const double u[3] = {(double)v.x, (double)v.y, (double)v.z};
    s->mass += m;
    s->size += m * sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    for (int a = 0; a < 3; a++) {
        const int b = (a + 1) % 3, e = (a + 2) % 3;
        s->linear[a] += m * u[a];
        s->angular[a] += m * (d[b] * u[e] - d[e] * u[b]);
    }
}

static inline double world_length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static inline double world_difference(const double a[3], const double b[3])
{
    return world_length((const double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}
