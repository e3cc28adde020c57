// SPDX-License-Identifier: MIT
// A GPU that fails in the middle of a run of grains. The CPU, which has the device's bits, ends it
// as if nothing had happened.
#include "solver/grains/device_grains.h"

#ifdef FIRN_HAVE_CUDA
// after device_way
#include "device/lost_run.h"

static void cpu_ends_it(void** state)
{
    (void)state;
    const uint64_t whole = device_hash(&(device_way){0});
    assert_equal(lost_and_resumed(FIRN_TEST_TMP "/lost"), whole);
    firn_sim* sim;
    firn_error error = {0};
    assert_int_not_equal(device_try(&(device_way){.on_device = true}, &sim, &error), FIRN_OK);
    print_message("%s\n", error.text);
    assert_true(strlen(error.text) > 12);
}

int test_grains_cuda_lost(void)
{
    if (!device_open() || device_number < 0) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(cpu_ends_it)};
    return cmocka_run_group_tests_name("grains_cuda_lost", tests, NULL, NULL);
}
#else
int test_grains_cuda_lost(void)
{
    print_message("skipped: built without CUDA\n");
    return FIRN_TEST_SKIPPED;
}
#endif
