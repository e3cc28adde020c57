// SPDX-License-Identifier: MIT
// T39, last row: snow that cannot be packed (`pressure: incompressible`, IISPH) keeps its height
// under its weight, and under a load of another density.
#include "solver/sph/fluid.h"

#define SIDE 8

static double mean_layer(const world* w, int layer)
{
    double sum = 0;
    for (int k = 0; k < SIDE; k++)
        for (int i = 0; i < SIDE; i++)
            sum += (double)w->m->p.position[world_find(w, layer * SIDE * SIDE + i * SIDE + k)].y;
    return sum / (SIDE * SIDE);
}

// Distance of the lowest and the uppermost layer of snow, relative to the lattice's.
static double column(int layers, int load_layers)
{
    const double h = 1.0 / layers;
    world* w = world_create(h);
    w->def.pressure = FIRN_SPH_INCOMPRESSIBLE;
    w->def.gravity_rise = 1;
    w->scene.gravity[1] = -9.81;
    w->scene.material_count = 2;
    w->materials[1] = w->materials[0];
    w->materials[1].snow.density = 900;
    w->materials[1].snow.young = 2000000;
    w->materials[1].snow.hardening = 0;
    w->materials[1].snow.critical_compression = w->materials[1].snow.critical_stretch =
        (firn_real)0.9;
    for (int y = 0; y < layers + load_layers; y++)
        for (int i = 0; i < SIDE; i++)
            for (int k = 0; k < SIDE; k++) {
                const bool load = y >= layers;
                world_add(w,
                          firn_v3((firn_real)((i + 0.5) * h), (firn_real)((y + 0.5) * h),
                                  (firn_real)((k + 0.5) * h)),
                          world_mass(w) * (load ? 900.0 / 400 : 1));
                w->seeds.material[w->seeds.count - 1] = load;
            }
    fluid_basin(w, SIDE * h, SIDE * h);
    world_start(w);
    while (w->time < 2) world_step(w, 0.1 * h);
    const double tall = mean_layer(w, layers - 1) - mean_layer(w, 0);
    const double ratio = tall / ((layers - 1) * h);
    print_message("%d layers, load of %d: height %.4f\n", layers, load_layers, ratio);
    world_destroy(w);
    return ratio;
}

static void T39_incompressible(void** state)
{
    (void)state;
    check_figure(T39_iisph, column(20, 0));
    check_figure(T39_iisph_loaded, column(20, 11));
}

int test_sph_column(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T39_incompressible)};
    return cmocka_run_group_tests_name("sph_column", tests, NULL, NULL);
}
