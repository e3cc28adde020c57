// SPDX-License-Identifier: MIT
// Seeds for solvers that want a lattice, and the temperatures that seeds begin with.
#include <math.h>

#include "scene/data/snow.h"
#include "scene/run/seed.h"
#include "scene/scene_fixture.h"

#define HEAD "firn: 1\nmpm: {cell: 0.01}\n"
#define PI 3.14159265358979323846

// Masses are products of a few numbers, rounded to float once.
#define MASS_ROUNDING 1e-6

// One particle per cell, whatever the scene says about seeding, and its mass.
static void a_lattice_when_asked_for(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(HEAD "snow: [{shape: {sphere: {radius: 0.1}}, seeding: random, "
                                        "particles_per_cell: 5}]\n",
                                   NULL);
    firn_seeds seeds;
    firn_error error = {0};
    assert_int_equal(firn_scene_seed_lattice(&s, 0.01, NULL, &seeds, &error), FIRN_OK);
    // 4189 particles; those at the surface fall in or out: about N^(-2/3) = 0.4 %
    assert_near(seeds.count / (4 * PI / 3 * 1e3), 1, 0.02);
    for (firn_local p = 0; p < seeds.count; p++) {
        const double x = (double)seeds.position[p].x / 0.01 - 0.5;
        assert_near(x, floor(x + 0.5), 1e-4);  // [cells] floats of 0.1 m: 1e-6
        assert_near((double)seeds.mass[p] / 400e-6, 1, MASS_ROUNDING);
    }
    firn_seeds_destroy(&seeds);
    firn_scene_data_destroy(&s);
}

// An eighth of the particles at twice the spacing with the mass of packed snow, not aligned.
static void loose_snow(void** state)
{
    (void)state;
    firn_scene_data s =
        parse_good(HEAD "snow: [{shape: {box: {size: [0.2, 0.2, 0.2]}}, loose: 2}]\n", NULL);
    firn_seeds seeds, grid_seeds;
    firn_error error = {0};
    assert_int_equal(firn_scene_seed_lattice(&s, 0.01, NULL, &seeds, &error), FIRN_OK);
    assert_int_equal(seeds.count, 1000);
    int in_line = 0;
    for (firn_local p = 0; p < seeds.count; p++) {
        const double x = (double)seeds.position[p].x / 0.02 - 0.5;
        in_line += fabs(x - floor(x + 0.5)) < 1e-3;
        assert_near((double)seeds.mass[p] / 400e-6, 1, MASS_ROUNDING);
    }
    assert_less(in_line, 20);  // 2 of 1000 by chance
    assert_int_equal(firn_scene_seed(&s, 0.01, &grid_seeds, &error), FIRN_OK);
    assert_int_equal(grid_seeds.count, 8000);
    assert_near((double)grid_seeds.mass[0] / 50e-6, 1, MASS_ROUNDING);
    firn_seeds_destroy(&seeds);
    firn_seeds_destroy(&grid_seeds);
    s.snow[0].loose = 0.5;
    assert_int_equal(firn_scene_seed(&s, 0.01, &seeds, &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "loose is 0.5");
    firn_scene_data_destroy(&s);
}

// Seeds of `snow` on a lattice of 1 cm.
static firn_seeds on_lattice(const char* snow)
{
    char text[600];
    snprintf(text, sizeof text, HEAD "snow: [%s]\n", snow);
    firn_scene_data s = parse_good(text, NULL);
    firn_seeds seeds;
    firn_error error = {0};
    if (firn_scene_seed_lattice(&s, 0.01, NULL, &seeds, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    firn_scene_data_destroy(&s);
    return seeds;
}

#define BOX(center, size) "{shape: {box: {center: " center ", size: " size "}}}"

// Layers of a box are those of its size, wherever it is: 15 between -7.5 and 7.5 cells.
static void boxes_have_their_mass(void** state)
{
    (void)state;
    static const char* const boxes[] = {BOX("[0, 0, 0]", "[0.15, 0.15, 0.15]"),
                                        BOX("[0.075, 0.075, 0.075]", "[0.15, 0.15, 0.15]"),
                                        BOX("[0.313, 0.0773, -1]", "[0.15, 0.15, 0.15]")};
    for (int k = 0; k < 3; k++) {
        firn_seeds seeds = on_lattice(boxes[k]);
        assert_int_equal(seeds.count, 15 * 15 * 15);
        firn_vec3 low = seeds.position[0], high = low;
        for (firn_local p = 0; p < seeds.count; p++) {
            low = firn_v3_min(low, seeds.position[p]);
            high = firn_v3_max(high, seeds.position[p]);
        }
        assert_near((double)(high.y - low.y), 0.14, 1e-6);
        if (k == 0) assert_near((double)(high.y + low.y), 0, 1e-6);  // in its middle
        if (k == 1) assert_equal(low.y, (firn_real)0.005);           // the lattice of the origin
        firn_seeds_destroy(&seeds);
    }
}

// What a body gets depends on it alone.
static void others_do_not_matter(void** state)
{
    (void)state;
    firn_seeds alone = on_lattice(BOX("[0, 0, 0]", "[0.15, 0.15, 0.15]"));
    firn_seeds both = on_lattice(
        BOX("[0, 0, 0]", "[0.15, 0.15, 0.15]") ", " BOX("[0.4, 0.175, 0.01]", "[0.4, 0.3, 0.3]"));
    assert_int_equal(both.count, 15 * 15 * 15 + 40 * 30 * 30);
    assert_memory_equal(both.position, alone.position,
                        (size_t)alone.count * sizeof *alone.position);
    firn_seeds_destroy(&alone);
    firn_seeds_destroy(&both);
}

static firn_seeds seeded(const firn_scene_data* s)
{
    firn_seeds seeds;
    firn_error error = {0};
    if (firn_scene_seed(s, 0.02, &seeds, &error) != FIRN_OK) fail_msg("%s", error.text);
    return seeds;
}

// Present when the scene has heat; each snow body has its own.
static void temperatures(void** state)
{
    (void)state;
    static const char* const with_heat[] = {"air: {temperature: 5}\n",
                                            "colliders: [{shape: {plane: {}}, temperature: 0}]\n",
                                            "materials: {a: {young_at: [[-9, 1e5], [0, 1e4]]}}\n"};
    static const char* const without[] = {"", "air: {velocity: [1, 0, 0]}\n",
                                          "colliders: [{shape: {plane: {}}, viscosity: 1}]\n"};
    for (int k = 0; k < 6; k++) {
        char text[600];
        snprintf(text, sizeof text,
                 HEAD "snow:\n- {shape: {sphere: {radius: 0.1}}, temperature: -30}\n"
                      "- {shape: {sphere: {center: [1, 0, 0], radius: 0.1}}, temperature: -1}\n%s",
                 k < 3 ? with_heat[k] : without[k - 3]);
        firn_scene_data s = parse_good(text, NULL);
        firn_seeds seeds = seeded(&s);
        assert_int_equal(firn_scene_heats(&s), k < 3);
        assert_int_equal(seeds.temperature != NULL, k < 3);
        for (firn_local p = 0; p < seeds.count && k < 3; p++)
            assert_equal(seeds.temperature[p], seeds.position[p].x < (firn_real)0.5 ? -30 : -1);
        firn_seeds_destroy(&seeds);
        firn_scene_data_destroy(&s);
    }
}

int test_seed_lattice(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lattice_when_asked_for), cmocka_unit_test(loose_snow),
        cmocka_unit_test(boxes_have_their_mass), cmocka_unit_test(others_do_not_matter),
        cmocka_unit_test(temperatures)};
    return cmocka_run_group_tests_name("seed_lattice", tests, NULL, NULL);
}
