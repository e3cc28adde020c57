// SPDX-License-Identifier: MIT
// Hardening in lanes against physics/snow_hardening.h.
#include "physics/snow_hardening_lanes.h"

#include "lanes_check.h"
#include "physics/snow_hardening.h"

#define COUNT 4096

static void as_scalar(void** state)
{
    (void)state;
    any_source r = any_start(4501);
    static firn_real xi[COUNT], J_P[COUNT], cap[COUNT], got[COUNT], before[COUNT];
    for (int n = 0; n < COUNT; n++) {
        xi[n] = (firn_real)any_between(&r, 0, 20);
        J_P[n] = (firn_real)any_between(&r, 0.3, 1.7);
        cap[n] = n % 2 == 0 ? 1000 : 5;
    }
    J_P[1] = 1;  // unworked snow has exactly its own stiffness
    const lanes_kernels* k;
    for (int level = 0; (k = lanes_kernels_get(level)) != NULL; level++) {
        k->hardening(COUNT, xi, J_P, cap, got);
        for (int n = 0; n < COUNT; n++) {
            const firn_real exact = firn_snow_hardening(xi[n], J_P[n], cap[n]);
            // the two exponentials are each within an ulp or two
            assert_near(got[n], exact, 3 * FIRN_REAL_EPSILON * exact);
            assert_at_most(got[n], cap[n]);
        }
        assert_equal(got[1], 1);
        assert_same_as_level_before(k, sizeof got, before, got);
    }
}

int test_snow_hardening_lanes(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_scalar)};
    return cmocka_run_group_tests_name("snow_hardening_lanes", tests, NULL, NULL);
}
