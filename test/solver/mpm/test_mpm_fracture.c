// SPDX-License-Identifier: MIT
// T53: the energy that a crack takes. A bar of 1 m between slip walls is pulled apart slowly by two
// sticky walls and tears in its weakest section, a tenth weaker and half a cell wide. The energy of
// the crack is the plastic work in tension, by the integral of the law: the sum over particles of
// V_p^0 sigma_t / xi (1 - exp(xi (1 - J_P))).
#include "physics/snow_hardening.h"
#include "solver/mpm/bar.h"

static const double confined = 155555.56, theta_s = 0.0075;  // M [Pa] of the world's snow

static double still(double x)
{
    (void)x;
    return 0;
}

static void move_wall(firn_collider* wall, firn_keyframe keys[2], double speed)
{
    wall->sticky = true;
    for (int k = 0; k < 2; k++)
        keys[k] = (firn_keyframe){k, firn_v3((firn_real)(speed * k), 0, 0), firn_q_identity(), 1};
    wall->motion.keys = keys;
    wall->motion.key_count = 2;
}

// Plastic work in tension over the section [J/m^2].
static double crack_energy(const bar* b)
{
    const world* w = b->w;
    const double h = 1.0 / b->cells, xi = (double)w->m->materials[0].xi_t;
    double work = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const double J_P = (double)w->m->p.plastic_det[p];
        const double strength = theta_s * confined * (double)w->m->p.stiffness[p];
        if (J_P > 1) work += (double)w->m->p.volume[p] * strength / xi * (1 - exp(xi * (1 - J_P)));
    }
    return work / (h * h);
}

// Pulls until the bar is torn; `fracture_energy` 0: the paper's law, xi = 10.
static double pull(int cells, double fracture_energy)
{
    bar b = bar_create(cells, 1, still, 0);
    world* w = b.w;
    firn_keyframe keys[2][2];
    w->def.flip = 0.95;
    w->material.snow.fracture_energy = (firn_real)fracture_energy;
    for (firn_local p = 0; p < w->seeds.count; p++) {
        const double x = (double)w->seeds.position[p].x * cells - cells / 2;
        if (x > 0 && x < 0.5) w->seeds.stiffness[p] = (firn_real)0.9;
    }
    move_wall(world_plane(w, firn_v3((firn_real)0.1, 0, 0), firn_v3(1, 0, 0), 0), keys[0], -0.1);
    move_wall(world_plane(w, firn_v3((firn_real)0.9, 0, 0), firn_v3(-1, 0, 0), 0), keys[1], 0.1);
    bar_start(&b);
    while (w->time < 0.5) bar_step(&b, 0.5 - w->time + 1e-9);
    const double energy = crack_energy(&b);
    world_destroy(w);
    return energy;
}

// Cells of 1/20, 1/40, 1/80 m: the energy stays, where the paper's law halves it.
static void cracks_take_the_same_energy(void** state)
{
    (void)state;
    double energy[3], paper[3];
    for (int k = 0; k < 3; k++) {
        energy[k] = pull(20 << k, 6);
        paper[k] = pull(20 << k, 0);
        print_message("h = 1/%d m: %.3f J/m^2, %.3f with the paper's law\n", 20 << k, energy[k],
                      paper[k]);
    }
    for (int k = 0; k < 3; k++) check_figure(T53_crack, energy[k] / 6);
    check_figure(T53_crack, pull(30, 4) / 4);
    check_figure(T53_crack, pull(60, 3) / 3);
    check_figure(T53_crack_finer, energy[2] / energy[1]);
    check_figure(T53_crack_coarser, energy[1] / energy[0]);
    check_figure(T53_crack_paper, paper[2] / paper[1]);
}

// The integral of the strength over J_P, times the width of the band, is G_f, whatever h; packed
// snow hardens as before.
static void law(void** state)
{
    (void)state;
    const firn_lame lame = firn_snow_lame((firn_real)1.4e5, (firn_real)0.2);
    for (double h = 0.002; h < 0.05; h *= 2) {
        const firn_real xi_t = firn_snow_softening(lame, (firn_real)theta_s, (firn_real)h, 2);
        const int steps = 20000;
        double sum = 0;
        for (int k = 0; k < steps; k++) {
            const double J = 1 + 20 / (double)xi_t * (k + 0.5) / steps;
            const firn_real rate = firn_snow_rate(10, xi_t, (firn_real)J);
            sum += theta_s * confined * (double)firn_snow_hardening(rate, (firn_real)J, 1000);
        }
        const double band = (double)FIRN_SNOW_BAND * h * cbrt((double)xi_t);
        check_figure(T53_law, band * sum * 20 / (double)xi_t / steps / 2);
    }
    assert_equal(firn_snow_rate(10, 3, (firn_real)0.9), 10);
    assert_equal(firn_snow_rate(10, 3, 1), 10);
    // lost within the elastic stretch at most
    const firn_real brittle = firn_snow_softening(lame, (firn_real)theta_s, 1, (firn_real)1e-3);
    assert_near((double)brittle * theta_s, 1, 1e-6);
}

int test_mpm_fracture(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(law),
                                       cmocka_unit_test(cracks_take_the_same_energy)};
    return cmocka_run_group_tests_name("mpm_fracture", tests, NULL, NULL);
}
