// SPDX-License-Identifier: MIT
// Force fields and gravity that changes over time, with all solvers: a block of snow that nothing
// holds moves as its centre of mass must.
#include "world_fixture.h"

static const char* const solvers[] = {"mpm", "sph", "grains"};

// v = int a dt. Keys are at the ends of frames, so that the middle of each step has the mean of
// what is linear; rounding of some hundred steps remains.
static void as_gravity(void** state)
{
    (void)state;
    static const char keys[] =
        "gravity_keys: [[0, [0, -10, 0]], [0.05, [0, -10, 0]], [0.1, [0, 0, 4]]]\n"
        "forces:\n- {kind: uniform, strength: 6, direction: [1, 0, 0], keys: [[0, 0], [0.1, 1]]}\n"
        "- {kind: uniform, strength: 2, direction: [1, 0, 0], radius: 1 mm, center: [9, 9, 9]}\n";
    for (int s = 0; s < 3; s++) {
        firn_sim* sim = world_start(solvers[s], keys);
        double v[3];
        world_frames(sim, 10);
        world_mean(sim, "velocity", v);
        assert_near(v[0], 0.3, 2e-5);
        assert_near(v[1], -0.75, 2e-5);
        assert_near(v[2], 0.1, 2e-5);
        firn_sim_destroy(sim);
    }
}

// The same accelerations as gravity, or as a force: the same motion.
static void a_force_is_gravity(void** state)
{
    (void)state;
    for (int s = 0; s < 3; s++) {
        firn_sim* a = world_start(solvers[s], "gravity: [0, -4, 0]\n");
        firn_sim* b = world_start(solvers[s],
                                  "gravity: [0, 0, 0]\nforces: [{kind: uniform, strength: -4}]\n");
        world_frames(a, 5);
        world_frames(b, 5);
        double v[2][3];
        world_mean(a, "velocity", v[0]);
        world_mean(b, "velocity", v[1]);
        assert_near(v[0][1], -0.2, 1e-5);
        for (int d = 0; d < 3; d++) assert_near(v[0][d], v[1][d], 1e-5);
        firn_sim_destroy(a);
        firn_sim_destroy(b);
    }
}

// A vortex about the block's middle: no net force, and spin about the axis. Any number of threads.
static void vortex(void** state)
{
    (void)state;
    static const char text[] = "gravity: [0, 0, 0]\nforces:\n"
                               "- {kind: vortex, strength: 3, center: [0, 0.12, 0]}\n"
                               "- {kind: noise, strength: 0.5, length: 0.1}\n";
    for (int s = 0; s < 3; s++) {
        uint64_t expected = 0;
        for (int threads = 1; threads <= 7; threads += 3) {
            firn_scene* scene = world_scene(solvers[s], text);
            firn_sim_def def = firn_default_sim_def();
            def.threads = threads;
            firn_sim* sim = NULL;
            firn_error error;
            if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
            firn_scene_destroy(scene);
            world_frames(sim, 2);
            if (threads == 1) expected = firn_sim_hash(sim);
            assert_equal(firn_sim_hash(sim), expected);
            firn_sim_destroy(sim);
        }
    }
    firn_sim* sim = world_start("mpm", text);
    world_frames(sim, 2);
    firn_field_view x, v;
    assert_int_equal(firn_sim_field(sim, "position", &x), FIRN_OK);
    assert_int_equal(firn_sim_field(sim, "velocity", &v), FIRN_OK);
    double turn = 0;
    for (firn_local p = 0; p < x.count; p++) {
        const firn_vec3 at = ((const firn_vec3*)x.data)[p], u = ((const firn_vec3*)v.data)[p];
        turn += (double)(at.z * u.x - at.x * u.z);
    }
    assert_greater(turn, 0);
    firn_sim_destroy(sim);
}

// Gravity that the caller sets replaces keys; an older state has them again.
static void set_by_the_caller(void** state)
{
    (void)state;
    firn_sim* sim = world_start("mpm", "gravity_keys: [[0, [0, -10, 0]], [0.02, [0, 0, 0]]]\n");
    size_t size;
    WORLD_MUST(sim, firn_sim_save(sim, NULL, 0, &size));
    void* save = firn_alloc(size, 1);
    WORLD_MUST(sim, firn_sim_save(sim, save, size, &size));
    WORLD_MUST(sim, firn_sim_set_gravity(sim, firn_v3(0, 0, 5)));
    world_frames(sim, 2);
    double v[3];
    world_mean(sim, "velocity", v);
    assert_near(v[1], 0, 1e-5);
    assert_near(v[2], 0.1, 1e-5);
    WORLD_MUST(sim, firn_sim_restore(sim, save, size));
    world_frames(sim, 2);
    world_mean(sim, "velocity", v);
    assert_near(v[1], -0.1, 1e-5);
    assert_near(v[2], 0, 1e-5);
    firn_free(save);
    firn_sim_destroy(sim);
}

int test_world_forces(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_gravity), cmocka_unit_test(a_force_is_gravity),
        cmocka_unit_test(vortex), cmocka_unit_test(set_by_the_caller)};
    return cmocka_run_group_tests_name("world_forces", tests, NULL, NULL);
}
