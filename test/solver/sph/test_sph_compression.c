// SPDX-License-Identifier: MIT
// T39: a column of snow under its own weight, under a load, and after it: heights against the 1-D
// formulas. It stands between walls that do not rub; beside them the kernel finds snow a little
// less dense, so softer, which takes about 1 % of the height of soft snow. The load is a plate: the
// topmost layers, weightless, moving as one, pushed down.
#include "solver/sph/world.h"

#define H 0.05
#define SIDE 10      // particles across
#define LAYERS 20    // a metre
#define PLATE 3      // layers of the plate
#define RISE 3.0     // [s] in which gravity and then the load grow: the column swings in 0.5 s
#define LOAD 5000.0  // [Pa]

typedef struct column {
    world* w;
    int layers;  // with the plate
    bool plate;
    double dt;
    int64_t steps, pressure, shear;  // iterations
} column;

static int layer_of(const column* c, firn_local p)
{
    return (int)(c->w->m->p.id[p] / SIDE) % c->layers;
}

static column column_create(double young, bool plate, double dt)
{
    column c = {
        .w = world_create(H), .layers = LAYERS + (plate ? PLATE : 0), .plate = plate, .dt = dt};
    world* w = c.w;
    const firn_real half = (firn_real)(0.5 * H), end = (firn_real)(SIDE * H);
    w->material.snow.young = (firn_real)young;
    w->scene.gravity[1] = -9.81;
    w->def.gravity_rise = RISE;
    world_lattice(w, firn_v3(half, half, half), SIDE, c.layers, SIDE, H);
    // snow that packs hardens ninefold under the load, and would push its way into softer plates
    for (firn_local p = 0; p < w->seeds.count; p++)
        if (p / SIDE % c.layers >= LAYERS) w->seeds.stiffness[p] = 50;
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 0);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(1, 0, 0), 0);
    world_plane(w, firn_v3(end, 0, 0), firn_v3(-1, 0, 0), 0);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 0, 1), 0);
    world_plane(w, firn_v3(0, 0, end), firn_v3(0, 0, -1), 0);
    world_start(w);
    return c;
}

// The plate has no weight; `load` [Pa] rests on it.
static void push_plate(const column* c, double load)
{
    firn_sph* m = c->w->m;
    const double force = load * H * H / PLATE;  // on each of its particles
    for (firn_local p = 0; p < m->p.count; p++)
        if (layer_of(c, p) >= LAYERS)
            m->w.v_star[p][1] -=
                (firn_real)(c->dt * (force / (double)m->p.mass[p] + (double)m->gravity.y));
}

static void stiffen_plate(const column* c)
{
    firn_sph_particles* p = &c->w->m->p;
    double v = 0;
    for (firn_local k = 0; k < p->count; k++)
        if (layer_of(c, k) >= LAYERS) v += (double)p->velocity[k].y / (PLATE * SIDE * SIDE);
    for (firn_local k = 0; k < p->count; k++)
        if (layer_of(c, k) >= LAYERS) p->velocity[k] = firn_v3(0, (firn_real)v, 0);
}

static void column_step(column* c, double load)
{
    world* w = c->w;
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_03_OTHER_ACCELERATIONS, c->dt);
    if (c->plate) push_plate(c, load);
    world_stages(w, FIRN_SPH_04_FRICTION, FIRN_SPH_05_PRESSURE, c->dt);
    c->pressure += w->m->pressure_iterations;
    world_stages(w, FIRN_SPH_06_SHEAR, FIRN_SPH_07_VELOCITY, c->dt);
    c->shear += w->m->shear_iterations;
    if (c->plate) stiffen_plate(c);
    world_stages(w, FIRN_SPH_08_DEFORMATION, FIRN_SPH_09_ADVECT, c->dt);
    world_step_done(w);
    c->steps++;
}

static double height_of_layer(const column* c, int layer)
{
    double y = 0;
    for (firn_local p = 0; p < c->w->m->p.count; p++)
        if (layer_of(c, p) == layer) y += (double)c->w->m->p.position[p].y / (SIDE * SIDE);
    return y;
}

// Half a spacing above the last layer of snow, as it is there.
static double height(const column* c)
{
    const double last = height_of_layer(c, LAYERS - 1);
    return last + 0.5 * (last - height_of_layer(c, LAYERS - 2));
}

static double mean_neighbours(const column* c)
{
    double sum = 0, count = 0;
    for (firn_local p = 0; p < c->w->m->p.count; p++) {
        if (layer_of(c, p) < 3 || layer_of(c, p) > LAYERS - 4) continue;
        sum += c->w->m->pairs.neighbours[p];
        count++;
    }
    return sum / count;
}

static double settled(double young, double dt)
{
    column c = column_create(young, false, dt);
    while (c.w->time < 1.5 * RISE) column_step(&c, 0);
    const double y = height(&c);
    print_message("E %g: %.4f m, %.1f neighbours inside, %.1f pressure and %.1f shear iterations\n",
                  young, y, mean_neighbours(&c), (double)c.pressure / (double)c.steps,
                  (double)c.shear / (double)c.steps);
    assert_at_most((double)c.pressure / (double)c.steps, 15);  // T36
    world_destroy(c.w);
    return y;
}

// Gravity first, then the load, then none.
static void loaded(double young, double dt, double* out_loaded, double* out_unloaded)
{
    column c = column_create(young, true, dt);
    const double ends[] = {1.2 * RISE, 2.2 * RISE, 2.5 * RISE, 3.5 * RISE, 3.8 * RISE};
    while (c.w->time < ends[4]) {
        const double t = c.w->time;
        const double share = t < ends[0]   ? 0
                             : t < ends[1] ? (t - ends[0]) / RISE
                             : t < ends[2] ? 1
                                           : fmax(0, (ends[3] - t) / RISE);
        column_step(&c, share * LOAD);
        if (t < ends[2]) *out_loaded = height(&c);
    }
    *out_unloaded = height(&c);
    print_message("E %g: %.4f m under load, %.4f after; %.1f neighbours inside\n", young,
                  *out_loaded, *out_unloaded, mean_neighbours(&c));
    world_destroy(c.w);
}

static void T39_soft(void** state)
{
    (void)state;
    double under, after;
    check_figure(T39_height_20k, settled(20e3, 4e-3));
    loaded(20e3, 4e-3, &under, &after);
    check_figure(T39_height_20k_loaded, under);
    check_figure(T39_height_20k_unloaded, after);
    check_figure(T39_rebound, after / under - 1);
}

static void T39_stiff(void** state)
{
    (void)state;
    double under, after;
    check_figure(T39_height_140k, settled(140e3, 4e-3));
    loaded(140e3, 4e-3, &under, &after);
    check_figure(T39_height_140k_loaded, under);
    check_figure(T39_height_140k_unloaded, after);
    check_figure(T39_rebound, after / under - 1);
}

int test_sph_compression(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T39_soft), cmocka_unit_test(T39_stiff)};
    return cmocka_run_group_tests_name("sph_compression", tests, NULL, NULL);
}
