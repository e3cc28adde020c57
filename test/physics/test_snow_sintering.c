// SPDX-License-Identifier: MIT
// Sintering against its closed form, (t/t_s)^n, for steps of any size.
#include "physics/snow_sintering.h"

#include <math.h>

#include "firn_test.h"

static const firn_sintering_law law = {(firn_real)0.18, 86400};

static void strength_is_a_power_of_time(void** state)
{
    (void)state;
    for (int steps = 1; steps <= 10000; steps *= 10) {
        double s = 0;
        for (int k = 1; k <= steps; k++) {
            s = firn_sintered_strength(&law, s, 86400.0 * 0.8 / steps);
            const double expected = pow(0.8 * k / steps, (double)law.exponent);
            assert_true(fabs(s - expected) <= 1e-9 * expected);
        }
        assert_true(firn_sintered_strength(&law, s, 86400) == 1);
    }
}

// Snow that broke to a hundredth of its strength, by the softening of stretched snow.
static void broken_snow_regains_strength(void** state)
{
    (void)state;
    const double rate = 10, start = 0.01, n = (double)law.exponent;
    for (int steps = 1; steps <= 1000; steps *= 10) {
        firn_real J = (firn_real)(1 - log(start) / rate);
        const double before = pow(start, 1 / n);
        for (int k = 1; k <= steps; k++) {
            J = firn_sintered_det(&law, J, (firn_real)rate, 43200.0 / steps);
            const double expected = pow(before + 0.5 * k / steps, n);
            const double s = exp(rate * (1 - (double)J));
            // J in float: 1.2e-7 rate a step, of which n k^-1 is forgotten in each
            if (!(fabs(s - expected) <= 1e-4 * expected))
                fail_msg("step %d of %d: %.9g, expected %.9g", k, steps, s, expected);
        }
    }
}

static void whole_snow_and_none(void** state)
{
    (void)state;
    const firn_sintering_law never = {(firn_real)0.18, 0};
    const firn_real weak = (firn_real)1.3, packed = (firn_real)0.8;
    assert_true(firn_sintered_det(&never, weak, 10, 1e9) == weak);
    assert_true(firn_sintered_det(&law, packed, 10, 1e9) == packed);
    assert_true(firn_sintered_det(&law, weak, 0, 1e9) == weak);  // does not weaken: nothing to do
    assert_true(firn_sintered_det(&law, weak, 10, 1e9) == 1);
    assert_true(firn_sintered_det(&law, 50, 10, 0) == 50);
}

int test_snow_sintering(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strength_is_a_power_of_time),
                                       cmocka_unit_test(broken_snow_regains_strength),
                                       cmocka_unit_test(whole_snow_and_none)};
    return cmocka_run_group_tests_name("snow_sintering", tests, NULL, NULL);
}
