// SPDX-License-Identifier: MIT
// Gravity and wind that change between steps of simulations on a CUDA device.
#include "world_air_cases.h"

int test_world_air_cuda(void)
{
    if (!world_use_device()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(parabola), cmocka_unit_test(as_the_scene),
                                       cmocka_unit_test(refuses_gravity),
                                       cmocka_unit_test(air_that_was_not_there)};
    return cmocka_run_group_tests_name("world_air_cuda", tests, NULL, NULL);
}
