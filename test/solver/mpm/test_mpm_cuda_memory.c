// SPDX-License-Identifier: MIT
// A scene that does not fit on the device: a sentence with its numbers, and a device that is as it
// was. Also: host memory that runs out while a simulation is made.
#include "solver/mpm/device_world.h"

static const firn_mpm_material material = {.lame_0 = {(firn_real)5e4, (firn_real)4e4},
                                           .xi = 10,
                                           .theta_c = (firn_real)0.025,
                                           .theta_s = (firn_real)0.0075,
                                           .hardening_max = 1000,
                                           .density = 400,
                                           .sound_squared = 350};

// As a solver would, of some 250 bytes per particle.
static firn_result make(firn_local capacity, firn_device_sim** out_sim, firn_error* error)
{
    const firn_shapes none = {0};
    const firn_cuda_def shared = {.device = device_number, .capacity = capacity, .shapes = &none};
    const firn_mpm_cuda_def own = {.cell = (firn_real)0.01,
                                   .mass_min = (firn_real)1e-20,
                                   .lightest = 1,
                                   .may_solve = true,
                                   .diagonal = true,
                                   .affine = true,
                                   .flip = 0.95,
                                   .beta = 1,
                                   .dt = {.most = 1e-3, .cfl = 0.5, .sound_cfl = 0.5, .cell = 0.01},
                                   .tolerance = 1e-3,
                                   .max_iterations = 30,
                                   .iterations_target = 20,
                                   .materials = &material,
                                   .material_count = 1,
                                   .cull = {.inside = -1, .outside = -1}};
    return firn_cuda_sim_create(FIRN_CUDA_TABLE(firn_mpm_kernels), &shared, &own, out_sim, error);
}

// A few steps of a small lump, for its bits.
static uint64_t small_run(void)
{
    world* w = world_create(0.01);
    w->scene.gravity[1] = -9.81;
    world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){6, 6, 6}, 2, 0);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0.4);
    device_start(w, 0);
    for (int k = 0; k < 20; k++) world_step(w, 1e-4);
    device_fetch(w);
    const uint64_t hash = firn_particles_hash(&w->m->base.store);
    world_destroy(w);
    return hash;
}

static void too_large(void** state)
{
    (void)state;
    const uint64_t hash = small_run();
    const uint64_t before = firn_memory_read().bytes;
    // the last one has room for its particles' first arrays and fails later
    const firn_local capacities[] = {INT32_MAX, INT32_MAX - 1000, 2000000000, 1000000000};
    for (int k = 0; k < 4; k++) {
        firn_device_sim* sim = NULL;
        firn_error error = {0};
        assert_int_equal(make(capacities[k], &sim, &error), FIRN_BROKEN_MEMORY);
        print_message("%s\n", error.text);
        assert_null(sim);
        char number[32];
        snprintf(number, sizeof number, "%d particles", (int)capacities[k]);
        assert_contains(error.text, number);
        assert_contains(error.text, "GiB");
        assert_contains(error.text, "use fewer particles");
        double needed = 0, left = 0, all = 0;
        const char* at = strstr(error.text, "needs ");
        assert_non_null(at);
        assert_int_equal(
            sscanf(at, "needs %lf GiB for %*[^,], and %lf of its %lf GiB", &needed, &left, &all),
            3);
        // needs more than there is, and says how much there is: some card between 1 and 1000 GiB
        assert_greater(needed, left);
        assert_at_most(left, all);
        assert_greater(all, 1);
        assert_less(all, 1000);
        assert_int_equal(firn_memory_read().bytes, before);
    }
    // what the failures had taken is back: a tenth of the largest arrays above would not fit
    for (int k = 0; k < 8; k++) {
        firn_device_sim* sim = NULL;
        firn_error error = {0};
        if (make(2000000, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
        assert_greater(sim->ops->bytes(sim), (size_t)200 * 2000000);
        assert_less(sim->ops->bytes(sim), (size_t)2000 * 2000000);
        sim->ops->destroy(sim);
    }
    assert_equal(small_run(), hash);
    assert_int_equal(firn_memory_read().bytes, before);
}

// Host memory runs out at every place where it can.
static void no_host_memory(void** state)
{
    (void)state;
    world* w = world_create(0.01);
    world_lattice(w, (const double[3]){0, 0, 0}, (const double[3]){3, 3, 3}, 2, 0);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0.4);
    const firn_solver_args args = {.device = device_number};
    const uint64_t before = firn_memory_read().bytes;
    void* self = NULL;
    uint64_t failures = 0;
    for (uint64_t k = 1;; k++) {
        firn_memory_fail_at(k, false);
        const firn_result r = firn_solver_mpm.create(&w->scene, &w->seeds, &args, &self, &w->error);
        firn_memory_fail_at(0, false);
        if (r == FIRN_OK) break;
        assert_int_equal(r, FIRN_BROKEN_MEMORY);
        assert_int_equal(firn_memory_read().bytes, before);
        failures++;
    }
    print_message("%d places where memory can run out\n", (int)failures);
    assert_at_least(failures, 5);
    w->m = self;
    world_step(w, 1e-4);
    world_destroy(w);
}

int test_mpm_cuda_memory(void)
{
    if (!device_open()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(too_large),
                                       cmocka_unit_test(no_host_memory)};
    return cmocka_run_group_tests_name("mpm_cuda_memory", tests, NULL, NULL);
}
