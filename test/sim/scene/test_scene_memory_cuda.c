// SPDX-License-Identifier: MIT
// What `firn check` expects of a GPU's memory is what a simulation takes there.
#include "device/device.h"
#include "firn/firn.h"
#include "firn_test.h"

// 10 %: sizes of cells and blocks depend on where snow is, colliders take memory of their own.
#define WITHIN 0.1

// Blocks of some 100 000 to a million particles, dense and at rest.
static const char* const scenes[] = {
    "firn: 1\nsolver: sph\nsph: {spacing: 0.01}\nsnow: [{shape: {box: {center: [0, 1, 0], size: "
    "[0.5, 0.5, 0.5]}}}]\n",
    "firn: 1\nsolver: sph\nsph: {spacing: 0.01}\nmaterials: {w: {phase: water}}\nair: "
    "{temperature: 1}\nsnow: [{shape: {box: {center: [0, 1, 0], size: [1, 1, 1]}}, material: w}]\n",
    "firn: 1\nsolver: mpm\nmpm: {cell: 0.02, integrator: explicit}\nsnow: [{shape: {box: {center: "
    "[0, 1, 0], size: [0.8, 0.8, 0.8]}}}]\n",
    "firn: 1\nsolver: mpm\nmpm: {cell: 0.02}\nsnow: [{shape: {box: {center: [0, 1, 0], size: "
    "[0.8, 0.8, 0.8]}}}]\n",
    "firn: 1\nsolver: grains\ngrains: {radius: 0.005}\nsnow: [{shape: {box: {center: [0, 1, 0], "
    "size: [0.8, 0.8, 0.8]}}}]\n",
    "firn: 1\nsolver: ballistic\nballistic: {spacing: 0.01}\nsnow: [{shape: {box: {center: [0, 1, "
    "0], size: [0.8, 0.8, 0.8]}}}]\n"};

static void as_expected(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof scenes / sizeof *scenes; k++) {
        firn_scene* scene = NULL;
        firn_scene_info info;
        firn_load_def load = firn_default_load_def();
        load.backend = "cuda";
        assert_int_equal(firn_scene_create(&scene), FIRN_OK);
        if (firn_scene_load_text(scene, scenes[k], "test", &load) != FIRN_OK ||
            firn_scene_check(scene, 1, &info) != FIRN_OK)
            fail_msg("%s", firn_scene_messages(scene));
        firn_sim_def def = firn_default_sim_def();
        def.backend = "cuda";
        firn_sim* sim = NULL;
        if (firn_sim_create(scene, &def, &sim, NULL) != FIRN_OK) fail_msg("%s", firn_last_error());
        if (firn_sim_step(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
        const firn_sim_info now = firn_sim_read(sim);
        const double n = (double)now.particle_count;
        print_message("%s, %.0f particles: %.1f bytes each, %.1f expected\n", info.solver, n,
                      (double)now.device_bytes / n, info.device_bytes / n);
        assert_near((double)now.device_bytes / info.device_bytes, 1, WITHIN);
        firn_sim_destroy(sim);
        firn_scene_destroy(scene);
    }
}

// More than any card has: refused before a particle is filled, with the card's name.
static void refused_at_once(void** state)
{
    (void)state;
    static const char huge[] = "firn: 1\nsolver: sph\nsph: {spacing: 0.01}\nsnow: [{shape: {box: "
                               "{center: [0, 5, 0], size: "
                               "[9, 9, 9]}}}]\n";
    firn_scene* scene = NULL;
    firn_scene_info info;
    firn_load_def load = firn_default_load_def();
    load.backend = "cuda:0";
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, huge, "test", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    assert_int_equal(firn_scene_check(scene, 1, &info), FIRN_REFUSED_SCENE);
    assert_contains(firn_scene_messages(scene), "of the memory of cuda:0 (");
    firn_sim_def def = firn_default_sim_def();
    def.backend = "cuda";
    firn_sim* sim = NULL;
    firn_error error = {0};
    assert_int_equal(firn_sim_create(scene, &def, &sim, &error), FIRN_BROKEN_MEMORY);
    print_message("%s\n", error.text);
    assert_contains(error.text, "of the memory of cuda:0 (");
    firn_scene_destroy(scene);
}

int test_scene_memory_cuda(void)
{
    int device;
    firn_error error = {0};
    if (firn_device_open("cuda", &device, &error) != FIRN_OK) {
        print_message("skipped: %s\n", error.text);
        return FIRN_TEST_SKIPPED;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_expected),
                                       cmocka_unit_test(refused_at_once)};
    return cmocka_run_group_tests_name("scene_memory_cuda", tests, NULL, NULL);
}
