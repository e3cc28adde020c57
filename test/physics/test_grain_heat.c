// SPDX-License-Identifier: MIT
// Heat of grains: enthalpy, conduction, the air, melting and freezing (VALIDATION T46, T47).
#include "physics/grain_heat.h"

#include "figure.h"
#include "physics/grain_table.h"
#include "seed.h"

// Two parts of firn_real hold what a double does, to a few bits.
static void two_parts(void** state)
{
    (void)state;
    any_source r = any_start(46);
    double worst = 0;
    for (int k = 0; k < 10000; k++) {
        const double h = any_between(&r, -1e5, 5e5);
        const double back = firn_grain_heat_value(firn_grain_heat_of(h));
        worst = fmax(worst, fabs(back - h) / 5e5);
    }
    assert_less(worst, 1e-14);  // two mantissas of 24 bits: 2^-48 is 3.6e-15
}

// Temperature of enthalpy and back; flat while it melts; the phase changes at the ends only.
static void enthalpy_and_temperature(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    const firn_real mid = firn_grain_radius(&c, (firn_real)0.5);
    const struct {
        uint8_t phase;
        firn_real r;
        double T, h;
    } rows[] = {{FIRN_SNOW, c.r_snow, -10, -20900},
                {FIRN_ICE, c.r_ice, -10, -20500},
                {FIRN_SNOW, mid, -10, -20700},
                {FIRN_WATER, c.r_water, 10, 334000 + 41860},
                {FIRN_SNOW, c.r_snow, 0, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double h = firn_grain_enthalpy(&c, rows[k].T, rows[k].r, rows[k].phase);
        assert_near(h, rows[k].h, 0.01);  // J/kg: radii and capacities are floats
        const double T = firn_grain_temperature(&c, h, rows[k].r, rows[k].phase);
        assert_near(T, rows[k].T, 1e-12);  // there and back in double
    }
    for (int k = 0; k <= 8; k++)
        for (uint8_t phase = 0; phase < 3; phase++) {
            const double h = 334000.0 * k / 8;
            assert_equal(firn_grain_temperature(&c, h, c.r_ice, phase), 0);
            assert_near(firn_grain_water(&c, h), k / 8.0, 1e-7);  // a rounding of float
            const uint8_t after = firn_grain_phase_after(&c, phase, h);
            const uint8_t frozen = phase == FIRN_WATER ? FIRN_ICE : phase;
            assert_int_equal(after, k == 8 ? FIRN_WATER : k == 0 ? frozen : phase);
        }
    assert_equal(firn_grain_water(&c, -1e4), 0);
    assert_equal(firn_grain_water(&c, 1e6), 1);
    assert_equal(firn_grain_radius_after(&c, FIRN_WATER), c.r_water);
    assert_equal(firn_grain_radius_after(&c, FIRN_ICE), c.r_ice);
    // water below 0 is about to be ice: its heat counts as ice's
    assert_near(firn_grain_temperature(&c, -2050, c.r_water, FIRN_WATER), -1, 1e-12);  // in double
}

// Erratum 36: opposite to the bit, from hot to cold, by the harmonic mean.
static void pairs_conduct(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    any_source r = any_start(47);
    firn_grain_around around = firn_grain_around_none();
    for (int k = 0; k < 10000; k++) {
        firn_grain i = grain_at(&c, (firn_phase)any_below(&r, 3), 0);
        firn_grain j = grain_at(&c, (firn_phase)any_below(&r, 3), 0);
        if (i.phase == FIRN_SNOW) i.r = (firn_real)any_between(&r, 0.025, 0.05);
        const firn_real a = (firn_real)any_between(&r, -30, 10);
        const firn_real b = (firn_real)any_between(&r, -30, 10);
        const firn_real gain = firn_grain_conducted(&c, a, b, &i, &j, &around);
        assert_equal(gain, -firn_grain_conducted(&c, b, a, &j, &i, &around));
        assert_equal(gain > 0, b > a);
    }
    const firn_grain snow = grain_at(&c, FIRN_SNOW, 0), ice = grain_at(&c, FIRN_ICE, 0);
    const double W = 15 / (2 * GRAIN_PI * pow(0.125, 5));
    const double k = 2 * 0.1 * 0.7 / 0.8, V = pow(0.05, 3) * pow(0.025, 3);
    const double power = (double)firn_grain_conducted(&c, -5, 0, &snow, &ice, &around);
    // radii to the third power, and a dozen roundings of float
    assert_near(power / (k * V * W * 5), 1, 1e-5);
    firn_grain_constants none = c;
    for (int p = 0; p < 3; p++) none.conductivity[p] = 0;
    assert_equal(firn_grain_conducted(&none, -5, 0, &snow, &ice, &around), 0);  // and not 0/0
}

// Packed grains: opposite to the bit, from hot to cold, less across a gap, nothing beyond a quarter
// of their size; overlap does not add to it.
static void packed_pairs_conduct(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    c.conduction = 0;
    any_source r = any_start(50);
    for (int k = 0; k < 10000; k++) {
        firn_grain i = grain_at(&c, (firn_phase)any_below(&r, 3), 0);
        firn_grain j = grain_at(&c, (firn_phase)any_below(&r, 3), any_between(&r, 0.01, 0.15));
        j.x.y = (firn_real)any_between(&r, -0.02, 0.02);
        const firn_real a = (firn_real)any_between(&r, -30, 10);
        const firn_real b = (firn_real)any_between(&r, -30, 10);
        firn_grain_around of_i = firn_grain_around_none(), of_j = firn_grain_around_none();
        const firn_real gain = firn_grain_conducted(&c, a, b, &i, &j, &of_i);
        assert_equal(gain, -firn_grain_conducted(&c, b, a, &j, &i, &of_j));
        assert_equal(of_i.count, of_j.count);
        assert_equal(of_i.lean.x, -of_j.lean.x);
        const double d = sqrt((double)firn_v3_dot(j.x, j.x)), touch = (double)(i.r + j.r);
        if (d < 1.249 * touch) assert_equal(gain > 0, b > a);
        if (d > 1.251 * touch) assert_equal(gain, 0);
    }
    const firn_grain i = grain_at(&c, FIRN_SNOW, 0), j = grain_at(&c, FIRN_SNOW, 0.1);
    firn_grain_around around = firn_grain_around_none();
    const double power = (double)firn_grain_conducted(&c, -5, 0, &i, &j, &around);
    assert_near(power / (0.5323 * 0.1 * 0.1 * 5), 1, 1e-5);
}

// A closed heap in which everyone touches everyone, from -30 to 10 degC, some of it half molten.
#define HEAP 12
typedef struct heap {
    firn_grain grain[HEAP];
    double h[HEAP];
    firn_real T[HEAP];
} heap;

static double heat_in(const firn_grain_constants* c, const heap* a)
{
    double sum = 0;  // of m c T + m L beta
    for (int i = 0; i < HEAP; i++) {
        const uint8_t phase = a->grain[i].phase;
        const firn_real cp = firn_grain_constant(c, c->heat_capacity, a->grain[i].r, phase);
        sum += (double)c->mass * ((double)cp * (double)a->T[i] +
                                  (double)c->latent * (double)firn_grain_water(c, a->h[i]));
    }
    return sum;
}

static void exchange(const firn_grain_constants* c, heap* a, double dt)
{
    double power[HEAP] = {0};
    firn_grain_around around = firn_grain_around_none();
    for (int i = 0; i < HEAP; i++)
        for (int j = 0; j < HEAP; j++)
            if (i != j)
                power[i] += (double)firn_grain_conducted(c, a->T[i], a->T[j], &a->grain[i],
                                                         &a->grain[j], &around);
    for (int i = 0; i < HEAP; i++) {
        a->h[i] += dt * power[i] / (double)c->mass;
        firn_grain* g = &a->grain[i];
        a->T[i] = (firn_real)firn_grain_temperature(c, a->h[i], g->r, g->phase);
        const uint8_t phase = firn_grain_phase_after(c, g->phase, a->h[i]);
        if (phase != g->phase) g->r = firn_grain_radius_after(c, phase);
        g->phase = phase;
    }
}

static void closed_heap(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    c.heat_speed = (firn_real)5e5;
    any_source r = any_start(48);
    heap a;
    for (int i = 0; i < HEAP; i++) {
        a.grain[i] = grain_at(&c, (firn_phase)(i % 3), 0);
        const double T = i % 3 == FIRN_WATER ? any_between(&r, 0, 10) : any_between(&r, -30, 0);
        a.h[i] = firn_grain_enthalpy(&c, T, a.grain[i].r, a.grain[i].phase);
        if (i == 4) a.h[i] = 2e5;  // ice that is melting
        a.T[i] = (firn_real)firn_grain_temperature(&c, a.h[i], a.grain[i].r, a.grain[i].phase);
    }
    const double start = heat_in(&c, &a), scale = HEAP * 0.0125 * 334000;
    double low = -30, high = 10, worst = 0, before = start;
    int molten = 0;
    for (int s = 0; s < 20000; s++) {
        exchange(&c, &a, 1e-3);
        const double now = heat_in(&c, &a);
        worst = fmax(worst, fabs(now - before) / scale);
        before = now;
        double lowest = 1e9, highest = -1e9;
        molten = 0;
        for (int i = 0; i < HEAP; i++) {
            lowest = fmin(lowest, (double)a.T[i]);
            highest = fmax(highest, (double)a.T[i]);
            molten += a.h[i] > 0;
        }
        // maximum principle, to the rounding of temperatures of up to 30 degC in a step
        assert_at_least(lowest, low - 1e-6);
        assert_at_most(highest, high + 1e-6);
        low = lowest;
        high = highest;
    }
    check_figure(T46_step, worst);
    check_figure(T46_run, fabs(before - start) / scale);
    print_message("from %.4g to %.4g degC, %d with water in them\n", low, high, molten);
    assert_less(high - low, 0.5);
    assert_greater(molten, 0);
    assert_less(molten, HEAP);  // near its end, with both
}

// Two grains meet at sum(m c T)/sum(m c).
static void two_grains_meet(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    c.heat_speed = (firn_real)2e6;
    firn_grain_around around = firn_grain_around_none();
    const firn_grain i = grain_at(&c, FIRN_SNOW, 0), j = grain_at(&c, FIRN_ICE, 0);
    double h_i = -20 * 2090.0, h_j = -2 * 2050.0, T_i = -20, T_j = -2;
    for (int s = 0; s < 20000; s++) {
        const double power =
            (double)firn_grain_conducted(&c, (firn_real)T_i, (firn_real)T_j, &i, &j, &around);
        h_i += 1e-3 * power / 0.0125;
        h_j -= 1e-3 * power / 0.0125;
        T_i = firn_grain_temperature(&c, h_i, i.r, i.phase);
        T_j = firn_grain_temperature(&c, h_j, j.r, j.phase);
    }
    const double meet = (-20 * 2090.0 - 2 * 2050.0) / (2090 + 2050);
    check_figure(T46_meet, fmax(fabs(T_i - meet), fabs(T_j - meet)));
}

// One grain with all of its surface in air of T_air: seconds until `done` of its enthalpy.
typedef struct lone {
    firn_grain grain;
    double h, given;  // [J/kg], [J]
    double time;
} lone;

static void breathe(const firn_grain_constants* c, lone* a, double T_air, double dt)
{
    const double T = firn_grain_temperature(c, a->h, a->grain.r, a->grain.phase);
    const double power = (double)firn_grain_surface_heat(c, &a->grain, (firn_real)T,
                                                         (firn_real)T_air, firn_grain_open(0, 0));
    a->h += dt * power / (double)c->mass;
    a->given += dt * power;
    a->time += dt;
    const uint8_t phase = firn_grain_phase_after(c, a->grain.phase, a->h);
    if (phase != a->grain.phase) a->grain.r = firn_grain_radius_after(c, phase);
    a->grain.phase = phase;
}

static void melt_and_refreeze(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    c.heat_speed = 10000;
    const double dt = 1e-3;
    lone a = {.grain = grain_at(&c, FIRN_SNOW, 0), .h = -2090};
    const double start = a.h;
    while (a.h < 0) breathe(&c, &a, 5, dt);
    check_figure(T47_warm, a.time);
    const double begins = a.time;
    while (a.grain.phase == FIRN_SNOW) {
        const double beta = (double)firn_grain_water(&c, a.h);
        assert_less(beta, 1);
        assert_equal(firn_grain_temperature(&c, a.h, a.grain.r, FIRN_SNOW), 0);
        breathe(&c, &a, 5, dt);
    }
    check_figure(T47_melt, a.time - begins);
    assert_equal(a.grain.phase, FIRN_WATER);
    assert_at_least(a.h, 334000);
    assert_equal(a.grain.r, c.r_water);
    while (a.grain.phase == FIRN_WATER && a.time < 1000) breathe(&c, &a, -1, dt);
    assert_equal(a.grain.phase, FIRN_ICE);
    assert_equal(a.grain.r, c.r_ice);
    assert_at_most(a.h, 0);
    assert_equal(firn_grain_snow_share(&c, a.grain.r), 0);
    for (int s = 0; s < 1000; s++) breathe(&c, &a, 20, dt);
    assert_not_equal(a.grain.phase, FIRN_SNOW);
    check_figure(T47_energy, fabs(a.given / (double)c.mass - (a.h - start)) / 334000);
}

// Sixths of a surface: each neighbour and each body covers one.
static void open_surface(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    assert_equal(firn_grain_open(0, 0), 6);
    assert_equal(firn_grain_open(4, 1), 1);
    assert_equal(firn_grain_open(6, 0), 0);
    assert_equal(firn_grain_open(12, 2), 0);
    const firn_grain ice = grain_at(&c, FIRN_ICE, 0);
    const double whole = 0.7 * 4 * GRAIN_PI * 0.025 * 0.025 * 8;
    const double power = (double)firn_grain_surface_heat(&c, &ice, -3, 5, 6);
    // a handful of roundings of float
    assert_near(power / whole, 1, 1e-6);
    const double third = (double)firn_grain_surface_heat(&c, &ice, -3, 5, 2);
    assert_near(third / whole, 1.0 / 3, 1e-6);
}

int test_grain_heat(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_parts),         cmocka_unit_test(enthalpy_and_temperature),
        cmocka_unit_test(pairs_conduct),     cmocka_unit_test(packed_pairs_conduct),
        cmocka_unit_test(closed_heap),       cmocka_unit_test(two_grains_meet),
        cmocka_unit_test(melt_and_refreeze), cmocka_unit_test(open_surface)};
    return cmocka_run_group_tests_name("grain_heat", tests, NULL, NULL);
}
