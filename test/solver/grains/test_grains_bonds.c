// SPDX-License-Identifier: MIT
// Bonds through the solver: two grains, and small clusters that lose neighbours (VALIDATION T42,
// T43).
#include "solver/grains/world.h"

// Two grains that touch and so have a bond, at rest.
static world* pair_of(firn_phase a, firn_phase b)
{
    const double r[] = {R_SNOW, R_SNOW / 2};
    world* w = world_create();
    w->def.damping = 0;
    w->def.dt = 1e-4;
    world_add(w, a, 0, 0, 0);
    world_add(w, b, 0, r[a] + r[b], 0);
    world_start(w);
    world_step(w, 1e-4);
    return w;
}

static double gap_of(const world* w)
{
    const firn_local i = world_find(w, 0), j = world_find(w, 1);
    return (double)(w->m->p.position[j].y - w->m->p.position[i].y) -
           (double)(w->m->p.radius[i] + w->m->p.radius[j]);
}

// Pulls the second one to that distance from the first's surface.
static void pull_to(world* w, double gap)
{
    const firn_local j = world_find(w, 1);
    w->m->p.position[j].y += (firn_real)(gap - gap_of(w));
}

static bool is_bonded(const world* w)
{
    const bool one = w->m->p.bonds[0] != 0, other = w->m->p.bonds[1] != 0;
    assert_int_equal(one, other);
    return one;
}

// Ten periods of a pair that starts 5 mm apart [s].
static double period_of(firn_phase phase)
{
    world* w = pair_of(phase, phase);
    pull_to(w, 0.005);
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
        assert_less(w->time, 1);
        assert_equal(w->m->p.neighbours[0], 1);
        assert_equal(w->m->p.broken[0], 0);
        assert_true(is_bonded(w));
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
// beyond it does not, and does not come back when the two are near again, until they touch.
static void breaks_at(firn_phase a, firn_phase b, double gap, double pull)
{
    world* w = pair_of(a, b);
    pull_to(w, 0.9999 * gap);
    world_step(w, 1e-4);
    const firn_vec3 *f = w->m->w.force, up = f[world_find(w, 0)];
    assert_near((double)up.y / pull, 1, 2e-4);  // the gap is 1e-4 short, and rounded
    assert_equal(up.x, 0);
    assert_equal(up.z, 0);
    assert_equal(up.y, -f[world_find(w, 1)].y);
    assert_true(is_bonded(w));
    for (int k = 0; k < 2; k++) w->m->p.velocity[k] = firn_v3(0, 0, 0);
    pull_to(w, 1.0001 * gap);
    world_step(w, 1e-4);
    assert_equal(f[0].y, 0);
    assert_equal(f[1].y, 0);
    assert_false(is_bonded(w));
    assert_int_equal(w->m->p.neighbours[0], 0);
    pull_to(w, 0.5 * gap);
    world_step(w, 1e-4);
    assert_equal(f[0].y, 0);
    assert_false(is_bonded(w));
    assert_equal(w->m->p.neighbours[0], 1);
    pull_to(w, -1e-4);
    world_step(w, 1e-4);
    assert_true(is_bonded(w));
    pull_to(w, 0.5 * gap);
    world_step(w, 1e-4);
    // the two have been moving for a step of 1e-4 s
    assert_near((double)f[world_find(w, 0)].y / pull, 0.5, 2e-3);
    world_destroy(w);
}

static void pulled_apart(void** state)
{
    (void)state;
    breaks_at(FIRN_SNOW, FIRN_SNOW, figure_value(T42_snow_gap), figure_value(T42_snow_pull));
    breaks_at(FIRN_ICE, FIRN_ICE, figure_value(T42_ice_gap), figure_value(T42_ice_pull));
    breaks_at(FIRN_SNOW, FIRN_ICE, figure_value(T42_mixed_gap), figure_value(T42_mixed_pull));
}

// Snow begins bonded where grains are less than a twentieth of their size apart.
static void bonds_at_the_start(void** state)
{
    (void)state;
    for (int far = 0; far < 2; far++) {
        world* w = world_create();
        world_add(w, FIRN_SNOW, 0, 0, 0);
        world_add(w, FIRN_SNOW, 0, 0, far ? 0.106 : 0.104);
        world_start(w);
        world_step(w, 1e-6);
        assert_equal(is_bonded(w), !far);
        assert_equal(w->m->p.neighbours[0], 1);
        assert_equal(w->m->w.force[0].z != 0, !far);
        world_destroy(w);
    }
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

// Algorithm 2: a broken grain pulls nobody, and its bonds are gone.
static void broken_grains_do_not_pull(void** state)
{
    (void)state;
    world* w = cluster(4, FIRN_BONDS_TRACKED);
    const firn_local p = world_find(w, 0), q = world_find(w, 1);
    w->m->p.position[q] = firn_v3_scale(w->m->p.position[q], (firn_real)1.1);  // a gap of 1 cm
    world_step(w, 1e-6);
    assert_greater(firn_v3_length(w->m->w.force[q]), 1);
    w->m->p.broken[p] = 1;
    world_step(w, 1e-6);
    assert_equal(firn_v3_length(w->m->w.force[q]), 0);
    assert_equal(w->m->p.bonds[p], 0);
    assert_equal(w->m->p.bonds[q], 0);
    assert_int_equal(w->m->p.broken[p], 0);  // with four of four it is whole again
    world_step(w, 1e-6);
    assert_equal(firn_v3_length(w->m->w.force[q]), 0);  // but has to touch first
    w->m->p.position[q] = firn_v3_scale(w->m->p.position[q], (firn_real)(0.999 / 1.1));
    world_step(w, 1e-6);
    w->m->p.position[q] = firn_v3_scale(w->m->p.position[q], (firn_real)(1.1 / 0.999));
    world_step(w, 1e-6);
    assert_greater(firn_v3_length(w->m->w.force[q]), 1);
    world_destroy(w);
}

// Bonds are bits by the place in a list. Whatever happens to the order of grains and lists, a bond
// of i with j is one of j with i, and pairs that nobody pulled apart keep theirs.
static void bonds_survive_new_lists(void** state)
{
    (void)state;
    world* w = world_create();
    any_source r = any_start(420);
    w->def.dt = 1e-4;
    w->def.damping = 0;
    world_lattice(w, FIRN_SNOW, (const double[]){0, 0, 0}, (const int[]){6, 6, 6}, 0.1);
    for (int k = 0; k < 216; k++) w->seeds.velocity[k] = firn_v3(20, 3, -7);  // all alike
    // one far away does not move: only displacements that differ make lists invalid
    world_lattice(w, FIRN_SNOW, (const double[]){50, 50, 50}, (const int[]){1, 1, 1}, 0.1);
    world_start(w);
    int lists = 0;
    for (int s = 0; s < 300; s++) {
        const firn_vec3 before = w->m->p.listed[world_find(w, 0)];
        for (firn_local p = 0; p < 217; p++)
            w->m->p.velocity[p] = firn_v3_add(w->m->p.velocity[p], any_vec3(&r, 0.002));
        world_step(w, 1e-4);
        lists += w->m->p.listed[world_find(w, 0)].x != before.x;
        int bonds = 0;
        for (firn_local i = 0; i < 217; i++) {
            const firn_grains_list* l = &w->m->list;
            for (int k = 0; k < l->count[i]; k++) {
                const firn_local j = l->j[l->first[i] + k];
                if ((w->m->p.bonds[i] >> k & 1) == 0) continue;
                bonds++;
                bool back = false;
                for (int n = 0; n < l->count[j]; n++)
                    back |= l->j[l->first[j] + n] == i && (w->m->p.bonds[j] >> n & 1) != 0;
                assert_true(back);
            }
        }
        assert_int_equal(bonds, 2 * 3 * 5 * 36);  // all of the lattice, both ways
    }
    print_message("lists rebuilt %d times\n", lists);
    assert_greater(lists, 20);
    world_destroy(w);
}

// Pairs of grains within reach of each other that the lists lack.
static int missing_pairs(const firn_grains* m)
{
    int missing = 0;
    for (firn_local i = 0; i < m->p.count; i++)
        for (firn_local j = 0; j < m->p.count; j++) {
            const firn_vec3 d = firn_v3_sub(m->w.grain[j].x, m->w.grain[i].x);
            const firn_real r_i = m->w.grain[i].r, r_j = m->w.grain[j].r;
            const firn_real far = r_i + r_j +
                                  firn_max(firn_grain_gap(&m->constants, r_i, FIRN_SNOW),
                                           firn_grain_gap(&m->constants, r_j, FIRN_SNOW));
            bool listed = i == j || firn_v3_dot(d, d) >= far * far;
            for (int k = 0; k < m->list.count[i] && !listed; k++)
                listed = m->list.j[m->list.first[i] + k] == j;
            missing += !listed;
        }
    return missing;
}

static firn_real listed_x(const world* w, uint32_t id)
{
    return w->m->p.listed[world_find(w, id)].x;
}

// Two blocks that fly at v and -v, or one at 2 v at one at rest, are the same for the lists; snow
// that moves as one needs no new ones after the first. Lists have all pairs that act in any case.
static void lists_by_relative_motion(void** state)
{
    (void)state;
    const double speeds[][2] = {{10, 10}, {0, 0}, {-4, 4}, {0, 8}, {-8, 0}, {20, 28}};
    int rebuilt[6];
    for (int c = 0; c < 6; c++) {
        world* w = world_create();
        w->def.dt = 1e-4;
        world_lattice(w, FIRN_SNOW, (const double[]){0.6, 0, 0}, (const int[]){3, 4, 4}, 0.1);
        world_lattice(w, FIRN_SNOW, (const double[]){0, 0, 0}, (const int[]){3, 4, 4}, 0.1);
        for (int k = 0; k < 96; k++)
            w->seeds.velocity[k] = firn_v3((firn_real)speeds[c][k >= 48], 0, 0);
        world_start(w);
        rebuilt[c] = 0;
        for (int s = 0; s < 400; s++) {
            const firn_real before[] = {listed_x(w, 0), listed_x(w, 95)};
            world_step(w, 1e-4);
            rebuilt[c] += listed_x(w, 0) != before[0] || listed_x(w, 95) != before[1];
            assert_int_equal(missing_pairs(w->m), 0);
        }
        print_message("%g and %g m/s: lists rebuilt %d times\n", speeds[c][0], speeds[c][1],
                      rebuilt[c]);
        world_destroy(w);
    }
    assert_int_equal(rebuilt[0], 1);
    assert_int_equal(rebuilt[1], 1);
    // 0.32 m of approach in skins of 0.015 m
    for (int c = 2; c < 6; c++) assert_true(rebuilt[c] >= 20 && rebuilt[c] <= 24);
}

int test_grains_bonds(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(period),
                                       cmocka_unit_test(pulled_apart),
                                       cmocka_unit_test(broken_flag),
                                       cmocka_unit_test(other_rules),
                                       cmocka_unit_test(broken_grains_do_not_pull),
                                       cmocka_unit_test(bonds_at_the_start),
                                       cmocka_unit_test(bonds_survive_new_lists),
                                       cmocka_unit_test(lists_by_relative_motion)};
    return cmocka_run_group_tests_name("grains_bonds", tests, NULL, NULL);
}
