// SPDX-License-Identifier: MIT
// integrator: auto. The predicted costs, the choice at its edges, what is learnt from a frame, and
// whole runs: the choice changes when the snow hardens and is the same for any number of threads.
// That it survives a restart is in test_mpm_promises.c.
#include "solver/mpm/support/mpm_choose.h"

#include <math.h>
#include <string.h>

#include "firn/firn.h"
#include "firn_test.h"
#include "scene/parse/keys.h"
#include "solver/mpm/support/mpm_solver.h"

static firn_mpm_def make_def(void)
{
    firn_mpm_def def;
    firn_mpm_keys.set_defaults(&def);
    def.integrator = FIRN_MPM_AUTO;
    return def;
}

// Soft, slow snow: sound takes longer than dt_max to cross a cell, so explicit costs no more steps.
static void soft_snow_is_explicit(void** state)
{
    (void)state;
    const firn_mpm_def def = make_def();
    firn_mpm_choice c = {.frame_begins = 1};
    firn_mpm_prospect p = {.speed = 1, .sound = 5, .dt_factor = 1};
    assert_true(firn_mpm_choose(&def, &c, &p));
    assert_false(c.implicit);
    assert_equal(p.explicit_dt, def.dt_max);
    assert_equal(p.implicit_dt, def.dt_max);
    assert_less(p.explicit_cost, p.implicit_cost);
    assert_false(firn_mpm_choose(&def, &c, &p));  // nothing new
}

// Hard snow: the explicit step shrinks with the speed of sound, the solve grows more slowly when
// iterations are few.
// Formulas in double, computed twice: a few roundings.
static void hard_snow_is_implicit(void** state)
{
    (void)state;
    const firn_mpm_def def = make_def();
    firn_mpm_choice c = {.frame_begins = 1, .per_crossing = 0.5};
    firn_mpm_prospect p = {.speed = 1, .sound = 200, .dt_factor = 1};
    assert_true(firn_mpm_choose(&def, &c, &p));
    assert_true(c.implicit);
    assert_near(p.explicit_dt, def.sound_cfl * def.cell / 200, 1e-12);
    assert_near(p.iterations, 0.5 * def.dt_max * 200 / def.cell, 1e-9);
    const double cost = (1 + def.iteration_cost * (p.iterations + 3)) / p.implicit_dt;
    assert_near(cost / p.implicit_cost, 1, 1e-12);
    assert_less(p.implicit_cost, p.explicit_cost);
}

// Explicit steps with quadratic splines are shorter, and cost more accordingly.
static void quadratic_steps_are_shorter(void** state)
{
    (void)state;
    firn_mpm_def def = make_def();
    firn_mpm_choice c = {.frame_begins = 1};
    firn_mpm_prospect cubic = {.speed = 1, .sound = 200, .dt_factor = 1}, quadratic = cubic;
    firn_mpm_choose(&def, &c, &cubic);
    assert_equal(firn_mpm_sound_cfl(&def), def.sound_cfl);
    def.spline = FIRN_SPLINE_QUADRATIC;
    firn_mpm_choose(&def, &c, &quadratic);
    assert_near(quadratic.explicit_dt / cubic.explicit_dt, 0.75, 1e-12);
    assert_near(cubic.explicit_cost / quadratic.explicit_cost, 0.75, 1e-12);
    assert_equal(quadratic.implicit_dt, cubic.implicit_dt);
}

// Near equality what runs goes on running.
static void no_dithering(void** state)
{
    (void)state;
    const firn_mpm_def def = make_def();
    firn_mpm_prospect p = {.speed = 1, .dt_factor = 1};
    double edge[2];
    for (int from = 0; from < 2; from++) {
        firn_mpm_choice c = {.implicit = (uint8_t)from, .chosen = 1, .per_crossing = 0.4};
        for (int k = 0; k < 2000; k++) {
            p.sound = from ? 2000 - k : 1 + k;
            if (!firn_mpm_choose(&def, &c, &p)) continue;
            edge[from] = p.sound;
            break;
        }
    }
    assert_greater(edge[0], 1.1 * edge[1]);
}

// A fixed step is the user's: explicit integration is taken only where it is stable at that step.
static void fixed_step(void** state)
{
    (void)state;
    firn_mpm_def def = make_def();
    def.dt = 1e-4;
    firn_mpm_choice c = {.frame_begins = 1};
    firn_mpm_prospect p = {.speed = 1, .sound = 59, .dt_factor = 1};
    firn_mpm_choose(&def, &c, &p);
    assert_false(c.implicit);
    p.sound = 61;  // 0.6 * 0.01 / 61 < 1e-4
    assert_true(firn_mpm_choose(&def, &c, &p));
    assert_true(c.implicit);
    assert_equal(p.implicit_dt, 1e-4);
    def.beta = 0;  // no solve at all
    firn_mpm_choose(&def, &c, &p);
    assert_false(c.implicit);
}

static void learns_from_a_frame(void** state)
{
    (void)state;
    const firn_mpm_def def = make_def();
    firn_mpm_choice c = {.implicit = 1, .chosen = 1};
    for (int k = 0; k < 10; k++) firn_mpm_choice_learn(&c, 12, 8, k == 9);
    assert_true(c.frame_begins);
    firn_mpm_prospect p = {.speed = 1, .sound = 100, .dt_factor = 1};
    firn_mpm_choose(&def, &c, &p);
    assert_near(c.per_crossing, 1.5, 1e-12);
    assert_near(p.iterations, 1.5 * 10, 1e-9);
    assert_int_equal(c.iterations, 0);
    firn_mpm_choose(&def, &c, &p);  // a frame without a solve keeps what is known
    assert_near(c.per_crossing, 1.5, 1e-12);
}

// A lump that hits the floor and packs: explicit before, semi-implicit after.
static const char scene_text[] = "firn: 1\n"
                                 "solver: mpm\n"
                                 "time: {frames: 8, fps: 60}\n"
                                 "mpm: {cell: 0.02, integrator: auto, dt_max: 2.0e-3}\n"
                                 "materials: {soft: {preset: snow, young: 2.0e4, hardening: 12}}\n"
                                 "snow:\n"
                                 "  - shape: {sphere: {center: [0, 0.14, 0], radius: 0.08}}\n"
                                 "    material: soft\n"
                                 "    velocity: [0, -2.5, 0]\n"
                                 "colliders:\n"
                                 "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n";

typedef struct told {
    int explicit_count, implicit_count;
} told;

static void listen(void* user, firn_log_level level, const char* id, const char* text)
{
    (void)level;
    told* t = user;
    if (strcmp(id, "mpm.integrator") != 0) return;
    t->explicit_count += strstr(text, ": explicit.") != NULL;
    t->implicit_count += strstr(text, ": semi-implicit.") != NULL;
}

static uint64_t run_frames(int threads, told* out_told)
{
    firn_scene* scene;
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    firn_load_def load = firn_default_load_def();
    if (firn_scene_load_text(scene, scene_text, "auto", &load) != FIRN_OK)
        fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    def.threads = threads;
    def.log = listen;
    def.user = out_told;
    firn_sim* sim = NULL;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    if (firn_sim_run(sim) != FIRN_OK) fail_msg("%s", firn_sim_error(sim));
    const uint64_t hash = firn_sim_hash(sim);
    firn_sim_destroy(sim);
    firn_scene_destroy(scene);
    return hash;
}

static void changes_between_frames(void** state)
{
    (void)state;
    told one = {0}, three = {0};
    const uint64_t hash = run_frames(1, &one);
    assert_at_least(one.explicit_count, 1);
    assert_at_least(one.implicit_count, 1);
    assert_equal(run_frames(3, &three), hash);
    assert_int_equal(three.explicit_count, one.explicit_count);
    assert_int_equal(three.implicit_count, one.implicit_count);
}

int test_mpm_choose(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(soft_snow_is_explicit),
                                       cmocka_unit_test(hard_snow_is_implicit),
                                       cmocka_unit_test(quadratic_steps_are_shorter),
                                       cmocka_unit_test(no_dithering),
                                       cmocka_unit_test(fixed_step),
                                       cmocka_unit_test(learns_from_a_frame),
                                       cmocka_unit_test(changes_between_frames)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
