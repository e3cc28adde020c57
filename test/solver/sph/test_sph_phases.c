// SPDX-License-Identifier: MIT
// T73: phase change. Fluid that becomes snow by time: mass and pressure. The melting front of
// Stefan's problem, and the enthalpy of all particles.
#include "physics/heat.h"
#include "solver/sph/fluid.h"

#define G 9.81

static double total_mass(const world* w)
{
    double sum = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) sum += (double)w->m->p.mass[p];
    return sum;
}

// A basin of batter that turns to snow of 500 kg/m^3, each particle when it is 0.9 s old.
// (All at once would drop onto its elasticity, which doubles the pressure whatever the method.)
static void T73_batter_to_snow(void** state)
{
    (void)state;
    const double h = 0.02;
    const int side = 6, layers = 10;
    world* w = fluid_world(h, 1000, 10);
    w->scene.material_count = 2;
    w->materials[1] = w->materials[0];
    w->materials[1].snow.phase = FIRN_PHASE_SNOW;
    w->materials[1].snow.density = 500;
    w->materials[0].becomes = (firn_becomes){true, 1, 0.9, NAN, NAN, 0.1};
    w->def.gravity_rise = 0.2;
    const firn_real half = (firn_real)(0.5 * h);
    world_lattice(w, firn_v3(half, half, half), side, layers, side, h);
    fluid_basin(w, side * h, side * h);
    world_start(w);
    // as if it had been poured in within 0.4 s, the lowest first
    for (firn_local p = 0; p < w->m->p.count; p++)
        w->m->p.age[p] = (firn_real)(0.4 * (1 - (double)w->m->p.position[p].y / (layers * h)));
    const double mass = total_mass(w);
    double most = 0, snow = 0;
    while (w->time < 1.3) {
        world_step(w, 2e-3);
        if (w->time < 0.45) continue;  // at rest
        for (firn_local p = 0; p < w->m->p.count; p++) {
            const firn_vec3 x = w->m->p.position[p];  // beside walls p has their part of the sums
            const double near = fmin((double)fmin(x.x, x.z), (double)x.y);
            if (near < 1.5 * h || fmax(x.x, x.z) > (side - 1.5) * h) continue;
            most = fmax(most, (double)w->m->p.pressure[p]);
        }
    }
    for (firn_local p = 0; p < w->m->p.count; p++) snow += w->m->p.material[p] == 1;
    print_message("%.0f of %d became snow, highest pressure %.3g of hydrostatic\n", snow,
                  (int)w->m->p.count, most / (1000 * G * layers * h));
    assert_equal(snow, w->m->p.count);
    assert_true(total_mass(w) == mass);
    check_figure(T73_pressure, most / (1000 * G * layers * h));
    world_destroy(w);
}

static double enthalpy(const world* w, double c_ice, double c_water)
{
    double sum = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) {
        const double T = (double)w->m->p.temperature[p];
        sum += (double)w->m->p.mass[p] *
               ((T < 0 ? c_ice : c_water) * T + FIRN_HEAT_LATENT * (double)w->m->p.water[p]);
    }
    return sum;
}

// Ice and water of one density, without gravity: nothing moves, heat alone flows.
static world* ice_and_water(double h)
{
    world* w = world_create(h);
    w->scene.material_count = 2;
    w->material.snow.density = 1000;
    w->material.snow.conductivity = (firn_real)0.56;
    w->materials[1] = (firn_material){.name = (char*)"water", .snow = fluid_material(1000, 0)};
    w->materials[0].becomes = (firn_becomes){true, 1, INFINITY, NAN, NAN, 0};
    w->materials[1].becomes = (firn_becomes){true, 0, INFINITY, NAN, NAN, 0};
    w->scene.air.active = true;
    w->scene.air.temperature = 0;
    w->scene.air.heat_transfer = 0;
    return w;
}

// A warm block of water and a cold one of ice exchange heat; nothing is lost.
static void T73_enthalpy(void** state)
{
    (void)state;
    const double h = 0.001;
    world* w = ice_and_water(h);
    w->def.heat_speed = 20000;
    world_lattice(w, firn_v3(0, 0, 0), 12, 4, 4, h);
    for (firn_local p = 0; p < w->seeds.count; p++) {
        const bool water = p / 16 >= 6;
        w->seeds.material[p] = water;
        w->seeds.temperature[p] = water ? 60 : -8;
    }
    world_start(w);
    const double c_ice = (double)w->materials[0].snow.heat_capacity;
    const double c_water = (double)w->materials[1].snow.heat_capacity;
    const double before = enthalpy(w, c_ice, c_water), mass = total_mass(w);
    firn_local melted = 0;
    for (int k = 0; k < 100; k++) world_step(w, 1e-4);
    for (firn_local p = 0; p < w->m->p.count; p++) melted += w->m->p.material[p] == 1;
    const double after = enthalpy(w, c_ice, c_water);
    print_message("enthalpy %.12g before, %.12g after; %d of %d are water now, %d were\n", before,
                  after, (int)melted, (int)w->m->p.count, (int)(w->m->p.count / 2));
    assert_greater(melted, w->m->p.count / 2);
    assert_true(total_mass(w) == mass);
    check_figure(T73_enthalpy, fabs(after - before) / fabs(before));
    world_destroy(w);
}

int test_sph_phases(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T73_batter_to_snow),
        cmocka_unit_test(T73_enthalpy),
    };
    return cmocka_run_group_tests_name("sph_phases", tests, NULL, NULL);
}
