// SPDX-License-Identifier: MIT
// Sky through wide cones: nothing is lost, and five cones see what a hemisphere does.
#include "render/preview/sky_cones.h"

#include "firn_test.h"

static void even_sky_is_even(void** state)
{
    (void)state;
    firn_daylight day = firn_daylight_make(firn_v3(0.3f, 1, 0.2f), 0, 1);
    const firn_rgb grey = firn_rgb_of(0.5f, 0.6f, 0.7f);
    day.zenith = day.horizon = grey;
    const firn_sky_cones s = firn_sky_cones_make(&day, grey);
    for (int k = 0; k <= 100; k++) {
        const firn_real y = 0.02f * (firn_real)k - 1;
        const firn_vec3 d = firn_v3(0, y, firn_sqrt(firn_max(1 - y * y, 0)));
        float below;
        const firn_rgb sky = firn_sky_cone(&s, d, &below);
        const firn_rgb all = firn_rgb_madd(sky, below, s.ground);
        // shares of sky and ground add up to 1, to roundings of float
        assert_near(all.r, grey.r, 1e-5f);
        assert_near(all.g, grey.g, 1e-5f);
        assert_near(all.b, grey.b, 1e-5f);
        // 0 up, 1 down, half and half across
        assert_at_least(below, 0);
        assert_at_most(below, 1);
        if (y > 0.55f) assert_equal(below, 0);
        if (y < -0.55f) assert_equal(below, 1);
        if (firn_abs(y) < 1e-3f) assert_near(below, 0.5f, 0.01f);
    }
}

// The cosine-weighted mean of the sky over the hemisphere of n; ground below the horizon.
static firn_rgb integrate(const firn_daylight* day, firn_rgb ground, firn_vec3 n)
{
    enum { RINGS = 100, SPOKES = 200 };
    firn_rgb sum = {0, 0, 0};
    double weight = 0;
    for (int i = 0; i < RINGS; i++)
        for (int k = 0; k < SPOKES; k++) {
            const double y = 2 * (i + 0.5) / RINGS - 1, r = sqrt(1 - y * y);
            const double turn = 6.283185307179586 * k / SPOKES;
            const firn_vec3 d =
                firn_v3((firn_real)(r * cos(turn)), (firn_real)y, (firn_real)(r * sin(turn)));
            const float w = (float)firn_v3_dot(d, n);
            if (w <= 0) continue;
            sum = firn_rgb_madd(sum, w, y > 0 ? firn_daylight_sky(day, d) : ground);
            weight += (double)w;
        }
    return firn_rgb_scale(sum, (float)(1 / weight));
}

static void five_cones_see_a_hemisphere(void** state)
{
    (void)state;
    const firn_daylight day = firn_daylight_make(firn_v3(-0.75f, 0.5f, 0.35f), 1, 1);
    const firn_rgb ground = firn_rgb_of(0.1f, 0.1f, 0.1f);
    const firn_sky_cones s = firn_sky_cones_make(&day, ground);
    const firn_vec3 normals[] = {{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0.6f, 0.8f}, {0, -1, 0}};
    for (int j = 0; j < 5; j++) {
        const firn_vec3 n = normals[j];
        const firn_vec3 a =
            firn_abs(n.y) < 0.9f ? firn_v3_cross(firn_v3(0, 1, 0), n) : firn_v3(1, 0, 0);
        const firn_vec3 e = firn_v3_normalize(a, a), f = firn_v3_cross(n, e);
        firn_rgb sum = {0, 0, 0};
        for (int k = 0; k < 5; k++) {
            firn_vec3 d = firn_v3_scale(n, k == 0 ? 1 : (firn_real)0.54);
            if (k > 0) d = firn_v3_madd(d, k % 2 ? 0.84f : -0.84f, k > 2 ? e : f);
            float below;
            const firn_rgb sky = firn_sky_cone(&s, d, &below);
            sum = firn_rgb_madd(firn_rgb_madd(sum, 0.2f, sky), 0.2f * below, ground);
        }
        const firn_rgb exact = integrate(&day, ground, n);
        // five cones instead of an integral over the sky
        assert_near(sum.r, exact.r, 0.12f * exact.r + 0.005f);
        assert_near(sum.b, exact.b, 0.12f * exact.b + 0.005f);
    }
}

int test_sky_cones(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_sky_is_even),
        cmocka_unit_test(five_cones_see_a_hemisphere),
    };
    return cmocka_run_group_tests_name("sky_cones", tests, NULL, NULL);
}
