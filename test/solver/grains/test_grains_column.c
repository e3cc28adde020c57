// SPDX-License-Identifier: MIT
// Self-compaction: a single column of grains under its own weight (VALIDATION T45, figure 6). On
// the axis exactly, so that nothing makes it buckle.
#include "solver/grains/world.h"

#define GRAINS 101
#define SETTLE 30.0  // [s] that gravity takes to come: several of the column's slowest periods
#define REST 2.0     // [s]

static world* column(double dt)
{
    world* w = world_create();
    w->def.dt = dt;
    world_floor(w, 0);
    for (int k = 0; k < GRAINS; k++) world_add(w, FIRN_SNOW, 0, (2 * k + 1) * R_SNOW, 0);
    world_start(w);
    return w;
}

// Radii only shrink and stay in bounds, masses stay what they are, nobody leaves the axis.
static void check_grains(const world* w, double* r)
{
    for (firn_local k = 0; k < GRAINS; k++) {
        const firn_local p = world_find(w, k);
        const double now = (double)w->m->p.radius[p];
        assert_at_most(now, r[k]);
        assert_at_least(now, w->m->constants.r_ice);
        assert_at_most(now, R_SNOW * 1.000001);
        r[k] = now;
        assert_equal(w->m->p.mass[p], (firn_real)GRAIN_MASS);
        assert_equal(w->m->p.position[p].x, 0);
        assert_equal(w->m->p.position[p].z, 0);
    }
}

static double density_under(const world* w, int N)
{
    const firn_local p = world_find(w, GRAINS - 1 - N);
    firn_real density[GRAINS];
    firn_solver_grains.density(w->m, density);
    const double r = (double)w->m->p.radius[p];
    // a handful of roundings of float
    assert_near((double)density[p] * r * r * r / GRAIN_MASS, 1, 1e-5);
    assert_greater(density[p], 99);
    assert_less(density[p], 801);
    return (double)density[p];
}

static void settles(void** state)
{
    (void)state;
    const double dt = 2.5e-4;  // a grain under 100 others is compressed in jumps of 1 % a ms
    world* w = column(dt);
    double r[GRAINS];
    for (int k = 0; k < GRAINS; k++) r[k] = INFINITY;
    const int steps = (int)((SETTLE + REST) / dt);
    for (int s = 0; s < steps; s++) {
        w->scene.gravity[1] = -9.82 * fmin(w->time / SETTLE, 1);
        world_step(w, dt);
        if (s % 1000 == 0) check_grains(w, r);
    }
    print_message("height %.3f m, fastest %.3g m/s\n",
                  (double)w->m->p.position[world_find(w, GRAINS - 1)].y, w->report.max_speed);
    check_figure(T45_column_1, density_under(w, 1));
    check_figure(T45_column_2, density_under(w, 2));
    check_figure(T45_column_10, density_under(w, 10));
    check_figure(T45_column_20, density_under(w, 20));
    check_figure(T45_column_50, density_under(w, 50));
    check_figure(T45_column_100, density_under(w, 100));
    // unloaded it does not recover
    double loaded[GRAINS];
    for (int k = 0; k < GRAINS; k++) loaded[k] = (double)w->m->p.radius[world_find(w, k)];
    w->scene.gravity[1] = 0;
    for (int s = 0; s < 4000; s++) world_step(w, dt);
    check_grains(w, loaded);
    assert_greater(density_under(w, 100), 240);
    world_destroy(w);
}

int test_grains_column(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(settles)};
    return cmocka_run_group_tests_name("grains_column", tests, NULL, NULL);
}
