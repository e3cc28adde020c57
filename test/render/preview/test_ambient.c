// SPDX-License-Identifier: MIT
// Light from outside: the sun stops at snow and bodies, and snow that hides the sky sends its own.
#include "render/preview/ambient.h"

#include "light_view.h"

static const double white[3] = {1, 1, 1};

static void sun_and_shadow(void** state)
{
    (void)state;
    light_view l;
    setup_view(&l, white);
    const firn_vec3 middle = firn_v3(0, (firn_real)0.1, 0), sun = l.view.day.sun;
    assert_equal(firn_sun_visibility(&l.view, firn_v3_madd(middle, (firn_real)0.12, sun), 1), 1);
    assert_less(firn_sun_visibility(&l.view, firn_v3_madd(middle, (firn_real)-0.12, sun), 1),
                1e-3f);
    // far behind, the shadow is still there; beside it the sun is
    assert_less(firn_sun_visibility(&l.view, firn_v3_madd(middle, -2, sun), 1), 1e-3f);
    const firn_vec3 beside = firn_v3_madd(middle, -2, sun);
    assert_equal(firn_sun_visibility(&l.view, firn_v3_add(beside, firn_v3(0, 0, 1)), 1), 1);
    teardown_view(&l);
}

static void snow_hides_and_shines(void** state)
{
    (void)state;
    light_view l;
    setup_view(&l, white);
    set_even_light(&l, firn_rgb_of(0.4f, 0.5f, 0.8f));
    // in the open: all of it. Towards the ball from close by: little, while the snow is dark ...
    const firn_vec3 far = firn_v3(3, 0, 0), near = firn_v3((firn_real)0.12, (firn_real)0.1, 0);
    const firn_vec3 to_ball = firn_v3(-1, 0, 0);
    assert_near(firn_ambient_light(&l.view, far, to_ball, -1).g, 0.5f, 1e-4f);
    const firn_rgb dark = firn_ambient_light(&l.view, near, to_ball, -1);
    assert_less(dark.g, 0.25f);
    assert_greater(dark.g, 0.02f);
    // ... and away from it all
    assert_greater(firn_ambient_light(&l.view, near, firn_v3(1, 0, 0), -1).g, 0.47f);
    // once the light in it is known, white snow in even light hides nothing
    assert_int_equal(firn_snow_light_build(&l.view, NULL), FIRN_OK);
    const firn_rgb lit = firn_ambient_light(&l.view, near, to_ball, -1);
    // cones stand for the sky: a few per cent (test_sky_cones.c)
    assert_near(lit.g, 0.5f, 0.02f);
    assert_near(lit.b, 0.8f, 0.03f);
    teardown_view(&l);
}

int test_ambient(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sun_and_shadow),
        cmocka_unit_test(snow_hides_and_shines),
    };
    return cmocka_run_group_tests_name("ambient", tests, NULL, NULL);
}
