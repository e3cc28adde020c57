// SPDX-License-Identifier: MIT
// T76: surface tension of a drop of water: the pressure in it by Laplace, 2 sigma / r, at two
// sizes, and its slowest oscillation by Rayleigh, 2 pi sqrt(rho r^3 / (8 sigma)).
#include "solver/sph/drop.h"

// Pressure in the middle of a drop [Pa], by the virial of the forces between particles: those of
// the pressure, p_i + p_j, and of cohesion.
static double inner_pressure(const world* w, double within)
{
    const firn_sph* m = w->m;
    const firn_real s = m->materials[0].cohesion, V = (firn_real)pow(DROP_H, 3);
    double virial = 0, n = 0;
    for (firn_local i = 0; i < m->p.count; i++) {
        const firn_vec3 x = m->p.position[i];
        if ((double)firn_v3_length(x) > within) continue;
        n++;
        for (firn_local j = 0; j < m->p.count; j++) {
            const firn_vec3 x_ij = firn_v3_sub(x, m->p.position[j]);
            const firn_real r = firn_v3_length(x_ij);
            if (j == i || r > (firn_real)(2 * DROP_H)) continue;
            const firn_real slope = firn_sph_dw_over_r(r, (firn_real)DROP_H);
            const firn_vec3 pull = firn_cohesion_force(x_ij, s, s, V, V, slope);
            const firn_real push = -(m->p.pressure[i] + m->p.pressure[j]) * V * V * slope;
            virial += (double)firn_v3_dot(x_ij, firn_v3_madd(pull, push, x_ij));
        }
    }
    return virial / (6 * n * (double)V);
}

#define STRETCH 1.1  // what drops are longer by along x at the start: they have to flow
#define SETTLED 0.6  // [s]
#define END 1.0      // [s] pressures are averaged from SETTLED on

static world* oblong_drop(double radius)
{
    world* w = drop_world();
    drop_ellipsoid(w, radius * STRETCH * STRETCH, radius / STRETCH, radius / STRETCH);
    world_start(w);
    return w;
}

// Over 2 sigma / r.
static double laplace(double radius)
{
    world* w = oblong_drop(radius);
    double sum = 0, n = 0, r = 0;
    while (w->time < END) {
        world_step(w, 1e-2);
        if (w->time < SETTLED || w->m->base.step % 8 != 0) continue;
        double moments[3];
        drop_moments(w, moments);
        r = drop_radius(moments);
        sum += inner_pressure(w, 0.6 * radius);
        n++;
    }
    const double ratio = sum / n / (2 * DROP_SIGMA / r);
    print_message("drop of %.2f spacings, %d particles: %.3f Pa, %.3f of Laplace's; fastest %.3g "
                  "m/s\n",
                  r / DROP_H, (int)w->m->p.count, sum / n, ratio, w->report.max_speed);
    world_destroy(w);
    return ratio;
}

static void T76_laplace(void** state)
{
    (void)state;
    const double small = laplace(8 * DROP_H), large = laplace(11 * DROP_H);
    check_figure(T76_laplace_small, small);
    check_figure(T76_laplace_large, large);
}

// The time between the first four minima and maxima of a drop's length.
static void T76_rayleigh(void** state)
{
    (void)state;
    world* w = oblong_drop(8 * DROP_H);
    double before = 0, last = 0, turn = 0, first = -1, r = 0;
    int turns = 0;
    while (turns < 4 && w->time < 1) {
        world_step(w, 1e-3);
        double q[3];
        drop_moments(w, q);
        r = drop_radius(q);
        // oblong by so much; smoothed over 20 steps
        const double now = last + 0.05 * (q[0] / (0.5 * (q[1] + q[2])) - 1 - last);
        if (w->time > 0.02 && (now - last) * (last - before) < 0 && w->time > turn + 0.02) {
            print_message("turns at %.4f s, oblong by %.4f\n", w->time, last);
            turn = w->time;
            if (turns++ == 0) first = turn;
        }
        before = last;
        last = now;
    }
    assert_int_equal(turns, 4);
    const double period = 2 * (turn - first) / 3;
    const double theory = 6.283185307179586 * sqrt(DROP_DENSITY * pow(r, 3) / (8 * DROP_SIGMA));
    print_message("period %.4f s, Rayleigh's %.4f s\n", period, theory);
    check_figure(T76_rayleigh, period / theory);
    world_destroy(w);
}

int test_sph_drop(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T76_laplace),
                                       cmocka_unit_test(T76_rayleigh)};
    return cmocka_run_group_tests_name("sph_drop", tests, NULL, NULL);
}
