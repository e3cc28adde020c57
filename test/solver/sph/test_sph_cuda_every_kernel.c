// SPDX-License-Identifier: MIT
// Every kernel of implicit SPH on a GPU, with little snow and few steps: small enough for
// compute-sanitizer, which is a hundred times slower (tools/gpu-check). The bits are those of the
// CPU, as sph_cuda requires of more snow.
#include "solver/sph/device_sph.h"

static const struct {
    const char *override, *also;
} ways[] = {
    {"sph={spacing: 0.1}", "cull={below: 0.12}"},
    {"sph={spacing: 0.1, contact: paper, clamp: paper}",
     "air={velocity: [5, 0, 2], gusts: {strength: 0.4, length: 0.5, period: 0.3, seed: 4}}"},
    {"sph={spacing: 0.1, contact: coulomb}", NULL},
    {"sph={spacing: 0.1, elasticity: combined, rest_density: plastic, relaxation: 1}", NULL},
    {"sph={spacing: 0.1}",
     "emitters=[{shape: {sphere: {center: [0.3, 0.9, 0], radius: 0.2}}, material: fresh, rate: "
     "900, velocity: [0, -2, 0], size: 0.04}]"},
};

static void as_on_the_cpu(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        const device_way here = {.override = ways[k].override, .also = ways[k].also};
        const device_way there = {
            .override = ways[k].override, .also = ways[k].also, .on_device = true};
        firn_sim *cpu = device_sim(&here), *other = device_sim(&there);
        const uint64_t before = firn_sim_hash(cpu);
        device_frame(cpu);
        device_frame(other);
        assert_not_equal(firn_sim_hash(cpu), before);
        assert_equal(firn_sim_hash(other), firn_sim_hash(cpu));
        const firn_sim_info a = firn_sim_read(cpu), b = firn_sim_read(other);
        assert_int_equal(a.step, b.step);
        assert_int_equal(a.iterations, b.iterations);
        firn_sim_destroy(cpu);
        firn_sim_destroy(other);
    }
}

int test_sph_cuda_every_kernel(void)
{
    if (!device_open_sph()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_on_the_cpu)};
    return cmocka_run_group_tests_name("sph_cuda_every_kernel", tests, NULL, NULL);
}
