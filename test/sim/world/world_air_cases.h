// SPDX-License-Identifier: MIT
// Cases of test_world_air.c and test_world_air_cuda.c.
#pragma once
#include "world_fixture.h"

// Free fall as solvers integrate it: v += dt g, x += dt v.
typedef struct fall {
    double x[3], v[3];
} fall;

static void step_both(firn_sim* sim, fall* expected, const double g[3], int steps)
{
    for (int k = 0; k < steps; k++) {
        const double before = firn_sim_read(sim).time;
        WORLD_MUST(sim, firn_sim_step(sim));
        const double dt = firn_sim_read(sim).time - before;
        for (int d = 0; d < 3; d++) {
            expected->v[d] += dt * g[d];
            expected->x[d] += dt * expected->v[d];
        }
    }
}

// Rounding of some 20 steps of at most 1 m/s and 0.3 m, in each of the sums.
#define FALL_ERROR (200 * (double)FIRN_REAL_EPSILON)

// The centre of mass of snow that touches nothing follows the gravity of each moment.
static void parabola(void** state)
{
    (void)state;
    int count;
    const char* const* solvers = world_solvers(&count);
    const firn_real gravities[3][3] = {
        {0, (firn_real)-9.81, 0}, {(firn_real)1.5, (firn_real)-1.62, 3}, {0, (firn_real)24.8, 0}};
    for (int s = 0; s < count; s++) {
        firn_sim* sim = world_start(solvers[s], "");
        fall expected = {0};
        world_mean(sim, "position", expected.x);
        for (int k = 0; k < 3; k++) {
            const firn_vec3 g = firn_v3(gravities[k][0], gravities[k][1], gravities[k][2]);
            if (k > 0) WORLD_MUST(sim, firn_sim_set_gravity(sim, g));
            const firn_vec3 now = firn_sim_gravity(sim);
            assert_memory_equal(&now, &g, sizeof g);
            step_both(sim, &expected, (double[3]){(double)g.x, (double)g.y, (double)g.z}, 7);
            double x[3], v[3];
            world_mean(sim, "position", x);
            world_mean(sim, "velocity", v);
            for (int d = 0; d < 3; d++) {
                assert_near(v[d], expected.v[d], FALL_ERROR);
                assert_near(x[d], expected.x[d], FALL_ERROR);
            }
        }
        firn_sim_destroy(sim);
    }
}

// Set before the first step, it is the scene's.
static void as_the_scene(void** state)
{
    (void)state;
    int count;
    const char* const* solvers = world_solvers(&count);
    static const char floor[] =
        "colliders:\n  - shape: {plane: {point: [0, -0.01, 0], normal: [0, 1, 0]}}\n";
    for (int s = 0; s < count; s++) {
        char text[200];
        snprintf(text, sizeof text, "gravity: [0.5, -2, 0]\n%s", floor);
        firn_sim *a = world_start(solvers[s], text), *b = world_start(solvers[s], floor);
        firn_sim* c = world_start(solvers[s], floor);
        WORLD_MUST(b, firn_sim_set_gravity(b, firn_v3((firn_real)0.5, -2, 0)));
        world_frames(a, 3);
        world_frames(b, 3);
        world_frames(c, 3);
        assert_equal(firn_sim_hash(a), firn_sim_hash(b));
        assert_not_equal(firn_sim_hash(a), firn_sim_hash(c));
        firn_sim_destroy(a);
        firn_sim_destroy(b);
        firn_sim_destroy(c);
    }
}

static void refuses_gravity(void** state)
{
    (void)state;
    firn_sim* sim = world_start("mpm", "");
    const firn_real bad[] = {(firn_real)NAN, (firn_real)INFINITY, (firn_real)1.1e4};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(firn_sim_set_gravity(sim, firn_v3(0, bad[k], 0)), FIRN_REFUSED_ARGUMENT);
        assert_contains(firn_sim_error(sim), "out of range");
    }
    assert_near(firn_sim_gravity(sim).y, -9.81, 1e-6);
    assert_int_equal(firn_sim_set_gravity(NULL, firn_v3(0, 0, 0)), FIRN_REFUSED_ARGUMENT);
    assert_equal(firn_sim_gravity(NULL).y, 0);
    firn_sim_destroy(sim);
    sim = world_start("grains", "");
    assert_int_equal(firn_sim_set_wind(sim, firn_v3(1, 0, 0)), FIRN_REFUSED_NAME);
    assert_contains(firn_sim_error(sim), "solver 'grains' has no wind: use mpm or sph");
    firn_sim_destroy(sim);
}

// Snowfall far above the block; the flakes fall at about 1 m/s.
static const char snowfall[] =
    "emitters:\n  - shape: {box: {center: [0, 20, 0], size: [4, 0.2, 4]}}\n"
    "    rate: 2000\n    stop: 0.01\n";

// A scene without air gets it, as `air: {velocity: ...}` would.
static void air_that_was_not_there(void** state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const char* solver = k == 0 ? "sph" : "mpm";
        char text[500];
        snprintf(text, sizeof text, "%sair: {velocity: [3, 0, 1]}\n", snowfall);
        firn_sim *a = world_start(solver, text), *b = world_start(solver, snowfall);
        WORLD_MUST(b, firn_sim_set_wind(b, firn_v3(3, 0, 1)));
        world_frames(a, 3);
        world_frames(b, 3);
        assert_equal(firn_sim_hash(a), firn_sim_hash(b));
        assert_int_equal(firn_sim_set_wind(b, firn_v3((firn_real)NAN, 0, 0)),
                         FIRN_REFUSED_ARGUMENT);
        assert_int_equal(firn_sim_set_wind(NULL, firn_v3(0, 0, 0)), FIRN_REFUSED_ARGUMENT);
        assert_equal(firn_sim_wind(b).x, 3);
        firn_sim_destroy(a);
        firn_sim_destroy(b);
    }
}
