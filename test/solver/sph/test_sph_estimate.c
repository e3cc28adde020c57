// SPDX-License-Identifier: MIT
// `firn check` says how many steps a scene takes: within a factor of 2 of those that it takes,
// whether dt_max or the speed of a body bounds them.
#include "solver/sph/scene_text.h"

#define WITHIN 2.0  // an estimate that is off by more plans nothing

#define HEAD "firn: 1\nsolver: sph\ntime: {frames: 10, fps: 100}\n"

// Steps that are expected, and that are taken.
static void count(const char* text, double* out_expected, double* out_taken)
{
    firn_scene* scene;
    firn_scene_info info;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load_text(scene, text, "test", NULL) != FIRN_OK ||
        firn_scene_check(scene, 1, &info) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    *out_expected = info.steps;
    firn_scene_destroy(scene);
    firn_sim* sim = start(text);
    run_frames(sim, 10);
    *out_taken = (double)firn_sim_read(sim).step;
    firn_sim_destroy(sim);
}

// `least`: steps if dt_max alone decided.
static void agree(const char* what, const char* text, double least)
{
    double expected, taken;
    count(text, &expected, &taken);
    print_message("%s: %.0f steps expected, %.0f taken, %.0f by dt_max\n", what, expected, taken,
                  least);
    assert_greater(expected, taken / WITHIN);
    assert_less(expected, taken * WITHIN);
}

// 0.1 s of steps of 10 ms.
static void soft_snow_at_rest(void** state)
{
    (void)state;
    agree("soft snow at rest",
          HEAD "sph: {spacing: 0.1}\nmaterials: {snow: {young: 5e4}}\n"
               "snow: [{shape: {box: {center: [0, 0.4, 0], size: [0.8, 0.8, 0.8]}}}]\n"
               "colliders: [{shape: {plane: {}}}]\n",
          10);
}

// Shear waves cross three times the block in a step, which costs iterations and no steps.
static void stiff_snow(void** state)
{
    (void)state;
    agree("stiff snow",
          HEAD "sph: {spacing: 5 cm}\nmaterials: {snow: {young: 2e7}}\n"
               "snow: [{shape: {box: {center: [0, 0.2, 0], size: [0.4, 0.4, 0.4]}}}]\n"
               "colliders: [{shape: {plane: {}}}]\n",
          20);
}

// A board of 20 m/s crosses 0.4 spacings in 2 ms.
static void fast_body(void** state)
{
    (void)state;
    agree("fast body",
          HEAD "sph: {spacing: 0.1}\nmaterials: {snow: {young: 1e5}}\n"
               "snow: [{shape: {box: {center: [1.5, 0.2, 0], size: [4, 0.4, 0.4]}}}]\n"
               "colliders: [{shape: {plane: {}}}, {shape: {box: {size: [0.6, 0.2, 0.4]}}, "
               "position: [0, 0.52, 0], velocity: [20, 0, 0], mass: 20, friction: 0}]\n",
          10);
}

int test_sph_estimate(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(soft_snow_at_rest),
                                       cmocka_unit_test(stiff_snow), cmocka_unit_test(fast_body)};
    return cmocka_run_group_tests_name("sph_estimate", tests, NULL, NULL);
}
