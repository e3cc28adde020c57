// SPDX-License-Identifier: MIT
// Colliders and planes: their positions, occlusion, and the outline of the one that is held.
#include "picture.h"

static view_frame frame_of(const view_collider* colliders, int count)
{
    view_frame frame = empty_frame();
    frame.colliders = colliders;
    frame.collider_count = count;
    return frame;
}

static bool is_red(const uint8_t* rgb)
{
    return rgb[0] > rgb[1] + 40 && rgb[0] > rgb[2] + 40;
}

static void pose(void** state)
{
    (void)state;
    view_collider box =
        body_at(mesh_of_box(0.5f), 1, 0, -0.5f);  // its front in the plane of pixel_at
    box.colour[0] = 0.7f, box.colour[1] = box.colour[2] = 0.05f;
    const view_frame frame = frame_of(&box, 1);
    picture p = draw_picture(&frame);
    assert_true(is_red(pixel_at(&p, 1, 0)));
    assert_false(is_red(pixel_at(&p, 0, 0)));
    assert_true(is_red(pixel_at(&p, 1.4f, 0.4f)));
    // 45 degrees about z: a corner is up, and none where they were
    const float turned[9] = {0.70710678f, -0.70710678f, 0, 0.70710678f, 0.70710678f, 0, 0, 0, 1};
    memcpy(box.rotation, turned, sizeof turned);
    p = draw_picture(&frame);
    assert_true(is_red(pixel_at(&p, 1, 0.6f)));
    assert_false(is_red(pixel_at(&p, 1.42f, 0.42f)));
    box.scale = 0.5f;
    box.position[2] = -0.25f;
    p = draw_picture(&frame);
    assert_false(is_red(pixel_at(&p, 1, 0.6f)));
    assert_true(is_red(pixel_at(&p, 1, 0.25f)));
}

static void mesh_replaced(void** state)
{
    (void)state;
    view_collider box = body_at(mesh_of_box(0.5f), 0, 0, 0);
    box.colour[0] = 0.7f, box.colour[1] = box.colour[2] = 0.05f;
    const view_frame frame = frame_of(&box, 1);
    picture p = draw_picture(&frame);
    assert_true(is_red(pixel_at(&p, 0.3f, -0.3f)));
    const float vertices[3][3] = {{-1, 0, 0}, {1, 0, 0}, {0, 1.5f, 0}};
    const float normals[3][3] = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    const int32_t triangle[1][3] = {{0, 1, 2}};
    assert_true(view_draw_set_mesh(drawing, box.mesh, vertices, normals, 3, triangle, 1));
    p = draw_picture(&frame);
    assert_true(is_red(pixel_at(&p, 0, 0.5f)));
    assert_false(is_red(pixel_at(&p, 0.3f, -0.3f)));
    assert_false(view_draw_set_mesh(drawing, 9999, vertices, normals, 3, triangle, 1));
}

static void hidden_by_snow(void** state)
{
    (void)state;
    const float near[1][3] = {{0, 0, 2}}, far[1][3] = {{0, 0, -2}};
    view_collider box = body_at(mesh_of_box(0.8f), 0, 0, 0);
    box.colour[0] = 0.7f, box.colour[1] = box.colour[2] = 0.05f;
    for (int style = VIEW_SPHERES; style <= VIEW_SURFACE; style++) {
        view_frame frame = frame_of(&box, 1);
        frame.style = (view_style)style;
        frame.snow = (view_snow){.count = 1, .position = near, .radius_all = 0.3f};
        picture p = draw_picture(&frame);
        assert_false(is_red(pixel_at(&p, 0, 0)));
        assert_true(is_red(pixel_at(&p, 0.7f, 0)));
        frame.snow.position = far;
        p = draw_picture(&frame);
        assert_true(is_red(pixel_at(&p, 0, 0)));
    }
}

static int count_orange(const picture* p)
{
    int count = 0;
    for (int k = 0; k < WIDTH * HEIGHT; k++) {
        const uint8_t* c = p->rgb[k / WIDTH][k % WIDTH];
        count += c[0] > 220 && c[1] > 110 && c[1] < 200 && c[2] < 100;
    }
    return count;
}

static void marked(void** state)
{
    (void)state;
    view_collider box = body_at(mesh_of_box(0.5f), 0, 0, 0);
    const view_frame frame = frame_of(&box, 1);
    picture p = draw_picture(&frame);
    assert_int_equal(count_orange(&p), 0);
    box.marked = true;
    p = draw_picture(&frame);
    assert_greater(count_orange(&p), 60);  // its outline is about 130 pixels long
    assert_greater(difference(pixel_at(&p, 0, 0), (const uint8_t[]){255, 160, 30}), 40);
}

// From above there is ground up to the horizon and sky over it; from below it is transparent.
static void planes(void** state)
{
    (void)state;
    const view_frame none = empty_frame();
    const view_collider ground = ground_at(-1);
    view_frame frame = frame_of(&ground, 1);
    const picture sky = draw_picture(&none), p = draw_picture(&frame);
    assert_at_most(difference(p.rgb[5][WIDTH / 2], sky.rgb[5][WIDTH / 2]), 2);
    assert_greater(difference(p.rgb[HEIGHT - 5][WIDTH / 2], sky.rgb[HEIGHT - 5][WIDTH / 2]), 20);
    // fog: at the horizon they meet
    assert_less(difference(p.rgb[HEIGHT / 2 + 1][3], sky.rgb[HEIGHT / 2 - 1][3]), 16);
    const view_collider ceiling = ground_at(1);
    frame.colliders = &ceiling;
    const picture through = draw_picture(&frame);
    for (int row = 0; row < HEIGHT; row += 7)
        assert_at_most(difference(through.rgb[row][WIDTH / 2], sky.rgb[row][WIDTH / 2]), 2);
}

int test_draw_colliders(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pose),   cmocka_unit_test(mesh_replaced), cmocka_unit_test(hidden_by_snow),
        cmocka_unit_test(marked), cmocka_unit_test(planes),
    };
    if (!open_drawing(WIDTH, HEIGHT)) return FIRN_TEST_SKIPPED;
    const int failed = cmocka_run_group_tests_name("draw_colliders", tests, NULL, NULL);
    close_drawing();
    return failed;
}
