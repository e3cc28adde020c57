// SPDX-License-Identifier: MIT
// Colliders that come and go are part of states saved from a CUDA device.
#include "world_state_cases.h"

int test_world_state_cuda(void)
{
    if (!world_use_device()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(before_and_after),
                                       cmocka_unit_test(brings_back)};
    return cmocka_run_group_tests_name("world_state_cuda", tests, NULL, NULL);
}
