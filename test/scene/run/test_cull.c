// SPDX-License-Identifier: MIT
// Which particles are culled, and that the others are untouched.
#include "scene/run/cull.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "scene/data/scene.h"
#include "team_use.h"

#define COUNT 4000

typedef struct fixture {
    firn_scene_data scene;
    firn_particles particles;
    firn_culler culler;
} fixture;

// Points all over a cube of 2 m about the origin, with ids.
static void start(fixture* f)
{
    *f = (fixture){.scene.cull = {.below = -INFINITY, .inside = -1, .outside = -1}};
    firn_particles_add_field(&f->particles, "id", "", FIRN_FIELD_U32);
    firn_particles_add_field(&f->particles, "position", "m", FIRN_FIELD_VEC3);
    assert_int_equal(firn_particles_reserve(&f->particles, COUNT), FIRN_OK);
    f->particles.count = COUNT;
    firn_vec3* x = f->particles.fields[1].data;
    for (int p = 0; p < COUNT; p++) {
        ((uint32_t*)f->particles.fields[0].data)[p] = (uint32_t)p;
        x[p] = firn_v3((firn_real)(p * 37 % 2000) / 1000 - 1, (firn_real)(p * 71 % 2000) / 1000 - 1,
                       (firn_real)(p * 113 % 2000) / 1000 - 1);
    }
}

static void finish(fixture* f)
{
    firn_particles_destroy(&f->particles);
    firn_culler_destroy(&f->culler);
    firn_shapes_destroy(&f->scene.shapes);
}

static firn_local sphere(fixture* f, double x, double radius)
{
    const firn_shape_node node = {
        .kind = FIRN_SHAPE_SPHERE, .a = -1, .b = -1, .p = {(firn_real)x, 0, 0, (firn_real)radius}};
    firn_local shape = -1;
    assert_int_equal(firn_shapes_add(&f->scene.shapes, &node, &shape, NULL), FIRN_OK);
    return shape;
}

static firn_local cull(fixture* f)
{
    firn_local culled = -1;
    f->scene.cull.active = true;
    assert_int_equal(firn_cull(&f->culler, &f->scene, &f->particles, 0, &culled, NULL), FIRN_OK);
    return culled;
}

// Every particle that a plain look would keep is there, in order, and no other.
static void check(const fixture* f, bool (*keeps)(firn_vec3 x), firn_local culled)
{
    fixture all;
    start(&all);
    const firn_vec3* x = all.particles.fields[1].data;
    firn_local k = 0;
    for (firn_local p = 0; p < COUNT; p++) {
        if (!keeps(x[p])) continue;
        assert_less(k, f->particles.count);
        assert_int_equal(((uint32_t*)f->particles.fields[0].data)[k], p);
        assert_memory_equal((firn_vec3*)f->particles.fields[1].data + k, &x[p], sizeof x[p]);
        k++;
    }
    assert_int_equal(k, f->particles.count);
    assert_int_equal(culled, COUNT - k);
    finish(&all);
}

static bool above(firn_vec3 x)
{
    return (double)x.y >= -0.25;
}

static bool out_of_ball(firn_vec3 x)
{
    return firn_v3_length(firn_v3_sub(x, firn_v3((firn_real)0.5, 0, 0))) - (firn_real)0.7 >= 0;
}

static bool in_ball(firn_vec3 x)
{
    return firn_v3_length(x) - (firn_real)1.1 <= 0;
}

static bool all_three(firn_vec3 x)
{
    return above(x) && out_of_ball(x) && in_ball(x);
}

static void each_rule(void** state)
{
    (void)state;
    bool (*const keeps[])(firn_vec3) = {above, out_of_ball, in_ball, all_three};
    for (int rule = 0; rule < 4; rule++) {
        for (int threads = 1; threads < 4; threads += 2) {
            fixture f;
            start(&f);
            if (rule == 0 || rule == 3) f.scene.cull.below = -0.25;
            if (rule == 1 || rule == 3) f.scene.cull.inside = sphere(&f, 0.5, 0.7);
            if (rule == 2 || rule == 3) f.scene.cull.outside = sphere(&f, 0, 1.1);
            use_team(threads);
            const firn_local culled = cull(&f);
            assert_greater(culled, 100);
            assert_greater(f.particles.count, 100);
            check(&f, keeps[rule], culled);
            const uint64_t allocations = firn_memory_read().allocations;
            assert_int_equal(cull(&f), 0);  // nothing is left to do
            assert_int_equal(firn_memory_read().allocations, allocations);
            use_team(0);
            finish(&f);
        }
    }
}

// Rules that no particle is near remove nothing, wherever their shapes are.
static void far_away(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    f.scene.cull = (firn_cull_block){
        .below = -1.01, .inside = sphere(&f, 4, 2.9), .outside = sphere(&f, 0.1, 9)};
    assert_int_equal(cull(&f), 0);
    assert_int_equal(f.particles.count, COUNT);
    f.scene.cull.active = false;
    f.scene.cull.below = 5;
    firn_local culled = -1;
    assert_int_equal(firn_cull(&f.culler, &f.scene, &f.particles, 0, &culled, NULL), FIRN_OK);
    assert_int_equal(culled, 0);  // not requested
    finish(&f);
}

// Before its start a rule removes nothing, from then on it does.
static void not_before_the_start(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    f.scene.cull.below = 3;
    f.scene.cull.start = 0.5;
    f.scene.cull.active = true;
    firn_local culled = -1;
    assert_int_equal(firn_cull(&f.culler, &f.scene, &f.particles, 0.499, &culled, NULL), FIRN_OK);
    assert_int_equal(culled, 0);
    assert_int_equal(f.particles.count, COUNT);
    assert_int_equal(firn_cull(&f.culler, &f.scene, &f.particles, 0.5, &culled, NULL), FIRN_OK);
    assert_int_equal(culled, COUNT);
    finish(&f);
}

static void all_of_them(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    f.scene.cull.below = 3;
    assert_int_equal(cull(&f), COUNT);
    assert_int_equal(f.particles.count, 0);
    assert_int_equal(cull(&f), 0);
    finish(&f);
}

// A position that is not finite is a fault that the solver must see.
static void faults_stay(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    firn_vec3* x = f.particles.fields[1].data;
    x[7].y = -INFINITY;
    x[9].x = NAN;
    f.scene.cull.below = 3;
    f.scene.cull.outside = sphere(&f, 0, 1);
    assert_int_equal(cull(&f), COUNT - 2);
    assert_int_equal(((uint32_t*)f.particles.fields[0].data)[0], 7);
    assert_int_equal(((uint32_t*)f.particles.fields[0].data)[1], 9);
    assert_int_equal(cull(&f), 0);  // no finite one is left to look at
    finish(&f);
}

static void out_of_memory(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    f.scene.cull.active = true;
    f.scene.cull.below = 0;
    firn_local culled = -1;
    firn_error error;
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_cull(&f.culler, &f.scene, &f.particles, 0, &culled, &error),
                     FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
    assert_contains(error.text, "culling 4000 particles");
    assert_int_equal(f.particles.count, COUNT);
    assert_int_equal(cull(&f), COUNT / 2);
    finish(&f);
}

int test_cull(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_rule),
                                       cmocka_unit_test(far_away),
                                       cmocka_unit_test(all_of_them),
                                       cmocka_unit_test(faults_stay),
                                       cmocka_unit_test(not_before_the_start),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests_name("cull", tests, NULL, NULL);
}
