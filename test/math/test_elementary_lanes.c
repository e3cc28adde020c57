// SPDX-License-Identifier: MIT
// e^x in lanes against the C library's in a wider type.
#include "math/elementary_lanes.h"

#include "lanes_check.h"
#include "math/elementary.h"

#ifdef FIRN_DOUBLE
#define LOWEST -708.0
#define HIGHEST 709.0
#else
#define LOWEST -86.6
#define HIGHEST 88.722
#endif
#define COUNT 65536

static firn_real x[COUNT], got[COUNT], before[COUNT];

// Distance in units in the last place of the exact value.
static double ulps(firn_real measured, long double exact)
{
    int exponent;
    (void)frexpl(exact, &exponent);
    const int digits = sizeof(firn_real) == 8 ? 53 : 24;
    return (double)fabsl(((long double)measured - exact) / ldexpl(1, exponent - digits));
}

static void within_an_ulp(void** state)
{
    (void)state;
    any_source r = any_start(4401);
    for (int n = 0; n < COUNT; n++)
        x[n] = (firn_real)(n % 2 == 0 ? any_between(&r, LOWEST, HIGHEST) : any_between(&r, -2, 2));
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->exp(COUNT, x, got);
        double worst = 0;
        for (int n = 0; n < COUNT; n++) worst = fmax(worst, ulps(got[n], expl((long double)x[n])));
        print_message("level %d: %.3f ulp\n", k->level, worst);
        // half from the last sum; half as much again from the sum before where e^r < 1
        assert_at_most(worst, 1);
        assert_same_as_level_before(k, sizeof got, before, got);
    }
}

static void ends_of_the_range(void** state)
{
    (void)state;
    const firn_real inf = (firn_real)INFINITY, nan = (firn_real)NAN;
    const firn_real at[16] = {
        0,   -0.0f, inf, -inf,           nan, FIRN_REAL_MAX, -FIRN_REAL_MAX, 1000, -1000, 89,
        -88, 1,     -1,  FIRN_REAL_TINY, 710, -750};
    firn_real e[16];
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->exp(16, at, e);
        assert_equal(e[0], 1);
        assert_equal(e[1], 1);
        assert_equal(e[13], 1);
        assert_equal(e[3], 0);
        assert_equal(e[6], 0);
        assert_equal(e[8], 0);
        assert_equal(e[15], 0);
        assert_not_equal(e[4], e[4]);
        const firn_real cap = firn_exp(1000);  // finite, the scalar function's
        for (int n = 2; n < 15; n += 1)
            if (at[n] > 709) assert_near(e[n], cap, 2 * FIRN_REAL_EPSILON * cap);
        for (int n = 9; n < 13; n++) {
            const firn_real exact = firn_exp(at[n]);
            assert_near(e[n], exact, 2 * FIRN_REAL_EPSILON * exact + FIRN_REAL_TINY * 3);
        }
    }
}

int test_elementary_lanes(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(within_an_ulp),
                                       cmocka_unit_test(ends_of_the_range)};
    return cmocka_run_group_tests_name("elementary_lanes", tests, NULL, NULL);
}
