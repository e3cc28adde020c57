// SPDX-License-Identifier: MIT
// T19 (slow): the largest eigenvalue of M^-1 H, the explicit limit that follows from it, and that
// the limit is where energy starts to grow. Semi-implicit steps beyond it stay bounded.
#include "solver/mpm/linear.h"
#include "splines.h"

// Largest eigenvalue [1/s^2] by power iteration in the mass product.
static double lambda_max(world* w)
{
    any_source r = any_start(1901);
    firn_mpm_solve_args a = linear_start(w, 1e-4);
    firn_vec4 *u = linear_vector(w), *Hu = linear_vector(w), *scratch = linear_vector(w);
    linear_random(w, &r, u);
    double lambda = 0;
    for (int k = 0; k < 300; k++) {
        linear_apply_H(w, &a, u, Hu, scratch);
        double uHu = 0, uMu = 0, size = 0;
        for (firn_local n = 0; n < world_nodes(w); n++) {
            const double m = (double)w->m->node_velocity[n][3];
            if (!(m > 0)) continue;
            for (int d = 0; d < 3; d++) {
                uHu += (double)u[n][d] * (double)Hu[n][d];
                uMu += m * (double)u[n][d] * (double)u[n][d];
                size += (double)Hu[n][d] * (double)Hu[n][d] / m;
            }
        }
        lambda = uHu / uMu;
        for (firn_local n = 0; n < world_nodes(w); n++)
            for (int d = 0; d < 3; d++) {
                const double m = (double)w->m->node_velocity[n][3];
                u[n][d] = m > 0 ? (firn_real)((double)Hu[n][d] / (m * sqrt(size))) : 0;
            }
    }
    firn_free(u);
    firn_free(Hu);
    firn_free(scratch);
    return lambda;
}

// A ball of `radius` cells; volumes as step 2 finds them, too big at the surface.
static world* ball(firn_spline spline, double h, double radius, bool random, double J_P)
{
    any_source r = any_start(1902);
    world* w = world_create(h);
    w->def.spline = spline;
    w->def.volumes = FIRN_MPM_VOLUMES_GRID;
    w->def.integrator = FIRN_MPM_SEMI_IMPLICIT;
    w->def.flip = 1;
    const double from[3] = {0.3, 0.1, 0.2}, size[3] = {2 * radius, 2 * radius, 2 * radius};
    if (random)
        world_scatter(w, &r, from, size, 8, radius);
    else
        world_lattice(w, from, size, 2, radius);
    for (firn_local p = 0; p < w->seeds.count; p++) w->seeds.velocity[p] = any_vec3(&r, 1e-3);
    w->material.snow.hardening_max = 10000;
    world_start(w);
    for (firn_local p = 0; p < w->m->p.count; p++) w->m->p.plastic_det[p] = (firn_real)J_P;
    return w;
}

static double sound(double J_P)
{
    return 19.7202659 * exp(10 * (1 - J_P) / 2);
}

static void eigenvalues(void** state)
{
    const firn_spline spline = spline_of(state);
    const double h = 0.005, hardened = 0.4;
    world* w = ball(spline, h, 10, false, 1);
    const double lattice = lambda_max(w) / pow(sound(1) / h, 2);
    world_destroy(w);
    w = ball(spline, h, 10, true, 1);
    const double random = lambda_max(w) / pow(sound(1) / h, 2);
    world_destroy(w);
    w = ball(spline, h, 10, true, hardened);
    const double limit = 2 / sqrt(lambda_max(w));
    world_destroy(w);
    if (spline == FIRN_SPLINE_QUADRATIC) {
        check_figure(T19_quadratic_lattice, lattice);
        check_figure(T19_quadratic_random, random);
        check_figure(T19_quadratic_hardened, limit);
    } else {
        check_figure(T19_lambda_lattice, lattice);
        check_figure(T19_lambda_random, random);
        check_figure(T19_limit_hardened, limit);
    }
}

// Sharp corners, where the volumes of step 2 are up to eight times too big, have a shorter limit:
// 0.75 h/c_h, 0.6 with quadratic splines. The default of mpm.sound_cfl must stay below it.
static void corners(void** state)
{
    const firn_spline spline = spline_of(state);
    any_source r = any_start(1903);
    const double h = 0.01, size[3] = {8, 8, 8};
    world* w = world_create(h);
    w->def.spline = spline;
    w->def.volumes = FIRN_MPM_VOLUMES_GRID;
    const double sound_cfl = firn_mpm_sound_cfl(&w->def);
    w->def.integrator = FIRN_MPM_SEMI_IMPLICIT;
    world_scatter(w, &r, (const double[3]){0, 0, 0}, size, 8, 0);
    world_start(w);
    check_figure(T19_corner_limit, 2 / sqrt(lambda_max(w)) * sound(1) / h / sound_cfl);
    world_destroy(w);
}

// Growth of the energy over `steps` steps of dt; stops early at a factor of 1e4.
static double growth(world* w, double dt, int steps)
{
    w->m->def.dt = dt;
    double first = 0, most = 0;
    for (int k = 0; k < steps; k++) {
        if (world_try_step(w, dt) != FIRN_OK) return 1e9;  // a fault is growth, too
        const double energy = w->report.kinetic + w->report.elastic;
        if (k == 0) first = energy;
        most = fmax(most, energy / first);
        if (most > 1e4) break;
    }
    return most;
}

static void explicit_limit(void** state)
{
    const firn_spline spline = spline_of(state);
    const double J_P[2] = {1, 0.4}, h = 0.005, radius = 5;
    for (int k = 0; k < 2; k++) {
        world* w = ball(spline, h, radius, false, J_P[k]);
        const double limit = 2 / sqrt(lambda_max(w));
        print_message("J_P = %g: dt_max = %.3g s = %.3f h/c\n", J_P[k], limit,
                      limit * sound(J_P[k]) / h);
        w->m->def.integrator = FIRN_MPM_EXPLICIT;
        check_figure(T19_stable_growth, growth(w, 0.7 * limit, 2000));
        world_destroy(w);
        w = ball(spline, h, radius, false, J_P[k]);
        w->m->def.integrator = FIRN_MPM_EXPLICIT;
        check_figure(T19_unstable_growth, growth(w, 1.3 * limit, 500));
        world_destroy(w);
        w = ball(spline, h, radius, false, J_P[k]);
        check_figure(T19_stable_growth, growth(w, 5e-4, 200));
        world_destroy(w);
    }
}

int test_mpm_stability(void)
{
    const struct CMUnitTest tests[] = {EACH_SPLINE(eigenvalues), EACH_SPLINE(corners),
                                       EACH_SPLINE(explicit_limit)};
    return cmocka_run_group_tests_name("mpm_stability", tests, NULL, NULL);
}
