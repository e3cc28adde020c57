// SPDX-License-Identifier: MIT
// Heat through the solver: a closed box, two blocks that meet, one grain that melts and freezes
// (VALIDATION T46, T47).
#include "solver/grains/world.h"

#define DT 1e-3

// m c T + m L beta, from the fields that outputs show [J].
static double shown_heat(const world* w)
{
    const firn_grain_constants* c = &w->m->constants;
    const firn_grains_particles* p = &w->m->p;
    double sum = 0;
    for (firn_local i = 0; i < p->count; i++)
        sum += (double)c->mass *
               ((double)firn_grain_constant(c, c->heat_capacity, p->radius[i], p->phase[i]) *
                    (double)p->temperature[i] +
                (double)c->latent * (double)p->water[i]);
    return sum;
}

// Snow from -30 degC on, ice, and among them water and grains about to melt or to freeze: nothing
// goes in or out. No compression, whose grains would change their heat capacity.
static void closed_box(void** state)
{
    (void)state;
    world* w = world_create();
    any_source r = any_start(460);
    w->def.dt = 1e-6;  // heat flows fast, grains stay
    w->def.heat_speed = 5e8;
    w->def.durability_loss = 0;
    world_closed(w);
    for (int k = 0; k < 125; k++)
        world_add(w, k % 4 == 3 ? FIRN_ICE : FIRN_SNOW, 0.08 * (k % 5), 0.08 * (k / 5 % 5),
                  0.08 * (k / 25));
    for (int k = 0; k < 125; k++) w->seeds.temperature[k] = (firn_real)any_between(&r, -30, 0);
    world_start(w);
    for (int k = 0; k < 125; k += 5) {  // a fifth is molten, wholly or partly
        const double h =
            k % 2 == 0 ? 334000 + any_between(&r, 0, 41860) : any_between(&r, 0, 334000);
        world_set_heat(w, world_find(w, k), h);
    }
    world_step(w, 1);  // phases follow
    const double start = world_heat(w), scale = 125 * GRAIN_MASS * 334000;
    double before = start, worst = 0, low = -30, high = 10;
    for (int s = 0; s < 3000; s++) {
        world_step(w, 1);
        const double now = world_heat(w);
        worst = fmax(worst, fabs(now - before) / scale);
        before = now;
        double lowest = 1e9, highest = -1e9;
        for (firn_local p = 0; p < 125; p++) {
            lowest = fmin(lowest, (double)w->m->p.temperature[p]);
            highest = fmax(highest, (double)w->m->p.temperature[p]);
        }
        // maximum principle, to the rounding of temperatures and of sums over neighbours
        assert_at_least(lowest, low - 1e-5);
        assert_at_most(highest, high + 1e-5);
        low = lowest;
        high = highest;
    }
    int phases[3] = {0, 0, 0};
    for (firn_local p = 0; p < 125; p++) phases[w->m->p.phase[p]]++;
    print_message("%.3f to %.3f degC; %d snow, %d ice, %d water; %.1f neighbours\n", low, high,
                  phases[0], phases[1], phases[2], w->report.neighbours);
    check_figure(T46_box_step, worst);
    check_figure(T46_box_run, fabs(before - start) / scale);
    check_figure(T46_shown, fabs(shown_heat(w) - before) / scale);
    assert_equal(w->m->heat_gained, 0);
    assert_less(high - low, 15);
    assert_greater(phases[2], 0);
    assert_greater(phases[1], 30);  // it did flow
    world_destroy(w);
}

// A block of snow and one of ice end at sum(m c T)/sum(m c).
static void two_blocks_meet(void** state)
{
    (void)state;
    world* w = world_create();
    w->def.dt = DT;
    w->def.heat_speed = 5e5;
    world_closed(w);
    world_lattice(w, FIRN_SNOW, (const double[]){0, 0, 0}, (const int[]){2, 2, 2}, 0.1);
    world_lattice(w, FIRN_ICE, (const double[]){0.175, 0, 0}, (const int[]){2, 2, 2}, 0.05);
    for (int k = 0; k < 16; k++) w->seeds.temperature[k] = k < 8 ? -20 : -2;
    world_start(w);
    for (int s = 0; s < 60000 && w->time < 60; s++) world_step(w, DT);
    const double meet = (-20 * 2090.0 - 2 * 2050.0) / (2090 + 2050);
    double worst = 0;
    for (firn_local p = 0; p < 16; p++)
        worst = fmax(worst, fabs((double)w->m->p.temperature[p] - meet));
    check_figure(T46_blocks_meet, worst);
    world_destroy(w);
}

// One grain in air of +5 degC, then of -1.
static void melt_and_refreeze(void** state)
{
    (void)state;
    world* w = world_create();
    w->def.dt = DT;
    w->def.heat_speed = 1e4;
    w->scene.air.active = true;
    w->scene.air.temperature = 5;
    world_add(w, FIRN_SNOW, 0, 0, 0);
    w->seeds.temperature[0] = -1;
    world_start(w);
    const firn_grains_particles* p = &w->m->p;
    const double start = world_heat(w);
    while (p->temperature[0] < 0) world_step(w, DT);
    check_figure(T47_warm, w->time);
    const double begins = w->time;
    while (p->phase[0] == FIRN_SNOW) {
        assert_equal(p->temperature[0], 0);
        assert_less(p->water[0], 1);
        assert_equal(p->radius[0], (firn_real)R_SNOW);
        world_step(w, DT);
    }
    check_figure(T47_melt, w->time - begins);
    assert_equal(p->phase[0], FIRN_WATER);
    assert_equal(p->water[0], 1);
    assert_at_least(p->temperature[0], 0);
    assert_near(p->radius[0], cbrt(GRAIN_MASS / 1000), 1e-7);  // of 0.023 m: rounding
    for (int s = 0; s < 2000; s++) world_step(w, DT);
    assert_greater(p->temperature[0], 1);
    w->scene.air.temperature = -1;
    firn_real beta = 1;
    while (p->phase[0] == FIRN_WATER) {
        world_step(w, DT);
        assert_at_most(p->water[0], beta);
        assert_less(w->time, 300);
        beta = p->water[0];
        assert_true(beta == 1 || beta == 0 || p->temperature[0] == 0);
    }
    assert_equal(p->phase[0], FIRN_ICE);
    assert_equal(beta, 0);
    assert_equal(p->radius[0], w->m->constants.r_ice);
    for (int s = 0; s < 5000; s++) world_step(w, DT);
    assert_equal(p->phase[0], FIRN_ICE);
    assert_less(p->temperature[0], 0);
    assert_at_least(p->temperature[0], -1);
    check_figure(T47_energy,
                 fabs(w->m->heat_gained - (world_heat(w) - start)) / (GRAIN_MASS * 334000));
    world_destroy(w);
}

// A warm floor heats what touches it, through one sixth of its surface; the air through the rest.
static void floor_and_air(void** state)
{
    (void)state;
    for (int with_air = 0; with_air < 2; with_air++) {
        world* w = world_create();
        w->def.dt = DT;
        w->scene.gravity[1] = -9.82;
        world_floor(w, 0)->temperature = 5;
        w->scene.air.active = with_air != 0;
        if (with_air) w->scene.air.temperature = 5;
        world_add(w, FIRN_SNOW, 0, R_SNOW - 1e-4, 0);
        world_add(w, FIRN_SNOW, 1, 1, 0);  // touches nothing
        world_start(w);
        world_step(w, DT);
        const double whole = 0.1 * 4 * 3.14159265358979 * R_SNOW * R_SNOW * 10;  // [W] -5 to 5
        // powers are floats, heat_gained is their sum in double
        const double on_floor = w->m->w.power[world_find(w, 0)];
        assert_near(on_floor / whole, with_air ? 1 : 1.0 / 6, 1e-6);
        const double in_air = w->m->w.power[world_find(w, 1)];
        assert_near(in_air / whole, with_air, 1e-6);
        assert_near(w->m->heat_gained, DT * (on_floor + in_air), 1e-9);
        world_destroy(w);
    }
}

int test_grains_heat(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_box), cmocka_unit_test(two_blocks_meet),
        cmocka_unit_test(melt_and_refreeze), cmocka_unit_test(floor_and_air)};
    return cmocka_run_group_tests_name("grains_heat", tests, NULL, NULL);
}
