// SPDX-License-Identifier: MIT
// Heights: the top of what lies, without holes between packed particles, without what is in the
// air, the same for any number of threads and any order of the particles.
#include "state/surface/heights.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "seed.h"
#include "team_use.h"

#define FLOATS 1e-6  // [m] heights are floats of up to 3: some roundings of 2e-7

enum { SIDE = 33 };
static float heights[SIDE * SIDE];

static firn_height_def square(double from, double size)
{
    firn_height_def def = firn_default_height_def();
    def.x = def.z = from;
    def.width = def.depth = size;
    def.columns = def.rows = SIDE;
    def.empty = -7;
    return def;
}

static void make(const firn_height_snow* snow, const firn_height_def* def, int threads)
{
    firn_error error = {0};
    use_team(threads);
    if (firn_heights_make(snow, def, heights, &error) != FIRN_OK) fail_msg("%s", error.text);
    use_team(0);
}

static float at(int column, int row)
{
    return heights[row * SIDE + column];
}

// One particle: a cap with the height of its radius, 1.5 radii wide, and nothing beside it.
static void one_particle(void** state)
{
    (void)state;
    const firn_vec3 x = {(firn_real)0.5, 2, (firn_real)0.25};
    const firn_height_snow snow = {&x, NULL, (firn_real)0.2, NULL, 1};
    firn_height_def def = square(0, 1);
    make(&snow, &def, 1);
    assert_near(at(16, 8), 2.2f, FLOATS);
    const double left = 1 - (0.125 / 0.3) * (0.125 / 0.3);
    assert_near(at(16, 12), 2 + 0.2 * sqrt(left), FLOATS);
    assert_near(at(20, 8), 2 + 0.2 * sqrt(left), FLOATS);
    assert_equal(at(26, 8), -7);
    assert_equal(at(16, 18), -7);  // 0.3125 away
    assert_greater(at(25, 8), 2);  // 0.28125 away
}

// A slab of packed particles has a top everywhere, and it is lower by less than a third of their
// spacing.
static void a_slab_has_no_holes(void** state)
{
    (void)state;
    enum { N = 20, LAYERS = 3 };
    static firn_vec3 x[N * N * LAYERS];
    firn_local count = 0;
    for (int k = 0; k < LAYERS; k++)
        for (int j = 0; j < N; j++)
            for (int i = 0; i < N; i++)
                x[count++] =
                    firn_v3((firn_real)(0.1 * i), (firn_real)(0.1 * k), (firn_real)(0.1 * j));
    const firn_height_snow snow = {x, NULL, (firn_real)0.05, NULL, count};
    firn_height_def def = square(0.013, 1.77);
    make(&snow, &def, 2);
    for (int k = 0; k < SIDE * SIDE; k++) {
        // at most the radius above the top layer, but for floats; at least what the cap of the
        // nearest particle, 0.0707 away, leaves: 0.2 + 0.05 sqrt(1 - (0.0707 / 0.075)^2) = 0.2167
        assert_at_most(heights[k], 0.25001f);
        assert_greater(heights[k], 0.25f - 0.034f);
    }
}

// A radius per particle: the larger one is higher.
static void radii(void** state)
{
    (void)state;
    const firn_vec3 x[2] = {{0, 1, 0}, {1, 1, 1}};
    const firn_real r[2] = {(firn_real)0.1, (firn_real)0.3};
    const firn_height_snow snow = {x, r, 5, NULL, 2};
    firn_height_def def = square(0, 1);
    make(&snow, &def, 1);
    assert_near(at(0, 0), 1.1f, FLOATS);
    assert_near(at(32, 32), 1.3f, FLOATS);
    assert_equal(at(16, 16), -7);
}

static void snow_in_the_air(void** state)
{
    (void)state;
    // a bed at 0 under the left half; flakes high over both; a pile that touches on the left
    const firn_real r = (firn_real)0.1;
    const firn_vec3 x[] = {{0, 3, 0}, {0, 0, 0}, {1, 3, 0}, {0, (firn_real)0.35, 0}, {0, 4, 0}};
    const firn_height_snow snow = {x, NULL, r, NULL, 5};
    firn_height_def def = square(0, 1);
    make(&snow, &def, 1);
    assert_near(at(0, 0), 0.45f, FLOATS);  // the pile, not the flakes
    assert_near(at(32, 0), 3.1f, FLOATS);  // nothing lies below that one
}

static void order_and_threads_do_not_matter(void** state)
{
    (void)state;
    enum { COUNT = 3000 };
    static firn_vec3 x[COUNT], y[COUNT];
    static firn_real r[COUNT], s[COUNT];
    static float first[SIDE * SIDE];
    any_source source = {5, 0};
    for (int p = 0; p < COUNT; p++) {
        // many at the same height
        x[p] = firn_v3((firn_real)any_between(&source, 0, 1),
                       (firn_real)(0.05 * (double)any_below(&source, 12)),
                       (firn_real)any_between(&source, 0, 1));
        r[p] = (firn_real)any_between(&source, 0.001, 0.02);
    }
    for (int p = 0; p < COUNT; p++) {
        y[p] = x[(p * 7 + 11) % COUNT];
        s[p] = r[(p * 7 + 11) % COUNT];
    }
    for (int threads = 1; threads <= 40; threads += 13) {
        for (int k = 0; k < 2; k++) {
            const firn_height_snow snow = {k == 0 ? x : y, k == 0 ? r : s, 0, NULL, COUNT};
            firn_height_def def = square(0, 1);
            make(&snow, &def, threads);
            if (threads == 1 && k == 0) memcpy(first, heights, sizeof first);
            assert_memory_equal(first, heights, sizeof first);
        }
    }
}

static void the_box_of_the_snow(void** state)
{
    (void)state;
    const firn_vec3 x[3] = {{1, 2, 3}, {2, 5, 7}, {(firn_real)NAN, 0, 0}};
    firn_height_snow snow = {x, NULL, (firn_real)0.5, NULL, 3};
    firn_height_def def = square(0, 0);
    def.x = 99;
    make(&snow, &def, 1);
    static float over_box[SIDE * SIDE];
    memcpy(over_box, heights, sizeof heights);
    double low, high;
    firn_heights_find_box(&snow, &def, &low, &high);
    assert_equal(def.x, 0.5);
    assert_equal(def.z, 2.5);
    assert_equal(def.width, 2);
    assert_equal(def.depth, 5);
    make(&snow, &def, 1);
    assert_memory_equal(over_box, heights, sizeof heights);
    assert_equal(low, 1.5);
    assert_equal(high, 5.5);
    snow.count = 0;
    def = square(0, 0);
    make(&snow, &def, 1);
    assert_equal(def.width, 0);
    assert_equal(at(3, 3), -7);
}

static void refusals(void** state)
{
    (void)state;
    const firn_vec3 x = {0, 0, 0};
    const firn_height_snow snow = {&x, NULL, 1, NULL, 1};
    for (int k = 1; k < 8; k++) {
        firn_height_def def = square(0, 1);
        if (k == 1) def.columns = 1;
        if (k == 2) def.rows = 16385;
        if (k == 3) def.width = 0;
        if (k == 4) def.depth = -1;
        if (k == 5) def.x = NAN;
        if (k == 6) def.empty = INFINITY;
        if (k == 7) def.width = 1e300;
        firn_error error = {0};
        heights[0] = 42;
        assert_int_equal(firn_heights_make(&snow, &def, heights, &error), FIRN_REFUSED_ARGUMENT);
        assert_not_equal(error.text[0], 0);
        assert_equal(heights[0], 42);
    }
    firn_height_def def = square(0, 1);
    firn_memory_fail_at(1, true);
    assert_int_equal(firn_heights_make(&snow, &def, heights, NULL), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
}

int test_heights(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_particle),
        cmocka_unit_test(a_slab_has_no_holes),
        cmocka_unit_test(radii),
        cmocka_unit_test(snow_in_the_air),
        cmocka_unit_test(order_and_threads_do_not_matter),
        cmocka_unit_test(the_box_of_the_snow),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
