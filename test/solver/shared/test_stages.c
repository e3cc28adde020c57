// SPDX-License-Identifier: MIT
// Stages are timed, the first failure is kept and skips the rest; reports add chunks in order; what
// a fault says.
#include "solver/shared/stages.h"

#include <string.h>

#include "solver/shared/fault.h"
#include "solver/shared/toy.h"

// Stage 2 fails once it has run twice.
static firn_result run(void* self, int stage, firn_error* error)
{
    toy* m = self;
    m->runs++;
    m->base.dt = m->base.dt_limit * m->base.dt_scale;
    if (stage == 2 && m->runs > 3)
        return firn_fail(error, FIRN_BROKEN_DIVERGED, "run %d of stage 2", m->runs);
    if (stage == 3) return firn_fail(error, FIRN_BROKEN_INTERNAL, "stage 3");
    return FIRN_OK;
}

static void first_failure_is_kept(void** state)
{
    (void)state;
    toy_world w;
    toy_start(&w, false);
    w.m->base.stage_seconds[5] = 3;
    firn_stages stages = firn_stages_begin(w.m, run, &w.error);
    assert_equal(w.m->base.stage_seconds[5], 0);
    firn_stages_prepare(&stages, 4, 0.5, 0.5);
    assert_equal(w.m->base.time, 4);
    assert_equal(w.m->base.dt, 0.25);
    firn_stages_run(&stages, 2);
    firn_stages_run(&stages, 2);
    assert_int_equal(stages.result, FIRN_OK);
    firn_stages_run(&stages, 2);
    firn_stages_run(&stages, 3);  // skipped
    assert_int_equal(stages.result, FIRN_BROKEN_DIVERGED);
    assert_int_equal(w.m->runs, 4);
    assert_string_equal(w.error.text, "run 4 of stage 2");
    assert_at_least(w.m->base.stage_seconds[0], 0);
    assert_at_least(w.m->base.stage_seconds[2], 0);
    assert_equal(w.m->base.stage_seconds[3], 0);
    toy_stop(&w);
}

static void report_of_chunks(void** state)
{
    (void)state;
    toy_world w;
    toy_start(&w, false);
    w.m->base.step = 11;
    w.m->base.time = 2;
    w.m->base.dt = 0.5;
    w.m->base.max_speed = 8;
    w.m->base.culled = 3;
    w.m->base.stage_seconds[1] = 0.25;
    firn_step_report report = firn_report_begin(&w.m->base);
    assert_equal(report.step, 11);
    assert_equal(report.time, 2);
    assert_equal(report.dt, 0.5);
    assert_equal(report.max_speed, 8);
    assert_equal(report.culled, 3);
    assert_equal(report.stage_seconds[1], 0.25);
    assert_equal(report.plastic_min, 1);
    assert_equal(report.plastic_max, 1);
    const firn_sums sums[2] = {{.momentum = {1, 2, 3},
                                .kinetic = 4,
                                .potential = -5,
                                .elastic = 6,
                                .plastic_min = 2,
                                .plastic_max = 3},
                               {.momentum = {10, 20, 30},
                                .kinetic = 40,
                                .potential = -50,
                                .elastic = 60,
                                .plastic_min = 1.5,
                                .plastic_max = 2.5}};
    firn_report_add(&report, sums, 2);
    assert_equal(report.momentum[0], 11);
    assert_equal(report.momentum[1], 22);
    assert_equal(report.momentum[2], 33);
    assert_equal(report.kinetic, 44);
    assert_equal(report.potential, -55);
    assert_equal(report.elastic, 66);
    assert_equal(report.plastic_min, 1.5);
    assert_equal(report.plastic_max, 3);  // not with the 1 before
    toy_stop(&w);
}

static void a_fault_names_what_and_where(void** state)
{
    (void)state;
    toy_world w;
    toy_start(&w, false);
    w.m->base.step = 7;
    w.m->base.dt = 0.001;
    const firn_fault_words words = {"grain", "radius", " m"};
    const firn_culprit culprit = {
        .id = 42, .position = {1, 2, 3}, .velocity = {4, 5, 6}, .value = 0.05};
    assert_int_equal(firn_fault(&w.m->base, &words, &culprit, "it is odd", "chance", &w.error),
                     FIRN_BROKEN_DIVERGED);
    assert_string_equal(w.error.text,
                        "step 7 (dt 0.001 s): grain 42 at (1, 2, 3) m, material 'powder', "
                        "velocity (4, 5, 6) m/s, radius 0.05 m: it is odd; likely cause: chance");
    toy_stop(&w);
}

int test_stages(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_failure_is_kept),
        cmocka_unit_test(report_of_chunks),
        cmocka_unit_test(a_fault_names_what_and_where),
    };
    return cmocka_run_group_tests_name("stages", tests, NULL, NULL);
}
