// SPDX-License-Identifier: MIT
// A small scene for tests of pictures: a ball of snow on or over a floor, seen from the front, the
// sun on the left.
#pragma once
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "geometry/collider/collider.h"
#include "math/random.h"
#include "render/image/image.h"
#include "render/preview/preview.h"
#include "scene/data/render_block.h"
#include "scene/data/scene.h"
#include "team_use.h"

#define SNOW_SCENE_PICTURE FIRN_TEST_TMP "/picture.png"

typedef struct snow_scene {
    firn_scene_data data;
    firn_collider colliders[4];
    double cell;
    firn_local count;
    firn_vec3* x;
    firn_real* mass;
    firn_real* density;
    uint32_t* id;
    const firn_real* value;   // borrowed; null: white snow
    const firn_real* radius;  // borrowed; null: particles have none
} snow_scene;

static inline void add_collider(snow_scene* s, firn_shape_node node)
{
    firn_local shape;
    node.a = node.b = -1;
    if (node.q.w == 0) node.q.w = 1;
    assert_int_equal(firn_shapes_add(&s->data.shapes, &node, &shape, NULL), FIRN_OK);
    firn_collider* c = &s->colliders[s->data.collider_count++];
    *c = (firn_collider){.shape = shape, .motion = firn_motion_at_rest()};
    s->data.colliders = s->colliders;
}

// Room for `count` particles at the origin.
static inline void add_particles(snow_scene* s, firn_local count)
{
    s->count = count;
    s->x = firn_alloc((size_t)count + 1, sizeof *s->x);
    s->mass = firn_alloc((size_t)count + 1, sizeof *s->mass);
    s->density = firn_alloc((size_t)count + 1, sizeof *s->density);
    s->id = firn_alloc((size_t)count + 1, sizeof *s->id);
    assert_non_null(s->x);
    assert_non_null(s->mass);
    assert_non_null(s->density);
    assert_non_null(s->id);
    for (firn_local p = 0; p < count; p++) {
        s->mass[p] = (firn_real)(400 * s->cell * s->cell * s->cell / 8);
        s->density[p] = 400;
        s->id[p] = (uint32_t)p;
    }
}

// A ball of radius 0.1 m around (0, height, 0), 8 particles a cell, one in each eighth of it.
static inline void add_ball(snow_scene* s, double height)
{
    const double edge = 0.5 * s->cell, r = 0.1;
    const int n = (int)(r / edge) + 1;
    const int64_t most = (int64_t)(2 * n) * (2 * n) * (2 * n);
    add_particles(s, (firn_local)most);
    s->count = 0;
    for (int64_t k = 0; k < most; k++) {
        const double u[3] = {firn_random_unit(1, (uint64_t)k), firn_random_unit(2, (uint64_t)k),
                             firn_random_unit(3, (uint64_t)k)};
        const double x = ((double)(k % (2 * n)) - n + u[0]) * edge;
        const double y = ((double)(k / (2 * n) % (2 * n)) - n + u[1]) * edge;
        const double z = ((double)(k / (2 * n) / (2 * n)) - n + u[2]) * edge;
        if (x * x + y * y + z * z < r * r)
            s->x[s->count++] = firn_v3((firn_real)x, (firn_real)(y + height), (firn_real)z);
    }
}

// Floor and camera; no snow yet.
static inline void setup_scene(snow_scene* s, int width, int height)
{
    memset(s, 0, sizeof *s);
    s->cell = 0.015;
    firn_render_block* r = &s->data.render;
    *r = (firn_render_block){.eye = {0, 0.25, 0.8},
                             .look_at = {0, 0.1, 0},
                             .fov_deg = 35,
                             .width = width,
                             .height = height,
                             .sun = {-0.9, 0.6, 0.25},
                             .sun_strength = 1,
                             .sky_strength = 1,
                             .sun_size = 0.53,
                             .medium = {.extinction = 724,
                                        .density = 400,
                                        .albedo = {0.996, 0.998, 1},
                                        .anisotropy = 0.5},
                             .samples = 16};
    add_collider(s, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
}

static inline void teardown_scene(snow_scene* s)
{
    firn_shapes_destroy(&s->data.shapes);
    firn_free(s->x);
    firn_free(s->mass);
    firn_free(s->density);
    firn_free(s->id);
}

static inline firn_result draw_scene(const snow_scene* s, const char* path, int threads,
                                     firn_error* error)
{
    const firn_snow_points points = {.x = s->x,
                                     .mass = s->mass,
                                     .density = s->density,
                                     .id = s->id,
                                     .count = s->count,
                                     .radius = s->radius};
    use_team(threads);
    const firn_result r = firn_preview_write(path, &s->data, s->cell, 0, &points, s->value, error);
    use_team(0);
    return r;
}

static inline firn_image draw_read(const snow_scene* s, int threads)
{
    firn_error error = {0};
    if (draw_scene(s, SNOW_SCENE_PICTURE, threads, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_image image;
    if (firn_png_read(SNOW_SCENE_PICTURE, &image, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_int_equal(image.width, s->data.render.width);
    assert_int_equal(image.height, s->data.render.height);
    return image;
}
