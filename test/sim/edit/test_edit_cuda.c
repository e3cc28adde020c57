// SPDX-License-Identifier: MIT
// Edits of simulations on a CUDA device, whose particles are fetched, edited and given back.
#include "device/device.h"
#include "edit_fixture.h"

// Throws a ball, digs, and pushes all snow sideways.
static void edit(firn_sim* sim, const edit_prefabs* prefabs)
{
    const int64_t before = edit_count(sim);
    const firn_snow_def ball = edit_ball(prefabs->ball);
    const firn_placement at = edit_place(0, 0.42, 0);
    uint32_t first;
    int64_t added, dug;
    firn_snow_id id;
    EDIT_OK(sim, firn_sim_add_snow(sim, prefabs->scene, &ball, &at, &id));
    EDIT_OK(sim, firn_sim_snow_particles(sim, id, &first, &added));
    EDIT_OK(sim, firn_sim_remove_snow(sim, prefabs->scene, prefabs->spade, NULL, &dug));
    assert_true(added > 0 && dug > 0);
    assert_int_equal(edit_count(sim), before + added - dug);
    firn_field_edit v;
    EDIT_OK(sim, firn_sim_field_edit(sim, "velocity", &v));
    for (firn_local p = 0; p < v.count; p++) ((firn_vec3*)v.data)[p].z += (firn_real)0.25;
    double was[4], is[4];
    edit_sum(sim, was);
    EDIT_OK(sim, firn_sim_edit_commit(sim));
    edit_sum(sim, is);
    assert_float_equal(is[3] - was[3], 0.25 * was[0], 1e-4 * was[0]);
}

// With memory for more particles from the start, and without. What was saved goes on bit for bit on
// the device; a simulation on the host takes over the same state.
static void on_device(void** state)
{
    (void)state;
    static const int scenes[] = {0, 1, 3};  // sph has no CUDA backend
    const char* device = edit_backend;
    edit_prefabs prefabs = edit_prefabs_create();
    for (int k = 0; k < 6; k++) {
        const char* text = edit_scenes[scenes[k / 2]].text;
        firn_sim* sim = edit_start(text, 2, k % 2 == 0 ? 6000 : 0);
        edit_steps(sim, 6);
        edit(sim, &prefabs);
        size_t size;
        void* block = edit_save(sim, &size);
        const uint64_t then = firn_sim_hash(sim);
        play_frames(sim, 3);
        edit_steps(sim, 2);
        const uint64_t later = firn_sim_hash(sim);
        const int64_t count = edit_count(sim);
        EDIT_OK(sim, firn_sim_restore(sim, block, size));
        assert_equal(firn_sim_hash(sim), then);
        play_frames(sim, 3);
        edit_steps(sim, 2);
        if (firn_sim_hash(sim) != later) fail_msg("%s", edit_scenes[scenes[k / 2]].name);
        assert_int_equal(edit_count(sim), count);
        assert_int_equal(firn_sim_read(sim).rollbacks, 0);
        edit_backend = "cpu";
        firn_sim* host = edit_start(text, 1, 0);
        edit_backend = device;
        EDIT_OK(host, firn_sim_restore(host, block, size));
        assert_equal(firn_sim_hash(host), then);
        play_frames(host, 3);
        assert_int_equal(edit_count(host), count);
        free(block);
        firn_sim_destroy(host);
        firn_sim_destroy(sim);
    }
    firn_scene_destroy(prefabs.scene);
}

int test_edit_cuda(void)
{
    const char* name = getenv("FIRN_TEST_DEVICE");
    firn_error error = {0};
    int device;
    edit_backend = name != NULL ? name : "cuda";
    if (firn_device_open(edit_backend, &device, &error) != FIRN_OK) {
        print_message("skipped: %s\n", error.text);
        return FIRN_TEST_SKIPPED;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(on_device)};
    return cmocka_run_group_tests_name("edit_cuda", tests, NULL, NULL);
}
