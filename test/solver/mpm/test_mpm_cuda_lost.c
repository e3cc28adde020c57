// SPDX-License-Identifier: MIT
// A GPU that fails in the middle of a run of mpm.
#include "solver/mpm/device_sim.h"

#ifdef FIRN_HAVE_CUDA
// after device_way
#include "device/lost_run.h"

static void cpu_ends_it(void** state)
{
    (void)state;
    // the same halves without a fault
    const char* dir = FIRN_TEST_TMP "/halves";
    device_hash(&(device_way){
        .on_device = true, .override = LOST_OUTPUT, .dir = dir, .frame_end = LOST_FRAME - 1});
    const uint64_t want =
        device_hash(&(device_way){.override = LOST_OUTPUT, .dir = dir, .resume = true});
    assert_equal(lost_and_resumed(FIRN_TEST_TMP "/lost"), want);
}

int test_mpm_cuda_lost(void)
{
    if (!device_open() || device_number < 0) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(cpu_ends_it)};
    return cmocka_run_group_tests_name("mpm_cuda_lost", tests, NULL, NULL);
}
#else
int test_mpm_cuda_lost(void)
{
    print_message("skipped: built without CUDA\n");
    return FIRN_TEST_SKIPPED;
}
#endif
