// SPDX-License-Identifier: MIT
// A plate slides on snow that holds fast to a slope. It rests where the angle of friction is above
// the slope, and else slides with g (sin - mu cos). Gravity is tilted, not the ground.
//
// The plate reaches beyond the snow. A block does not: nodes of the grid inside a collider must not
// take snow below an edge for snow before it (theory/forces.md, "Edges").
#include "figure.h"
#include "pushed_fixture.h"

#define DEGREE 0.017453292519943295
#define GRAVITY 9.81
#define BEGIN 0.1  // [s] the plate has settled
#define END 0.4    // [s]

static const pushed_mode modes[] = {
    {"mpm", "mpm: {cell: 0.04}\n", NULL, NULL},
    {"mpm", "mpm: {cell: 0.04, integrator: explicit}\n", NULL, NULL},
    {"mpm", "mpm: {cell: 0.027}\n", NULL, NULL},
};
static const pushed_mode grains = {"grains", "grains: {radius: 0.012}\n", NULL, NULL};
static const pushed_mode sph[] = {
    {"sph", "sph: {spacing: 0.04, contact: coulomb}\n", NULL, NULL},
    {"sph", "sph: {spacing: 0.03, contact: coulomb}\n", NULL, NULL},
    {"sph", "sph: {spacing: 0.02, contact: coulomb}\n", NULL, NULL},
};

// [m/s^2] Mean accelerations of the plate, down the slope and away from it.
typedef struct slide_result {
    double down, up;
} slide_result;

// `body`: size and height of the centre.
static slide_result slide_of(const pushed_mode* m, const char* body, double degrees, double mu)
{
    char scene[1200];
    snprintf(scene, sizeof scene,
             "gravity: [%.9g, %.9g, 0]\n"
             "materials:\n"
             "  firm: {preset: snow, young: 1.0e6, critical_compression: 0.2,"
             " critical_stretch: 0.2}\n"
             "snow:\n"
             "  - {shape: {box: {center: [0, 0.08, 0], size: [0.8, 0.16, 0.48]}},"
             " material: firm}\n"
             "colliders:\n"
             "  - {shape: {plane: {}}, sticky: true}\n"
             "  - {%s, mass: 10, friction: %.9g}\n",
             GRAVITY * sin(degrees * DEGREE), -GRAVITY * cos(degrees * DEGREE), body, mu);
    firn_sim* sim = pushed_start(m, scene, 2);
    firn_vec3 begin = firn_v3(0, 0, 0), end = begin;
    double from = 0;
    while (sim->time < END) {
        pushed_step(sim);
        end = pushed_body(sim, 0)->velocity;
        if (sim->time > BEGIN) continue;
        begin = end;
        from = sim->time;
    }
    const double time = sim->time - from;
    firn_sim_destroy(sim);
    return (slide_result){(double)(end.x - begin.x) / time, (double)(end.y - begin.y) / time};
}

static slide_result slide(const pushed_mode* m, double degrees, double mu)
{
    return slide_of(m, "shape: {box: {size: [1.6, 0.24, 0.96]}}, position: [-0.1, 0.283, 0]",
                    degrees, mu);
}

// Of a plate that the snow also lifts with `up`: on grains it still hops a little.
static double expected(double degrees, double mu, double up)
{
    return GRAVITY * sin(degrees * DEGREE) - mu * (GRAVITY * cos(degrees * DEGREE) + up);
}

// Relative to expected.
static double worst_slide(const pushed_mode* m)
{
    static const double cases[][2] = {{20, 0.2}, {30, 0.3}, {20, 0}};
    double worst = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const slide_result r = slide(m, cases[k][0], cases[k][1]);
        const double a = r.down, e = expected(cases[k][0], cases[k][1], r.up);
        print_message("%s%g degrees, friction %g: %.4f m/s^2, expected %.4f\n", m->keys,
                      cases[k][0], cases[k][1], a, e);
        worst = fmax(worst, fabs(a / e - 1));
    }
    return worst;
}

// The tolerance that was asked for, chosen before.
static void slides(void** state)
{
    (void)state;
    double worst = 0;
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
        worst = fmax(worst, worst_slide(&modes[k]));
    check_figure(T59_slide, worst);
    check_figure(T59_slide_grains, worst_slide(&grains));
    worst = 0;
    for (size_t k = 0; k < sizeof sph / sizeof *sph; k++) worst = fmax(worst, worst_slide(&sph[k]));
    check_figure(T59_slide_sph, worst);
}

// Two blocks with all their edges on the snow, on the cells of the plate.
static const char* const blocks[] = {
    "shape: {box: {size: [0.32, 0.12, 0.24]}}, position: [-0.16, 0.223, 0]",
    "shape: {box: {size: [0.32, 0.05, 0.24]}}, position: [-0.16, 0.188, 0]"};

// Acceleration of block k, relative to expected.
static double slide_with_edges(const pushed_mode* m, size_t k, double mu)
{
    const slide_result r = slide_of(m, blocks[k], 20, mu);
    const double e = expected(20, mu, r.up);
    print_message("%s%s, friction %g: %.4f m/s^2, expected %.4f\n", m->keys, blocks[k], mu, r.down,
                  e);
    return r.down / e;
}

static double worst_slide_with_edges(double mu)
{
    double worst = 0;
    for (size_t k = 0; k < 6; k++)
        worst = fmax(worst, fabs(slide_with_edges(&modes[k / 2], k % 2, mu) - 1));
    return worst;
}

static void slides_with_edges(void** state)
{
    (void)state;
    check_figure(T59_slide_edges, worst_slide_with_edges(0));
    check_figure(T59_slide_edges_friction, worst_slide_with_edges(0.2));
}

// A known limit of sph (theory/forces.md, "Edges"): blocks plough. Snow may brake them, so what it
// takes is bounded, and it must never drive them.
static void ploughs(void** state)
{
    (void)state;
    double slowest = INFINITY, fastest = 0;
    for (size_t m = 1; m < sizeof sph / sizeof *sph; m++)
        for (size_t k = 0; k < 2; k++) {
            const double free = slide_with_edges(&sph[m], k, 0);
            slowest = fmin(slowest, free);
            fastest = fmax(fastest, fmax(free, slide_with_edges(&sph[m], k, 0.2)));
        }
    check_figure(T59_plough_sph, 1 - slowest);
    check_figure(T59_plough_sph_fastest, fastest);
}

// Half a degree above the angle of friction it slides, half a degree below it rests: half of the
// acceleration above decides.
static void check_slip(const pushed_mode* m)
{
    const slide_result below = slide(m, 20, tan(20.5 * DEGREE));
    const slide_result above = slide(m, 20, tan(19.5 * DEGREE));
    const double low = 0.5 * expected(20, tan(19.5 * DEGREE), below.up);
    const double high = 0.5 * expected(20, tan(19.5 * DEGREE), above.up);
    print_message("%s20 degrees: %.4f and %.4f m/s^2, limits %.4f and %.4f\n", m->keys, below.down,
                  above.down, low, high);
    assert_true(below.down < low);
    assert_true(above.down > high);
}

static void slips_at_the_angle_of_friction(void** state)
{
    (void)state;
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) check_slip(&modes[k]);
    for (size_t k = 0; k < sizeof sph / sizeof *sph; k++) check_slip(&sph[k]);
}

int test_sim_pushed_slide(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slides), cmocka_unit_test(slides_with_edges), cmocka_unit_test(ploughs),
        cmocka_unit_test(slips_at_the_angle_of_friction)};
    return cmocka_run_group_tests_name("sim_pushed_slide", tests, NULL, NULL);
}
