// SPDX-License-Identifier: MIT
// Spheres: position and size, occlusion by depth, shadows; what cannot be drawn is left out.
#include "picture.h"

static view_frame frame_of(const float (*x)[3], int64_t count, float radius)
{
    view_frame frame = empty_frame();
    frame.snow = (view_snow){.count = count, .position = x, .radius_all = radius, .high = 1};
    return frame;
}

static picture background(void)
{
    const view_frame frame = empty_frame();
    return draw_picture(&frame);
}

// The outline of a sphere off the axis: tangent cone of the eye, in the plane through both.
static void place_and_size(void** state)
{
    (void)state;
    const float x[1][3] = {{0, 0.5f, 0}};
    const view_frame frame = frame_of(x, 1, 0.8f);
    const picture none = background(), one = draw_picture(&frame);
    assert_greater(brightness(pixel_at(&one, 0, 0.5f)), 150);
    const float middle = atan2f(0.5f, 5), half = asinf(0.8f / sqrtf(25.25f));
    const float top = 5 * tanf(middle + half), bottom = 5 * tanf(middle - half);
    // Two pixels on both sides of the edge: it is antialiased over one.
    const float pixel = 4.0f / HEIGHT;
    assert_greater(
        difference(pixel_at(&one, 0, top - 2 * pixel), pixel_at(&none, 0, top - 2 * pixel)), 10);
    assert_greater(
        difference(pixel_at(&one, 0, bottom + 2 * pixel), pixel_at(&none, 0, bottom + 2 * pixel)),
        10);
    assert_at_most(
        difference(pixel_at(&one, 0, top + 2 * pixel), pixel_at(&none, 0, top + 2 * pixel)), 2);
    assert_at_most(
        difference(pixel_at(&one, 0, bottom - 2 * pixel), pixel_at(&none, 0, bottom - 2 * pixel)),
        2);
    assert_at_most(difference(one.rgb[2][2], none.rgb[2][2]), 2);
}

static void lit_from_the_sun(void** state)
{
    (void)state;
    const float x[1][3] = {{0, 0, 0}};
    view_frame frame = frame_of(x, 1, 1);
    frame.sun[0] = 1, frame.sun[1] = 0.5f, frame.sun[2] = 0;
    const picture right = draw_picture(&frame);
    frame.sun[0] = -1;
    const picture left = draw_picture(&frame);
    assert_greater(brightness(pixel_at(&right, 0.7f, 0)),
                   brightness(pixel_at(&right, -0.7f, 0)) + 30);
    assert_greater(brightness(pixel_at(&left, -0.7f, 0)),
                   brightness(pixel_at(&left, 0.7f, 0)) + 30);
    // The dark side is blue: sky light, and what snow lets through.
    const uint8_t* dark = pixel_at(&right, -0.7f, 0);
    assert_greater(dark[2], dark[0] + 15);
}

static bool is_yellow(const uint8_t* rgb)
{
    return rgb[0] > rgb[2] + 40;
}

static bool is_violet(const uint8_t* rgb)
{
    return rgb[2] > rgb[1] + 20;
}

// Far (value 1, yellow) and near (0, violet), in both orders; then two that go through each other.
static void depth_order(void** state)
{
    (void)state;
    const float x[2][2][3] = {{{0.3f, 0, -1}, {-0.3f, 0, 1}}, {{-0.3f, 0, 1}, {0.3f, 0, -1}}};
    const float value[2][2] = {{1, 0}, {0, 1}};
    for (int order = 0; order < 2; order++) {
        view_frame frame = frame_of(x[order], 2, 0.7f);
        frame.snow.value = value[order];
        const picture p = draw_picture(&frame);
        assert_true(is_violet(pixel_at(&p, 0.1f, 0)));  // where both are: the near one
        assert_true(is_violet(pixel_at(&p, -0.5f, 0)));
        assert_true(is_yellow(pixel_at(&p, 0.72f, 0)));
    }
    const float through[2][3] = {{-0.3f, 0, 0}, {0.3f, 0, 0}};
    view_frame frame = frame_of(through, 2, 0.8f);
    frame.snow.value = value[0];
    const picture p = draw_picture(&frame);
    assert_true(is_yellow(pixel_at(&p, -0.15f, 0)));
    assert_true(is_violet(pixel_at(&p, 0.15f, 0)));
}

static void shadow_on_the_ground(void** state)
{
    (void)state;
    const float x[1][3] = {{0, 0.6f, 0}};
    const view_collider ground = ground_at(-1);
    view_frame frame = frame_of(x, 1, 0.5f);
    frame.camera.eye[1] = 3;
    frame.sun[0] = 0, frame.sun[1] = 1, frame.sun[2] = 0;
    frame.colliders = &ground;
    frame.collider_count = 1;
    const picture with = draw_picture(&frame);
    frame.shadows = false;
    const picture without = draw_picture(&frame);
    // The ground straight below it: through the camera by hand, height 1 m below the origin.
    const float forward[3] = {0, -3 / sqrtf(34), -5 / sqrtf(34)};
    const float up[3] = {0, 5 / sqrtf(34), -3 / sqrtf(34)};
    const float to[3] = {0, -4, -5};
    const float depth = to[1] * forward[1] + to[2] * forward[2];
    const float high = (to[1] * up[1] + to[2] * up[2]) / depth;
    const float below = high * 5;
    const int dark = brightness(pixel_at(&with, 0, below));
    const int bright = brightness(pixel_at(&without, 0, below));
    // without the sun a quarter of the light or more is gone; the sky lights the rest
    assert_less(dark, 0.75 * bright);
    assert_less(dark, 0.75 * brightness(pixel_at(&with, 1.2f, below)));
    assert_at_most(difference(pixel_at(&with, 1.6f, below), pixel_at(&without, 1.6f, below)), 2);
}

// Spheres with NaN or without a size are not drawn and do not affect the others.
static void impossible_places(void** state)
{
    (void)state;
    const float x[6][3] = {
        {0, 0, 0}, {NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -INFINITY}, {1, 1, 0} /* no size */,
        {-1, 1, 0} /* negative */};
    const float radius[6] = {0.5f, 0.5f, 0.5f, 0.5f, 0, -1};
    view_frame frame = frame_of(x, 6, 0.5f);
    frame.snow.radius = radius;
    const picture all = draw_picture(&frame);
    frame.snow.count = 1;
    frame.snow.radius = NULL;
    const picture one = draw_picture(&frame);
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++)
            assert_at_most(difference(all.rgb[row][column], one.rgb[row][column]), 2);
}

// A centre outside the picture, and an outline larger than points of any driver.
static void beyond_the_border(void** state)
{
    (void)state;
    const float outside[1][3] = {{3.2f, 0, 0}}, large[1][3] = {{0, 0, -2}};
    const picture none = background();
    view_frame frame = frame_of(outside, 1, 0.8f);
    const picture p = draw_picture(&frame);
    assert_greater(difference(pixel_at(&p, 2.6f, 0), pixel_at(&none, 2.6f, 0)), 10);
    frame = frame_of(large, 1, 5.5f);
    const picture q = draw_picture(&frame);
    assert_greater(difference(q.rgb[1][1], none.rgb[1][1]), 10);
    assert_greater(difference(q.rgb[HEIGHT - 2][WIDTH - 2], none.rgb[HEIGHT - 2][WIDTH - 2]), 10);
}

static void versions(void** state)
{
    (void)state;
    float x[1][3] = {{0, 0, 0}};
    view_frame frame = frame_of((const float(*)[3])x, 1, 0.5f);
    frame.snow.version = 41;
    const picture first = draw_picture(&frame);
    x[0][0] = 1;
    const picture same = draw_picture(&frame);
    assert_int_equal(difference(pixel_at(&same, 0, 0), pixel_at(&first, 0, 0)), 0);
    frame.snow.version = 42;
    const picture next = draw_picture(&frame);
    assert_greater(difference(pixel_at(&next, 0, 0), pixel_at(&first, 0, 0)), 10);
    const float value[1] = {1};  // an array that comes is noticed
    frame.snow.value = value;
    const picture coloured = draw_picture(&frame);
    assert_true(is_yellow(pixel_at(&coloured, 1, 0)));
    frame.snow.value = NULL;
    x[0][0] = 0;
    frame.snow.version = 0;
    const picture again = draw_picture(&frame);
    assert_int_equal(difference(pixel_at(&again, 0, 0), pixel_at(&first, 0, 0)), 0);
}

int test_draw_spheres(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(place_and_size),    cmocka_unit_test(lit_from_the_sun),
        cmocka_unit_test(depth_order),       cmocka_unit_test(shadow_on_the_ground),
        cmocka_unit_test(impossible_places), cmocka_unit_test(beyond_the_border),
        cmocka_unit_test(versions),
    };
    if (!open_drawing(WIDTH, HEIGHT)) return FIRN_TEST_SKIPPED;
    const int failed = cmocka_run_group_tests_name("draw_spheres", tests, NULL, NULL);
    close_drawing();
    return failed;
}
