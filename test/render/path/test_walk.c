// SPDX-License-Identifier: MIT
// T31: flights and transmittance through even snow, a ramp, and a random field.
#include "render/path/walk.h"

#include "figure.h"
#include "firn_test.h"
#include "render/path/phase.h"
#include "uniform_snow.h"

static const float white[3] = {1, 1, 1};
static const double sigma = 724;  // [1/m] at 400 kg/m^3

// Mean and standard error of the transmittance along d from p over `far` [cells]; both estimators.
typedef struct passage {
    double flights, ratio, flights_error, ratio_error;
    double depth;  // without random numbers
} passage;

static passage pass(const firn_medium* m, firn_f3 p, firn_f3 d, float far, int n)
{
    double through = 0, sum = 0, square = 0;
    for (int k = 0; k < n; k++) {
        firn_rng r = firn_rng_make(31, (uint64_t)k, 0);
        firn_walk w = {.m = m};
        firn_walk_put(&w, p);
        firn_walk_launch(&w, &r);
        through += firn_walk_fly(&w, d, far, false, &r) != FIRN_FLIGHT_COLLIDED;
        firn_walk_put(&w, p);
        int64_t lookups = 0;
        const double t = (double)firn_walk_transmittance(w, d, far, &r, &lookups);
        sum += t;
        square += t * t;
    }
    const double share = through / n, mean = sum / n;
    firn_walk w = {.m = m};
    firn_walk_put(&w, p);
    return (passage){share, mean, sqrt(fmax(share * (1 - share), 1e-12) / n),
                     sqrt(fmax(square / n - mean * mean, 1e-12) / n),
                     (double)firn_walk_depth(w, d, far, FLT_MAX)};
}

static void check_passage(passage p, double exact)
{
    assert_near(exp(-p.depth), exact, 2e-4 * exact + 1e-6);  // 2e-4: of sums along rays
    if (fabs(p.flights - exact) > 4 * p.flights_error || fabs(p.ratio - exact) > 4 * p.ratio_error)
        fail_msg("exact %g, flights %g +- %g, ratio %g +- %g", exact, p.flights, p.flights_error,
                 p.ratio, p.ratio_error);
}

static void T31_even_snow(void** state)
{
    (void)state;
    firn_medium m = uniform_snow(sigma, 0.004, 3, 3, 3, white, 0.5f);
    const firn_f3 p = {3.3f, 4.7f, 12.1f}, d = {0.48f, 0.6f, 0.64f};
    check_figure(T31_one_millimetre, exp(-sigma * 0.001));
    static const double lengths[] = {0.001, 0.0009574, 0.004, 0.01};
    for (int k = 0; k < 4; k++)
        check_passage(pass(&m, p, d, (float)(lengths[k] / m.voxel), 200000),
                      exp(-sigma * lengths[k]));
    // mean free path, and half density has twice of it
    for (int k = 0; k < 2; k++) {
        double sum = 0;
        const int n = 200000;
        for (int i = 0; i < n; i++) {
            firn_rng r = firn_rng_make(33, (uint64_t)i, 0);
            firn_walk w = {.m = &m};
            firn_walk_put(&w, (firn_f3){12, 12, 12});
            firn_walk_launch(&w, &r);
            assert_int_equal(firn_walk_fly(&w, d, FLT_MAX, false, &r), FIRN_FLIGHT_COLLIDED);
            sum += (double)w.flown * m.voxel;
        }
        const double mean = sum / n * (k == 0 ? 1 : 0.5);
        check_figure(T31_mean_free_path, mean * 1000);
        for (int i = 0; i < FIRN_MEDIUM_NODES; i++) m.nodes[i] *= 0.5f;
    }
    firn_medium_destroy(&m);
}

// Extinction rises linearly from 0 along x: exp(-s x^2 / 2).
static void T31_ramp(void** state)
{
    (void)state;
    firn_medium m = uniform_snow(sigma, 0.002, 1, 1, 1, white, 0.5f);
    for (int k = 0; k < FIRN_MEDIUM_NODES; k++) m.nodes[k] = 0.25f * (float)(k % 9);
    const passage whole = pass(&m, (firn_f3){-3, 4.2f, 4.9f}, (firn_f3){1, 0, 0}, FLT_MAX, 200000);
    check_passage(whole, exp(-0.25 * 32));
    const passage part = pass(&m, (firn_f3){0, 4.2f, 4.9f}, (firn_f3){1, 0, 0}, 3.7f, 200000);
    check_passage(part, exp(-0.25 * 3.7 * 3.7 / 2));
    // backwards, and slantwise: along d the ramp is steeper by d.x
    const passage back = pass(&m, (firn_f3){4, 4, 4}, (firn_f3){-1, 0, 0}, 2, 200000);
    check_passage(back, exp(-0.25 * (16. - 4.) / 2));
    const passage slant = pass(&m, (firn_f3){1, 1, 1}, (firn_f3){0.6f, 0.48f, 0.64f}, 5, 200000);
    check_passage(slant, exp(-0.25 * (5 + 0.6 * 25 / 2)));
    firn_medium_destroy(&m);
}

// The field at a point by itself: for integrals along rays.
static double field_at(const firn_medium* m, const double x[3])
{
    firn_walk w = {.m = m};
    firn_walk_put(&w, (firn_f3){(float)x[0], (float)x[1], (float)x[2]});
    return w.block < 0 ? 0 : (double)firn_walk_extinction(&w);
}

// Random nodes, some blocks air: transmittance along any ray against a fine sum.
static void any_field(void** state)
{
    (void)state;
    firn_medium m = uniform_snow(sigma, 0.01, 3, 2, 3, white, 0.5f);
    for (int k = 0; k < FIRN_MEDIUM_NODES; k++)
        m.nodes[k] = (float)(0.2 * firn_random_unit(7, (uint64_t)k));
    for (int k = 0; k < 18; k += 3) m.table[k] = -1;
    for (int k = 0; k < 40; k++) {
        firn_rng r = firn_rng_make(34, (uint64_t)k, 0);
        float pdf;
        const firn_f3 d = firn_phase_sample(0, (firn_f3){0, 0, 1}, &r, &pdf);
        const firn_f3 p = {-4 + 32 * firn_rng_unit(&r), -4 + 24 * firn_rng_unit(&r),
                           -4 + 32 * firn_rng_unit(&r)};
        const double far = 40 * (double)firn_rng_unit(&r);
        double depth = 0;
        const int steps = 20000;
        for (int i = 0; i < steps; i++) {
            const double t = (i + 0.5) * far / steps;
            depth += field_at(&m, (double[3]){(double)p.x + t * (double)d.x,
                                              (double)p.y + t * (double)d.y,
                                              (double)p.z + t * (double)d.z});
        }
        check_passage(pass(&m, p, d, (float)far, 20000), exp(-depth * far / steps));
    }
    firn_medium_destroy(&m);
}

// Along axes, on faces and edges of cells, from far away: never stuck, never lost.
static void awkward_rays(void** state)
{
    (void)state;
    firn_medium m = uniform_snow(50, 0.01, 2, 2, 2, white, 0.5f);
    static const firn_f3 from[] = {{0, 0, 0},     {8, 8, 8},    {16, 16, 16}, {-1e5f, 8, 8},
                                   {4, 1e7f, 4},  {8, 8, -40},  {16, 3, 3},   {0, 16, 0},
                                   {1e30f, 0, 0}, {3.5f, 8, 16}};
    static const firn_f3 to[] = {
        {1, 0, 0},        {0, -1, 0},      {0, 0, 1}, {-1, 0, 0},
        {0.6f, -0.8f, 0}, {0, 0.8f, 0.6f}, {0, 1, 0}, {0.57735027f, 0.57735027f, 0.57735027f}};
    for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        for (size_t j = 0; j < sizeof to / sizeof *to; j++)
            for (uint64_t k = 0; k < 50; k++) {
                firn_rng r = firn_rng_make(35, i * 100 + j, k);
                firn_walk w = {.m = &m};
                firn_walk_put(&w, from[i]);
                firn_walk_launch(&w, &r);
                const firn_flight f = firn_walk_fly(&w, to[j], FLT_MAX, false, &r);
                assert_either(f, FIRN_FLIGHT_COLLIDED, FIRN_FLIGHT_OUT);
                if (f == FIRN_FLIGHT_OUT) continue;
                assert_greater(w.p.x, -1e-3f);
                assert_less(w.p.x, 16.001f);
                assert_greater(w.p.y, -1e-3f);
                assert_less(w.p.y, 16.001f);
            }
    firn_medium none = {.voxel = 1};
    firn_walk w = {.m = &none};
    firn_rng r = firn_rng_make(1, 1, 1);
    firn_walk_put(&w, (firn_f3){0, 0, 0});
    firn_walk_launch(&w, &r);
    assert_int_equal(firn_walk_fly(&w, to[0], FLT_MAX, true, &r), FIRN_FLIGHT_OUT);
    firn_medium_destroy(&m);
}

// Guarded blocks are announced before anything in them happens.
static void guards_stop_flights(void** state)
{
    (void)state;
    firn_medium m = uniform_snow(1e-3, 0.01, 3, 1, 1, white, 0.5f);
    firn_rng r = firn_rng_make(36, 0, 0);
    firn_walk w = {.m = &m};
    firn_walk_put(&w, (firn_f3){1, 4, 4});
    assert_false(firn_walk_near_surface(&w));
    m.table[1] = -1;  // air is guarded too: bodies may stand in it
    firn_walk_launch(&w, &r);
    assert_int_equal(firn_walk_fly(&w, (firn_f3){1, 0, 0}, FLT_MAX, true, &r),
                     FIRN_FLIGHT_NEAR_SURFACE);
    assert_equal(w.p.x, 8);
    assert_equal(w.flown, 7);
    firn_medium_destroy(&m);
}

int test_walk(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T31_even_snow), cmocka_unit_test(T31_ramp),
                                       cmocka_unit_test(any_field), cmocka_unit_test(awkward_rays),
                                       cmocka_unit_test(guards_stop_flights)};
    return cmocka_run_group_tests_name("walk", tests, NULL, NULL);
}
