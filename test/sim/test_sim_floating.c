// SPDX-License-Identifier: MIT
// T74: what floats on water and what rises in it, in sph.
#include "collider_at.h"
#include "figure.h"
#include "pushed_fixture.h"

#define G 9.81
#define H 0.02

static const pushed_mode sph = {"sph", "sph: {spacing: 0.02}\n", NULL, NULL};
// Water at rest moves by what the solves leave open: this much less shows accelerations.
static const pushed_mode exact = {
    "sph", "sph: {spacing: 0.02, density_error: 1e-5, pressure_iterations: 1000}\n", NULL, NULL};

// A basin `wide` across, around the origin, with a floor at 0. Returns the length of the text.
static int basin(char* out, size_t size, double wide)
{
    return snprintf(out, size,
                    "gravity: [0, -9.81, 0]\n"
                    "materials: {water: {phase: water}, plate: {density: 100, young: 1e6}}\n"
                    "colliders:\n"
                    "  - shape: {plane: {point: [0, 0, 0], normal: [0, 1, 0]}}\n"
                    "  - shape: {plane: {point: [%g, 0, 0], normal: [1, 0, 0]}}\n"
                    "  - shape: {plane: {point: [%g, 0, 0], normal: [-1, 0, 0]}}\n"
                    "  - shape: {plane: {point: [0, 0, %g], normal: [0, 0, 1]}}\n"
                    "  - shape: {plane: {point: [0, 0, %g], normal: [0, 0, -1]}}\n",
                    -0.5 * wide, 0.5 * wide, -0.5 * wide, 0.5 * wide);
}

#define CLEAR (2.5 * H)  // of walls: two layers have their part of the sums

// The level of the water is where a straight line through its pressures vanishes, over all times
// and all particles that neither walls, nor the surface, nor what floats in the middle are near.
typedef struct gauge {
    double wide, middle;  // [m] of the basin, half of what floats
    double n, sy, sp, syy, syp;
} gauge;

static void gauge_read(gauge* g, const firn_sim* sim)
{
    int64_t count = 0;
    const firn_vec3* x = pushed_field(sim, "position", &count);
    const firn_real* pressure = pushed_field(sim, "pressure", &count);
    const uint8_t* material = pushed_field(sim, "material", &count);
    double top = 0;
    for (int64_t i = 0; i < count; i++)
        if (material[i] == 0 && (double)x[i].y > top) top = (double)x[i].y;
    for (int64_t i = 0; i < count; i++) {
        const double off = fmax(fabs((double)x[i].x), fabs((double)x[i].z));
        const double y = (double)x[i].y, p = (double)pressure[i];
        if (material[i] != 0 || off < g->middle + 2 * H || off > 0.5 * g->wide - CLEAR) continue;
        if (y < CLEAR || y > top - 1.5 * H) continue;
        g->n++;
        g->sy += y;
        g->sp += p;
        g->syy += y * y;
        g->syp += y * p;
    }
}

static double gauge_level(const gauge* g)
{
    const double slope = (g->n * g->syp - g->sy * g->sp) / (g->n * g->syy - g->sy * g->sy);
    return g->sy / g->n - g->sp / (g->n * slope);
}

// A cube of half the density of water, 10 spacings wide, falls in. (Its inertia keeps it upright,
// which a real one of this density is not.)
static void T74_archimedes(void** state)
{
    (void)state;
    const double wide = 22 * H, edge = 10 * H, deep = 14 * H;
    char scene[3000];
    const int used = basin(scene, sizeof scene, wide);
    snprintf(scene + used, sizeof scene - (size_t)used,
             "  - {shape: {box: {size: [%g, %g, %g]}}, position: [0, %g, 0], density: 500,\n"
             "     inertia: [1e3, 1e3, 1e3]}\n"
             "snow:\n"
             "  - {material: water, shape: {box: {center: [0, %g, 0], size: [%g, %g, %g]}}}\n",
             edge, edge, edge, deep + 0.5 * edge + 0.1 * H, 0.5 * deep, wide, deep, wide);
    firn_sim* sim = pushed_start(&sph, scene, 2);
    gauge water = {.wide = wide, .middle = 0.5 * edge};
    double bottom = 0;
    int steps = 0;
    while (firn_sim_read(sim).time < 5) {
        pushed_step(sim);
        if (firn_sim_read(sim).time < 2) continue;
        gauge_read(&water, sim);
        bottom += (double)pushed_body(sim, 0)->position.y - 0.5 * edge;
        steps++;
    }
    print_message("level %.3f, bottom %.3f spacings\n", gauge_level(&water) / H,
                  bottom / steps / H);
    check_figure(T74_archimedes, (gauge_level(&water) - bottom / steps) / edge);
    firn_sim_destroy(sim);
}

#define RELEASES 8
#define STEPS 10  // 20 ms: it moves by a tenth of a spacing

// A sphere of 250 kg/m^3 is held in water and released. (1000 - 250) / (250 + 1000 / 2) = 1; in
// this basin, whose walls are 3.25 radii away, 0.94 (added mass of a sphere inside another one).
static void T74_added_mass(void** state)
{
    (void)state;
    const double wide = 26 * H, radius = 4 * H;
    char scene[3000];
    const int used = basin(scene, sizeof scene, wide);
    snprintf(scene + used, sizeof scene - (size_t)used,
             "  - {shape: {sphere: {radius: %g}}, position: [0, %g, 0], density: 250}\n"
             "snow:\n"
             "  - material: water\n"
             "    shape:\n"
             "      difference:\n"
             "        - box: {center: [0, %g, 0], size: [%g, %g, %g]}\n"
             "        - sphere: {center: [0, %g, 0], radius: %g}\n",
             radius, 0.5 * wide, 0.5 * wide, wide, wide, wide, 0.5 * wide, radius);
    firn_sim* sim = pushed_start(&exact, scene, 2);
    const firn_collider_id ball = collider_at(sim, 5);
    firn_body_info rest;
    assert_int_equal(firn_sim_body(sim, ball, &rest), FIRN_OK);
    double mean = 0;
    for (int k = 0; k < RELEASES; k++) {
        assert_int_equal(firn_sim_body_move(sim, ball, &rest.pose), FIRN_OK);
        while (firn_sim_read(sim).time < 0.5 + 0.1 * k) pushed_step(sim);
        assert_int_equal(firn_sim_body_release(sim, ball), FIRN_OK);
        const double start = firn_sim_read(sim).time;
        for (int n = 0; n < STEPS; n++) pushed_step(sim);
        const double a =
            (double)pushed_body(sim, 0)->velocity.y / (firn_sim_read(sim).time - start) / G;
        print_message("released at %.1f s: %.4f g\n", start, a);
        mean += a / RELEASES;
    }
    check_figure(T74_added_mass, mean);
    firn_sim_destroy(sim);
}

// Bottom of the snow [m]: n layers have the variance h^2 (n^2 - 1) / 12.
static double bottom_of_snow(const firn_sim* sim)
{
    int64_t n = 0;
    const firn_vec3* x = pushed_field(sim, "position", &n);
    const uint8_t* material = pushed_field(sim, "material", &n);
    double count = 0, sum = 0, squares = 0;
    for (int64_t p = 0; p < n; p++) {
        if (material[p] != 1) continue;
        count++;
        sum += (double)x[p].y;
        squares += (double)x[p].y * (double)x[p].y;
    }
    const double middle = sum / count;
    return middle - 0.5 * sqrt(12 * (squares / count - middle * middle) + H * H);
}

// A plate of snow of 100 kg/m^3, 10 spacings thick, lies on the water.
static void T74_plate(void** state)
{
    (void)state;
    const double wide = 22 * H, deep = 12 * H, edge = 10 * H, thick = 10 * H;
    char scene[3000];
    const int used = basin(scene, sizeof scene, wide);
    snprintf(scene + used, sizeof scene - (size_t)used,
             "snow:\n"
             "  - {material: water, shape: {box: {center: [0, %g, 0], size: [%g, %g, %g]}}}\n"
             "  - {material: plate, shape: {box: {center: [0, %g, 0], size: [%g, %g, %g]}}}\n",
             0.5 * deep, wide, deep, wide, deep + 0.5 * thick, edge, thick, edge);
    firn_sim* sim = pushed_start(&sph, scene, 2);
    gauge water = {.wide = wide, .middle = 0.5 * edge};
    double bottom = 0;
    int steps = 0;
    while (firn_sim_read(sim).time < 2.5) {
        pushed_step(sim);
        if (firn_sim_read(sim).time < 1) continue;
        gauge_read(&water, sim);
        bottom += bottom_of_snow(sim);
        steps++;
    }
    print_message("level %.3f, bottom %.3f spacings\n", gauge_level(&water) / H,
                  bottom / steps / H);
    check_figure(T74_plate, (gauge_level(&water) - bottom / steps) / thick);
    firn_sim_destroy(sim);
}

int test_sim_floating(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(T74_archimedes),
        cmocka_unit_test(T74_added_mass),
        cmocka_unit_test(T74_plate),
    };
    return cmocka_run_group_tests_name("sim_floating", tests, NULL, NULL);
}
