// SPDX-License-Identifier: MIT
// The thin lens: rays meet in the sharp plane, cover the aperture evenly, and miss elsewhere by as
// much as the geometry says.
#include "render/lens.h"

#include <math.h>

#include "firn_test.h"
#include "math/random.h"

static firn_camera camera(void)
{
    return firn_camera_make(firn_v3(1.2f, 0.8f, 1.6f), firn_v3(0, 0.2f, 0), 35, 960, 540);
}

static firn_vec3 at_depth(const firn_camera* c, firn_ray ray, firn_real depth)
{
    const firn_real ahead = firn_v3_dot(firn_v3_sub(ray.origin, c->eye), c->forward);
    const firn_real t = (depth - ahead) / firn_v3_dot(ray.direction, c->forward);
    return firn_v3_madd(ray.origin, t, ray.direction);
}

static firn_real unit(uint64_t stream, uint64_t k)
{
    return (firn_real)firn_random_unit(stream, k);
}

static void rays_meet_in_the_sharp_plane(void** state)
{
    (void)state;
    const firn_camera c = camera();
    const firn_lens lens = firn_lens_make(&c, 0.2, 3);
    for (uint64_t k = 0; k < 500; k++) {
        const firn_real px = 960 * unit(1, k), py = 540 * unit(2, k);
        const firn_ray pinhole = firn_camera_ray(&c, px, py);
        const firn_ray ray = firn_lens_ray(&c, lens, px, py, unit(3, k), unit(4, k));
        // in float, 3 m from the eye
        assert_near(firn_v3_length(ray.direction), 1, 1e-6f);
        const firn_vec3 sharp = at_depth(&c, pinhole, 3);
        // float: coordinates of a few metres
        assert_less(firn_v3_length(firn_v3_sub(at_depth(&c, ray, 3), sharp)), 3e-6f);
        // the origin lies in the aperture, across the direction of view
        const firn_vec3 off = firn_v3_sub(ray.origin, c.eye);
        assert_at_most(firn_v3_length(off), 0.1f + 1e-6f);
        assert_near(firn_v3_dot(off, c.forward), 0, 1e-6f);
        // twice as far, it misses by as much as it missed at the lens, on the other side
        const firn_vec3 far = firn_v3_sub(at_depth(&c, ray, 6), at_depth(&c, pinhole, 6));
        assert_less(firn_v3_length(firn_v3_add(far, off)), 1e-5f);
    }
}

static void no_lens_is_a_pinhole(void** state)
{
    (void)state;
    const firn_camera c = camera();
    const firn_lens lens = firn_lens_make(&c, 0, 0);
    assert_equal(lens.radius, 0);
    assert_equal(lens.focus, c.distance);
    for (uint64_t k = 0; k < 100; k++) {
        const firn_real px = 960 * unit(1, k), py = 540 * unit(2, k);
        const firn_ray a = firn_camera_ray(&c, px, py);
        const firn_ray b = firn_lens_ray(&c, lens, px, py, unit(3, k), unit(4, k));
        assert_memory_equal(&a, &b, sizeof a);
    }
}

// Area, both second moments, quadrants and rings of the disc.
static void disc_is_even(void** state)
{
    (void)state;
    enum { N = 200 };
    double xx = 0, yy = 0, xy = 0, x1 = 0, y1 = 0;
    int ring[4] = {0}, quadrant[4] = {0};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            firn_real x, y;
            firn_disc_point(((firn_real)i + 0.5f) / N, ((firn_real)j + 0.5f) / N, &x, &y);
            const double r2 = (double)(x * x + y * y);
            assert_at_most(r2, 1 + 1e-6);
            xx += (double)(x * x), yy += (double)(y * y), xy += (double)(x * y);
            x1 += (double)x, y1 += (double)y;
            ring[r2 < 1 ? (int)(4 * r2) : 3]++;
            quadrant[(x > 0) + 2 * (y > 0)]++;
        }
    const double n = N * N;
    // a midpoint rule of 200 x 200 points: errors of the order 1/200^2
    assert_near(xx / n, 0.25, 1e-3);
    assert_near(yy / n, 0.25, 1e-3);
    assert_near(xy / n, 0, 1e-4);
    assert_near(x1 / n, 0, 1e-4);
    assert_near(y1 / n, 0, 1e-4);
    for (int k = 0; k < 4; k++) {
        assert_near(ring[k] / n, 0.25, 0.01);
        assert_near(quadrant[k] / n, 0.25, 0.01);
    }
    firn_real x, y;
    firn_disc_point(0.5f, 0.5f, &x, &y);
    assert_equal(x, 0);
    assert_equal(y, 0);
}

int test_lens(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_in_the_sharp_plane),
        cmocka_unit_test(no_lens_is_a_pinhole),
        cmocka_unit_test(disc_is_even),
    };
    return cmocka_run_group_tests_name("lens", tests, NULL, NULL);
}
