// SPDX-License-Identifier: MIT
// The camera: rays and projection are each other's inverse; odd directions still give a frame.
#include "render/camera.h"

#include "firn_test.h"
#include "math/random.h"

// Tolerances: unit vectors and directions in float: a handful of roundings, 1e-6 to 1e-5.

static void inverse_of_each_other(void** state)
{
    (void)state;
    const firn_camera c =
        firn_camera_make(firn_v3(1.2f, 0.8f, 1.6f), firn_v3(0, 0.2f, 0), 35, 960, 540);
    for (uint64_t k = 0; k < 1000; k++) {
        const firn_real px = (firn_real)(960 * firn_random_unit(1, k));
        const firn_real py = (firn_real)(540 * firn_random_unit(2, k));
        const firn_real t = (firn_real)(0.1 + 10 * firn_random_unit(3, k));
        const firn_ray ray = firn_camera_ray(&c, px, py);
        assert_near(firn_v3_length(ray.direction), 1, 1e-6f);
        firn_real qx = 0, qy = 0, depth = 0;
        assert_true(
            firn_camera_project(&c, firn_v3_madd(ray.origin, t, ray.direction), &qx, &qy, &depth));
        // float: eye and point lie within 12 m, a pixel is 1.2e-3 of the distance
        assert_near(qx, px, 0.02f);
        assert_near(qy, py, 0.02f);
        assert_greater(depth, 0);
        assert_at_most(depth, t * 1.0001f);
        const firn_vec3 behind = firn_v3_madd(ray.origin, -t, ray.direction);
        assert_false(firn_camera_project(&c, behind, &qx, &qy, &depth));
    }
}

// `fov` is what the picture shows from its upper to its lower edge.
static void angle_of_view(void** state)
{
    (void)state;
    const firn_camera c = firn_camera_make(firn_v3(0, 0, 0), firn_v3(0, 0, -2), 90, 200, 100);
    const firn_ray top = firn_camera_ray(&c, 100, 0), right = firn_camera_ray(&c, 200, 50);
    assert_near(top.direction.y, 0.70710678f, 1e-6f);
    assert_near(top.direction.z, -0.70710678f, 1e-6f);
    assert_near(right.direction.x, 2 / firn_sqrt(5), 1e-6f);
    assert_near(c.distance, 2, 1e-6f);
}

static void always_a_frame(void** state)
{
    (void)state;
    static const double looks[][3] = {{0, 1, 0}, {0, -1, 0}, {0, 0, 0},     {1e-20, -1, 0},
                                      {0, 0, 1}, {1, 0, 0},  {1e5, -1e5, 3}};
    for (size_t k = 0; k < sizeof looks / sizeof looks[0]; k++) {
        const firn_vec3 at =
            firn_v3((firn_real)looks[k][0], (firn_real)looks[k][1], (firn_real)looks[k][2]);
        const firn_camera c = firn_camera_make(firn_v3(0, 0, 0), at, 35, 64, 36);
        assert_near(firn_v3_length(c.right), 1, 1e-5f);
        assert_near(firn_v3_length(c.up), 1, 1e-5f);
        assert_near(firn_v3_dot(c.right, c.up), 0, 1e-6f);
        assert_near(firn_v3_dot(c.forward, c.up), 0, 1e-6f);
        assert_greater(c.distance, 0);
        // right-handed: right x up points back at the viewer
        const firn_vec3 back = firn_v3_cross(c.right, c.up);
        assert_less(firn_v3_dot(back, c.forward), -0.999f);
    }
}

int test_camera(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inverse_of_each_other),
        cmocka_unit_test(angle_of_view),
        cmocka_unit_test(always_a_frame),
    };
    return cmocka_run_group_tests_name("camera", tests, NULL, NULL);
}
