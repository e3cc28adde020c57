// SPDX-License-Identifier: MIT
// Bonds through the solver: two grains, and small clusters that lose neighbours (VALIDATION T42,
// T43).
#include "solver/grains/world.h"

static world* pair_of(firn_phase a, firn_phase b, double gap)
{
    const double r[] = {R_SNOW, R_SNOW / 2};
    world* w = world_create();
    w->def.damping = 0;
    w->def.dt = 1e-4;
    world_add(w, a, 0, 0, 0);
    world_add(w, b, 0, r[a] + r[b] + gap, 0);
    world_start(w);
    return w;
}

static double gap_of(const world* w)
{
    const firn_local i = world_find(w, 0), j = world_find(w, 1);
    return (double)(w->m->p.position[j].y - w->m->p.position[i].y) -
           (double)(w->m->p.radius[i] + w->m->p.radius[j]);
}

// Ten periods of a pair that starts 5 mm apart [s].
static double period_of(firn_phase phase)
{
    world* w = pair_of(phase, phase, 0.005);
    int crossings = 0;
    double before = 0.005, first = 0, last = 0;
    while (crossings < 21) {
        world_step(w, 1e-4);
        const double gap = gap_of(w);
        if ((gap < 0) != (before < 0)) {
            last = w->time - w->report.dt * gap / (gap - before);
            if (crossings++ == 0) first = last;
        }
        before = gap;
        assert_true(w->time < 1 && w->m->p.neighbours[0] == 1 && w->m->p.broken[0] == 0);
    }
    world_destroy(w);
    return (last - first) / 10;
}

static void period(void** state)
{
    (void)state;
    check_figure(T42_snow_period, period_of(FIRN_SNOW));
    check_figure(T42_ice_period, period_of(FIRN_ICE));
}

// Just before the gap at which it breaks a bond pulls with all its strength, both ways alike; just
// beyond it does not, and the pair flies apart.
static void breaks_at(firn_phase a, firn_phase b, double gap, double pull)
{
    world* w = pair_of(a, b, 0.9999 * gap);
    world_step(w, 1e-4);
    const firn_vec3 *f = w->m->w.force, up = f[world_find(w, 0)];
    assert_true(fabs((double)up.y / pull - 1) < 2e-4 && up.x == 0 && up.z == 0);
    assert_true(up.y == -f[world_find(w, 1)].y);
    world_destroy(w);
    w = pair_of(a, b, 1.0001 * gap);
    for (int k = 0; k < 3; k++) world_step(w, 1e-4);
    assert_true(w->m->w.force[0].y == 0 && w->m->w.force[1].y == 0);
    assert_int_equal(w->m->p.neighbours[0], 0);
    world_destroy(w);
}

static void pulled_apart(void** state)
{
    (void)state;
    breaks_at(FIRN_SNOW, FIRN_SNOW, figure_value(T42_snow_gap), figure_value(T42_snow_pull));
    breaks_at(FIRN_ICE, FIRN_ICE, figure_value(T42_ice_gap), figure_value(T42_ice_pull));
    breaks_at(FIRN_SNOW, FIRN_ICE, figure_value(T42_mixed_gap), figure_value(T42_mixed_pull));
}

// A grain in the middle of n others at twice the radius: number 0. At most 12.
static world* cluster(int n, int bonds)
{
    static const double fcc[12][3] = {{1, 1, 0}, {-1, -1, 0}, {1, -1, 0}, {-1, 1, 0},
                                      {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1},
                                      {0, 1, 1}, {0, -1, -1}, {0, 1, -1}, {0, -1, 1}};
    world* w = world_create();
    w->def.dt = 1e-6;  // nobody moves
    w->def.bonds = bonds;
    world_add(w, FIRN_SNOW, 0, 0, 0);
    const double a = 2 * R_SNOW / sqrt(2);
    for (int k = 0; k < n; k++)
        world_add(w, FIRN_SNOW, a * fcc[k][0], a * fcc[k][1], a * fcc[k][2]);
    world_start(w);
    world_step(w, 1e-6);
    assert_int_equal(w->m->p.neighbours[world_find(w, 0)], n);
    assert_int_equal(w->m->p.neighbours_max[world_find(w, 0)], n);
    return w;
}

// Takes the last `away` of n neighbours far away, or brings all of them back.
static void leave(world* w, int n, int away)
{
    for (int k = 1; k <= n; k++) {
        const firn_local p = world_find(w, k);
        const bool gone = k > n - away, is_gone = w->m->p.position[p].y > 50;
        if (gone != is_gone) w->m->p.position[p].y += (firn_real)(gone ? 100 : -100);
    }
    world_step(w, 1e-6);
}

// n_max: broken at `broken` neighbours and fewer, and never falls.
static void loses(int n, int broken)
{
    world* w = cluster(n, FIRN_BONDS_TRACKED);
    for (int left = n; left >= 0; left--) {
        leave(w, n, n - left);
        const firn_local p = world_find(w, 0);
        assert_int_equal(w->m->p.neighbours[p], left);
        assert_int_equal(w->m->p.neighbours_max[p], n);
        assert_int_equal(w->m->p.broken[p], left <= broken);
    }
    leave(w, n, 0);  // they are back: so are its bonds
    assert_int_equal(w->m->p.broken[world_find(w, 0)], 0);
    assert_int_equal(w->m->p.neighbours_max[world_find(w, 0)], n);
    world_destroy(w);
}

static void broken_flag(void** state)
{
    (void)state;
    loses(4, 2);
    loses(8, 5);
    loses(12, 8);
    loses(3, 2);
    loses(1, 0);
}

// What has broken stays so, with bonds: forever; and nothing ever does with bonds: always.
static void other_rules(void** state)
{
    (void)state;
    for (int bonds = FIRN_BONDS_FOREVER; bonds <= FIRN_BONDS_ALWAYS; bonds++) {
        world* w = cluster(8, bonds);
        leave(w, 8, 4);
        assert_int_equal(w->m->p.broken[world_find(w, 0)], bonds == FIRN_BONDS_FOREVER);
        leave(w, 8, 0);
        assert_int_equal(w->m->p.broken[world_find(w, 0)], bonds == FIRN_BONDS_FOREVER);
        world_destroy(w);
    }
}

// Algorithm 2: a broken grain pulls nobody, from the step after it was found so.
static void broken_grains_do_not_pull(void** state)
{
    (void)state;
    world* w = cluster(4, FIRN_BONDS_TRACKED);
    const firn_local p = world_find(w, 0), q = world_find(w, 1);
    w->m->p.position[q] = firn_v3_scale(w->m->p.position[q], (firn_real)1.1);  // a gap of 1 cm
    world_step(w, 1e-6);
    assert_true((double)firn_v3_length(w->m->w.force[q]) > 1);
    w->m->p.broken[p] = 1;
    world_step(w, 1e-6);
    assert_true(firn_v3_length(w->m->w.force[q]) == 0);
    assert_int_equal(w->m->p.broken[p], 0);  // with four of four it is whole again
    world_step(w, 1e-6);
    assert_true((double)firn_v3_length(w->m->w.force[q]) > 1);
    world_destroy(w);
}

int test_grains_bonds(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(period), cmocka_unit_test(pulled_apart),
                                       cmocka_unit_test(broken_flag), cmocka_unit_test(other_rules),
                                       cmocka_unit_test(broken_grains_do_not_pull)};
    return cmocka_run_group_tests_name("grains_bonds", tests, NULL, NULL);
}
