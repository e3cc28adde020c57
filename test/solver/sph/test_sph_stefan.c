// SPDX-License-Identifier: MIT
// T73: Stefan's problem with water. A half space of water at 80 degC on one of ice at 0 degC: the
// front is at 2 lambda sqrt(alpha t) with sqrt(pi) lambda exp(lambda^2) (1 + erf lambda) = c T / L.
// Particles are a lattice and stay in place; one column of it is computed, and those around have
// its values.
#include "physics/heat.h"
#include "solver/sph/fluid.h"

#define ACROSS 5  // the column in the middle has all its neighbours, and those next to it, too
#define WARM 80.0
#define SUBSTEP 0.03  // [h^2 / alpha] below the limit of step 10

static double stefan_lambda(double ste)
{
    double low = 0, high = 2;
    for (int k = 0; k < 60; k++) {
        const double x = 0.5 * (low + high);
        if (sqrt(3.14159265358979) * x * exp(x * x) * (1 + erf(x)) < ste)
            low = x;
        else
            high = x;
    }
    return low;
}

// The values of the column to all others. `of` [layers]: particles of the column.
static void copy_column(world* w, const firn_local* of, double h)
{
    firn_sph_particles* p = &w->m->p;
    for (firn_local i = 0; i < p->count; i++) {
        const firn_local from = of[(int)((double)p->position[i].y / h + 0.5)];
        p->temperature[i] = p->temperature[from];
        p->water[i] = p->water[from];
        p->material[i] = p->material[from];
    }
}

static void melt(double h, int water_layers, int ice_layers)
{
    world* w = world_create(h);
    w->scene.material_count = 2;
    w->material.snow.density = 1000;
    w->material.snow.conductivity = (firn_real)0.56;
    w->materials[1] = (firn_material){.name = (char*)"water", .snow = fluid_material(1000, 0)};
    w->materials[0].becomes = (firn_becomes){true, 1, INFINITY, NAN, NAN, 0};
    w->scene.air.active = true;
    w->scene.air.temperature = 0;
    w->scene.air.heat_transfer = 0;
    const int layers = water_layers + ice_layers;
    world_lattice(w, firn_v3(0, 0, 0), ACROSS, layers, ACROSS, h);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        const bool water = (double)w->seeds.position[p].y < (water_layers - 0.5) * h;
        w->seeds.material[p] = water;
        w->seeds.temperature[p] = water ? (firn_real)WARM : 0;
    }
    world_start(w);
    const double c = 4217, alpha = 0.56 / (1000 * c);
    const double lambda = stefan_lambda(c * WARM / FIRN_HEAT_LATENT);
    const double wanted = 0.6 * ice_layers * h;
    const double end = wanted * wanted / (4 * lambda * lambda * alpha);
    w->def.heat_speed = w->m->def.heat_speed = 1;
    const int steps = (int)(end / (SUBSTEP * h * h / alpha)) + 1;  // one substep each
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_02_GRADIENT_CORRECTION, end / steps);
    firn_local* of = malloc(sizeof *of * (size_t)layers);
    for (firn_local i = 0; i < w->m->p.count; i++) {
        const firn_vec3 x = w->m->p.position[i];
        const int column = (int)((double)x.x / h + 0.5), row = (int)((double)x.z / h + 0.5);
        if (column == ACROSS / 2 && row == ACROSS / 2) of[(int)((double)x.y / h + 0.5)] = i;
    }
    for (int k = 0; k < steps; k++) {
        world_stages(w, FIRN_SPH_10_HEAT, FIRN_SPH_11_PHASES, end / steps);
        copy_column(w, of, h);
    }
    double molten = 0;
    for (int y = water_layers; y < layers; y++) molten += h * (double)w->m->p.water[of[y]];
    print_message("front at %.3f spacings after %.0f s, %.3f expected\n", molten / h, end,
                  wanted / h);
    check_figure(T73_front, molten / wanted);
    free(of);
    world_destroy(w);
}

static void T73_stefan(void** state)
{
    (void)state;
    melt(1e-3, 70, 20);
}

static void T73_stefan_coarse(void** state)
{
    (void)state;
    melt(2e-3, 42, 12);
}

int test_sph_stefan(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T73_stefan),
        cmocka_unit_test(T73_stefan_coarse),
    };
    return cmocka_run_group_tests_name("sph_stefan", tests, NULL, NULL);
}
