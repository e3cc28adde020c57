// SPDX-License-Identifier: MIT
// Force fields against their formulas: directions, falloffs, keys, eddies without sources.
#include "physics/force_field.h"

#include <math.h>
#include <string.h>

#include "firn_test.h"
#include "seed.h"

static firn_force force_of(firn_force_kind kind)
{
    return (firn_force){.kind = kind,
                        .strength = 3,
                        .direction = {0, 0.6, 0.8},
                        .center = {1, 2, 3},
                        .length = 0.7,
                        .period = 2,
                        .seed = 5};
}

static void field(const firn_force* f, const double x[3], double time, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    firn_force_add(f, x, time, out);
}

static void assert_vector(const double a[3], double x, double y, double z)
{
    assert_near(a[0], x, 1e-12);
    assert_near(a[1], y, 1e-12);
    assert_near(a[2], z, 1e-12);
}

static void kinds(void** state)
{
    (void)state;
    double a[3];
    firn_force f = force_of(FIRN_FORCE_UNIFORM);
    field(&f, (const double[3]){9, 9, 9}, 1, a);
    assert_vector(a, 0, 1.8, 2.4);
    f = force_of(FIRN_FORCE_POINT);
    field(&f, (const double[3]){1, 6, 6}, 1, a);  // (0, 4, 3) away: towards the center
    assert_vector(a, 0, -2.4, -1.8);
    field(&f, f.center, 1, a);
    assert_vector(a, 0, 0, 0);
    f = force_of(FIRN_FORCE_VORTEX);
    f.direction[1] = 0, f.direction[2] = 1;  // about z: x turns to y, wherever along the axis
    field(&f, (const double[3]){3, 2, -7}, 1, a);
    assert_vector(a, 0, 3, 0);
    field(&f, (const double[3]){1, 2, 5}, 1, a);  // on the axis
    assert_vector(a, 0, 0, 0);
    // it adds up
    firn_force_add(&f, (const double[3]){3, 2, 0}, 0, a);
    firn_force_add(&f, (const double[3]){3, 2, 0}, 0, a);
    assert_vector(a, 0, 6, 0);
}

static void falloffs(void** state)
{
    (void)state;
    firn_force f = force_of(FIRN_FORCE_POINT);
    for (int falloff = FIRN_FORCE_CUT; falloff <= FIRN_FORCE_INVERSE; falloff++) {
        f.falloff = falloff;
        f.radius = 0;
        assert_equal(firn_force_falloff_at(&f, 1e9), 1);
        f.radius = 2;
        assert_equal(firn_force_falloff_at(&f, 0), 1);
    }
    static const double at_half[] = {1, 0.5, 0.5, 0.8},
                        at_quarter[] = {1, 0.75, 0.84375, 16 / 17.0};
    static const double outside[] = {0, 0, 0, 0.2};
    for (int falloff = FIRN_FORCE_CUT; falloff <= FIRN_FORCE_INVERSE; falloff++) {
        f.falloff = falloff;
        assert_near(firn_force_falloff_at(&f, 0.5), at_quarter[falloff], 1e-15);
        assert_near(firn_force_falloff_at(&f, 1), at_half[falloff], 1e-15);
        assert_near(firn_force_falloff_at(&f, 4), outside[falloff], 1e-15);
    }
    // of a vortex, the distance is that of the axis
    f = force_of(FIRN_FORCE_VORTEX);
    f.direction[1] = 0, f.direction[2] = 1;
    f.falloff = FIRN_FORCE_LINEAR;
    f.radius = 4;
    double a[3];
    field(&f, (const double[3]){1, 3, 500}, 0, a);
    assert_vector(a, -3 * 0.75, 0, 0);
}

static void keys(void** state)
{
    (void)state;
    firn_force f = force_of(FIRN_FORCE_UNIFORM);
    const firn_force_key given[] = {{1, 0}, {2, 1}, {3, 1}, {3, -2}};
    f.key_count = 4;
    memcpy(f.keys, given, sizeof given);
    const double times[] = {-5, 1, 1.25, 2, 2.5, 3, 9}, factors[] = {0, 0, 0.25, 1, 1, -2, -2};
    for (int k = 0; k < 7; k++) {
        double a[3];
        field(&f, f.center, times[k], a);
        assert_vector(a, 0, 1.8 * factors[k], 2.4 * factors[k]);
    }
}

// Central differences of step h are wrong by O(h^2) of the third derivatives, some 100 / length^3:
// 1e-6 at h = 1e-4 lengths, where rounding gives 1e-12 / h = 1e-8. Divergence is compared with the
// gradient's size, which must not vanish.
static void eddies_have_no_sources(void** state)
{
    (void)state;
    any_source r = any_start(31);
    firn_force f = force_of(FIRN_FORCE_NOISE);
    const double h = 1e-4 * f.length;
    double steepest = 0;
    for (int n = 0; n < 300; n++) {
        double x[3], divergence = 0;
        for (int d = 0; d < 3; d++) x[d] = any_between(&r, -5, 5);
        const double time = any_between(&r, 0, 6);
        for (int d = 0; d < 3; d++) {
            double low[3], high[3], at[3] = {x[0], x[1], x[2]};
            at[d] = x[d] - h;
            field(&f, at, time, low);
            at[d] = x[d] + h;
            field(&f, at, time, high);
            divergence += (high[d] - low[d]) / (2 * h);
            steepest = fmax(steepest, fabs(high[(d + 1) % 3] - low[(d + 1) % 3]) / (2 * h));
        }
        assert_near(divergence, 0, 1e-4);
    }
    assert_greater(steepest, 1);
}

// RMS along each axis over many places: 3 within 5 %: with 4000 independent eddies the error of an
// RMS is 1/sqrt(8000) = 1.1 %, of the noise itself 2 % (math/noise.h).
static void eddies_are_as_strong(void** state)
{
    (void)state;
    any_source r = any_start(32);
    const firn_force f = force_of(FIRN_FORCE_NOISE);
    double sum[3] = {0}, other[3] = {0};
    for (int n = 0; n < 4000; n++) {
        double x[3], a[3], b[3];
        for (int d = 0; d < 3; d++) x[d] = any_between(&r, -500, 500);
        field(&f, x, 0.3, a);
        field(&f, x, 0.3 + 10 * f.period, b);
        for (int d = 0; d < 3; d++) {
            sum[d] += a[d] * a[d] / 4000;
            other[d] += a[d] * b[d] / 4000;
        }
    }
    for (int d = 0; d < 3; d++) {
        assert_near(sqrt(sum[d]) / 3, 1, 0.05);
        assert_near(other[d] / 9, 0, 0.07);  // another pattern: 1/sqrt(4000) = 0.016, four of them
    }
}

int test_force_field(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds), cmocka_unit_test(falloffs), cmocka_unit_test(keys),
        cmocka_unit_test(eddies_have_no_sources), cmocka_unit_test(eddies_are_as_strong)};
    return cmocka_run_group_tests_name("force_field", tests, NULL, NULL);
}
