// SPDX-License-Identifier: MIT
// Emitters that come and go between steps of simulations on a CUDA device.
#include "world_emitters_cases.h"

int test_world_emitters_cuda(void)
{
    if (!world_use_device()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_the_scene)};
    return cmocka_run_group_tests_name("world_emitters_cuda", tests, NULL, NULL);
}
