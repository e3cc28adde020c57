// SPDX-License-Identifier: MIT
// Colliders that come and go between steps of simulations on a CUDA device.
#include "world_colliders_cases.h"

int test_world_colliders_cuda(void)
{
    if (!world_use_device()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_scene), cmocka_unit_test(catches),
                                       cmocka_unit_test(lets_fall)};
    return cmocka_run_group_tests_name("world_colliders_cuda", tests, NULL, NULL);
}
