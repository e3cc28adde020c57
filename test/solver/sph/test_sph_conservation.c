// SPDX-License-Identifier: MIT
// What an isolated lump keeps: mass, momentum, angular momentum, and no more energy than it had.
#include "solver/sph/world.h"

#define H 0.02

// A ball of snow that turns, is squeezed and flies.
static world* lump(int elasticity)
{
    world* w = world_create(H);
    w->def.elasticity = elasticity;
    for (int i = -4; i <= 4; i++)
        for (int j = -4; j <= 4; j++)
            for (int k = -4; k <= 4; k++) {
                if (i * i + j * j + k * k > 17) continue;
                const firn_vec3 x = {(firn_real)(i * H), (firn_real)(j * H), (firn_real)(k * H)};
                world_add(w, x, world_mass(w));
                const firn_vec3 spin = firn_v3(-2 * x.y, 2 * x.x, 0);
                const firn_vec3 squeeze = firn_v3(-12 * x.x, -6 * x.y, -6 * x.z);
                w->seeds.velocity[w->seeds.count - 1] = firn_v3_add(
                    firn_v3((firn_real)0.5, (firn_real)0.2, 0), firn_v3_add(spin, squeeze));
            }
    world_start(w);
    return w;
}

static double energy(const world* w)
{
    return w->report.kinetic + w->report.elastic;
}

static void drift(int elasticity)
{
    world* w = lump(elasticity);
    const firn_vec3 origin = firn_v3(0, 0, 0);
    const world_momentum start = world_momentum_about(w, origin);
    world_step(w, 1e-3);
    const double first = energy(w);
    double highest = first;
    int pressure = 0, shear = 0;
    for (int n = 0; n < 200; n++) {
        world_step(w, 1e-3);
        highest = fmax(highest, energy(w));
        pressure += w->report.iterations;
        shear += w->report.shear_iterations;
    }
    const world_momentum end = world_momentum_about(w, origin);
    assert_equal(end.mass, start.mass);
    print_message("%d particles, %.1f pressure and %.1f shear iterations a step; energy %.4g J, at "
                  "most %.4g, at the end %.4g\n",
                  (int)w->m->p.count, pressure / 200.0, shear / 200.0, first, highest, energy(w));
    check_figure(sph_momentum_drift, world_difference(end.linear, start.linear) / start.size);
    check_figure(sph_angular_drift,
                 world_difference(end.angular, start.angular) / world_length(start.angular));
    assert_less(highest, 1.001 * first);
    assert_less(energy(w), 0.7 * first);  // it was kneaded
    world_destroy(w);
}

static void split(void** state)
{
    (void)state;
    drift(FIRN_SPH_SPLIT);
}

static void combined(void** state)
{
    (void)state;
    drift(FIRN_SPH_COMBINED);
}

// Solved to the end, momentum is kept to rounding.
static void solved_to_the_end(void** state)
{
    (void)state;
    world* w = lump(FIRN_SPH_SPLIT);
    w->m->def.shear_tolerance = FIGURE_TOLERANCE(1e-12, 1e-6);
    const world_momentum start = world_momentum_about(w, firn_v3(0, 0, 0));
    for (int n = 0; n < 50; n++) world_step(w, 1e-3);
    const world_momentum end = world_momentum_about(w, firn_v3(0, 0, 0));
    check_figure(sph_momentum_solved, world_difference(end.linear, start.linear) / start.size);
    world_destroy(w);
}

// The report's sums are those of the particles at the start of the step.
static void report(void** state)
{
    (void)state;
    world* w = lump(FIRN_SPH_SPLIT);
    for (int n = 0; n < 5; n++) world_step(w, 1e-3);
    const world_momentum now = world_momentum_about(w, firn_v3(0, 0, 0));
    double kinetic = 0;
    for (firn_local p = 0; p < w->m->p.count; p++)
        kinetic += 0.5 * (double)w->m->p.mass[p] *
                   (double)firn_v3_dot(w->m->p.velocity[p], w->m->p.velocity[p]);
    world_step(w, 1e-3);
    // products are floats in one of the two sums
    assert_less(world_difference(w->report.momentum, now.linear), 1e-6 * now.size);
    assert_near(w->report.kinetic / kinetic, 1, 1e-6);
    assert_greater(w->report.elastic, 0);
    assert_greater(w->report.neighbours, 15);
    assert_less(w->report.neighbours, 40);
    assert_int_equal(w->report.step, 5);
    world_destroy(w);
}

int test_sph_conservation(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(split), cmocka_unit_test(combined),
                                       cmocka_unit_test(solved_to_the_end),
                                       cmocka_unit_test(report)};
    return cmocka_run_group_tests_name("sph_conservation", tests, NULL, NULL);
}
