// SPDX-License-Identifier: MIT
// Forces between two grains, and between a grain and a body (VALIDATION T42).
#include "physics/grain_contact.h"

#include "figure.h"
#include "physics/grain_table.h"
#include "seed.h"

// Two grains at rest that have touched: there is a bond, if neither is broken.
static firn_grain_force pair_at(const firn_grain_constants* c, firn_phase a, firn_phase b,
                                double gap, bool a_broken, bool b_broken)
{
    firn_grain i = grain_at(c, a, 0), j = grain_at(c, b, 0);
    j.x.x = i.r + j.r + (firn_real)gap;
    i.broken = a_broken;
    j.broken = b_broken;
    return firn_grain_pair(c, &i, &j, true);
}

// The widest gap that a bond spans, by halving [m].
static double break_gap(const firn_grain_constants* c, firn_phase a, firn_phase b)
{
    double holds = 0, breaks = 0.039;
    for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (holds + breaks);
        if (pair_at(c, a, b, middle, false, false).near)
            holds = middle;
        else
            breaks = middle;
    }
    return holds;
}

// Pulled apart, a bond is a straight line up to where it breaks, and nothing beyond.
static void bond_breaks(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    const firn_phase kinds[3][2] = {
        {FIRN_SNOW, FIRN_SNOW}, {FIRN_ICE, FIRN_ICE}, {FIRN_SNOW, FIRN_ICE}};
    double gap[3], pull[3];
    for (int k = 0; k < 3; k++) {
        const firn_phase a = kinds[k][0], b = kinds[k][1];
        gap[k] = break_gap(&c, a, b);
        pull[k] = (double)pair_at(&c, a, b, gap[k], false, false).force.x;
        for (int q = 1; q < 8; q++) {
            const firn_grain_force f = pair_at(&c, a, b, gap[k] * q / 8, false, false);
            // gaps of millimetres between floats near 0.1 m, which are rounded by 4e-9 m
            assert_near(f.force.x, pull[k] * q / 8, 1e-5 * pull[k]);
            assert_true(f.bonded);
            assert_less(f.spring, 0);
            assert_equal(f.force.x, -f.spring * f.n.x);
        }
        const firn_grain_force beyond = pair_at(&c, a, b, 1.0001 * gap[k], false, false);
        assert_false(beyond.near);
        assert_false(beyond.bonded);
        assert_equal(beyond.force.x, 0);
    }
    check_figure(T42_snow_gap, gap[0]);
    check_figure(T42_snow_pull, pull[0]);
    check_figure(T42_ice_gap, gap[1]);
    check_figure(T42_ice_pull, pull[1]);
    check_figure(T42_mixed_gap, gap[2]);
    check_figure(T42_mixed_pull, pull[2]);
}

// Two grains on their spring, from rest at a gap of 5 mm: time of ten whole periods [s]. Stoermer
// and Verlet's steps, 1/500 of the period: off by 7e-6 of it.
static double period_of(const firn_grain_constants* c, firn_phase phase, double about)
{
    firn_grain i = grain_at(c, phase, 0), j = grain_at(c, phase, 0);
    j.x.x = i.r + j.r + (firn_real)0.005;
    const double dt = about / 500;
    const firn_real kick = (firn_real)(dt / (double)c->mass);
    int crossings = 0;
    double before = 0.005, first = 0, last = 0;
    for (int s = 1; crossings < 21; s++) {
        const firn_real f = firn_grain_pair(c, &i, &j, true).force.x;
        const firn_real half = s == 1 ? (firn_real)0.5 : 1;
        i.v.x += half * kick * f;
        j.v.x -= half * kick * f;
        i.x.x += (firn_real)dt * i.v.x;
        j.x.x += (firn_real)dt * j.v.x;
        const double gap = (double)(j.x.x - i.x.x) - (double)(i.r + j.r);
        if ((gap < 0) != (before < 0)) {
            last = (s - gap / (gap - before)) * dt;
            if (crossings++ == 0) first = last;
        }
        before = gap;
        assert_less(s, 20000);
    }
    return (last - first) / 10;
}

static void period(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    check_figure(T42_snow_period, period_of(&c, FIRN_SNOW, 0.0314));
    check_figure(T42_ice_period, period_of(&c, FIRN_ICE, 0.0168));
}

// Damping is a share of the critical: the amplitude falls by exp(-2 pi zeta/sqrt(1 - zeta^2)) a
// period; and it is limited where a step would not bear it.
static void damped_pair(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    c.damping = (firn_real)0.2;
    const double k = 250, m = 0.0125, omega = sqrt(2 * k / m), zeta = 0.2;
    firn_grain i = grain_at(&c, FIRN_SNOW, 0), j = grain_at(&c, FIRN_SNOW, 0.105);
    const double period = 2 * GRAIN_PI / (omega * sqrt(1 - zeta * zeta)), dt = period / 2000;
    for (int s = 0; s < 2000; s++) {
        const firn_real f = firn_grain_pair(&c, &i, &j, true).force.x;
        i.v.x += (firn_real)(dt / m) * f;
        j.v.x -= (firn_real)(dt / m) * f;
        i.x.x += (firn_real)dt * i.v.x;
        j.x.x += (firn_real)dt * j.v.x;
    }
    const double left = ((double)(j.x.x - i.x.x) - 0.1) / 0.005;
    const double expected = exp(-2 * GRAIN_PI * zeta / sqrt(1 - zeta * zeta));
    print_message("amplitude after a period: %.5f, exact %.5f\n", left, expected);
    // symplectic Euler is of first order: omega dt = 2 pi/2000 a step
    assert_near(left / expected, 1, 0.01);
    assert_near(firn_grain_damper(&c, 250), 2 * zeta * sqrt(k * m / 2), 1e-5);  // of 0.5: rounding
    c.damping_most = (firn_real)0.1;
    assert_equal(firn_grain_damper(&c, 250), (firn_real)0.1);
}

static firn_grain any_grain(const firn_grain_constants* c, any_source* r)
{
    firn_grain g = grain_at(c, (firn_phase)any_below(r, 3), 0);
    if (g.phase == FIRN_SNOW) g.r = (firn_real)any_between(r, 0.026, 0.05);
    g.x = any_vec3(r, 0.06);
    g.v = any_vec3(r, 1);
    g.slip = any_below(r, 2) == 0 ? any_vec3(r, 0.01) : firn_v3(0, 0, 0);
    g.broken = any_below(r, 3) == 0 && g.phase != FIRN_WATER;
    return g;
}

// Whatever they are: what i feels of j is the opposite of what j feels of i, to the bit.
static void forces_are_opposite(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    c.damping = (firn_real)0.2;
    any_source r = any_start(42);
    int bonds = 0, overlaps = 0, water = 0, apart = 0;
    for (int k = 0; k < 200000; k++) {
        const firn_grain i = any_grain(&c, &r), j = any_grain(&c, &r);
        const bool bond = any_below(&r, 2) == 0;
        const firn_grain_force f = firn_grain_pair(&c, &i, &j, bond);
        const firn_grain_force g = firn_grain_pair(&c, &j, &i, bond);
        assert_equal(f.near, g.near);
        assert_equal(f.bonded, g.bonded);
        assert_true(firn_v3_is_finite(f.force));
        assert_equal(f.force.x, -g.force.x);
        assert_equal(f.force.y, -g.force.y);
        assert_equal(f.force.z, -g.force.z);
        assert_equal(f.n.x, -g.n.x);
        assert_equal(f.n.y, -g.n.y);
        assert_equal(f.n.z, -g.n.z);
        assert_equal(f.spring, g.spring);
        const bool pushes = f.spring > 0;
        const bool wet = i.phase == FIRN_WATER || j.phase == FIRN_WATER;
        water += wet && f.near;
        overlaps += pushes && !wet;
        bonds += !pushes && !wet && firn_v3_dot(f.force, f.force) > 0;
        apart += !f.near;
    }
    assert_greater(bonds, 1000);
    assert_greater(overlaps, 1000);
    assert_greater(water, 1000);
    assert_greater(apart, 1000);
    // in one place there is no direction
    const firn_grain one = grain_at(&c, FIRN_SNOW, 0);
    const firn_grain_force none = firn_grain_pair(&c, &one, &one, true);
    assert_false(none.near);
    assert_equal(none.force.x, 0);
}

// Erratum 31: one broken grain is enough. Nothing pulls then; what overlaps is pushed as before.
static void broken_pair(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    for (int who = 1; who < 4; who++) {
        const bool a = (who & 1) != 0, b = (who & 2) != 0;
        const firn_grain_force pull = pair_at(&c, FIRN_SNOW, FIRN_ICE, 0.01, a, b);
        assert_equal(pull.force.x, 0);
        assert_equal(pull.spring, 0);
        assert_true(pull.near);
        assert_false(pull.bonded);  // a neighbour still: that is what is counted
        const firn_grain_force push = pair_at(&c, FIRN_SNOW, FIRN_ICE, -0.01, a, b);
        const firn_grain_force whole = pair_at(&c, FIRN_SNOW, FIRN_ICE, -0.01, false, false);
        assert_equal(push.force.x, whole.force.x);
        assert_less(push.force.x, 0);
        assert_near(push.force.x, -5.625, CONTACT);  // 562.5 N/m
    }
    // overlapping and flying apart: a damper pulls what is bonded, not what is broken
    c.damping = 1;
    firn_grain i = grain_at(&c, FIRN_SNOW, 0), j = grain_at(&c, FIRN_SNOW, 0.0999);
    j.v.x = 1;
    assert_greater(firn_grain_pair(&c, &i, &j, false).force.x, 0);  // touching, they are bonded
    j.broken = true;
    assert_equal(firn_grain_pair(&c, &i, &j, false).force.x, 0);
}

// A bond needs a touch: near each other grains that never met do not pull; one that has come to be
// lasts until it is pulled too hard, and must be formed again.
static void bonds_begin_by_touching(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    firn_grain i = grain_at(&c, FIRN_SNOW, 0), j = grain_at(&c, FIRN_SNOW, 0.105);
    const firn_grain_force apart = firn_grain_pair(&c, &i, &j, false);
    assert_true(apart.near);
    assert_false(apart.bonded);
    assert_equal(apart.force.x, 0);
    j.x.x = (firn_real)0.0999;
    const firn_grain_force touch = firn_grain_pair(&c, &i, &j, false);
    assert_true(touch.bonded);
    assert_less(touch.force.x, 0);
    j.x.x = (firn_real)0.105;
    const firn_grain_force held = firn_grain_pair(&c, &i, &j, touch.bonded);
    assert_true(held.bonded);
    assert_near(held.force.x, 1.25, CONTACT);
    j.x.x = (firn_real)0.1251;
    const firn_grain_force torn = firn_grain_pair(&c, &i, &j, held.bonded);
    j.x.x = (firn_real)0.105;
    assert_false(torn.bonded);
    assert_equal(firn_grain_pair(&c, &i, &j, torn.bonded).force.x, 0);
}

// The parts of a pair's force along and across the line between the grains.
typedef struct parts {
    double normal, across;  // [N]
    firn_vec3 t;            // across, as a vector
} parts;

static parts parts_of(const firn_grain* i, const firn_grain* j, firn_vec3 force)
{
    const firn_vec3 n = firn_v3_normalize(firn_v3_sub(j->x, i->x), i->x);
    const firn_real along = firn_v3_dot(force, n);
    const firn_vec3 t = firn_v3_madd(force, -along, n);
    return (parts){(double)along, (double)firn_v3_length(t), t};
}

// Friction is at most tan(38) |F_n|, and takes energy, by velocity alone (no slip remembered).
static void friction_is_bounded(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    c.damping = (firn_real)0.2;
    any_source r = any_start(43);
    double most = 0;
    int bounded = 0, below = 0;
    for (int k = 0; k < 20000; k++) {
        firn_grain i = grain_at(&c, FIRN_SNOW, 0), j = any_grain(&c, &r);
        if (j.phase == FIRN_WATER) continue;
        j.slip = firn_v3(0, 0, 0);
        j.v = firn_v3_scale(j.v, (firn_real)pow(10, any_between(&r, -3, 1)));
        const firn_grain_force f = firn_grain_pair(&c, &i, &j, false);
        const double spring = (double)f.spring;
        if (!(spring > 1e-2)) continue;
        const parts p = parts_of(&i, &j, f.force), v = parts_of(&i, &j, j.v);
        most = fmax(most, p.across / spring);
        bounded += p.across > 0.78 * spring;
        below += p.across < 0.7 * spring;
        // along the slip of j: i is dragged that way, j is held
        const double with = (double)firn_v3_dot(p.t, v.t);
        assert_at_least(with, 0.999 * p.across * v.across - 1e-6 * spring * v.across);
    }
    check_figure(T42_friction, most);
    assert_greater(bounded, 100);
    assert_greater(below, 100);
}

// At rest friction answers what the grains have slipped since, as a spring, up to the same bound;
// and with neither slip nor velocity there is none.
static void friction_at_rest(void** state)
{
    (void)state;
    const firn_grain_constants c = grain_table();
    firn_grain i = grain_at(&c, FIRN_SNOW, 0), j = grain_at(&c, FIRN_SNOW, 0.09);
    assert_equal(firn_grain_pair(&c, &i, &j, false).force.y, 0);
    const double spring = 250 * 0.01;
    j.slip = firn_v3((firn_real)0.5, (firn_real)0.002, 0);  // what is along the line does not count
    const firn_grain_force held = firn_grain_pair(&c, &i, &j, false);
    assert_near(held.force.y, 0.25 * 250 * 0.002, 0.1 * CONTACT);  // of a slip of 2 mm
    assert_near(held.force.x, -spring, CONTACT);
    j.slip.y = (firn_real)-1;
    const firn_grain_force slides = firn_grain_pair(&c, &i, &j, false);
    assert_near(slides.force.y, -(double)c.friction * spring, CONTACT);
    i.slip = j.slip;  // both moved alike
    assert_equal(firn_grain_pair(&c, &i, &j, false).force.y, 0);
    j.x.x = (firn_real)0.11;  // no overlap: bonds do not rub
    i.slip = firn_v3(0, 0, 0);
    assert_equal(firn_grain_pair(&c, &i, &j, false).force.y, 0);
}

// Eq. 4 between water and anything within reach; overlap repels; no friction.
static void water_pair(void** state)
{
    (void)state;
    firn_grain_constants c = grain_table();
    c.damping = (firn_real)0.2;
    const firn_phase others[] = {FIRN_SNOW, FIRN_ICE, FIRN_WATER};
    for (int k = 0; k < 3; k++) {
        firn_grain i = grain_at(&c, FIRN_WATER, 0), j = grain_at(&c, others[k], 0);
        const firn_real touch = i.r + j.r;
        j.x.x = touch + (firn_real)0.02;
        j.v = firn_v3(1, 1, 0);
        j.broken = others[k] != FIRN_WATER;  // does not matter
        const firn_grain_force near = firn_grain_pair(&c, &i, &j, false);
        assert_near(near.force.x, 0.00012 / (double)j.x.x, 1e-8);  // of 1e-3 N: rounding
        assert_equal(near.force.y, 0);
        assert_equal(near.spring, 0);
        assert_true(near.near);
        assert_false(near.bonded);
        j.x.x = touch + (firn_real)0.0401;
        assert_false(firn_grain_pair(&c, &i, &j, false).near);
        j.x.x = touch - (firn_real)0.005;
        j.v = firn_v3(0, 1, 0);
        const firn_grain_force push = firn_grain_pair(&c, &i, &j, false);
        const double k_w = 35000 * (double)c.r_water;
        const double k_j = (double)firn_grain_stiffness(&c, j.r, j.phase);
        assert_near(push.spring, 0.5 * (k_w + k_j) * 0.005, CONTACT);
        assert_equal(push.force.y, 0);
        j.v.x = 100;  // flying apart: the damper does not pull
        assert_greater(firn_grain_pair(&c, &i, &j, false).force.x, 0);
        assert_less(firn_grain_pair(&c, &i, &j, false).force.x, 0.01);
    }
}

int test_grain_contact(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bond_breaks),         cmocka_unit_test(period),
        cmocka_unit_test(damped_pair),         cmocka_unit_test(forces_are_opposite),
        cmocka_unit_test(broken_pair),         cmocka_unit_test(bonds_begin_by_touching),
        cmocka_unit_test(friction_is_bounded), cmocka_unit_test(friction_at_rest),
        cmocka_unit_test(water_pair)};
    return cmocka_run_group_tests_name("grain_contact", tests, NULL, NULL);
}
