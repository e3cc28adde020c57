// SPDX-License-Identifier: MIT
// Laws of powder: how much breaking snow sheds, and how a grain flies.
#include "physics/powder.h"

#include "firn_test.h"
#include "seed.h"

static const firn_powder_law law = {.rate = 10,
                                    .speed = 2,
                                    .points = 10,
                                    .amount = 0.1,
                                    .size = 2e-4,
                                    .life = 2,
                                    .spread = 0.3,
                                    .seed = 7};

static void fast_breaking_sheds(void** state)
{
    (void)state;
    const double e = 2.718281828459045;
    // ln J_P grows by 0.1 in 2 ms: 50 a second, far above the threshold
    assert_near(firn_powder_broken(&law, 1, 1.1051709180756477, 2e-3, 9, 1), 0.1, 1e-12);
    assert_near(firn_powder_broken(&law, 0.5, 0.5 * 1.1051709180756477, 2e-3, 9, 1), 0.1, 1e-12);
    assert_near(firn_powder_broken(&law, 1, e * e, 2e-3, 9, 1), 1, 1e-12);  // all of it, not more
    // half between the thresholds and twice these
    assert_near(firn_powder_broken(&law, 1, 1.1051709180756477, 0.1 / 15, 9, 1), 0.05, 1e-12);
    assert_near(firn_powder_broken(&law, 1, 1.1051709180756477, 2e-3, 3, 1), 0.05, 1e-12);
    // slow, or at rest in the air
    assert_equal(firn_powder_broken(&law, 1, 1.1, 0.02, 9, 1), 0);
    // crushed snow sheds as broken snow, the inside of snow nothing, a flat face all
    assert_near(firn_powder_broken(&law, 1.1051709180756477, 1, 2e-3, 9, 1), 0.1, 1e-12);
    assert_equal(firn_powder_broken(&law, 1, 1.1, 2e-3, 9, 0), 0);
    assert_near(firn_powder_broken(&law, 1, 1.1051709180756477, 2e-3, 9, 1.0 / 6), 0.1, 1e-12);
    assert_near(firn_powder_broken(&law, 1, 1.1051709180756477, 2e-3, 9, 1.0 / 12), 0.05, 1e-12);
    assert_equal(firn_powder_broken(&law, 1, 1.1, 2e-3, 2, 1), 0);
    assert_equal(firn_powder_broken(&law, 1, 1.1, 0, 9, 1), 0);
    firn_powder_law any = law;
    any.rate = any.speed = 0;
    assert_near(firn_powder_broken(&any, 1, 1.1051709180756477, 3, 0, 1), 0.1, 1e-12);
}

// The points of each of many particles are points * broken on average: the random offset has a
// standard deviation of at most 1/2 a point, so that 3 sigma of 20000 particles are 0.011.
static void numbers_add_up(void** state)
{
    (void)state;
    for (int k = 1; k <= 3; k++) {
        const double broken = 0.137 * k;
        int64_t sum = 0;
        for (uint32_t id = 0; id < 20000; id++) {
            const int64_t at_once = firn_powder_number(&law, id, broken);
            int64_t in_parts = 0, before = firn_powder_number(&law, id, 0);
            assert_equal(before, 0);
            for (int part = 1; part <= 8; part++) {
                const int64_t now = firn_powder_number(&law, id, broken * part / 8);
                assert_true(now >= before);
                in_parts += now - before;
                before = now;
            }
            assert_equal(in_parts, at_once);
            sum += at_once;
        }
        assert_near((double)sum / 20000, law.points * broken, 0.011);
    }
    assert_near(firn_powder_mass(&law, 3e-4) * law.points, law.amount * 3e-4, 1e-18);
}

// One flight of T is the same as many of T/n, which a wrong closed form would not be; rounding of
// n additions of positions up to 10 m in single precision is below n 1e-6.
static void flights_compose(void** state)
{
    (void)state;
    any_source r = any_start(3);
    for (int k = 0; k < 200; k++) {
        const firn_vec3 w = {(firn_real)any_between(&r, -5, 5), 1, (firn_real)-2};
        const firn_vec3 g = {0, (firn_real)-9.81, (firn_real)any_between(&r, -1, 1)};
        const double rate = k == 0 ? 0 : pow(10, any_between(&r, -5, 3)), T = 0.2;
        firn_vec3 x = {0, 1, 2}, v = {3, (firn_real)any_between(&r, -9, 9), 0}, y = x, u = v;
        firn_powder_fly(&x, &v, w, g, rate, T);
        for (int n = 0; n < 16; n++) firn_powder_fly(&y, &u, w, g, rate, T / 16);
        assert_near(firn_v3_length(firn_v3_sub(x, y)), 0, 3e-5);
        assert_near(firn_v3_length(firn_v3_sub(v, u)), 0, 3e-5);
    }
    // without drag: a parabola
    firn_vec3 x = {0, 0, 0}, v = {1, 2, 0};
    firn_powder_fly(&x, &v, (firn_vec3){9, 9, 9}, (firn_vec3){0, -10, 0}, 0, 0.5);
    assert_near((double)x.x, 0.5, 1e-6);
    assert_near((double)x.y, 1 - 1.25, 1e-6);
    assert_near((double)v.y, -3, 1e-6);
}

// A grain in still air reaches the speed at which Schiller and Naumann's drag carries its weight,
// found here by halving intervals; with steps far longer than its relaxation time, too.
static void terminal_speed(void** state)
{
    (void)state;
    const double rho = 1.3, eta = 1.7e-5, g = 9.81;
    const double sizes[] = {5e-5, 2e-4, 1e-3}, steps[] = {1e-4, 5e-3, 4e-2};
    for (int s = 0; s < 3; s++)
        for (int k = 0; k < 3; k++) {
            const double d = sizes[s],
                         weight = FIRN_POWDER_ICE * 3.14159265358979 / 6 * d * d * d * g;
            double low = 0, high = 20;
            for (int n = 0; n < 80; n++) {
                const double v = 0.5 * (low + high), Re = rho * v * d / eta;
                const double C = 24 / Re * (1 + 0.15 * pow(Re, 0.687));
                *(C * rho / 2 * v * v * 3.14159265358979 / 4 * d * d < weight ? &low : &high) = v;
            }
            firn_powder_law own = law;
            own.size = d;
            firn_vec3 x = {0, 0, 0}, v = {0, 0, 0};
            for (double t = 0; t < 4; t += steps[k]) {
                const firn_real rate =
                    firn_powder_drag(&own, firn_v3_length(v), (firn_real)rho, (firn_real)eta);
                firn_powder_fly(&x, &v, (firn_vec3){0, 0, 0}, (firn_vec3){0, (firn_real)-g, 0},
                                (double)rate, steps[k]);
            }
            print_message("size %g m, step %g s: %.5f m/s, expected %.5f\n", d, steps[k],
                          -(double)v.y, low);
            assert_near(-(double)v.y, low, 1e-3 * low);
        }
}

static void points_are_born_near(void** state)
{
    (void)state;
    const firn_vec3 x = {1, 2, 3}, v = {6, 0, 0}, wind = {2, 0, 0};
    double mean = 0;
    for (uint32_t id = 0; id < 500; id++)
        for (int64_t n = 0; n < 4; n++) {
            const firn_powder_point p =
                firn_powder_born(&law, id, n, x, v, wind, (firn_real)0.02, 5e-3);
            const firn_vec3 off = firn_v3_sub(p.position, x), dv = firn_v3_sub(p.velocity, v);
            assert_true(fabs((double)off.x) <= 0.01001 && fabs((double)off.z) <= 0.01001);
            assert_true(fabs((double)dv.y) <= 0.3 * 4 + 1e-5);
            assert_true(p.age >= 0 && (double)p.age < 5e-3 + 1e-9);
            assert_true((double)p.life >= 1 && (double)p.life <= 3);
            mean += (double)p.life / 2000;
            const firn_powder_point again =
                firn_powder_born(&law, id, n, x, v, wind, (firn_real)0.02, 5e-3);
            assert_memory_equal(&p, &again, sizeof p);
        }
    assert_near(mean, 2, 0.05);  // standard deviation 0.58: 3.9 sigma
    assert_equal(firn_powder_fade(0, 2), 1);
    assert_equal(firn_powder_fade(2, 2), 0);
    assert_near((double)firn_powder_fade(1, 2), 0.5, 1e-6);
}

int test_powder(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_breaking_sheds),  cmocka_unit_test(numbers_add_up),
        cmocka_unit_test(flights_compose),      cmocka_unit_test(terminal_speed),
        cmocka_unit_test(points_are_born_near),
    };
    return cmocka_run_group_tests_name("powder", tests, NULL, NULL);
}
