// SPDX-License-Identifier: MIT
// Small simulations of every solver: what the tests of firn/edit.h share.
#pragma once
#include <stdlib.h>

#include "firn/edit.h"
#include "sim/play_fixture.h"

// A block of snow over a floor, and a box that a caller may move.
#define EDIT_REST                                                               \
    "time: {frames: 20, fps: 100}\n"                                            \
    "snow:\n  - shape: {box: {center: [0, 0.1, 0], size: [0.24, 0.2, 0.24]}}\n" \
    "colliders:\n  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"   \
    "  - shape: {box: {center: [0, 0, 0], size: [0.1, 0.4, 0.4]}}\n"            \
    "    position: [-0.4, 0, 0]\n"                                              \
    "output: {preview: false, film: false, points: [vtkhdf]}\n"

static const struct {
    const char *name, *text;
} edit_scenes[] = {
    {"ballistic", "firn: 1\nsolver: ballistic\nballistic: {spacing: 0.03, dt: 0.002}\n" EDIT_REST},
    {"mpm", "firn: 1\nsolver: mpm\nmpm: {cell: 0.04, integrator: explicit}\n" EDIT_REST},
    {"sph",
     "firn: 1\nsolver: sph\nsph: {spacing: 0.03}\nair: {drag: false, temperature: -5}\n" EDIT_REST},
    {"grains", "firn: 1\nsolver: grains\ngrains: {radius: 0.012}\n" EDIT_REST},
};
enum { EDIT_SCENES = sizeof edit_scenes / sizeof *edit_scenes };

// Fails the test unless the call succeeded.
#define EDIT_OK(sim, call)                                                  \
    do {                                                                    \
        if ((call) != FIRN_OK) fail_msg(#call ": %s", firn_sim_error(sim)); \
    } while (0)

static const char* edit_backend = "cpu";

static inline firn_sim* edit_start(const char* text, int threads, int64_t particles_max)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, text, "test", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = threads;
    def.backend = edit_backend;
    def.particles_max = particles_max;
    firn_sim* sim = NULL;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    return sim;
}

static inline void edit_steps(firn_sim* sim, int count)
{
    for (int k = 0; k < count; k++) EDIT_OK(sim, firn_sim_step(sim));
}

// Owned by the caller.
static inline void* edit_save(firn_sim* sim, size_t* out_size)
{
    EDIT_OK(sim, firn_sim_save(sim, NULL, 0, out_size));
    void* block = malloc(*out_size);
    assert_non_null(block);
    EDIT_OK(sim, firn_sim_save(sim, block, *out_size, out_size));
    return block;
}

// A scene that stores shapes: a ball of radius 0.08 m and a spade about the origin, and the ball
// once more above the block of snow.
typedef struct edit_prefabs {
    firn_scene* scene;
    firn_shape_id ball, high_ball, spade;
} edit_prefabs;

static inline edit_prefabs edit_prefabs_create(void)
{
    edit_prefabs p;
    assert_int_equal(firn_scene_create(&p.scene), FIRN_OK);
    const firn_vec3 origin = {0, 0, 0}, high = {(firn_real)0.02, (firn_real)0.42, 0};
    const firn_vec3 size = {(firn_real)0.1, (firn_real)0.4, (firn_real)0.5};
    const firn_real r = (firn_real)0.08;
    assert_int_equal(firn_scene_sphere(p.scene, origin, r, &p.ball), FIRN_OK);
    assert_int_equal(firn_scene_sphere(p.scene, high, r, &p.high_ball), FIRN_OK);
    assert_int_equal(firn_scene_box(p.scene, origin, size, 0, &p.spade), FIRN_OK);
    return p;
}

static inline firn_snow_def edit_ball(firn_shape_id shape)
{
    firn_snow_def def = firn_default_snow_def();
    def.shape = shape;
    def.velocity = (firn_vec3){1, 0, (firn_real)0.5};
    return def;
}

static inline firn_placement edit_place(double x, double y, double z)
{
    return (firn_placement){{(firn_real)x, (firn_real)y, (firn_real)z}, {1, 0, 0, 0}};
}

// Mass [kg] and momentum [kg m/s] of all particles.
static inline void edit_sum(firn_sim* sim, double out[4])
{
    firn_field_view m, v;
    EDIT_OK(sim, firn_sim_field(sim, "mass", &m));
    EDIT_OK(sim, firn_sim_field(sim, "velocity", &v));
    memset(out, 0, 4 * sizeof *out);
    for (firn_local p = 0; p < m.count; p++) {
        const double mass = (double)((const firn_real*)m.data)[p];
        const firn_vec3 u = ((const firn_vec3*)v.data)[p];
        out[0] += mass;
        out[1] += mass * (double)u.x;
        out[2] += mass * (double)u.y;
        out[3] += mass * (double)u.z;
    }
}

static inline int64_t edit_count(const firn_sim* sim)
{
    return firn_sim_read(sim).particle_count;
}
