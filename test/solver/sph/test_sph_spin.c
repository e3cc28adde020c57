// SPDX-License-Identifier: MIT
// Crumbs of snow that spin in empty space, by scenes as users write them. Nothing acts on them:
// they keep their angular momentum, their size, and at most the energy that they had.
#include "figure.h"
#include "solver/sph/scene_text.h"

typedef struct crumb {
    double spacing;  // [m]
    int size[3];     // particles along each edge
    double young;    // [Pa]
    double spin[3];  // [rad/s]
} crumb;

static firn_sim* crumb_start(const crumb* c, const char* sph)
{
    char text[700];
    const double h = c->spacing;
    // without hardening a crumb is as stiff as its material says, as a crumb of packed snow is
    snprintf(text, sizeof text,
             "firn: 1\nsolver: sph\ntime: {frames: 20, fps: 200}\ngravity: [0, 0, 0]\n"
             "sph: {spacing: %g%s}\nmaterials: {s: {preset: snow, young: %g, hardening: 0}}\n"
             "snow: [{shape: {box: {center: [0, 0, 0], size: [%.9g, %.9g, %.9g]}}, material: s, "
             "spin: [%g, %g, %g]}]\noutput: {preview: false, film: false}\n",
             h, sph, c->young, (c->size[0] + 0.01) * h, (c->size[1] + 0.01) * h,
             (c->size[2] + 0.01) * h, c->spin[0], c->spin[1], c->spin[2]);
    return start(text);
}

typedef struct motion {
    int64_t count;
    double kinetic;     // [J]
    double angular[3];  // [kg m^2/s]
    double radius;      // of gyration [m]
} motion;

static motion motion_of(const firn_sim* sim)
{
    firn_field_view x, v, m;
    assert_int_equal(firn_sim_field(sim, "position", &x), FIRN_OK);
    assert_int_equal(firn_sim_field(sim, "velocity", &v), FIRN_OK);
    assert_int_equal(firn_sim_field(sim, "mass", &m), FIRN_OK);
    motion out = {.count = x.count};
    double mass = 0, inertia = 0;
    for (int64_t p = 0; p < x.count; p++) {
        const firn_vec3 at = ((const firn_vec3*)x.data)[p], u = ((const firn_vec3*)v.data)[p];
        const double own = (double)((const firn_real*)m.data)[p];
        const double r[3] = {(double)at.x, (double)at.y, (double)at.z};
        const double w[3] = {(double)u.x, (double)u.y, (double)u.z};
        for (int d = 0; d < 3; d++) {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            out.angular[d] += own * (r[e] * w[f] - r[f] * w[e]);
            out.kinetic += 0.5 * own * w[d] * w[d];
            inertia += own * r[d] * r[d];
        }
        mass += own;
    }
    out.radius = sqrt(inertia / mass);
    return out;
}

static double change_of(const double a[3], const double b[3])
{
    double apart = 0, size = 0;
    for (int d = 0; d < 3; d++) {
        apart += (a[d] - b[d]) * (a[d] - b[d]);
        size += b[d] * b[d];
    }
    return sqrt(apart / size);
}

// Eight to hundreds of particles, soft and stiff, a turn in 300 steps to a turn in 30.
static const crumb crumbs[] = {
    {0.006, {2, 2, 2}, 4e5, {0, 0, 20}},      {0.006, {2, 2, 2}, 4e7, {0, 0, 60}},
    {0.006, {2, 2, 2}, 4e5, {0, 0, 200}},     {0.006, {4, 2, 2}, 4e6, {30, 50, 100}},
    {0.006, {4, 4, 2}, 4e6, {-90, 20, 40}},   {0.006, {6, 6, 6}, 4e6, {30, 50, 100}},
    {0.02, {2, 2, 2}, 1.4e5, {25, -40, 10}},  {0.02, {4, 4, 4}, 1.4e6, {10, 60, 10}},
    {0.0015, {2, 4, 2}, 1e6, {300, 0, -500}},
};

static void spin(const char* sph)
{
    for (size_t k = 0; k < sizeof crumbs / sizeof *crumbs; k++) {
        const crumb* c = &crumbs[k];
        firn_sim* sim = crumb_start(c, sph);
        const motion first = motion_of(sim);
        double highest = 0, smallest = 1, largest = 1;
        for (int f = 0; f < 20; f++) {
            run_frames(sim, 1);
            const motion now = motion_of(sim);
            highest = fmax(highest, now.kinetic / first.kinetic - 1);
            smallest = fmin(smallest, now.radius / first.radius);
            largest = fmax(largest, now.radius / first.radius);
        }
        const motion last = motion_of(sim);
        print_message("%d particles: energy %+.2g at most, %.4f at the end; radius %.4f to %.4f\n",
                      (int)last.count, highest, last.kinetic / first.kinetic, smallest, largest);
        assert_int_equal(first.count, c->size[0] * c->size[1] * c->size[2]);
        check_figure(sph_crumb_angular, change_of(last.angular, first.angular));
        check_figure(sph_crumb_energy, highest);
        check_figure(sph_crumb_smallest, smallest);
        check_figure(sph_crumb_largest, largest);
        firn_sim_destroy(sim);
    }
}

static void crumbs_keep_energy(void** state)
{
    (void)state;
    spin("");
}

static void with_one_solve(void** state)
{
    (void)state;
    spin(", elasticity: combined");
}

int test_sph_spin(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(crumbs_keep_energy),
                                       cmocka_unit_test(with_one_solve)};
    return cmocka_run_group_tests_name("sph_spin", tests, NULL, NULL);
}
