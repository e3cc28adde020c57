// SPDX-License-Identifier: MIT
// The smooth surface: closes gaps, is smooth, keeps lumps in the air; water and ice look like
// themselves.
#include "picture.h"

#define SIDE 21
#define RADIUS 0.1f
#define SPACING 0.21f  // nearly touching

#define LAYERS 3

static float sheet[LAYERS * SIDE * SIDE][3];  // spheres in planes across the view

static view_frame sheet_frame(view_style style, int layers)
{
    for (int k = 0; k < LAYERS * SIDE * SIDE; k++) {
        sheet[k][0] = SPACING * (float)(k % SIDE - SIDE / 2);
        sheet[k][1] = SPACING * (float)(k / SIDE % SIDE - SIDE / 2);
        sheet[k][2] = -SPACING * (float)(k / (SIDE * SIDE));
    }
    view_frame frame = empty_frame();
    frame.style = style;
    frame.snow = (view_snow){
        .count = layers * SIDE * SIDE, .position = (const float(*)[3])sheet, .radius_all = RADIUS};
    return frame;
}

// Between four spheres the background shows; a surface hides it.
static void closes_gaps(void** state)
{
    (void)state;
    const view_frame none = empty_frame();
    const view_frame spheres = sheet_frame(VIEW_SPHERES, 1), surface = sheet_frame(VIEW_SURFACE, 1);
    const picture sky = draw_picture(&none), open = draw_picture(&spheres);
    const picture closed = draw_picture(&surface);
    const float gap = 0.5f * SPACING;
    assert_less(difference(pixel_at(&open, gap, gap), pixel_at(&sky, gap, gap)), 12);
    assert_greater(difference(pixel_at(&closed, gap, gap), pixel_at(&sky, gap, gap)), 25);
    assert_less(difference(pixel_at(&closed, gap, gap), pixel_at(&closed, 0, 0)), 25);
    // beyond the sheet there is still nothing
    assert_at_most(difference(closed.rgb[HEIGHT / 2][2], sky.rgb[HEIGHT / 2][2]), 3);
}

// Standard deviation of brightness over the middle of the sheet.
static double unevenness(const picture* p)
{
    double sum = 0, squares = 0;
    int count = 0;
    for (int row = HEIGHT / 2 - 20; row < HEIGHT / 2 + 20; row++)
        for (int column = WIDTH / 2 - 20; column < WIDTH / 2 + 20; column++, count++) {
            const double b = brightness(p->rgb[row][column]);
            sum += b;
            squares += b * b;
        }
    return sqrt(squares / count - sum / count * (sum / count));
}

static void smooth(void** state)
{
    (void)state;
    const view_frame spheres = sheet_frame(VIEW_SPHERES, 1), surface = sheet_frame(VIEW_SURFACE, 1);
    const picture rough = draw_picture(&spheres), even = draw_picture(&surface);
    // what remains of the spheres' shading: less than half
    assert_less(unevenness(&even), 0.4 * unevenness(&rough));
}

static void lumps_stay(void** state)
{
    (void)state;
    const float x[2][3] = {{-0.6f, 1, 0}, {0.6f, 1, 0}};
    const view_frame none = empty_frame();
    view_frame frame = empty_frame();
    frame.style = VIEW_SURFACE;
    frame.snow = (view_snow){.count = 2, .position = x, .radius_all = 0.3f};
    const picture sky = draw_picture(&none), p = draw_picture(&frame);
    for (int k = 0; k < 2; k++)
        assert_greater(difference(pixel_at(&p, x[k][0], 1.1f), pixel_at(&sky, x[k][0], 1.1f)), 25);
    assert_at_most(difference(pixel_at(&p, 0, 1), pixel_at(&sky, 0, 1)), 3);
}

static int blueness(const picture* p)
{
    int sum = 0, count = 0;
    for (int row = HEIGHT / 2 - 10; row < HEIGHT / 2 + 10; row++)
        for (int column = WIDTH / 2 - 10; column < WIDTH / 2 + 10; column++, count++)
            sum += p->rgb[row][column][2] - p->rgb[row][column][0];
    return sum / count;
}

// Before a white box: snow hides it, water lets it through and makes it blue, ice is between.
static void phases(void** state)
{
    (void)state;
    static uint8_t phase[LAYERS * SIDE * SIDE];
    view_collider wall = body_at(mesh_of_box(2), 0, 0, -2.5f);
    wall.colour[0] = wall.colour[1] = wall.colour[2] = 0.9f;
    for (int style = VIEW_SPHERES; style <= VIEW_SURFACE; style++) {
        view_frame frame = sheet_frame((view_style)style, LAYERS);
        frame.colliders = &wall;
        frame.collider_count = 1;
        frame.snow.phase = phase;
        int blue[3];
        for (int k = 0; k < 3; k++) {
            memset(phase, k, sizeof phase);
            const picture p = draw_picture(&frame);
            blue[k] = blueness(&p);
        }
        printf("blueness of snow %d, ice %d, water %d\n", blue[0], blue[1], blue[2]);
        assert_greater(blue[1], blue[0] + 5);   // ice
        assert_greater(blue[2], blue[1] + 10);  // water
    }
}

int test_draw_surface(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closes_gaps),
        cmocka_unit_test(smooth),
        cmocka_unit_test(lumps_stay),
        cmocka_unit_test(phases),
    };
    if (!open_drawing(WIDTH, HEIGHT)) return FIRN_TEST_SKIPPED;
    const int failed = cmocka_run_group_tests_name("draw_surface", tests, NULL, NULL);
    close_drawing();
    return failed;
}
