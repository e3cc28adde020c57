// SPDX-License-Identifier: MIT
// T53 (slow): the ball of snowball-drop hits the floor at three cell sizes, with a fracture energy:
// the energy that is lost stays. Cracks take a hundredth of it, most is plastic work in
// compression; each crack takes the same energy (test_mpm_fracture.c), but finer cells resolve more
// of them.
#include <math.h>
#include <stdio.h>

#include "figure.h"
#include "firn/firn.h"
#include "physics/snow_hardening.h"

static const double fracture_energy = 7.4;  // [J/m^2]

typedef struct losses {
    double all, cracks;  // [J]
} losses;

static const firn_real* field(const firn_sim* sim, const char* name)
{
    firn_field_view view;
    assert_int_equal(firn_sim_field(sim, name, &view), FIRN_OK);
    return view.data;
}

// Plastic work in tension, as in test_mpm_fracture.c.
static double crack_energy(const firn_sim* sim, double cell)
{
    const double theta_s = 0.0075;
    const firn_lame lame = firn_snow_lame((firn_real)4e5, (firn_real)0.2);
    const double strength = theta_s * (double)(lame.lambda + 2 * lame.mu);
    const double xi_t = (double)firn_snow_softening(lame, (firn_real)theta_s, (firn_real)cell,
                                                    (firn_real)fracture_energy);
    const firn_real *J_P = field(sim, "plastic_det"), *volume = field(sim, "volume"),
                    *stiffness = field(sim, "stiffness");
    double work = 0;
    for (firn_local p = 0; p < firn_sim_read(sim).particle_count; p++)
        if (J_P[p] > 1)
            work += (double)volume[p] * strength * (double)stiffness[p] / xi_t *
                    (1 - exp(xi_t * (1 - (double)J_P[p])));
    return work;
}

static double energy(const firn_sim* sim)
{
    const firn_sim_info i = firn_sim_read(sim);
    return i.kinetic + i.elastic + i.potential;
}

// Twelve frames, 0.2 s: the ball has hit, broken and slowed down.
static losses drop(double cell)
{
    firn_scene* scene;
    char size[32], fracture[64];
    snprintf(size, sizeof size, "mpm.cell=%g", cell);
    snprintf(fracture, sizeof fracture, "materials.ball.fracture_energy=%g", fracture_energy);
    const char* const overrides[] = {size, fracture, "mpm.volumes=exact"};
    firn_load_def load = firn_default_load_def();
    load.overrides = overrides;
    load.override_count = 3;
    const char* path = FIRN_SOURCE_DIR "/scenes/demo/snowball-drop/scene.yaml";
    assert_int_equal(firn_scene_create(&scene), FIRN_OK);
    if (firn_scene_load(scene, path, &load) != FIRN_OK) fail_msg("%s", firn_scene_messages(scene));
    firn_sim_def def = firn_default_sim_def();
    firn_sim* sim;
    firn_error error;
    if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_scene_destroy(scene);
    assert_int_equal(firn_sim_step(sim), FIRN_OK);
    const double before = energy(sim);
    for (int frame = 0; frame < 12; frame++) assert_int_equal(firn_sim_frame(sim), FIRN_OK);
    const losses out = {before - energy(sim), crack_energy(sim, cell)};
    print_message("cell %g m: %.2f J lost of %.2f J, %.3f J by cracks\n", cell, out.all, before,
                  out.cracks);
    firn_sim_destroy(sim);
    return out;
}

static void energies(void** state)
{
    (void)state;
    const losses coarse = drop(0.016), middle = drop(0.012), fine = drop(0.009);
    check_figure(T53_drop, middle.all / coarse.all);
    check_figure(T53_drop, fine.all / middle.all);
}

int test_mpm_drop(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energies)};
    return cmocka_run_group_tests_name("mpm_drop", tests, NULL, NULL);
}
