// SPDX-License-Identifier: MIT
// What the camera sees while its shutter is open: the kernel that the scene asks for, as wide as
// its particles are apart, and snow where it is at each moment.
#include "render/path/shutter.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/random.h"
#include "math/vec3.h"

#include "scene/scene_fixture.h"

// A cube of jittered particles, 8 to a cell of 2 cm, 20 spacings wide.
enum { SIDE = 20, COUNT = SIDE * SIDE * SIDE };
#define CELL 0.02
#define EXTINCTION 724.0  // [1/m] of the density that the cube has

typedef struct cube {
    firn_vec3 x[COUNT], v[COUNT];
    firn_real mass[COUNT];
    firn_picture_snow snow;
} cube;

static cube* make_cube(cube* c)
{
    const double spacing = CELL / 2;
    for (int p = 0; p < COUNT; p++) {
        double at[3];
        for (int d = 0; d < 3; d++) at[d] = 0.2 + 0.6 * firn_random_unit(5, (uint64_t)(3 * p + d));
        c->x[p] = firn_v3((firn_real)(spacing * (p / (SIDE * SIDE) + at[0])),
                          (firn_real)(spacing * (p / SIDE % SIDE + at[1])),
                          (firn_real)(spacing * (p % SIDE + at[2])));
        c->v[p] = firn_v3(0, 0, 6);
        c->mass[p] = (firn_real)(400 * spacing * spacing * spacing);
    }
    c->snow = (firn_picture_snow){
        .x = c->x, .v = c->v, .mass = c->mass, .count = COUNT, .cell = CELL, .frame_time = 0.04};
    return c;
}

static firn_scene_data scene_of(const char* per_cell, const char* render)
{
    char text[1000];
    const int n = snprintf(text, sizeof text,
                           "firn: 1\nsnow: [{shape: {sphere: {radius: 0.1}}, particles_per_cell: "
                           "%s}]\nrender: {camera: {eye: [0, 0, 1], look_at: [0, 0, 0]}%s}\n",
                           per_cell, render);
    assert_greater(n, 0);
    assert_less(n, (int)sizeof text);
    return parse_good(text, NULL);
}

static firn_shutter create(const char* per_cell, const char* render, const firn_picture_snow* snow)
{
    firn_scene_data scene = scene_of(per_cell, render);
    firn_shutter moments;
    firn_error error;
    const firn_lights lights = {.only_sun = false};
    if (firn_shutter_create(&moments, &scene, snow, &lights, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    firn_scene_data_destroy(&scene);
    return moments;
}

typedef struct figures {
    double area;    // [m^2] extinction summed over space
    double center;  // [m] along z
    double rough;   // rms of extinction deep in the cube, over what it should be
} figures;

// Nodes 0..7 of each block are its own.
static figures measure(const firn_medium* m)
{
    figures f = {0};
    double squares = 0, deep = 0;
    for (int32_t b = 0; b < m->block_count; b++) {
        for (int n = 0; n < 512; n++) {
            const int at[3] = {n & 7, n >> 3 & 7, n >> 6};
            const double value =
                (double)m->nodes[b * FIRN_MEDIUM_NODES + (at[2] * 9 + at[1]) * 9 + at[0]];
            double x[3];
            bool inside = true;
            for (int d = 0; d < 3; d++) {
                x[d] = m->low[d] + m->voxel * (8 * m->at[b][d] + at[d]);
                inside = inside && fabs(x[d] - SIDE * CELL / 4) < 1.5 * CELL;
            }
            f.area += value * m->voxel * m->voxel;
            f.center += value * m->voxel * m->voxel * x[2];
            if (!inside) continue;
            const double off = value / m->voxel / EXTINCTION - 1;
            squares += off * off;
            deep++;
        }
    }
    f.center /= f.area;
    f.rough = sqrt(squares / deep);
    return f;
}

// All kernels show all of the snow. Anisotropic ones are smoother, and more so when the scene says
// that particles are farther apart.
static void the_scene_chooses_the_kernel(void** state)
{
    (void)state;
    static cube c;
    make_cube(&c)->snow.v = NULL;
    const char* const per_cell[4] = {"8", "8", "3", "8"};
    const char* const render[4] = {", medium: {kernel: spline}", ", medium: {kernel: anisotropic}",
                                   ", medium: {kernel: anisotropic}", ""};
    const double volume = SIDE * SIDE * SIDE * CELL * CELL * CELL / 8;
    double rough[4];
    for (int k = 0; k < 4; k++) {
        firn_shutter moments = create(per_cell[k], render[k], &c.snow);
        assert_int_equal(moments.count, 1);
        const figures f = measure(&moments.at[0].medium);
        print_message("rough: %.3f\n", f.rough);
        assert_near(f.area / (EXTINCTION * volume), 1, 1e-5);  // sums of floats
        rough[k] = f.rough;
        firn_shutter_destroy(&moments);
    }
    assert_less(rough[1] * 1.5, rough[0]);
    assert_less(rough[2] * 1.5, rough[1]);
    assert_less(rough[3] * 1.5, rough[0]);
}

// Voxels of the default kernel are as fine as two pixels and light's mean free path (1.4 mm), in
// whole parts of the particle spacing (10 mm): the same for every resolution that is not finer.
static void voxels_are_as_fine_as_the_picture(void** state)
{
    (void)state;
    static cube c;
    make_cube(&c)->snow.v = NULL;
    const char* const render[4] = {", height: 100", ", height: 400", ", height: 4000",
                                   ", medium: {voxel: 2 mm}"};
    const double expected[4] = {CELL / 2, CELL / 6, CELL / 8, 0.002};  // a pixel: 6.3, 1.6 mm, ...
    for (int k = 0; k < 4; k++) {
        firn_shutter moments = create("8", render[k], &c.snow);
        assert_near(moments.at[0].medium.voxel, expected[k], 1e-9);
        firn_shutter_destroy(&moments);
    }
}

// A voxel too fine for wide kernels is refused, with what to do.
static void a_voxel_that_is_too_fine_is_refused(void** state)
{
    (void)state;
    static cube c;
    firn_scene_data scene = scene_of("8", ", medium: {kernel: anisotropic, voxel: 0.3 mm}");
    firn_shutter moments;
    firn_error error = {0};
    const firn_lights lights = {.only_sun = false};
    assert_int_equal(firn_shutter_create(&moments, &scene, &make_cube(&c)->snow, &lights, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "kernel: spline");
    assert_int_equal(moments.count, 0);
    firn_scene_data_destroy(&scene);
}

// With an open shutter: half a frame about its time, evenly spread, with any kernel.
static void moments_follow_the_snow(void** state)
{
    (void)state;
    static cube c;
    make_cube(&c);
    const char* const render[3] = {", shutter: 0.5", ", shutter: 0.5, medium: {kernel: spline}",
                                   ", shutter: 0.5, medium: {kernel: anisotropic}"};
    for (int r = 0; r < 3; r++) {
        firn_shutter moments = create("8", render[r], &c.snow);
        assert_int_equal(moments.count, FIRN_SHUTTER_SAMPLES);
        const double step = 6 * 0.5 * 0.04 / FIRN_SHUTTER_SAMPLES;  // [m]
        double centers[FIRN_SHUTTER_SAMPLES], mean = 0;
        for (int k = 0; k < FIRN_SHUTTER_SAMPLES; k++) {
            centers[k] = measure(&moments.at[k].medium).center;
            mean += centers[k] / FIRN_SHUTTER_SAMPLES;
            // weights that are normalised over voxels shift a kernel's middle, by some hundredths
            if (k > 0) assert_near(centers[k] - centers[k - 1], step, 0.01 * step);
        }
        assert_near(mean, SIDE * CELL / 4, 0.01 * CELL);
        firn_shutter_destroy(&moments);
    }
}

int test_shutter(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_scene_chooses_the_kernel),
        cmocka_unit_test(voxels_are_as_fine_as_the_picture),
        cmocka_unit_test(a_voxel_that_is_too_fine_is_refused),
        cmocka_unit_test(moments_follow_the_snow),
    };
    return cmocka_run_group_tests_name("shutter", tests, NULL, NULL);
}
