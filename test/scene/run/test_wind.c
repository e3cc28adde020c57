// SPDX-License-Identifier: MIT
// The wind: none, uniform, gusts by their statistics, from a volume.
#include "scene/run/wind.h"

#include <math.h>

#include "math/random.h"
#include "scene/scene_fixture.h"

static firn_scene_data scene_of(const char* air)
{
    char text[600];
    snprintf(text, sizeof text, "firn: 1\nmpm: {cell: 0.01}\n%s\n", air);
    return parse_good(text, NULL);
}

static firn_vec3 any_place(uint64_t k)
{
    return firn_v3((firn_real)(500 * firn_random_unit(7, 3 * k)),
                   (firn_real)(500 * firn_random_unit(7, 3 * k + 1)),
                   (firn_real)(500 * firn_random_unit(7, 3 * k + 2)));
}

static void none_and_uniform(void** state)
{
    (void)state;
    firn_scene_data s = scene_of("");
    assert_equal(firn_v3_length(firn_wind(&s, firn_v3(1, 2, 3), 4)), 0);
    firn_scene_data_destroy(&s);
    s = scene_of("air: {velocity: [18 km/h, 0, -1], gusts: {seed: 3}}");
    for (uint64_t k = 0; k < 10; k++) {
        const firn_vec3 v = firn_wind(&s, any_place(k), 0.3 * (double)k);
        assert_equal(v.x, 5);
        assert_equal(v.y, 0);
        assert_equal(v.z, -1);
    }
    firn_scene_data_destroy(&s);
}

// Mean 0, rms of each component as the scene says, at any time of a period.
static void gusts_are_as_strong_as_asked(void** state)
{
    (void)state;
    firn_scene_data s =
        scene_of("air: {velocity: [3, 0, 4], gusts: {strength: 0.2, length: 2, period: 3}}");
    static const double times[] = {0, 0.75, 1.5, 100};
    static const double wind[3] = {3, 0, 4};
    for (int t = 0; t < 4; t++) {
        double mean[3] = {0}, square[3] = {0};
        enum { N = 20000 };
        for (uint64_t k = 0; k < N; k++) {
            const firn_vec3 v = firn_wind(&s, any_place(k), times[t]);
            const double g[3] = {(double)v.x - wind[0], (double)v.y - wind[1],
                                 (double)v.z - wind[2]};
            for (int d = 0; d < 3; d++) {
                mean[d] += g[d] / N;
                square[d] += g[d] * g[d] / N;
            }
        }
        for (int d = 0; d < 3; d++) {  // 2 % of the noise itself, 2 % of chance
            assert_near(mean[d], 0, 0.03);
            assert_near(sqrt(square[d]), 1, 0.04);
        }
    }
    firn_scene_data_destroy(&s);
}

// No sources: the divergence is small against the rms of the gradients (1/length). Smooth: over a
// hundredth of a period or length little changes, over a whole one nothing is left.
static void gusts_are_eddies(void** state)
{
    (void)state;
    firn_scene_data s =
        scene_of("air: {velocity: [1, 0, 0], gusts: {strength: 1, length: 2, period: 3}}");
    const firn_real e = (firn_real)0.05;
    double divergence = 0, gradient = 0, soon = 0, late = 0, square = 0;
    enum { N = 4000 };
    for (uint64_t k = 0; k < N; k++) {
        const firn_vec3 x = any_place(k);
        const firn_vec3 dx = firn_v3_sub(firn_wind(&s, firn_v3(x.x + e, x.y, x.z), 1),
                                         firn_wind(&s, firn_v3(x.x - e, x.y, x.z), 1));
        const firn_vec3 dy = firn_v3_sub(firn_wind(&s, firn_v3(x.x, x.y + e, x.z), 1),
                                         firn_wind(&s, firn_v3(x.x, x.y - e, x.z), 1));
        const firn_vec3 dz = firn_v3_sub(firn_wind(&s, firn_v3(x.x, x.y, x.z + e), 1),
                                         firn_wind(&s, firn_v3(x.x, x.y, x.z - e), 1));
        divergence += pow((double)(dx.x + dy.y + dz.z), 2);
        gradient += (double)(dx.x * dx.x + dy.y * dy.y + dz.z * dz.z);
        const firn_vec3 g = firn_v3_sub(firn_wind(&s, x, 1), firn_v3(1, 0, 0));
        // with the pattern: it drifts by 1 m/s
        const firn_vec3 a = firn_v3_sub(
            firn_wind(&s, firn_v3(x.x + (firn_real)0.03, x.y, x.z), 1.03), firn_v3(1, 0, 0));
        const firn_vec3 b =
            firn_v3_sub(firn_wind(&s, firn_v3(x.x + 6, x.y, x.z), 7), firn_v3(1, 0, 0));
        square += (double)firn_v3_dot(g, g);
        soon += (double)firn_v3_dot(g, a);
        late += (double)firn_v3_dot(g, b);
    }
    print_message("divergence %.3f of the gradients; correlation %.4f soon, %.4f late\n",
                  sqrt(divergence / gradient), soon / square, late / square);
    // Central differences over 0.1 m of eddies of 2 m, at floats of 500 m (3e-5 m).
    assert_less(sqrt(divergence / gradient), 0.05);
    assert_greater(soon / square, 0.99);  // a sine of that period: 1 - (2 pi / 100)^2 / 2 = 0.998
    // 12000 independent components: chance is 1/sqrt(12000) = 0.009; five of them
    assert_near(late / square, 0, 0.05);
    firn_scene_data_destroy(&s);
}

// The same place and time, the same gust; another seed, another one.
static void gusts_are_pure(void** state)
{
    (void)state;
    firn_scene_data a = scene_of("air: {velocity: [9, 0, 0], gusts: {strength: 0.5}}");
    firn_scene_data b = scene_of("air: {velocity: [9, 0, 0], gusts: {strength: 0.5, seed: 2}}");
    const firn_vec3 x = firn_v3(1, 2, 3);
    const firn_vec3 v = firn_wind(&a, x, 2), again = firn_wind(&a, x, 2);
    assert_memory_equal(&v, &again, sizeof v);
    const firn_vec3 other = firn_wind(&b, x, 2);
    // [m/s] of gusts of 4.5: another pattern, not another rounding
    assert_greater(firn_v3_length(firn_v3_sub(v, other)), (firn_real)0.01);
    // no wind, no gusts
    a.air.velocity[0] = 0;
    assert_equal(firn_v3_length(firn_wind(&a, x, 2)), 0);
    firn_scene_data_destroy(&a);
    firn_scene_data_destroy(&b);
}

int test_wind(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(none_and_uniform), cmocka_unit_test(gusts_are_as_strong_as_asked),
        cmocka_unit_test(gusts_are_eddies), cmocka_unit_test(gusts_are_pure)};
    return cmocka_run_group_tests_name("wind", tests, NULL, NULL);
}
