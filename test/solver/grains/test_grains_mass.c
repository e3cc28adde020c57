// SPDX-License-Identifier: MIT
// A snow body weighs its bulk density times its volume with every solver, whatever its size, and
// that is what firn_scene_snow_mass (`firn check`) reports.
#include <stdlib.h>

#include "solver/grains/as_run.h"

static const char text[] = "firn: 1\nsolver: %s\ntime: {frames: 1, fps: 100}\n"
                           "mpm: {cell: %g}\nsph: {spacing: %g}\n%s"
                           "materials: {own: {density: %g}}\n"
                           "snow:\n- {shape: {%s}, material: own%s}\n";

// [kg] of the particles; `out_told`: what firn_scene_snow_mass says.
static double mass_of(const char* scene_text, double* out_told)
{
    firn_scene* scene = NULL;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, scene_text, "test", NULL) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    *out_told = firn_scene_snow_mass(scene, 0);
    assert_true(firn_scene_snow_mass(scene, 1) < 0);
    firn_scene_destroy(scene);
    firn_sim* sim = as_run_create(scene_text);
    const firn_field_view mass = as_run_field(sim, "mass");
    double sum = 0;
    for (int64_t i = 0; i < mass.count; i++) sum += as_run_value(&mass, i, 0);
    firn_sim_destroy(sim);
    return sum;
}

// `exact` [kg]; `cell`: of mpm [m], sph has two thirds of it; `grains`: a block, or nothing.
static void weigh(const char* shape, const char* more, double density, double exact, double cell,
                  const char* grains)
{
    static const char* const solvers[] = {"mpm", "sph", "grains"};
    for (int s = 0; s < 3; s++) {
        char scene[1000];
        double told;
        snprintf(scene, sizeof scene, text, solvers[s], cell, cell / 1.5, grains, density, shape,
                 more);
        const double mass = mass_of(scene, &told);
        print_message("%s: %s: %.4f kg, told %.4f kg, exact %.4f kg\n", shape, solvers[s], mass,
                      told, exact);
        check_figure(T49_mass, mass / exact);
        check_figure(T49_told, told / exact);
    }
}

static void all_solvers_weigh_the_same(void** state)
{
    (void)state;
    const double ball = 4.18879020478639098e-3;  // [m^3]
    weigh("sphere: {center: [0, 1, 0], radius: 0.1}", "", 400, 400 * ball, 0.008, "");
    weigh("sphere: {center: [0, 1, 0], radius: 0.1}", "", 170, 170 * ball, 0.008,
          "grains: {radius: 0.01}\n");
    // 30 x 15 x 15 spacings of sph, not between planes of the lattice at the origin
    weigh("box: {center: [0.12, 0.06, 0], size: [0.24, 0.12, 0.12]}", "", 400, 1.3824, 0.012,
          "grains: {radius: 0.008}\n");
    weigh("box: {center: [0.313, 0.55, -1], size: [0.26, 0.1, 0.14]}", "", 200, 0.728, 0.015,
          "grains: {radius: 0.008}\n");
    // a shell of 1.2 times the density, as that of snowball-drop
    const double shell = 1 - 0.88 * 0.88 * 0.88;
    weigh("sphere: {center: [0, 1, 0], radius: 0.1}",
          ", vary: {shell: {thickness: 0.012, density: 1.2}}", 400, 400 * ball * (1 + 0.2 * shell),
          0.006, "");
    weigh("box: {center: [0, 1, 0], size: [0.8, 0.3, 0.5]}", "", 250, 30, 0.015,
          "grains: {radius: 0.014}\n");
    weigh("box: {center: [0, 1, 0], size: [2, 0.4, 2]}", "", 100, 160, 0.06,
          "grains: {radius: 0.04}\n");
    weigh("box: {center: [0, 1, 0], size: [1, 0.6, 1]}", ", loose: 1.3", 300, 180 / 2.197, 0.04,
          "grains: {radius: 0.02}\n");
}

// The paper's masses, on request: an eighth, and less where the surface is large.
static void the_paper_weighs_less(void** state)
{
    (void)state;
    char scene[1000];
    double told;
    snprintf(scene, sizeof scene, text, "grains", 0.02, 0.02,
             "grains: {radius: 0.05, mass: paper}\n", 100.0,
             "box: {center: [0, 1, 0], size: [2, 2, 2]}", "");
    const double mass = mass_of(scene, &told);
    print_message("paper: %.2f kg, told %.2f kg\n", mass, told);
    assert_in_range(1000 * mass, 90000, 120000);
    assert_near(told / mass, 1, 0.01);
    firn_sim* sim = as_run_create(scene);
    const firn_field_view each = as_run_field(sim, "mass");
    assert_near(as_run_value(&each, 0, 0), 0.0125, 1e-8);
    firn_sim_destroy(sim);
}

int test_grains_mass(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_solvers_weigh_the_same),
                                       cmocka_unit_test(the_paper_weighs_less)};
    return cmocka_run_group_tests_name("grains_mass", tests, NULL, NULL);
}
