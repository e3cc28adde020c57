// SPDX-License-Identifier: MIT
// Fields where they lie, and as DLPack tensors, of simulations on the CPU.
#include "device_cases.h"

static void read_host(void* to, const void* from, size_t bytes, void* event)
{
    assert_null(event);
    memcpy(to, from, bytes);
}

static void all_fields(void** state)
{
    (void)state;
    static const char* const scenes[] = {
        "firn: 1\nsolver: mpm\nmpm: {cell: 0.05}\n" SNOW CULL,
        "firn: 1\nsolver: sph\nsph: {spacing: 0.04}\n" SNOW,
        "firn: 1\nsolver: grains\ngrains: {radius: 0.03}\n" SNOW,
    };
    for (int s = 0; s < 3; s++) {
        firn_sim* sim = device_start(scenes[s], "cpu");
        device_check_fields(sim, FIRN_DEVICE_HOST, read_host);
        for (int step = 0; step < 5; step++) assert_int_equal(firn_sim_step(sim), FIRN_OK);
        assert_int_equal(device_check_fields(sim, FIRN_DEVICE_HOST, read_host), 0);
        firn_sim_destroy(sim);
    }
}

// It is the simulation's own array.
static void no_copy(void** state)
{
    (void)state;
    firn_sim* sim = device_start("firn: 1\nmpm: {cell: 0.05}\n" SNOW, "cpu");
    firn_field_view v;
    firn_device_field f;
    DLManagedTensor* tensor;
    assert_int_equal(firn_sim_field(sim, "def_grad_elastic", &v), FIRN_OK);
    assert_int_equal(firn_sim_device_field(sim, "def_grad_elastic", &f), FIRN_OK);
    assert_ptr_equal(f.parts[0], v.data);
    assert_int_equal(f.stride, sizeof(firn_mat3));
    assert_int_equal(firn_sim_dlpack(sim, "def_grad_elastic", &tensor), FIRN_OK);
    assert_ptr_equal(tensor->dl_tensor.data, v.data);
    assert_int_equal(tensor->dl_tensor.ndim, 3);
    firn_sim_destroy(sim);
    tensor->deleter(tensor);  // after its simulation
}

static void refused(void** state)
{
    (void)state;
    firn_sim* sim = device_start("firn: 1\nmpm: {cell: 0.05}\n" SNOW, "cpu");
    firn_device_field f;
    DLManagedTensor* tensor;
    DLManagedTensorVersioned* versioned;
    assert_int_equal(firn_sim_device_field(sim, "positoin", &f), FIRN_REFUSED_NAME);
    assert_contains(firn_sim_error(sim), "did you mean 'position'?");
    assert_int_equal(firn_sim_dlpack(sim, "positoin", &tensor), FIRN_REFUSED_NAME);
    assert_int_equal(firn_sim_dlpack_versioned(sim, "positoin", &versioned), FIRN_REFUSED_NAME);
    assert_int_equal(firn_sim_device_field(NULL, "position", &f), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_device_field(sim, NULL, &f), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_device_field(sim, "position", NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_dlpack(NULL, "position", &tensor), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_dlpack(sim, NULL, &tensor), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_dlpack(sim, "position", NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_dlpack_versioned(NULL, "position", &versioned),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_dlpack_versioned(sim, NULL, &versioned), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_dlpack_versioned(sim, "position", NULL), FIRN_REFUSED_ARGUMENT);
    firn_sim_destroy(sim);
}

int test_device_field(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_fields), cmocka_unit_test(no_copy),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("device_field", tests, NULL, NULL);
}
