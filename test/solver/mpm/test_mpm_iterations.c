// SPDX-License-Identifier: MIT
// T18 (slow): iterations of the linear solve for a snowball that hits the ground, over cell size
// and hardening. Stop rule: |r|_M <= 1e-4 |v*|_M, from the guess v*.
#include "solver/mpm/linear.h"

static const double radius = 0.1;  // [m]

static int iterations(double h, double J_low, firn_mpm_guess guess)
{
    const double cells = radius / h;
    any_source r = any_start(1801);
    world* w = world_create(h);
    w->def.integrator = FIRN_MPM_SEMI_IMPLICIT;
    w->def.dt = 5e-4;
    w->def.tolerance = 1e-4;
    w->def.max_iterations = 1000;
    w->def.guess = guess;
    w->def.volumes = FIRN_MPM_VOLUMES_GRID;  // of the paper, as the counts that are expected
    world_scatter(w, &r, (const double[3]){-cells, -cells, -cells},
                  (const double[3]){2 * cells, 2 * cells, 2 * cells}, 8, cells);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p].y = -5;
    // nodes below this height belong to the ground
    world_plane(w, firn_v3(0, (firn_real)(-radius + 1.999 * h), 0), firn_v3(0, 1, 0), 0)->sticky =
        true;
    world_start_on(w, 2, NULL);
    for (firn_local p = 0; p < w->m->p.count; p++) {
        w->m->p.def_grad_elastic[p] = any_stretched(&r, 0.975, 1.0075);
        w->m->p.plastic_det[p] = (firn_real)any_between(&r, J_low, 1);
    }
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_05_GRID_COLLIDE, 5e-4);
    firn_stages run = firn_mpm_run_begin(w->m, &w->error);
    firn_stages_run(&run, FIRN_MPM_06_SOLVE);
    assert_int_equal(run.result, FIRN_OK);
    const int count = w->m->iterations;
    print_message("h = %.2f mm, J_P >= %.2f, %d particles: %d iterations, residual %.2g\n", 1e3 * h,
                  J_low, (int)w->m->p.count, count, w->m->residual);
    world_destroy(w);
    return count;
}

static void counts(void** state)
{
    (void)state;
    const firn_mpm_guess guess = FIRN_MPM_GUESS_FORCED;
    check_figure(T18_iterations_95_10, iterations(0.01, 0.95, guess));
    check_figure(T18_iterations_95_7, iterations(0.1 / 15, 0.95, guess));
    check_figure(T18_iterations_95_5, iterations(0.005, 0.95, guess));
    check_figure(T18_iterations_80_10, iterations(0.01, 0.8, guess));
    check_figure(T18_iterations_80_7, iterations(0.1 / 15, 0.8, guess));
    check_figure(T18_iterations_60_10, iterations(0.01, 0.6, guess));
    check_figure(T18_iterations_60_7, iterations(0.1 / 15, 0.6, guess));
}

// The default guess, without the elastic forces, is never worse by more than a few iterations.
static void inertial_guess(void** state)
{
    (void)state;
    const double low[] = {0.95, 0.8, 0.6};
    for (int k = 0; k < 3; k++) {
        const int forced = iterations(0.01, low[k], FIRN_MPM_GUESS_FORCED);
        const int inertial = iterations(0.01, low[k], FIRN_MPM_GUESS_INERTIAL);
        assert_at_most(inertial, forced + 2);
    }
}

int test_mpm_iterations(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counts), cmocka_unit_test(inertial_guess)};
    return cmocka_run_group_tests_name("mpm_iterations", tests, NULL, NULL);
}
