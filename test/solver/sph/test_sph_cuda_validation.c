// SPDX-License-Identifier: MIT
// T34, T37 and free fall on a GPU: a block of snow on its lattice has the sums of the kernel that
// its lattice gives, and moves as a whole. (T38 there: FIRN_TEST_BACKEND=cuda with sph_slope; T39:
// tools/scene-measures. tools/gpu-check runs them; T41, snowfall, is not measured there.)
#include "solver/sph/device_sph.h"

#define EDGE 9  // particles along an edge

static const char block_scene[] = "firn: 1\n"
                                  "solver: sph\n"
                                  "time: {frames: 2, fps: 100}\n"
                                  "gravity: [0, %g, 0]\n"
                                  "sph: {spacing: 0.1, dt: 2.0e-3}\n"
                                  "materials: {fresh: {density: 300}}\n"
                                  "snow:\n"
                                  "  - shape: {box: {center: [0, 0, 0], size: [0.9, 0.9, 0.9]}}\n"
                                  "    material: fresh\n"
                                  "    velocity: [1, 2, -0.5]\n"
                                  "output: {preview: false, film: false}\n";

static firn_sim* start(double gravity)
{
    char text[1000];
    snprintf(text, sizeof text, block_scene, gravity);
    firn_scene* scene;
    firn_sim* sim = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, text, "block", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = 1;
    def.backend = device_number >= 0 ? "cuda" : "cpu";
    if (firn_sim_create(scene, &def, &sim, NULL) != FIRN_OK) fail_msg("%s", firn_last_error());
    firn_scene_destroy(scene);
    assert_int_equal(firn_sim_read(sim).particle_count, EDGE * EDGE * EDGE);
    return sim;
}

static firn_field_view field(const firn_sim* sim, const char* name)
{
    firn_field_view view;
    assert_int_equal(firn_sim_field(sim, name, &view), FIRN_OK);
    return view;
}

// Sums of the cubic spline on a lattice, VALIDATION T34, by how many faces a particle lies on. Ten
// steps of float sums of some 27 terms: 1e-5.
static void T34_densities(void** state)
{
    (void)state;
    const double sums[4] = {0.999972, 0.850288, 0.719661, 0.606561};
    const int expected[4] = {7 * 7 * 7, 6 * 7 * 7, 12 * 7, 8};
    firn_sim* sim = start(0);
    device_frame(sim);
    device_frame(sim);
    const firn_field_view density = field(sim, "density");
    const float* rho = density.data;
    int found[4] = {0};
    for (int64_t p = 0; p < density.count; p++)
        for (int k = 0; k < 4; k++) {
            if (fabs((double)rho[p] / 300 - sums[k]) > 0.03) continue;
            assert_near((double)rho[p] / 300, sums[k], 1e-5);
            found[k]++;
        }
    for (int k = 0; k < 4; k++) assert_int_equal(found[k], expected[k]);
    firn_sim_destroy(sim);
}

// A block that moves as a whole has nothing to solve (T37): it keeps its velocity, or falls.
static void T37_rigid_motion(void** state)
{
    (void)state;
    for (int falls = 0; falls < 2; falls++) {
        const double g = falls ? -9.81 : 0;
        firn_sim* sim = start(g);
        device_frame(sim);
        device_frame(sim);
        const firn_field_view velocity = field(sim, "velocity");
        const float* v = velocity.data;
        const double want[3] = {1, 2 + g * 0.02, -0.5};
        for (int64_t p = 0; p < velocity.count; p++)
            for (int d = 0; d < 3; d++) assert_near((double)v[3 * p + d], want[d], 1e-5);
        firn_sim_destroy(sim);
    }
}

int test_sph_cuda_validation(void)
{
    if (!device_open_sph()) return FIRN_TEST_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(T34_densities),
                                       cmocka_unit_test(T37_rigid_motion)};
    return cmocka_run_group_tests_name("sph_cuda_validation", tests, NULL, NULL);
}
