// SPDX-License-Identifier: MIT
// Steps against a clock: calls add up to real time, a budget ends them, frames are those of
// firn_sim_frame.
#include "play_fixture.h"

static firn_sim* start(const char* dt, int fps)
{
    char text[600];
    snprintf(text, sizeof text,
             "firn: 1\nsolver: ballistic\ntime: {frames: 3, fps: %d}\n"
             "ballistic: {dt: %s, spacing: 0.05}\n"
             "snow:\n  - shape: {sphere: {center: [0, 1, 0], radius: 0.1}}\n"
             "    velocity: [1, 0, 0]\n",
             fps, dt);
    return play_start(text);
}

// [s] Times are sums in double of up to 1000 steps: roundings of 1e-16 each. A millionth of a step.
#define TIME_ERROR 1e-9

// 60 calls of 1/60 s are a second, to within a step; a call has no budget.
static void adds_up(void** state)
{
    (void)state;
    firn_sim* sim = start("1e-3", 50);
    int fewest = 100, most = 0;
    for (int k = 0; k < 60; k++) {
        firn_advance done;
        assert_int_equal(firn_sim_advance_by(sim, 1.0 / 60, 0, &done), FIRN_OK);
        assert_equal(done.behind, 0);
        assert_at_least(done.wall, 0);
        assert_near(done.simulated, 1e-3 * (double)done.steps, TIME_ERROR);
        fewest = done.steps < fewest ? (int)done.steps : fewest;
        most = done.steps > most ? (int)done.steps : most;
    }
    assert_int_equal(fewest, 16);
    assert_int_equal(most, 17);
    const firn_sim_info info = firn_sim_read(sim);
    assert_at_least(info.time, 1 - TIME_ERROR);
    assert_less(info.time, 1 + 1e-3 + TIME_ERROR);
    assert_int_equal(info.frame, 50);  // far beyond the scene's three
    firn_sim_destroy(sim);
}

// Steps that are longer than a call: most calls have nothing to do.
static void long_steps(void** state)
{
    (void)state;
    firn_sim* sim = start("0.05", 10);
    int64_t steps[6];
    for (int k = 0; k < 6; k++) {
        firn_advance done;
        assert_int_equal(firn_sim_advance_by(sim, 0.02, 0, &done), FIRN_OK);
        assert_equal(done.behind, 0);
        steps[k] = done.steps;
    }
    // after 0.02, 0.04, 0.06 ... of 0.05 each
    static const int64_t due[6] = {1, 0, 1, 0, 0, 1};
    assert_memory_equal(steps, due, sizeof due);
    firn_sim_destroy(sim);
}

// A tiny budget allows one step; the time that it leaves out is dropped.
static void budget(void** state)
{
    (void)state;
    firn_sim* sim = start("1e-3", 50);
    for (int k = 0; k < 5; k++) {
        firn_advance done;
        assert_int_equal(firn_sim_advance_by(sim, 0.01, 1e-12, &done), FIRN_OK);
        assert_int_equal(done.steps, 1);
        assert_near(done.simulated, 1e-3, TIME_ERROR);
        assert_near(done.behind, 9e-3, TIME_ERROR);
    }
    assert_near(firn_sim_read(sim).time, 5e-3, TIME_ERROR);
    // more than enough: all of it
    firn_advance done;
    assert_int_equal(firn_sim_advance_by(sim, 0.01, 1e6, &done), FIRN_OK);
    assert_int_equal(done.steps, 10);
    // a slow step is among the last eight: the next call stops after one
    for (int k = 0; k < FIRN_STEPS_TIMED; k++) sim->step_wall[k] = 1e3;
    assert_int_equal(firn_sim_advance_by(sim, 0.01, 1, &done), FIRN_OK);
    assert_int_equal(done.steps, 1);
    assert_near(done.behind, 9e-3, TIME_ERROR);
    // after eight more it no longer counts
    for (int k = 0; k < FIRN_STEPS_TIMED; k++)
        assert_int_equal(firn_sim_advance_by(sim, 1e-3, 1, NULL), FIRN_OK);
    assert_int_equal(firn_sim_advance_by(sim, 0.01, 1e6, &done), FIRN_OK);
    assert_int_equal(done.steps, 10);
    firn_sim_destroy(sim);
}

static void same_frames(void** state)
{
    (void)state;
    firn_sim *a = start("1e-3", 50), *b = start("1e-3", 50);
    for (int f = 0; f < 4; f++) assert_int_equal(firn_sim_frame(a), FIRN_OK);
    while (firn_sim_read(b).frame < 4)
        assert_int_equal(firn_sim_advance_by(b, 0.0004, 0, NULL), FIRN_OK);
    assert_equal(firn_sim_hash(a), firn_sim_hash(b));
    assert_equal(firn_sim_read(a).time, firn_sim_read(b).time);
    firn_sim_destroy(a);
    firn_sim_destroy(b);
}

static void refused_and_cancelled(void** state)
{
    (void)state;
    firn_sim* sim = start("1e-3", 50);
    const double bad[4][2] = {{-1, 0}, {NAN, 0}, {1, -1}, {INFINITY, 1}};
    for (int k = 0; k < 4; k++)
        assert_int_equal(firn_sim_advance_by(sim, bad[k][0], bad[k][1], NULL),
                         FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_sim_read(sim).step, 0);
    firn_sim_cancel(sim);
    firn_advance done;
    assert_int_equal(firn_sim_advance_by(sim, 0.01, 0, &done), FIRN_INTERRUPTED);
    assert_equal(done.steps, 0);
    assert_equal(done.simulated, 0);
    assert_int_equal(firn_sim_advance_by(sim, 0.01, 0, &done), FIRN_OK);
    assert_int_equal(done.steps, 10);
    firn_sim_destroy(sim);
}

int test_sim_advance_by(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(adds_up), cmocka_unit_test(long_steps),
                                       cmocka_unit_test(budget), cmocka_unit_test(same_frames),
                                       cmocka_unit_test(refused_and_cancelled)};
    return cmocka_run_group_tests_name("sim_advance_by", tests, NULL, NULL);
}
