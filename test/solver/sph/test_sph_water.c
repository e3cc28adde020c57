// SPDX-License-Identifier: MIT
// T70: water at rest, 20 layers deep. The pressure at the bottom is that of a straight line through
// the pressures of all particles that no wall is near, at the floor: the lowest layer carries the
// wall's part of the sums and has more. It is compared with the weight over the area.
#include "solver/collider_load.h"
#include "solver/sph/fluid.h"

#define H 0.05
#define SIDE 10
#define LAYERS 20
#define G 9.81
#define SETTLED 2.0  // [s]
#define END 10.0     // [s]

static double mean_height(const world* w)
{
    double sum = 0;
    for (firn_local p = 0; p < w->m->p.count; p++) sum += (double)w->m->p.position[p].y;
    return sum / w->m->p.count;
}

// Pressure at the floor [Pa] by least squares over the inside.
static double bottom_pressure(const world* w)
{
    double n = 0, sy = 0, sp = 0, syy = 0, syp = 0;
    const double near = 1.6 * H, far = SIDE * H - near, top = 1.6 * mean_height(w);
    for (firn_local i = 0; i < w->m->p.count; i++) {
        const firn_vec3 x = w->m->p.position[i];
        const double y = (double)x.y, p = (double)w->m->p.pressure[i];
        if ((double)x.x < near || (double)x.x > far || (double)x.z < near || (double)x.z > far)
            continue;
        if (y < near || y > top) continue;
        n++;
        sy += y;
        sp += p;
        syy += y * y;
        syp += y * p;
    }
    const double slope = (n * syp - sy * sp) / (n * syy - sy * sy);
    return (sp - slope * sy) / n;
}

static void T70_hydrostatic(void** state)
{
    (void)state;
    world* w = fluid_world(H, 1000, 0);
    w->def.gravity_rise = 1;
    const firn_real half = (firn_real)(0.5 * H);
    world_lattice(w, firn_v3(half, half, half), SIDE, LAYERS, SIDE, H);
    fluid_basin(w, SIDE * H, SIDE * H);
    world_start(w);
    const double weight = SIDE * SIDE * LAYERS * world_mass(w) * G;
    double first = 0, pressure = 0, force = 0, drift = 0, speed = 0, time = 0;
    while (w->time < END) {
        world_step(w, 5e-3);
        if (w->time < SETTLED) {
            first = mean_height(w);
            continue;
        }
        const double dt = w->report.dt;
        pressure += dt * bottom_pressure(w) * SIDE * H * SIDE * H / weight;
        force -= firn_solver_sph.loads(w->m)[0].impulse[1] / weight;
        time += dt;
        drift = fmax(drift, fabs(mean_height(w) / first - 1));
        speed = fmax(speed, w->report.max_speed);
    }
    print_message("bottom pressure %.4f, force %.4f, drift of the height %.4f, fastest %.3f m/s, "
                  "height %.4f of the lattice's\n",
                  pressure / time, force / time, drift, speed, mean_height(w) / (0.5 * LAYERS * H));
    check_figure(T70_bottom_pressure, pressure / time);
    check_figure(T70_floor_force, force / time);
    check_figure(T70_height_drift, drift);
    world_destroy(w);
}

int test_sph_water(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T70_hydrostatic)};
    return cmocka_run_group_tests_name("sph_water", tests, NULL, NULL);
}
