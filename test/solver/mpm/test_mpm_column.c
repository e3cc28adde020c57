// SPDX-License-Identifier: MIT
// T24 (slow): a column of snow between slip walls settles under its weight and a load, and rises a
// little when the load goes. One cell wide: exactly one-dimensional (bar.h says why). Its foot
// stands 0.4 cells in the floor, where fixed nodes clamp splines (test_mpm_bar.c, fixed_free).
#include "solver/mpm/world.h"

static const double h = 0.025, foot = -0.4;  // [m], [cells]

typedef struct column {
    double young;   // [Pa]
    double height;  // [m]
    double load;    // [Pa] on top
    double ramp;    // [s]
} column;

// `load` on the section, shared by the particles of the top layer, as nodes feel it.
static void press(world* w, double load)
{
    const double top = w->seeds.position[w->seeds.count - 1].y;
    firn_local count = 0;
    for (firn_local p = 0; p < w->m->p.count; p++)
        count += (double)w->seeds.position[w->m->p.id[p]].y > top - 0.1 * h;
    const double each = load * h * h / count;  // [N]
    for (firn_local p = 0; p < w->m->p.count; p++) {
        if (!((double)w->seeds.position[w->m->p.id[p]].y > top - 0.1 * h)) continue;
        const firn_weights f =
            firn_weights_of(FIRN_SPLINE_CUBIC, w->m->p.position[p], w->m->grid.inverse_cell);
        for (int k = 0; k < 64; k++) {
            const int a = k >> 4, b = k >> 2 & 3, c = k & 3;
            const int32_t i = f.base[0] + a, j = f.base[1] + b, l = f.base[2] + c;
            const firn_local block = firn_grid_find(&w->m->grid, i >> 2, j >> 2, l >> 2);
            const firn_local n = block * 64 + (i & 3) * 16 + (j & 3) * 4 + (l & 3);
            w->m->node_force[n][1] -=
                (firn_real)(each * (double)(f.w[0][a] * f.w[1][b] * f.w[2][c]));
        }
    }
}

static void step(world* w, double load)
{
    world_stages(w, FIRN_MPM_00_PREPARE, FIRN_MPM_03_FORCES, 1);
    if (load > 0) press(w, load);
    world_stages(w, FIRN_MPM_04_GRID_VELOCITY, FIRN_MPM_05_GRID_COLLIDE, 1);
    for (firn_local n = 0; n < world_nodes(w); n++) w->m->node_new[n][0] = w->m->node_new[n][2] = 0;
    world_stages(w, FIRN_MPM_06_SOLVE, FIRN_MPM_10_ADVECT, 1);
    world_step_done(w);
}

// Height of the surface over the foot: the top layer, and half of what it stands for.
static double height_of(const world* w)
{
    double top = -1, stretch = 1;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        if (!((double)w->m->p.position[p].y > top)) continue;
        top = (double)w->m->p.position[p].y;
        stretch = (double)firn_m3_det(w->m->p.def_grad_elastic[p]) * (double)w->m->p.plastic_det[p];
    }
    return top - foot * h + 0.25 * h * stretch;
}

// Mean height over half a second at constant load, to average what still swings.
static double mean_height(world* w, double load)
{
    const double end = w->time + 0.5;
    double sum = 0, time = 0;
    while (w->time < end) {
        step(w, load);
        sum += height_of(w) * w->m->base.dt;
        time += w->m->base.dt;
    }
    return sum / time;
}

// Settles under gravity and load, both ramped; then takes the load away as slowly.
static void settle(const column* c, double* out_loaded, double* out_unloaded)
{
    world* w = world_create(h);
    w->material.snow.young = (firn_real)c->young;
    world_lattice(w, (const double[3]){0, foot, 0}, (const double[3]){1, c->height / h, 1}, 2, 0);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0);
    world_start(w);
    while (w->time < c->ramp + 0.5) {
        const double part = fmin(1, w->time / c->ramp);
        w->scene.gravity[1] = -9.81 * part;  // which each step reads
        step(w, c->load * part);
    }
    *out_loaded = mean_height(w, c->load);
    if (c->load > 0) {
        const double start = w->time;
        while (w->time < start + c->ramp + 0.5)
            step(w, c->load * fmax(0, 1 - (w->time - start) / c->ramp));
        *out_unloaded = mean_height(w, 0);
    }
    world_destroy(w);
}

static void soft(void** state)
{
    (void)state;
    double loaded, unloaded;
    settle(&(column){2e4, 1, 0, 4}, &loaded, &unloaded);
    check_figure(T24_height_20k, loaded);
    settle(&(column){2e4, 1, 5000, 4}, &loaded, &unloaded);
    check_figure(T24_height_20k_loaded, loaded);
    check_figure(T24_height_20k_unloaded, unloaded);
}

static void stiff(void** state)
{
    (void)state;
    double loaded, unloaded;
    settle(&(column){1.4e5, 1, 0, 4}, &loaded, &unloaded);
    check_figure(T24_height_140k, loaded);
    settle(&(column){1.4e5, 1, 5000, 4}, &loaded, &unloaded);
    check_figure(T24_height_140k_loaded, loaded);
    check_figure(T24_height_140k_unloaded, unloaded);
}

static void elastic(void** state)
{
    (void)state;
    double loaded, unloaded;
    settle(&(column){1.4e5, 0.5, 0, 4}, &loaded, &unloaded);
    check_figure(T24_settlement_half, 0.5 - loaded);
}

// A sudden load overshoots and compacts more.
static void sudden(void** state)
{
    (void)state;
    double slow, fast, unloaded;
    settle(&(column){2e4, 1, 0, 4}, &slow, &unloaded);
    settle(&(column){2e4, 1, 0, 1e-6}, &fast, &unloaded);
    assert_less(fast, slow - 0.01);
}

int test_mpm_column(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(soft), cmocka_unit_test(stiff),
                                       cmocka_unit_test(elastic), cmocka_unit_test(sudden)};
    return cmocka_run_group_tests_name("mpm_column", tests, NULL, NULL);
}
