// SPDX-License-Identifier: MIT
// Snow of grains as a body: it keeps its angular momentum, falls as one, rests below the angle of
// friction and slides above it. Scenes as a user runs them, with the default laws.
#include <stdlib.h>

#include "solver/grains/as_run.h"

typedef struct body {
    double mass, centre[3], velocity[3];
    double turning[3], spinning[3];  // angular momentum about the centre: of motion, of spins
    double apart;                    // [m/s] largest deviation of a grain's velocity from the mean
    double fastest;                  // [m/s]
    double gained[2];                // [m/s] along x and y in the second half of the run
} body;

static void add_cross(double out[3], double m, const double a[3], const double b[3])
{
    out[0] += m * (a[1] * b[2] - a[2] * b[1]);
    out[1] += m * (a[2] * b[0] - a[0] * b[2]);
    out[2] += m * (a[0] * b[1] - a[1] * b[0]);
}

#define INERTIA 4  // [m r^2] of a grain (theory/grains.md)

static body measure(const firn_sim* sim)
{
    const firn_field_view x = as_run_field(sim, "position"), v = as_run_field(sim, "velocity");
    const firn_field_view m = as_run_field(sim, "mass"), r = as_run_field(sim, "radius");
    const firn_field_view w = as_run_field(sim, "spin");
    body b = {0};
    for (int64_t i = 0; i < x.count; i++) {
        const double mass = as_run_value(&m, i, 0);
        b.mass += mass;
        for (int k = 0; k < 3; k++) b.centre[k] += mass * as_run_value(&x, i, k);
        for (int k = 0; k < 3; k++) b.velocity[k] += mass * as_run_value(&v, i, k);
    }
    for (int k = 0; k < 3; k++) b.centre[k] /= b.mass;
    for (int k = 0; k < 3; k++) b.velocity[k] /= b.mass;
    for (int64_t i = 0; i < x.count; i++) {
        const double mass = as_run_value(&m, i, 0), radius = as_run_value(&r, i, 0);
        double at[3], way[3], speed2 = 0, apart2 = 0;
        for (int k = 0; k < 3; k++) {
            at[k] = as_run_value(&x, i, k) - b.centre[k];
            way[k] = as_run_value(&v, i, k) - b.velocity[k];
            apart2 += way[k] * way[k];
            speed2 += as_run_value(&v, i, k) * as_run_value(&v, i, k);
            b.spinning[k] += INERTIA * mass * radius * radius * as_run_value(&w, i, k);
        }
        add_cross(b.turning, mass, at, way);
        b.apart = fmax(b.apart, sqrt(apart2));
        b.fastest = fmax(b.fastest, sqrt(speed2));
    }
    return b;
}

static double length(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

// A ball in vacuum; what is left after 0.2 s, and how far the sum with spins is off.
static void spin_keeps(const char* spin, double radius, double density, const char* grains)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "firn: 1\nsolver: grains\ntime: {frames: 4, fps: 20}\ngravity: [0, 0, 0]\n%s"
        "materials: {own: {density: %g}}\n"
        "snow: [{shape: {sphere: {center: [0, 1, 0], radius: %g}}, material: own, spin: %s}]\n",
        grains, density, radius, spin);
    firn_sim* sim = as_run_create(text);
    const body before = measure(sim);
    as_run_until(sim, 0.2);
    const body after = measure(sim);
    double lost[3];
    for (int k = 0; k < 3; k++)
        lost[k] = after.turning[k] + after.spinning[k] - before.turning[k] - before.spinning[k];
    print_message("spin %s, ball of %g m: %.6f kg m^2/s, then %.6f\n", spin, radius,
                  length(before.turning), length(after.turning));
    check_figure(T48_kept, length(after.turning) / length(before.turning));
    check_figure(T48_sum, length(lost) / length(before.turning));
    firn_sim_destroy(sim);
}

static void angular_momentum_is_kept(void** state)
{
    (void)state;
    spin_keeps("[0, 6, 0]", 0.3, 400, "grains: {radius: 0.04}\n");
    spin_keeps("[4, -9, 2]", 0.1, 120, "grains: {radius: 0.008}\n");
    // loose grains that rub and roll against each other
    spin_keeps("[0, 0, 6]", 0.3, 250, "grains: {radius: 0.04, solid: false}\n");
}

// A block falls in vacuum: all grains have the velocity g t. Rounding of positions at 20 m is
// 1e-6 m, of a spring's acceleration 1e-6 k/m = 1 m/s^2 over a step of 0.4 ms.
static void a_block_falls_as_one(void** state)
{
    (void)state;
    firn_sim* sim = as_run_create(
        "firn: 1\nsolver: grains\ntime: {frames: 10, fps: 10}\ngrains: {radius: 0.02}\n"
        "materials: {own: {density: 250}}\n"
        "snow: [{shape: {box: {center: [0, 20, 0], size: [0.4, 0.3, 0.3]}}, material: own}]\n");
    as_run_until(sim, 1);
    const body b = measure(sim);
    print_message("after 1 s: %.5f m/s, grains within %.2g m/s\n", b.velocity[1], b.apart);
    check_figure(T54_fall, b.velocity[1] / -9.81);
    check_figure(T54_fall_apart, b.apart);
    firn_sim_destroy(sim);
}

// A block on a slope of `degrees`, turned by gravity; the state after `seconds`.
static body slide(double degrees, double friction, double density, double radius, double seconds)
{
    char text[1000];
    const double a = degrees * 3.14159265358979 / 180;
    snprintf(text, sizeof text,
             "firn: 1\nsolver: grains\ntime: {frames: 100, fps: 20}\ngravity: [%.7g, %.7g, 0]\n"
             "grains: {radius: %g}\nmaterials: {own: {density: %g}}\n"
             "snow: [{shape: {box: {center: [0, 0.1, 0], size: [0.4, 0.2, 0.4]}}, material: own}]\n"
             "colliders: [{shape: {plane: {}}, friction: %g}]\n",
             9.81 * sin(a), -9.81 * cos(a), radius, density, friction);
    firn_sim* sim = as_run_create(text);
    as_run_until(sim, seconds / 2);
    const body half = measure(sim);
    as_run_until(sim, seconds);
    body b = measure(sim);
    for (int k = 0; k < 2; k++) b.gained[k] = b.velocity[k] - half.velocity[k];
    firn_sim_destroy(sim);
    print_message("%g degrees, friction %g, %g kg/m^3, after %g s: %.4f m/s, fastest %.4f m/s\n",
                  degrees, friction, density, seconds, b.velocity[0], b.fastest);
    return b;
}

static void a_block_rests(void** state)
{
    (void)state;
    static const struct {
        double degrees, friction, density, radius;
    } cases[] = {{14, 0.32, 300, 0.02}, {25, 0.6, 150, 0.03}, {8, 0.32, 300, 0.03}};
    for (int k = 0; k < 3; k++) {
        const body b =
            slide(cases[k].degrees, cases[k].friction, cases[k].density, cases[k].radius, 3);
        check_figure(T51_grains, length(b.velocity));
        check_figure(T51_grains_each, b.fastest);
    }
}

// Coulomb's law: a = g (sin - mu cos), and where the block hops, mu of the vertical impulse
// besides. A block that is set down falls by two millimetres until enough grains carry it, and what
// pushes it up before it slides causes no friction: that leaves up to 3 % of v after a second.
static void a_block_slides(void** state)
{
    (void)state;
    static const struct {
        double degrees, friction, density;
    } cases[] = {{38, 0.32, 300}, {44, 0.32, 300}, {30, 0.2, 150}, {50, 0.7, 300}, {25, 0.32, 300}};
    for (int k = 0; k < 5; k++) {
        const double a = cases[k].degrees * 3.14159265358979 / 180, t = 1;
        const body b = slide(cases[k].degrees, cases[k].friction, cases[k].density, 0.02, t);
        const double expected = 9.81 * t * (sin(a) - cases[k].friction * cos(a));
        const double hops = cases[k].friction * b.gained[1];
        check_figure(T54_slide, 2 * (b.gained[0] + hops) / expected);
        if (k < 3) check_figure(T54_slide, b.velocity[0] / expected);
    }
}

int test_grains_solid(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(angular_momentum_is_kept), cmocka_unit_test(a_block_falls_as_one),
        cmocka_unit_test(a_block_rests), cmocka_unit_test(a_block_slides)};
    return cmocka_run_group_tests_name("grains_solid", tests, NULL, NULL);
}
