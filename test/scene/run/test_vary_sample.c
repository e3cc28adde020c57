// SPDX-License-Identifier: MIT
// Factors at known points: noise, texture, shell and layers, alone and multiplied.
#include "scene/run/vary_sample.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "math/noise.h"
#include "math/quat.h"
#include "output/export/vdb.h"
#include "seed.h"

#define CELL 0.01
#define PI 3.14159265358979323846
#define DOUBLES 1e-9  // the same formula in double at the same point: roundings of 1e-16

typedef struct fixture {
    firn_scene_data scene;
    firn_snow snow;
    firn_vary_layer layers[2];
    firn_vary_sampler sampler;
} fixture;

static void start(fixture* f)
{
    *f = (fixture){.scene.gravity = {0, -9.81, 0}, .snow = {.shape = -1}};
    f->snow.vary = firn_vary_default();
    for (int i = 0; i < 2; i++)
        for (int q = 0; q < FIRN_VARY_COUNT; q++) f->layers[i].factor[q] = 1;
}

static void add_shape(fixture* f, firn_shape_node node)
{
    node.a = node.a > 0 ? node.a : -1;
    node.b = -1;
    firn_error error;
    if (firn_shapes_add(&f->scene.shapes, &node, &f->snow.shape, &error) != FIRN_OK)
        fail_msg("%s", error.text);
}

static void add_ball(fixture* f, double radius)
{
    add_shape(f, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE,
                                   .p = {0, 0, 0, (firn_real)radius},
                                   .q = firn_q_identity()});
}

static void ready(fixture* f)
{
    firn_error error;
    if (firn_vary_sampler_create(&f->scene, &f->snow, CELL, &f->sampler, &error) != FIRN_OK)
        fail_msg("%s", error.text);
}

static void finish(fixture* f)
{
    firn_vary_sampler_destroy(&f->sampler);
    firn_shapes_destroy(&f->scene.shapes);
}

static firn_vec3 at(double x, double y, double z)
{
    return firn_v3((firn_real)x, (firn_real)y, (firn_real)z);
}

// Floats hold lengths of 1 m to 1e-7; depths are sums of a few.
static bool is_near(double a, double b)
{
    return fabs(a - b) < 2e-6;
}

static void noise(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    for (int q = 0; q < FIRN_VARY_COUNT; q++)
        f.snow.vary.field[q].noise = (firn_vary_noise){0.1 + 0.01 * q, 0.5 + q, 2, 7 + q};
    ready(&f);
    any_source r = {5, 0};
    int floored = 0;
    for (int k = 0; k < 300; k++) {
        const firn_vec3 x =
            at(any_between(&r, -1, 1), any_between(&r, -1, 1), any_between(&r, -1, 1));
        double factor[FIRN_VARY_COUNT];
        firn_vary_sample(&f.sampler, x, factor);
        for (int q = 0; q < FIRN_VARY_COUNT; q++) {
            const double s = 0.1 + 0.01 * q;
            const double n = firn_noise_octaves((uint64_t)(7 + q), (double)x.x / s, (double)x.y / s,
                                                (double)x.z / s, 2);
            assert_near(factor[q], fmax(1 + (0.5 + q) * n, 0.05), DOUBLES);
            floored += factor[q] == 0.05;
        }
    }
    assert_greater(floored, 0);
    finish(&f);
}

static void shell(void** state)
{
    (void)state;
    for (int falloff = 0; falloff < 2; falloff++) {
        fixture f;
        start(&f);
        add_ball(&f, 0.5);
        f.snow.vary.shell = (firn_vary_shell){0.2, {2, 1.5, 3, 0.5, 0.25}, falloff};
        ready(&f);
        const double depths[] = {0.001, 0.05, 0.1, 0.19, 0.21, 0.4};
        for (int k = 0; k < 6; k++) {
            double factor[FIRN_VARY_COUNT];
            const double side = (0.5 - depths[k]) / sqrt(3.0);
            firn_vary_sample(&f.sampler, at(side, -side, side), factor);
            for (int q = 0; q < FIRN_VARY_COUNT; q++) {
                const double part = falloff == FIRN_FALLOFF_SHARP ? 1 : 1 - depths[k] / 0.2;
                const double full = f.snow.vary.shell.factor[q];
                // depths are floats of 0.5 m: 6e-8 / 0.2 times the factor, and a few of them
                assert_near(factor[q], depths[k] < 0.2 ? 1 + (full - 1) * part : 1, 1e-5);
            }
        }
        finish(&f);
    }
}

// Straight up from a point of a box rotated by 30 degrees: depth over the cosine.
static void layers_of_a_tilted_box(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    const double c = cos(PI / 6), s = sin(PI / 6);
    add_shape(&f, (firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                    .p = {0, 0, 0, 1, (firn_real)0.25, 1},
                                    .q = {(firn_real)cos(PI / 12), 0, 0, (firn_real)sin(PI / 12)}});
    f.layers[0] = (firn_vary_layer){0, 0.05, {5, 1.25, 1, 1, 1}};
    f.layers[1] = (firn_vary_layer){0.03, 0.2, {1, 1, 2, 0.5, 0.75}};
    f.snow.vary.layers = (firn_vary_layers){f.layers, 2, 2};
    ready(&f);
    const double depths[] = {0.001, 0.02, 0.04, 0.049, 0.051, 0.1, 0.19, 0.21, 0.3, 0.45};
    for (int k = 0; k < 10; k++) {
        for (int place = -1; place <= 1; place++) {
            // in the box's own axes: along its top, and below it; rotated by 30 degrees about z
            const double u = 0.3 * place, v = 0.25 - depths[k] * c;
            const firn_vec3 x = at(u * c - v * s, u * s + v * c, 0.2 * place);
            const double depth = firn_vary_depth(&f.sampler, x);
            if (depths[k] < 0.2)
                assert_true(is_near(depth, depths[k]));
            else
                assert_at_least(depth, 0.2);
            double factor[FIRN_VARY_COUNT];
            firn_vary_sample(&f.sampler, x, factor);
            const bool top = depths[k]<0.05, under = depths[k]> 0.03 && depths[k] < 0.2;
            const double wanted[] = {top ? 5 : 1, top ? 1.25 : 1, under ? 2 : 1, under ? 0.5 : 1,
                                     under ? 0.75 : 1};
            for (int q = 0; q < FIRN_VARY_COUNT; q++) assert_equal(factor[q], wanted[q]);
        }
    }
    finish(&f);
}

// Depth follows gravity, not y; without gravity it follows y. Curved surfaces, and steep ones.
static void depth_is_against_gravity(void** state)
{
    (void)state;
    const double gravity[3][3] = {{0, -9.81, 0}, {6, 0, -8}, {0, 0, 0}};
    const double up[3][3] = {{0, 1, 0}, {-0.6, 0, 0.8}, {0, 1, 0}};
    any_source r = {8, 0};
    for (int g = 0; g < 3; g++) {
        fixture f;
        start(&f);
        add_ball(&f, 0.5);
        memcpy(f.scene.gravity, gravity[g], sizeof gravity[g]);
        f.layers[0].to = 2;
        f.snow.vary.layers = (firn_vary_layers){f.layers, 1, 1};
        ready(&f);
        for (int k = 0; k < 200; k++) {
            const double x[3] = {any_between(&r, -0.5, 0.5), any_between(&r, -0.5, 0.5),
                                 any_between(&r, -0.5, 0.5)};
            const double xx = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
            if (xx > 0.2499) continue;
            const double along = x[0] * up[g][0] + x[1] * up[g][1] + x[2] * up[g][2];
            const double exact = -along + sqrt(along * along + 0.25 - xx);
            // the last stride (0.2 mm here, 1e-4 of the layer) takes the surface as flat
            const double found = firn_vary_depth(&f.sampler, at(x[0], x[1], x[2]));
            assert_near(found, exact, 1e-4);
        }
        finish(&f);
    }
}

// Below a cavity depth is measured to the cavity: it is a surface.
static void a_cavity_is_a_surface(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    add_ball(&f, 0.5);
    const firn_local outer = f.snow.shape;
    add_ball(&f, 0.2);
    firn_shape_node node = {.kind = FIRN_SHAPE_DIFFERENCE, .a = outer, .b = f.snow.shape};
    node.q = firn_q_identity();
    assert_int_equal(firn_shapes_add(&f.scene.shapes, &node, &f.snow.shape, NULL), FIRN_OK);
    f.layers[0].to = 1;
    f.snow.vary.layers = (firn_vary_layers){f.layers, 1, 1};
    ready(&f);
    assert_true(is_near(firn_vary_depth(&f.sampler, at(0, -0.35, 0)), 0.15));
    assert_true(is_near(firn_vary_depth(&f.sampler, at(0, 0.3, 0)), 0.2));
    finish(&f);
}

// Noise, shell and layers of one quantity multiply.
static void factors_multiply(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    add_ball(&f, 0.5);
    f.snow.vary.field[FIRN_VARY_HARDENING].noise = (firn_vary_noise){0.2, 0.5, 1, 3};
    f.snow.vary.shell = (firn_vary_shell){0.1, {1, 1, 3, 1, 1}, FIRN_FALLOFF_SHARP};
    f.layers[0] = (firn_vary_layer){0, 0.1, {1, 1, 0.5, 1, 1}};
    f.snow.vary.layers = (firn_vary_layers){f.layers, 1, 1};
    ready(&f);
    double factor[FIRN_VARY_COUNT];
    const firn_vec3 x = at(0.03, 0.45, 0.01);
    firn_vary_sample(&f.sampler, x, factor);
    const double n =
        firn_noise_octaves(3, (double)x.x / 0.2, (double)x.y / 0.2, (double)x.z / 0.2, 1);
    assert_near(factor[FIRN_VARY_HARDENING], (1 + 0.5 * n) * 1.5, DOUBLES);
    assert_greater(fabs(n), 0.01);  // else the noise would not show
    for (int q = 0; q < FIRN_VARY_COUNT; q++)
        if (q != FIRN_VARY_HARDENING) assert_equal(factor[q], 1);
    finish(&f);
}

#define PATH FIRN_TEST_TMP "/spots.vdb"

#ifdef FIRN_HAVE_VDB
static void texture(void** state)
{
    (void)state;
    static float density[512];
    static int32_t origin[1][3] = {{0, 0, 0}};
    for (int k = 0; k < 512; k++) density[k] = (float)(k >> 6) / 5;  // 0, 0.2, ... 1.4 along x
    const firn_density_volume volume = {
        .voxel = 0.1, .block_count = 1, .origin = origin, .density = density};
    fixture f;
    start(&f);
    firn_error error;
    if (firn_vdb_write(PATH, &volume, 0, false, &error) != FIRN_OK) fail_msg("%s", error.text);
    char path[] = PATH, grid[] = "density", wrong[] = "xi";
    f.snow.vary.field[FIRN_VARY_STRETCH].texture = (firn_vary_texture){path, grid, 0.5, 2};
    ready(&f);
    const double x[] = {-1, 0, 0.1, 0.25, 0.5, 0.6, 0.7}, value[] = {0, 0, 0.2, 0.5, 1, 1, 1};
    for (int k = 0; k < 7; k++) {
        double factor[FIRN_VARY_COUNT];
        firn_vary_sample(&f.sampler, at(x[k], 0.3, 0.4), factor);
        // interpolated between floats, at a float position over a voxel of 0.1 m
        assert_near(factor[FIRN_VARY_STRETCH], 0.5 + 1.5 * value[k], 1e-5);
        assert_equal(factor[FIRN_VARY_STIFFNESS], 1);
    }
    finish(&f);
    f.snow.vary.field[FIRN_VARY_STRETCH].texture.grid = wrong;
    assert_int_equal(firn_vary_sampler_create(&f.scene, &f.snow, CELL, &f.sampler, &error),
                     FIRN_REFUSED_SCENE);
    assert_contains(error.text, "vary.stretch.texture: ");
    assert_contains(error.text, "no grid 'xi'");
}
#endif

static void missing_texture(void** state)
{
    (void)state;
    fixture f;
    start(&f);
    char path[] = FIRN_TEST_TMP "/none.vdb";
    firn_error error;
    f.snow.vary.field[FIRN_VARY_DENSITY].texture = (firn_vary_texture){path, NULL, 0.5, 2};
    assert_int_equal(firn_vary_sampler_create(&f.scene, &f.snow, CELL, &f.sampler, &error),
                     FIRN_REFUSED_IO);
    assert_contains(error.text, "vary.density.texture: cannot open");
}

int test_vary_sample(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise),
        cmocka_unit_test(shell),
        cmocka_unit_test(layers_of_a_tilted_box),
        cmocka_unit_test(depth_is_against_gravity),
        cmocka_unit_test(a_cavity_is_a_surface),
        cmocka_unit_test(factors_multiply),
        cmocka_unit_test(missing_texture),
#ifdef FIRN_HAVE_VDB
        cmocka_unit_test(texture),
#endif
    };
    return cmocka_run_group_tests_name("vary_sample", tests, NULL, NULL);
}
