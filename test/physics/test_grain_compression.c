// SPDX-License-Identifier: MIT
// Compression that does not recover (VALIDATION T44, and T45 for a grain alone).
#include "physics/grain_compression.h"

#include "figure.h"
#include "physics/grain_table.h"
#include "seed.h"

static void threshold(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    check_figure(T44_at_100, (double)firn_grain_withstands(&c, 100));
    check_figure(T44_at_200, (double)firn_grain_withstands(&c, 200));
    check_figure(T44_at_300, (double)firn_grain_withstands(&c, 300));
    check_figure(T44_at_400, (double)firn_grain_withstands(&c, 400));
    check_figure(T44_at_600, (double)firn_grain_withstands(&c, 600));
    check_figure(T44_at_800, (double)firn_grain_withstands(&c, 800));
    check_figure(T44_at_900, (double)firn_grain_withstands(&c, 900));
}

// The bound that saves most exp is one, also where the rise over F_min is below the rounding error.
static void bound_of_threshold(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    any_source any = any_start(44);
    for (int k = 0; k < 100000; k++) {
        const double above =
            k % 2 == 0 ? pow(10, any_between(&any, -7, 2)) : any_between(&any, 0, 820);
        const firn_real density = (firn_real)(100 + above);
        assert_at_least(firn_grain_withstands_at_most(&c, density),
                        firn_grain_withstands(&c, density));
    }
}

// Springs from the directions of the axes {x, y, z} they come with: > 0 push, < 0 pull.
typedef struct side {
    firn_vec3 n;
    firn_real spring;  // [N]
} side;

static firn_real force_of(const side* sides, int count)
{
    firn_grain_compression compression = {{0, 0, 0, 0, 0, 0}};
    for (int k = 0; k < count; k++)
        firn_grain_compression_add(compression.side, sides[k].n, sides[k].spring);
    return firn_grain_compression_force(&compression);
}

// Eq. 5: only what is pushed back compresses; the weaker of two sides counts.
static void opposite_pushes(void** state)
{
    (void)state;
    const firn_vec3 x = {1, 0, 0}, _x = {-1, 0, 0}, y = {0, 1, 0}, _y = {0, -1, 0}, z = {0, 0, 1};
    assert_equal(force_of((const side[]){{x, 5}, {x, 3}}, 2), 0);
    assert_equal(force_of((const side[]){{x, 5}, {_x, 2}, {_x, 1}}, 3), 3);
    const side corner[] = {{x, 3}, {y, 4}, {_x, 9}, {_y, 4}, {z, 7}};
    assert_equal(force_of(corner, 5), 5);  // 3 and 4 along two axes
    const firn_vec3 n = {(firn_real)0.6, (firn_real)-0.8, 0}, _n = {-n.x, -n.y, 0};
    // n is a unit vector but for the rounding of 0.6 and 0.8
    assert_near(force_of((const side[]){{n, 2}, {_n, 2}}, 2), 2, 1e-6);
    assert_equal(force_of(NULL, 0), 0);
}

// What grains pull at each other compresses others between them: taken off, nothing is left of
// it, nor below nothing.
static void pulls_are_taken_off(void** state)
{
    (void)state;
    const firn_vec3 x = {1, 0, 0}, _x = {-1, 0, 0}, y = {0, 1, 0}, _y = {0, -1, 0};
    assert_equal(force_of((const side[]){{x, 5}, {_x, 5}, {_x, -3}}, 3), 2);
    assert_equal(force_of((const side[]){{x, 5}, {x, -5}, {_x, 5}, {_x, -5}}, 4), 0);
    assert_equal(force_of((const side[]){{x, -5}, {_x, -5}, {y, 1}, {_y, 1}}, 4), 1);
}

// Eq. 6: at the threshold nothing, above it d -= k_q p dt/(1 ms), never below ice, never back.
static void radius_shrinks(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    const firn_real dt = (firn_real)1e-3;
    assert_equal(firn_grain_compress(&c, c.r_snow, c.force_min, dt), c.r_snow);
    const double F = 1, p = F / (GRAIN_PI * 0.0025), r = 0.05 - 0.025 * 5e-6 * p;
    // two roundings of a float near 0.05 m, 3.7e-9 each
    assert_near(firn_grain_compress(&c, c.r_snow, 1, dt), r, 1e-8);
    const double half = 0.05 - 0.025 * 0.5 * 5e-6 * p;
    assert_near(firn_grain_compress(&c, c.r_snow, 1, dt / 2), half, 1e-8);
    assert_equal(firn_grain_compress(&c, c.r_snow, (firn_real)1e9, dt), c.r_ice);
    assert_equal(firn_grain_compress(&c, c.r_ice, (firn_real)1e9, dt), c.r_ice);
    any_source any = any_start(45);
    for (int k = 0; k < 10000; k++) {
        const firn_real start = (firn_real)any_between(&any, 0.025, 0.05);
        const firn_real F_c = (firn_real)pow(10, any_between(&any, -3, 6));
        const firn_real after = firn_grain_compress(&c, start, F_c, dt);
        assert_at_most(after, start);
        assert_at_least(after, c.r_ice);
        const bool yields = F_c > firn_grain_withstands(&c, firn_grain_density(&c, start));
        assert_true(yields || after == start);
    }
}

// A grain under the weight of N others ends where it withstands them.
static double rests_at(const firn_grain_constants* c, int N)
{
    const firn_real F = (firn_real)(N * 0.0125 * 9.82), dt = (firn_real)1e-4;
    firn_real r = c->r_snow;
    for (int s = 0; s < 100000; s++) {
        const firn_real after = firn_grain_compress(c, r, F, dt);
        if (after == r) break;
        r = after;
    }
    return (double)firn_grain_density(c, r);
}

static void self_compaction(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    check_figure(T45_alone_1, rests_at(&c, 1));
    check_figure(T45_alone_2, rests_at(&c, 2));
    check_figure(T45_alone_10, rests_at(&c, 10));
    check_figure(T45_alone_20, rests_at(&c, 20));
    check_figure(T45_alone_50, rests_at(&c, 50));
    check_figure(T45_alone_100, rests_at(&c, 100));
}

int test_grain_compression(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threshold),       cmocka_unit_test(bound_of_threshold),
        cmocka_unit_test(opposite_pushes), cmocka_unit_test(pulls_are_taken_off),
        cmocka_unit_test(radius_shrinks),  cmocka_unit_test(self_compaction)};
    return cmocka_run_group_tests_name("grain_compression", tests, NULL, NULL);
}
