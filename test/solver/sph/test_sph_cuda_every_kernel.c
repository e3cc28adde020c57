// SPDX-License-Identifier: MIT
// Every kernel of implicit SPH on a GPU, with little snow and few steps: small enough for
// compute-sanitizer, which is a hundred times slower (tools/gpu-check). The bits are those of the
// CPU, as sph_cuda requires of more snow.
#include "solver/sph/device_sph.h"

// A ball falls into honey on which snow lies.
static const char bathed[] =
    "firn: 1\n"
    "solver: sph\n"
    "time: {frames: 4, fps: 50}\n"
    "sph: {spacing: 0.1}\n"
    "materials:\n"
    "  honey: {phase: viscous, viscosity: 5, density: 1200, surface_tension: 0.05}\n"
    "snow:\n"
    "  - {shape: {box: {center: [0, 0.2, 0], size: [0.8, 0.4, 0.8]}}, material: honey}\n"
    "  - {shape: {box: {center: [-0.2, 0.5, 0], size: [0.3, 0.2, 0.3]}}}\n"
    "colliders:\n"
    "  - {shape: {plane: {}}, friction: 0.4}\n"
    "  - {shape: {sphere: {center: [0, 0, 0], radius: 0.2}}, position: [0.2, 0.61, 0],\n"
    "     velocity: [0, -2, 0], mass: 9, friction: 0.3}\n"
    "output: {preview: false, film: false}\n";

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

static void compare(device_way way)
{
    firn_sim* cpu = device_sim(&way);
    way.on_device = true;
    firn_sim* other = device_sim(&way);
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

static void as_on_the_cpu(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
        compare((device_way){.override = ways[k].override, .also = ways[k].also});
    compare((device_way){.scene = bathed});
}

int test_sph_cuda_every_kernel(void)
{
    if (!device_open_sph()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_on_the_cpu)};
    return cmocka_run_group_tests_name("sph_cuda_every_kernel", tests, NULL, NULL);
}
