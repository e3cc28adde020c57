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

#define BALL 4000

// A ball of snow as a simulation leaves it: no lattice.
static int make_ball(float out[BALL][3], float radius, float height)
{
    uint32_t seed = 1;
    int count = 0;
    while (count < BALL) {
        float x[3], square = 0;
        for (int k = 0; k < 3; k++) {
            seed = seed * 1664525u + 1013904223u;
            x[k] = radius * ((float)(seed >> 8) / 8388608.0f - 1);
            square += x[k] * x[k];
        }
        if (square > radius * radius) continue;
        for (int k = 0; k < 3; k++) out[count][k] = x[k] + (k == 1 ? height : 0);
        count++;
    }
    return count;
}

// Particles that stick out of the smooth surface by less than their diameter cast no shadows on it:
// they would be spots.
static void no_spots(void** state)
{
    (void)state;
    static float ball[BALL][3];
    view_frame frame = empty_frame();
    frame.sun[0] = 0.5f, frame.sun[1] = 0.4f, frame.sun[2] = 1;
    frame.style = VIEW_SURFACE;
    frame.snow = (view_snow){
        .count = make_ball(ball, 1.5f, 0), .position = (const float(*)[3])ball, .radius_all = 0.1f};
    for (int k = 0; k < 150; k++) {  // 0.1 to 0.2 m above the surface
        const float length =
            sqrtf(ball[k][0] * ball[k][0] + ball[k][1] * ball[k][1] + ball[k][2] * ball[k][2]);
        for (int i = 0; i < 3; i++) ball[k][i] *= (1.6f + 0.1f * (float)k / 150) / length;
    }
    const picture with = draw_picture(&frame);
    frame.shadows = false;
    const picture without = draw_picture(&frame);
    int inside = 0, dark = 0;
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            const double x = column + 0.5 - WIDTH / 2.0, y = row + 0.5 - HEIGHT / 2.0;
            if (hypot(x, y) > 0.9 * HEIGHT / 4) continue;
            inside++;
            dark += brightness(with.rgb[row][column]) < brightness(without.rgb[row][column]) - 20;
        }
    printf("%d of %d pixels are dark\n", dark, inside);
    assert_at_most(dark, inside / 500);
}

// The shadow of a ball on the ground, from above: at its edge no step is as high as the shadow.
static void soft_edges(void** state)
{
    (void)state;
    static float ball[BALL][3];
    const view_collider ground = ground_at(-1);
    view_frame frame = empty_frame();
    frame.camera = (view_camera){{0, 5, 0.01f}, {0, -1, 0}, frame.camera.fov};
    frame.sun[0] = 1, frame.sun[1] = 1, frame.sun[2] = 0;
    frame.style = VIEW_SURFACE;
    frame.colliders = &ground;
    frame.collider_count = 1;
    frame.snow = (view_snow){.count = make_ball(ball, 0.7f, 0.6f),
                             .position = (const float(*)[3])ball,
                             .radius_all = 0.07f};
    const picture with = draw_picture(&frame);
    frame.shadows = false;
    const picture without = draw_picture(&frame);
    int most = 0, step = 0, before = 0;
    for (int column = 2; column < WIDTH / 2 - 32; column++) {  // left of the ball
        const uint8_t *a = with.rgb[HEIGHT / 2][column], *b = without.rgb[HEIGHT / 2][column];
        const int shadow = brightness(b) - brightness(a);
        most = shadow > most ? shadow : most;
        step = abs(shadow - before) > step ? abs(shadow - before) : step;
        before = shadow;
    }
    printf("the shadow is %d levels deep, the highest step %d\n", most, step);
    assert_greater(most, 25);
    // A disc of three radii of a particle in diameter, 5.2 pixels: its steepest step is
    // 2 / (pi 2.6) = 0.25 of the shadow.
    assert_less(step, 0.35 * most);
}

int test_draw_surface(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closes_gaps), cmocka_unit_test(smooth),   cmocka_unit_test(lumps_stay),
        cmocka_unit_test(phases),      cmocka_unit_test(no_spots), cmocka_unit_test(soft_edges),
    };
    if (!open_drawing(WIDTH, HEIGHT)) return FIRN_TEST_SKIPPED;
    const int failed = cmocka_run_group_tests_name("draw_surface", tests, NULL, NULL);
    close_drawing();
    return failed;
}
