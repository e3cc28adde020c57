// SPDX-License-Identifier: MIT
// Snow bodies become particles: masses, velocities, materials, variation by noise and shell,
// particles from files, and what is refused. Longer than 400 lines because all share a small scene.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "math/noise.h"
#include "scene/data/scene.h"
#include "scene/data/snow.h"
#include "scene/run/seed.h"

#define PI 3.14159265358979323846
#define PLY FIRN_TEST_TMP "/snow.ply"

// A scene of two materials and up to three bodies, on the stack but for its shapes.
typedef struct small_scene {
    firn_scene_data data;
    firn_material materials[2];
    firn_snow snow[3];
} small_scene;

static void start(small_scene* s)
{
    *s = (small_scene){0};
    s->materials[0].snow.density = 400;
    s->materials[1].snow.density = 250;
    s->data.materials = s->materials;
    s->data.material_count = 2;
    s->data.snow = s->snow;
}

static firn_snow* add_body(small_scene* s, firn_local shape)
{
    firn_snow* snow = &s->snow[s->data.snow_count++];
    *snow = (firn_snow){.shape = shape, .particles_per_cell = 8, .loose = 1, .seed = 1};
    snow->vary = firn_vary_default();
    return snow;
}

static firn_local add_sphere(small_scene* s, double x, double y, double z, double radius)
{
    const firn_shape_node node = {
        .kind = FIRN_SHAPE_SPHERE,
        .p = {(firn_real)x, (firn_real)y, (firn_real)z, (firn_real)radius}};
    firn_local shape = -1;
    assert_int_equal(firn_shapes_add(&s->data.shapes, &node, &shape, NULL), FIRN_OK);
    return shape;
}

static firn_seeds seeded(const small_scene* s, double cell)
{
    firn_seeds seeds;
    firn_error error = {0};
    if (firn_scene_seed(&s->data, cell, &seeds, &error) != FIRN_OK) fail_msg("%s", error.text);
    return seeds;
}

static void refused(const small_scene* s, double cell, firn_result code, const char* words)
{
    firn_seeds seeds = {0};
    firn_error error = {0};
    const uint64_t before = firn_memory_read().bytes;
    assert_int_equal(firn_scene_seed(&s->data, cell, &seeds, &error), code);
    if (strstr(error.text, words) == NULL) fail_msg("'%s' does not say '%s'", error.text, words);
    assert_int_equal(seeds.count, 0);
    assert_equal(firn_memory_read().bytes, before);
}

static void finish(small_scene* s, firn_seeds* seeds)
{
    firn_shapes_destroy(&s->data.shapes);
    firn_seeds_destroy(seeds);
    assert_null(seeds->position);
}

// Masses are products of a few numbers, rounded to float once.
#define MASS_ROUNDING 1e-6

// Particles at the surface of a ball fall in or out: of N regular ones about N^(-2/3) (0.1 % of
// 33510), of N random ones N^(-1/2) (0.3 % of 134041).
#define COUNT_ERROR 0.01

static void two_bodies(void** state)
{
    (void)state;
    small_scene s;
    start(&s);
    add_body(&s, add_sphere(&s, 0, 1, 0, 0.1));
    firn_snow* second = add_body(&s, add_sphere(&s, 1, 1, 0, 0.2));
    second->material = 1;
    second->particles_per_cell = 4;
    second->seeding = FIRN_SEED_RANDOM;
    firn_seeds seeds = seeded(&s, 0.01);
    double mass[2] = {0, 0};
    bool second_began = false;
    for (firn_local p = 0; p < seeds.count; p++) {
        const int m = seeds.material[p];
        assert_at_least(m, second_began);  // one snow body after the other
        second_began = m == 1;
        assert_int_equal(m, seeds.position[p].x > (firn_real)0.5);
        assert_near((double)seeds.mass[p] / (m ? 250e-6 / 4 : 400e-6 / 8), 1, MASS_ROUNDING);
        assert_equal(seeds.stiffness[p], 1);
        assert_equal(firn_v3_length(seeds.velocity[p]), 0);
        mass[m] += (double)seeds.mass[p];
    }
    print_message("masses %.5f, %.5f kg\n", mass[0], mass[1]);
    assert_near(mass[0] / (400 * 4 * PI / 3 * 1e-3), 1, COUNT_ERROR);
    assert_near(mass[1] / (250 * 4 * PI / 3 * 8e-3), 1, COUNT_ERROR);
    finish(&s, &seeds);
}

// The volume that a particle represents: density may vary, and loose snow takes more.
static void volumes(void** state)
{
    (void)state;
    small_scene s;
    start(&s);
    add_body(&s, add_sphere(&s, 0, 0, 0, 0.1))->vary.shell =
        (firn_vary_shell){.thickness = 0.03, .factor = {1.5, 1.5, 1, 1, 1}};
    firn_snow* loose = add_body(&s, add_sphere(&s, 1, 0, 0, 0.1));
    loose->loose = 1.5;
    loose->material = 1;
    firn_seeds seeds = seeded(&s, 0.01);
    double sum[2] = {0, 0};
    for (firn_local p = 0; p < seeds.count; p++) sum[seeds.material[p]] += (double)seeds.volume[p];
    for (int k = 0; k < 2; k++) assert_near(sum[k] / (4e-3 / 3 * PI), 1, (1 + k) * COUNT_ERROR);
    finish(&s, &seeds);
}

static void velocity_and_spin(void** state)
{
    (void)state;
    small_scene s;
    start(&s);
    firn_snow* snow = add_body(&s, add_sphere(&s, 0.5, 2, -1, 0.1));
    const double v[3] = {1, -2, 3}, w[3] = {4, 5, -6};
    memcpy(snow->velocity, v, sizeof v);
    memcpy(snow->spin, w, sizeof w);
    firn_seeds seeds = seeded(&s, 0.02);
    for (firn_local p = 0; p < seeds.count; p++) {
        const firn_vec3 x = seeds.position[p];
        const double r[3] = {(double)x.x - 0.5, (double)x.y - 2, (double)x.z + 1};
        const double e[3] = {v[0] + w[1] * r[2] - w[2] * r[1], v[1] + w[2] * r[0] - w[0] * r[2],
                             v[2] + w[0] * r[1] - w[1] * r[0]};
        const firn_vec3 found = seeds.velocity[p];
        // [m/s] floats: positions of 2 m to 2e-7, times a spin of 9 /s
        assert_less(fabs((double)found.x - e[0]) + fabs((double)found.y - e[1]) +
                        fabs((double)found.z - e[2]),
                    1e-5);
    }
    finish(&s, &seeds);
}

static void noise_varies_stiffness_and_mass(void** state)
{
    (void)state;
    small_scene s;
    start(&s);
    firn_snow* snow = add_body(&s, add_sphere(&s, 0, 0, 0, 0.1));
    snow->vary.field[FIRN_VARY_STIFFNESS].noise =
        (firn_vary_noise){.scale = 0.03, .amount = 0.5, .octaves = 2, .seed = 9};
    snow->vary.field[FIRN_VARY_DENSITY].noise =
        (firn_vary_noise){.scale = 0.05, .amount = 3, .octaves = 1, .seed = 4};
    firn_seeds seeds = seeded(&s, 0.01);
    double low = 9, high = 0;
    int floored = 0;
    for (firn_local p = 0; p < seeds.count; p++) {
        const double x = (double)seeds.position[p].x, y = (double)seeds.position[p].y,
                     z = (double)seeds.position[p].z;
        const double stiffness = 1 + 0.5 * firn_noise_octaves(9, x / 0.03, y / 0.03, z / 0.03, 2);
        const double density = fmax(1 + 3 * firn_noise(4, x / 0.05, y / 0.05, z / 0.05), 0.05);
        assert_near(seeds.stiffness[p], stiffness, 1e-6);  // a float of about 1
        assert_near((double)seeds.mass[p] / (50e-6 * density), 1, MASS_ROUNDING);
        low = fmin(low, stiffness);
        high = fmax(high, stiffness);
        floored += density == 0.05;
    }
    // amount 0.5: the noise uses a good part of its range
    assert_less(low, 0.8);
    assert_greater(high, 1.2);
    assert_greater(floored, 0);
    finish(&s, &seeds);
}

static void shell_is_harder_and_heavier(void** state)
{
    (void)state;
    small_scene s;
    start(&s);
    firn_snow* snow = add_body(&s, add_sphere(&s, 0, 0, 0, 0.1));
    snow->vary.shell.thickness = 0.02;
    snow->vary.shell.factor[FIRN_VARY_STIFFNESS] = 2;
    snow->vary.shell.factor[FIRN_VARY_DENSITY] = 1.25;
    firn_seeds seeds = seeded(&s, 0.01);
    int inner = 0, outer = 0;
    for (firn_local p = 0; p < seeds.count; p++) {
        const double depth = 0.1 - (double)firn_v3_length(seeds.position[p]);
        if (fabs(depth - 0.02) < 1e-6) continue;  // either side, by rounding of floats
        const bool shell = depth < 0.02;
        shell ? outer++ : inner++;
        assert_equal(seeds.stiffness[p], shell ? 2 : 1);
        assert_near((double)seeds.mass[p] / (50e-6 * (shell ? 1.25 : 1)), 1, MASS_ROUNDING);
    }
    // volumes of ball and shell: 0.8^3 is inside
    assert_near((double)inner / (inner + outer), 0.512, COUNT_ERROR);
    finish(&s, &seeds);
}

// Arrays of the other factors exist when some snow body has them; they are 1 for the others.
static void hardening_and_thresholds_vary(void** state)
{
    (void)state;
    small_scene s;
    start(&s);
    firn_snow* snow = add_body(&s, add_sphere(&s, 0, 0, 0, 0.1));
    add_body(&s, add_sphere(&s, 1, 0, 0, 0.1));
    for (int m = 0; m < 2; m++) {
        s.materials[m].name = (char*)"packed";
        s.materials[m].snow.hardening = 10;
        s.materials[m].snow.critical_compression = (firn_real)0.025;
        s.materials[m].snow.critical_stretch = (firn_real)0.0075;
    }
    assert_false(firn_scene_varies(&s.data));
    firn_seeds seeds = seeded(&s, 0.02);
    assert_null(seeds.hardening);
    assert_null(seeds.compression);
    assert_null(seeds.stretch);
    assert_equal(seeds.lightest, 1);
    firn_seeds_destroy(&seeds);
    snow->vary.shell = (firn_vary_shell){0.5, {1, 0.5, 2, 3, 4}, FIRN_FALLOFF_SHARP};
    assert_true(firn_scene_varies(&s.data));
    seeds = seeded(&s, 0.02);
    for (firn_local p = 0; p < seeds.count; p++) {
        const bool first = seeds.position[p].x < (firn_real)0.5;
        assert_equal(seeds.hardening[p], first ? 2 : 1);
        assert_equal(seeds.compression[p], first ? 3 : 1);
        assert_equal(seeds.stretch[p], first ? 4 : 1);
    }
    assert_equal(seeds.lightest, 0.5);
    firn_seeds_destroy(&seeds);
    // what no material may have is refused, with the place
    snow->vary.shell.factor[FIRN_VARY_COMPRESSION] = 36;  // exactly 0.9
    seeds = seeded(&s, 0.02);
    firn_seeds_destroy(&seeds);
    snow->vary.shell.factor[FIRN_VARY_COMPRESSION] = 37;
    refused(&s, 0.02, FIRN_REFUSED_SCENE, "critical_compression 0.025 * 37");
    refused(&s, 0.02, FIRN_REFUSED_SCENE, "snow.0: at (");
    snow->vary.shell.factor[FIRN_VARY_COMPRESSION] = 1;
    snow->vary.shell.factor[FIRN_VARY_STRETCH] = 100;
    s.materials[0].snow.critical_stretch = (firn_real)0.01;
    refused(&s, 0.02, FIRN_REFUSED_SCENE, "critical_stretch 0.01 * 100");
    snow->vary.shell.factor[FIRN_VARY_STRETCH] = 1;
    snow->vary.shell.factor[FIRN_VARY_HARDENING] = 10.5;
    refused(&s, 0.02, FIRN_REFUSED_SCENE, "'packed' too extreme: hardening 10 * 10.5");
    finish(&s, &seeds);
}

static void write_ply(const char* properties, const char* rows, int count)
{
    FILE* file = fopen(PLY, "w");
    assert_non_null(file);
    fprintf(file,
            "ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\n"
            "property float z\n%send_header\n%s",
            count, properties, rows);
    fclose(file);
}

// Packing, stiffness and deformation; snow before and after has none of them.
static void state_from_a_file(void** state)
{
    (void)state;
    char path[] = PLY;
    small_scene s;
    start(&s);
    add_body(&s, add_sphere(&s, 5, 5, 5, 0.1));
    firn_snow* snow = add_body(&s, -1);
    snow->file = path;
    const firn_local ball = add_sphere(&s, 8, 5, 5, 0.1);
    add_body(&s, ball);
    write_ply("property float plastic_volume\nproperty float stiffness\n"
              "property float def_grad_elastic_xx\nproperty float def_grad_elastic_xy\n"
              "property float def_grad_elastic_xz\nproperty float def_grad_elastic_yx\n"
              "property float def_grad_elastic_yy\nproperty float def_grad_elastic_yz\n"
              "property float def_grad_elastic_zx\nproperty float def_grad_elastic_zy\n"
              "property float def_grad_elastic_zz\n",
              "0 0 0 0.75 2 1 2 3 0 1 4 0 0 1\n2 0 0 0.5 3 1 0 0 0 1 0 0 0 2\n", 2);
    firn_seeds seeds = seeded(&s, 0.1);
    firn_local p = 0;
    while (seeds.position[p].x != 0) p++;
    assert_equal(seeds.plastic_det[p], (firn_real)0.75);
    assert_equal(seeds.plastic_det[p + 1], (firn_real)0.5);
    assert_equal(seeds.stiffness[p], 2);
    assert_equal(seeds.def_grad[p].m[0][2], 3);
    assert_equal(seeds.def_grad[p].m[1][2], 4);
    assert_equal(seeds.def_grad[p + 1].m[2][2], 2);
    for (firn_local k = 0; k < seeds.count; k++) {
        if (k == p || k == p + 1) continue;
        assert_equal(seeds.plastic_det[k], 0);
        assert_equal(seeds.def_grad[k].m[0][0], 0);
        assert_equal(seeds.stiffness[k], 1);
    }
    const firn_local keep[] = {p + 1};
    firn_seeds_keep(&seeds, keep, 1);
    assert_equal(seeds.plastic_det[0], (firn_real)0.5);
    assert_equal(seeds.def_grad[0].m[2][2], 2);
    firn_seeds_destroy(&seeds);
    write_ply("property float plastic_volume\n", "0 0 0 0.75\n2 0 0 0\n", 2);
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "point 2: plastic_volume is 0");
    write_ply("property float def_grad_elastic_xx\n", "0 0 0 1\n2 0 0 1\n", 2);
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "no property 'def_grad_elastic_xy'");
    finish(&s, &seeds);
}

static void particles_from_a_file(void** state)
{
    (void)state;
    char path[] = PLY;
    small_scene s;
    start(&s);
    add_body(&s, add_sphere(&s, 5, 5, 5, 0.1));  // a body before it: indices are shifted
    firn_snow* snow = add_body(&s, -1);
    snow->file = path;
    snow->material = 1;
    snow->velocity[1] = -1;
    snow->spin[2] = 2;  // about the middle of the points, (1, 0, 0)
    write_ply("", "0 0 0\n2 0 0\n", 2);
    firn_seeds seeds = seeded(&s, 0.1);
    firn_local p = seeds.count - 2;
    assert_equal(seeds.material[p], 1);
    assert_equal(seeds.material[p - 1], 0);
    assert_equal(seeds.position[p + 1].x, 2);
    assert_near((double)seeds.mass[p] / (250 * 1e-3 / 8), 1, MASS_ROUNDING);
    assert_equal(seeds.velocity[p].y, -3);
    assert_equal(seeds.velocity[p + 1].y, 1);
    firn_seeds_destroy(&seeds);

    write_ply("property float vx\nproperty float vy\nproperty float vz\nproperty float density\n",
              "0 0 0 1 2 3 100\n2 0 0 4 5 6 200\n", 2);
    seeds = seeded(&s, 0.1);
    assert_equal(seeds.velocity[p].x, 1);
    assert_equal(seeds.velocity[p].y, -1);
    assert_equal(seeds.velocity[p].z, 3);
    assert_near((double)seeds.mass[p + 1] / (200 * 1e-3 / 8), 1, MASS_ROUNDING);
    firn_seeds_destroy(&seeds);

    write_ply("property float mass\nproperty float density\n", "0 0 0 0.5 7\n2 0 0 0.25 7\n", 2);
    seeds = seeded(&s, 0.1);
    assert_equal(seeds.mass[p], (firn_real)0.5);
    assert_equal(seeds.mass[p + 1], (firn_real)0.25);
    firn_seeds_destroy(&seeds);

    write_ply("", "0 0 0\n1 x 0\n", 2);
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "snow.1: " PLY ":9: not a number for 'y'");
    write_ply("", "", 0);
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "has no points");
    remove(PLY);
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "snow.1: cannot open");
    write_ply("", "0 0 0\n", 1);
    snow->vary.shell.thickness = 0.1;
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "snow.1: vary.shell needs a shape");
    firn_vary_layer layer = {0};
    snow->vary.shell.thickness = 0;
    snow->vary.layers = (firn_vary_layers){&layer, 1, 1};
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "snow.1: vary.layers needs a shape");
    char texture[] = FIRN_TEST_TMP "/none.vdb";
    snow->vary.layers.count = 0;
    snow->vary.field[0].texture = (firn_vary_texture){texture, NULL, 1, 2};
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "snow.1: vary.stiffness.texture: cannot open");
    finish(&s, &seeds);
}

static void wrong_scenes_are_refused(void** state)
{
    (void)state;
    small_scene s;
    start(&s);
    firn_seeds seeds = seeded(&s, 0.1);  // no snow: no particles, no error
    assert_int_equal(seeds.count, 0);
    firn_snow* snow = add_body(&s, add_sphere(&s, 0, 0, 0, 0.1));
    refused(&s, 0, FIRN_REFUSED_ARGUMENT, "cells of 0 m");
    refused(&s, NAN, FIRN_REFUSED_ARGUMENT, "cells of");
    refused(&s, 50, FIRN_REFUSED_SCENE, "snow.0: no point falls into the shape");
    snow->material = 2;
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "snow.0: there is no material 2, only 2");
    snow->material = 0;
    snow->particles_per_cell = 0;
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "snow.0: particles_per_cell is 0");
    snow->particles_per_cell = 8;
    snow->shape = -1;
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "snow.0: has neither shape nor file");
    snow->shape = 77;
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "snow.0: there is no shape 77");
    static firn_material many[300];
    s.data.materials = many;
    s.data.material_count = 300;
    snow->material = 256;
    refused(&s, 0.1, FIRN_REFUSED_SCENE, "snow.0: material 256, but snow can use the first 256");
    finish(&s, &seeds);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    char path[] = PLY;
    small_scene s;
    start(&s);
    add_body(&s, add_sphere(&s, 0, 0, 0, 0.1));
    add_body(&s, add_sphere(&s, 0, 1, 0, 0.15))->vary.shell =
        (firn_vary_shell){0.1, {1, 1, 2, 1, 1}, FIRN_FALLOFF_SHARP};
    add_body(&s, -1)->file = path;
    write_ply("property float mass\n", "0 0 0 1\n", 1);
    const uint64_t before = firn_memory_read().bytes;
    firn_seeds seeds = {0};
    for (int forever = 0; forever < 2; forever++) {
        uint64_t k = 1;
        for (bool done = false; !done; k++) {
            firn_memory_fail_at(k, forever);
            const firn_result result = firn_scene_seed(&s.data, 0.02, &seeds, NULL);
            firn_memory_fail_at(0, false);
            done = result == FIRN_OK;
            if (!done) assert_int_equal(result, FIRN_BROKEN_MEMORY);
            firn_seeds_destroy(&seeds);
            assert_equal(firn_memory_read().bytes, before);
        }
        assert_greater(k, 20);
    }
    finish(&s, &seeds);
}

int test_seed(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_bodies),
                                       cmocka_unit_test(volumes),
                                       cmocka_unit_test(velocity_and_spin),
                                       cmocka_unit_test(noise_varies_stiffness_and_mass),
                                       cmocka_unit_test(shell_is_harder_and_heavier),
                                       cmocka_unit_test(hardening_and_thresholds_vary),
                                       cmocka_unit_test(state_from_a_file),
                                       cmocka_unit_test(particles_from_a_file),
                                       cmocka_unit_test(wrong_scenes_are_refused),
                                       cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests_name("seed", tests, NULL, NULL);
}
