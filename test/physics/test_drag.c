// SPDX-License-Identifier: MIT
// Drag: its limits, measured terminal speeds, and how much of it flakes in a heap feel.
#include "math/bspline.h"
#include "physics/drag.h"

#include "firn_test.h"
#include "terminal_speed.h"

#define PI 3.14159265358979323846
#define GRAVITY ((firn_real)9.81)
// Air of 20 degC.
#define AIR_DENSITY ((firn_real)1.204)
#define AIR_VISCOSITY ((firn_real)1.81e-5)

// [m/s]: a ball of this density in air.
static double falls(double diameter, double density)
{
    const double mass = density * PI / 6 * diameter * diameter * diameter;
    return terminal_speed((firn_real)diameter, (firn_real)mass, GRAVITY, AIR_DENSITY,
                          AIR_VISCOSITY);
}

// C_d behind the rate, for air that passes at 1 m/s.
static double coefficient(double Re)
{
    const double d = Re * (double)AIR_VISCOSITY / (double)AIR_DENSITY;
    const double rate = (double)firn_drag_rate(1, (firn_real)d, 1, AIR_DENSITY, AIR_VISCOSITY);
    return rate / (0.5 * (double)AIR_DENSITY * PI / 4 * d * d);
}

// A law of powers in float against double: some ten roundings, amplified by the exponents.
#define ROUNDED 1e-5

static void follows_schiller_and_naumann(void** state)
{
    (void)state;
    for (double Re = 1e-3; Re < 1000; Re *= 1.7) {
        const double wanted = 24 / Re * (1 + 0.15 * pow(Re, 0.687));
        assert_near(coefficient(Re) / wanted, 1, ROUNDED);
    }
    for (double Re = 1001; Re < 2e5; Re *= 1.7) assert_near(coefficient(Re) / 0.44, 1, ROUNDED);
    // the two laws meet: 24/1000 (1 + 0.15 1000^0.687) is 0.4383
    assert_near(coefficient(999.99) / coefficient(1000.01), 1, 0.005);
    // standard drag curve of a sphere (Clift, Grace and Weber 1978, table 5.1): the law's own 5 %
    static const double curve[][2] = {{0.1, 245}, {1, 27.2}, {10, 4.26}, {100, 1.09}, {500, 0.555}};
    for (int k = 0; k < 5; k++) assert_near(coefficient(curve[k][0]) / curve[k][1], 1, 0.05);
}

static void slow_limit_is_stokes(void** state)
{
    (void)state;
    // 10 um: Re = 0.002, where Schiller and Naumann add 0.15 Re^0.687 = 0.2 % to Stokes
    const double d = 1e-5, stokes = 998.2 * 9.81 * d * d / (18 * (double)AIR_VISCOSITY);
    assert_near(falls(d, 998.2) / stokes, 1, 0.003);
    // air at rest relative to the flake: 3 pi eta d / m, no division by 0
    const double rate =
        (double)firn_drag_rate(0, (firn_real)1e-3, (firn_real)1e-6, AIR_DENSITY, AIR_VISCOSITY);
    assert_near(rate / (3 * PI * (double)AIR_VISCOSITY * 1e-3 / 1e-6), 1, ROUNDED);
}

static void fast_limit_is_newton(void** state)
{
    (void)state;
    // a hail stone of 2 cm: Re = 27000, where C_d is constant
    const double d = 0.02, rho = 900;
    const double newton = sqrt(4 * rho * 9.81 * d / (3 * 0.44 * (double)AIR_DENSITY));
    assert_near(falls(d, rho) / newton, 1, ROUNDED);
}

// Gunn and Kinzer (1949), table 2: water drops in still air of 20 degC and 1013 hPa. Larger ones
// are no spheres.
static void drops_fall_as_measured(void** state)
{
    (void)state;
    static const struct {
        double mm, speed, tolerance;
    } drops[] = {{0.2, 0.72, 0.02}, {0.3, 1.17, 0.01}, {0.4, 1.62, 0.01}, {0.5, 2.06, 0.02}};
    for (int k = 0; k < 4; k++) {
        const double v = falls(1e-3 * drops[k].mm, 998.2);
        print_message("%.1f mm: %.3f m/s, measured %.2f\n", drops[k].mm, v, drops[k].speed);
        assert_near(v / drops[k].speed, 1, drops[k].tolerance);
    }
}

// The speed that was found is the one at which drag holds the weight.
static void terminal_speed_is_steady(void** state)
{
    (void)state;
    for (double d = 1e-5; d < 1; d *= 3) {
        const double mass = 100 * PI / 6 * d * d * d, v = falls(d, 100);
        const double rate = (double)firn_drag_rate((firn_real)v, (firn_real)d, (firn_real)mass,
                                                   AIR_DENSITY, AIR_VISCOSITY);
        assert_near(rate * v / 9.81, 1, ROUNDED);
    }
}

static void a_cube_and_its_ball_weigh_the_same(void** state)
{
    (void)state;
    const double d = (double)sphere_diameter((firn_real)0.02);
    assert_near(PI / 6 * d * d * d / 8e-6, 1, 1e-6);  // three times the rounding of d, and spare
}

static void exposure_of_a_lattice(void** state)
{
    (void)state;
    // The fit passes through face and edge; at a corner it is within 1 %.
    assert_equal(firn_drag_exposure(0), 1);
    assert_near(firn_drag_exposure(17), 1.0 / 6, 1e-4);  // a face
    assert_near(firn_drag_exposure(11), 2.0 / 6, 1e-4);  // an edge
    assert_near(firn_drag_exposure(7), 3.0 / 6, 1e-2);   // a corner
    assert_equal(firn_drag_exposure(26), 0);
    assert_equal(firn_drag_exposure(40), 0);
    for (int n = 0; n < 26; n++)
        assert_greater(firn_drag_exposure((firn_real)n), firn_drag_exposure((firn_real)(n + 1)));
}

// What fills the surroundings of a particle `layer` layers below a face, in one dimension: a half
// lattice of two particles a cell, spread and gathered, averaged over its place on the grid. Own:
// the particle's part of it.
static double filled_below(int layer, double* out_own)
{
    const int places = 500;
    double sum = 0, own = 0;
    for (int n = 0; n < places; n++) {
        const double x = (n + 0.5) / places;  // nodes are at whole numbers
        for (int node = -2; node <= 3; node++) {
            const double w = (double)firn_bspline((firn_real)(x - node));
            for (int k = -layer; k < 12; k++)
                sum += 0.5 * w * (double)firn_bspline((firn_real)(x + 0.5 * k - node)) / places;
            own += 0.5 * w * w / places;
        }
    }
    *out_own = own;
    return sum;
}

// On a grid, by the definition; within what the header says, 0.002 and its own rounding.
static void exposure_on_a_grid(void** state)
{
    (void)state;
    double own;
    const double face = filled_below(0, &own), second = filled_below(1, &own);
    const double self = own * own * own;
    assert_near(1 - self, FIRN_DRAG_OTHERS_FULL, 1e-4);
    const double at[] = {face, face * face, face * face * face, second, 1};
    const double expected[] = {1.0 / 6, 2.0 / 6, 3.0 / 6, 0, 0};
    for (int k = 0; k < 5; k++) {
        const double filled = (at[k] - self) / FIRN_DRAG_OTHERS_FULL;
        assert_near(firn_drag_exposure_filled((firn_real)filled), expected[k], 0.0025);
    }
    assert_near(firn_drag_exposure_filled(0), 1, 1e-4);
    assert_equal(firn_drag_exposure_filled(2), 0);
    for (int k = 0; k < 80; k++)
        assert_greater(firn_drag_exposure_filled((firn_real)(0.01 * k)),
                       firn_drag_exposure_filled((firn_real)(0.01 * (k + 1))));
}

int test_drag(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(follows_schiller_and_naumann),
                                       cmocka_unit_test(slow_limit_is_stokes),
                                       cmocka_unit_test(fast_limit_is_newton),
                                       cmocka_unit_test(drops_fall_as_measured),
                                       cmocka_unit_test(terminal_speed_is_steady),
                                       cmocka_unit_test(a_cube_and_its_ball_weigh_the_same),
                                       cmocka_unit_test(exposure_on_a_grid),
                                       cmocka_unit_test(exposure_of_a_lattice)};
    return cmocka_run_group_tests_name("drag", tests, NULL, NULL);
}
