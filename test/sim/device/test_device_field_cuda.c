// SPDX-License-Identifier: MIT
// Fields where they lie on a CUDA device, read through CUDA, against their copies on the host:
// before the first step, within a frame, at the end of a frame while the device computes ahead.
#include "device_cases.h"
#include "sim/device/device_read.h"

#ifdef FIRN_HAVE_CUDA
static void read_device(void* to, const void* from, size_t bytes, void* event)
{
    if (!device_read(to, from, bytes, event)) fail_msg("reading %zu bytes failed", bytes);
}

// Steps within a frame: device first, then the copy of the host.
static void first_on_the_device(firn_sim* sim)
{
    firn_device_field f;
    firn_field_view v;
    assert_int_equal(firn_sim_device_field(sim, "velocity", &f), FIRN_OK);
    char* there = device_gather(&f, sizeof(firn_vec3), read_device);
    assert_int_equal(firn_sim_field(sim, "velocity", &v), FIRN_OK);
    assert_memory_equal(there, v.data, (size_t)v.count * sizeof(firn_vec3));
    free(there);
}

static void check_scene(const char* text, bool culls)
{
    int gone = 0;
    firn_sim* sim = device_start(text, "cuda");
    device_check_fields(sim, 0, read_device);
    for (int step = 0; step < 3; step++) assert_int_equal(firn_sim_step(sim), FIRN_OK);
    first_on_the_device(sim);
    device_check_fields(sim, 0, read_device);
    for (int frame = 0; frame < 3; frame++) {
        if (firn_sim_frame(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
        first_on_the_device(sim);
        gone += device_check_fields(sim, 0, read_device);
        for (int step = 0; step < 3; step++) assert_int_equal(firn_sim_step(sim), FIRN_OK);
        gone += device_check_fields(sim, 0, read_device);
    }
    if (culls) assert_greater(firn_sim_read(sim).culled, 0);
    if (!culls) assert_int_equal(gone, 0);
    firn_sim_destroy(sim);
}

// The same steps give the same state whether or not someone looked.
static void looking_changes_nothing(void** state)
{
    (void)state;
    uint64_t hash[2];
    for (int looks = 0; looks < 2; looks++) {
        firn_sim* sim = device_start("firn: 1\nsolver: mpm\nmpm: {cell: 0.02}\n" SNOW CULL, "cuda");
        firn_device_field f;
        for (int step = 0; step < 60; step++) {
            assert_int_equal(firn_sim_step(sim), FIRN_OK);
            if (looks != 0) assert_int_equal(firn_sim_device_field(sim, "id", &f), FIRN_OK);
        }
        hash[looks] = firn_sim_hash(sim);
        firn_sim_destroy(sim);
    }
    assert_true(hash[0] == hash[1]);
}

static void solvers(void** state)
{
    (void)state;
    check_scene("firn: 1\nsolver: mpm\nmpm: {cell: 0.02}\n" SNOW, false);
    check_scene("firn: 1\nsolver: mpm\nmpm: {cell: 0.02, transfer: apic}\n" SNOW CULL, true);
    check_scene("firn: 1\nsolver: grains\ngrains: {radius: 0.01}\n" SNOW, false);
    check_scene("firn: 1\nsolver: grains\ngrains: {radius: 0.01}\n" SNOW CULL, true);
    check_scene("firn: 1\nsolver: ballistic\nballistic: {spacing: 0.02}\n" SNOW CULL, true);
}

int test_device_field_cuda(void)
{
    firn_device_info list[1];
    if (firn_device_list(list, 1, NULL) < 1) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(solvers),
                                       cmocka_unit_test(looking_changes_nothing)};
    return cmocka_run_group_tests_name("device_field_cuda", tests, NULL, NULL);
}
#else
int test_device_field_cuda(void)
{
    return FIRN_TEST_SKIPPED;
}
#endif
