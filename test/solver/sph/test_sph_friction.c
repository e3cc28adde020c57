// SPDX-License-Identifier: MIT
// T38: friction at bodies. The sums over one and two layers of a lattice of boundary particles, the
// implicit factor, and whole steps on a slope with the boundary particles that bodies really get.
#include "core/memory.h"
#include "solver/sph/support/boundary_contact.h"
#include "solver/sph/world.h"

#define PI 3.14159265358979324

// The floor y = 0 of the world becomes `layers` square lattices of boundary particles, the upper
// one at y = 0, with V_b = 0.8 / sum W.
static void lay_floor(world* w, int layers)
{
    const double h = w->def.spacing;
    enum { HALF = 5, SIDE = 2 * HALF + 1 };
    firn_boundary* b = &w->m->boundary;
    const firn_local count = SIDE * SIDE * layers;
    void* old[] = {b->position, b->velocity, b->volume, b->body, b->normal};
    for (int k = 0; k < 5; k++) firn_free(old[k]);
    b->position = firn_alloc((size_t)count, sizeof *b->position);
    b->velocity = firn_alloc((size_t)count, sizeof *b->velocity);
    b->volume = firn_alloc((size_t)count, sizeof *b->volume);
    b->normal = firn_alloc((size_t)count, sizeof *b->normal);
    b->body = firn_alloc((size_t)count, sizeof *b->body);
    memset(b->array_capacity, 0, sizeof b->array_capacity);
    b->count = count;
    for (firn_local k = 0; k < count; k++)
        b->position[k] =
            firn_v3((firn_real)(h * (k % SIDE - HALF)), (firn_real)(-h * (k / (SIDE * SIDE))),
                    (firn_real)(h * (k / SIDE % SIDE - HALF)));
    for (firn_local k = 0; k < count; k++) b->normal[k] = firn_v3(0, 1, 0);
    // of an endless layer: what the middle one has
    double sum = 0;
    for (firn_local k = 0; k < count; k++) {
        const firn_vec3 d = firn_v3_sub(b->position[k], b->position[SIDE * HALF + HALF]);
        sum += (double)firn_sph_w(firn_v3_length(d), (firn_real)h);
    }
    for (firn_local k = 0; k < count; k++) b->volume[k] = (firn_real)(0.8 / sum);
    assert_int_equal(firn_neighbours_update(&w->m->wall, b->position, count, 2 * w->m->spacing),
                     FIRN_OK);
}

// A particle at height y over such a floor; sums taken.
static world* over_floor(double h, double y, int layers, double viscosity)
{
    world* w = world_create(h);
    w->def.contact = FIRN_SPH_CONTACT_PAPER;  // step 4 has all of friction
    world_add(w, firn_v3(0, (firn_real)y, 0), world_mass(w));
    world_plane(w, firn_v3(0, -99, 0), firn_v3(0, 1, 0), viscosity);  // out of reach
    world_start(w);
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_00_PREPARE, 2e-4);
    assert_int_equal(w->m->contact_count, 0);
    lay_floor(w, layers);
    assert_int_equal(firn_sph_sum_contacts(w->m), FIRN_OK);
    assert_int_equal(w->m->contact_count, 1);
    return w;
}

static void T38_sums(void** state)
{
    (void)state;
    const double h = 0.002;
    world* w = over_floor(h, h, 1, 1);
    check_figure(T38_plane_volume, (double)w->m->boundary.volume[0] / (h * h * h));
    check_figure(T38_drag_at_h, (double)w->m->contact[0].drag * h * h);
    // grad W points to what is below, and nowhere sideways but for roundings of some 20 terms
    assert_less(w->m->contact[0].gradient.y, 0);
    assert_near(w->m->contact[0].gradient.x, 0, 1e-5 * fabs((double)w->m->contact[0].gradient.y));
    world_destroy(w);
    w = over_floor(h, h, 2, 1);
    check_figure(T38_drag_two_layers, (double)w->m->contact[0].drag * h * h);
    world_destroy(w);
    w = over_floor(h, 0.5 * h, 1, 1);
    check_figure(T38_drag_at_half, (double)w->m->contact[0].drag * h * h);
    world_destroy(w);
}

// How much of a velocity is left after step 4.
static double factor(double viscosity, double body_speed)
{
    world* w = over_floor(0.002, 0.002, 1, viscosity);
    for (firn_local b = 0; b < w->m->boundary.count; b++)
        w->m->boundary.velocity[b] = firn_v3((firn_real)body_speed, 0, 0);
    assert_int_equal(firn_sph_sum_contacts(w->m), FIRN_OK);
    w->m->w.v_star[0] = (firn_vec4){1, 0, 0, 0};
    world_stages(w, FIRN_SPH_04_FRICTION, FIRN_SPH_04_FRICTION, 2e-4);
    const double left = (double)w->m->w.v_star[0][0];
    world_destroy(w);
    return left;
}

static void T38_factor(void** state)
{
    (void)state;
    assert_equal(factor(0, 0), 1);
    check_figure(T38_factor_1, factor(1, 0));
    check_figure(T38_factor_10, factor(10, 0));
    // a body that moves pulls towards its own speed: v' = f v + (1 - f) v_b, in float
    const double f = factor(1, 0);
    assert_near(factor(1, 3), f + (1 - f) * 3, 1e-5);
    assert_near(factor(1, 1), 1, 1e-6);
}

#define SLOPE_H 0.02

// A slab of n x layers x n, its lowest layer `above` spacings over a plane of 30 degrees; gravity
// is turned instead of the plane. Boundary particles lie half a spacing inside of bodies.
static world* slope(int n, int layers, double above, double viscosity)
{
    world* w = world_create(SLOPE_H);
    w->scene.gravity[0] = 9.81 * sin(PI / 6);
    w->scene.gravity[1] = -9.81 * cos(PI / 6);
    world_lattice(w, firn_v3(0, (firn_real)(above * SLOPE_H), 0), n, layers, n, SLOPE_H);
    world_plane(w, firn_v3(0, 0, 0), firn_v3(0, 1, 0), viscosity);
    world_start(w);
    return w;
}

static double mean_speed(const world* w)
{
    const world_momentum s = world_momentum_about(w, firn_v3(0, 0, 0));
    return s.linear[0] / s.mass;
}

// A Poisson-disc sample of a plane is rough; forces along the normal do not see it.
static void T38_slide(void** state)
{
    (void)state;
    world* w = slope(8, 3, 0.8, 0);
    while (w->time < 0.0199) world_step(w, 5e-4);
    const double before = mean_speed(w), since = w->time;
    while (w->time < 0.1199) world_step(w, 5e-4);
    check_figure(T38_slide, (mean_speed(w) - before) / (w->time - since));
    world_destroy(w);
}

// nu sum m K v over sum m g sin, with the velocities at the end of the step, which friction sees.
static double held(world* w, double dt)
{
    world_stages(w, FIRN_SPH_00_PREPARE, FIRN_SPH_07_VELOCITY, dt);
    double drag = 0, mass = 0;
    for (firn_local t = 0; t < w->m->contact_count; t++) {
        const firn_sph_contact_sums* contact = &w->m->contact[t];
        drag += (double)(w->m->p.mass[contact->particle] * contact->drag *
                         w->m->p.velocity[contact->particle].x);
    }
    for (firn_local p = 0; p < w->m->p.count; p++) mass += (double)w->m->p.mass[p];
    return drag / (mass * 4.905);
}

// With friction snow comes to creep, and friction carries its weight: layers together creep as many
// times as fast as one, which creeps as T38 says.
static void T38_creep(void** state)
{
    (void)state;
    const double dt = 5e-4;
    world* w = slope(8, 1, 0.5, 1);
    for (int k = 0; k < 200; k++) world_step(w, dt);
    const double single = mean_speed(w), at_h = 4.905 * SLOPE_H * SLOPE_H / 0.57821;
    print_message("creep %.3g m/s; at distance h it would be %.3g\n", single, at_h);
    assert_greater(single, 0.8 * at_h);
    assert_less(single, 1.2 * at_h);
    check_figure(T38_creep, held(w, dt));
    world_destroy(w);
    w = slope(8, 3, 0.5, 1);
    for (int k = 0; k < 400; k++) world_step(w, dt);
    print_message("three layers: %.3g m/s\n", mean_speed(w));
    assert_near(mean_speed(w) / (3 * single), 1, 0.15);  // the layers' lattice deforms a little
    check_figure(T38_creep_slab, held(w, dt));
    world_destroy(w);
}

// More friction, less way: the order of the paper's figure of inclined snowballs.
static void T38_order(void** state)
{
    (void)state;
    double speed[3];
    for (int k = 0; k < 3; k++) {
        world* w = slope(6, 1, 0.5, (const double[]){0, 1, 10}[k]);
        for (int n = 0; n < 100; n++) world_step(w, 5e-4);
        speed[k] = mean_speed(w);
        world_destroy(w);
    }
    print_message("speed after 0.05 s: %.4g, %.4g, %.4g m/s\n", speed[0], speed[1], speed[2]);
    assert_greater(speed[0], 20 * speed[1]);
    assert_greater(speed[1], 5 * speed[2]);
    assert_greater(speed[2], 0);
}

int test_sph_friction(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T38_sums),  cmocka_unit_test(T38_factor), cmocka_unit_test(T38_slide),
        cmocka_unit_test(T38_creep), cmocka_unit_test(T38_order),
    };
    return cmocka_run_group_tests_name("sph_friction", tests, NULL, NULL);
}
