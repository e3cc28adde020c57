// SPDX-License-Identifier: MIT
// Texts: drawn inside their measured box, with a system font and without.
#include "picture.h"
#include "viewer/draw/font_atlas.h"
#include "viewer/draw/font_builtin.h"

static picture with_text(const view_text* text, int count)
{
    view_frame frame = empty_frame();
    frame.texts = text;
    frame.text_count = count;
    return draw_picture(&frame);
}

// Pixels that differ from a picture without text, inside a rectangle and outside of it.
static void count_changes(const picture* p, int x, int y, int width, int height, int* inside,
                          int* outside)
{
    const view_frame frame = empty_frame();
    const picture none = draw_picture(&frame);
    *inside = *outside = 0;
    for (int row = 0; row < HEIGHT; row++)
        for (int column = 0; column < WIDTH; column++) {
            const bool in = column >= x && column < x + width && row >= y && row < y + height;
            *(in ? inside : outside) += difference(p->rgb[row][column], none.rgb[row][column]) > 2;
        }
}

static void within_their_measure(void** state)
{
    (void)state;
    static const float sizes[] = {14, 20, 33, 40};
    for (int k = 0; k < 4; k++) {
        const view_text text = {10, 8, sizes[k], {0, 0, 0, 1}, false, "Snow"};
        float width, height;
        view_draw_measure(drawing, sizes[k], text.text, &width, &height);
        assert_near(height, sizes[k], 1);  // whole pixels
        assert_greater(width, 1.2f * sizes[k]);
        assert_less(width, 3.5f * sizes[k]);
        const picture p = with_text(&text, 1);
        int inside, outside;
        count_changes(&p, 9, 8, (int)width + 2, (int)height, &inside, &outside);
        // strokes cover a part of the box, at least this much in thin fonts
        assert_greater(inside, 0.04 * (double)(width * height));
        assert_int_equal(outside, 0);
    }
}

static void lines(void** state)
{
    (void)state;
    float width[3], height[3];
    view_draw_measure(drawing, 18, "a long line", &width[0], &height[0]);
    view_draw_measure(drawing, 18, "a long line\nb", &width[1], &height[1]);
    view_draw_measure(drawing, 18, "", &width[2], &height[2]);
    assert_equal(width[1], width[0]);
    assert_equal(height[1], 2 * height[0]);
    assert_equal(width[2], 0);
    assert_equal(height[2], height[0]);
    const view_text text = {10, 10, 18, {0, 0, 0, 1}, false, "\nxx"};
    const picture p = with_text(&text, 1);
    int inside, outside;
    count_changes(&p, 9, 28, 60, 18, &inside, &outside);
    assert_greater(inside, 20);
    assert_int_equal(outside, 0);
}

static void boxes(void** state)
{
    (void)state;
    const view_text text = {40, 40, 20, {1, 1, 1, 1}, true, "x"};
    const view_frame frame = empty_frame();
    const picture p = with_text(&text, 1), none = draw_picture(&frame);
    assert_less(brightness(p.rgb[37][37]),
                0.8 * brightness(none.rgb[37][37]));  // margin of the dark box
    assert_at_most(difference(p.rgb[20][20], none.rgb[20][20]), 2);
}

// Opacity and colour are those of the screen, without tone or shade.
static void colours(void** state)
{
    (void)state;
    const view_text text = {10, 10, 72, {1, 0, 0.5f, 1}, false, "H"};
    const picture p = with_text(&text, 1);
    int found = 0;
    for (int k = 0; k < WIDTH * HEIGHT; k++)
        found += difference(p.rgb[k / WIDTH][k % WIDTH], (const uint8_t[]){255, 0, 128}) <= 1;
    assert_greater(found, 100);
}

// The letters of a machine without fonts; and all sizes, more than the atlas holds at once.
static void built_in(void** state)
{
    (void)state;
    font_atlas* atlas = font_atlas_create(true);
    assert_non_null(atlas);
    const font_size* size = font_atlas_size(atlas, 22);
    const font_glyph* wide = font_size_glyph(size, 'W');
    assert_int_equal(wide->width, 2 * FONT_BUILTIN_WIDTH);
    assert_int_equal(wide->height, 2 * FONT_BUILTIN_HEIGHT);
    assert_ptr_equal(font_size_glyph(size, '\t'), font_size_glyph(size, '?'));
    font_atlas_destroy(atlas);
    // no two letters look alike, and only the space is empty
    for (char a = ' '; a <= '~'; a++) {
        int set = 0;
        for (int row = 0; row < FONT_BUILTIN_HEIGHT; row++) set += font_builtin_rows(a)[row] != 0;
        assert_int_equal(set > 0, a != ' ');
        for (char b = (char)(a + 1); b <= '~'; b++)
            assert_memory_not_equal(font_builtin_rows(a), font_builtin_rows(b),
                                    FONT_BUILTIN_HEIGHT);
    }
}

static void many_sizes(void** state)
{
    (void)state;
    for (int only = 0; only < 2; only++) {
        font_atlas* atlas = font_atlas_create(only == 1);
        assert_non_null(atlas);
        for (int pixels = 1; pixels < 120; pixels++) {
            const font_size* size = font_atlas_size(atlas, (float)pixels);
            assert_in_range(size->pixels, 9, 72);
            const font_glyph* m = font_size_glyph(size, 'm');
            assert_greater(m->x, 0);
            assert_less(m->x + m->width, 1024);
            assert_less(m->y + m->height, 1024);
            assert_greater(m->width, 0);
            assert_at_least(m->advance, m->width - 1);
        }
        assert_int_equal(font_atlas_size(atlas, NAN)->pixels, 9);
        font_atlas_destroy(atlas);
    }
}

int test_draw_text(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(within_their_measure),
        cmocka_unit_test(lines),
        cmocka_unit_test(boxes),
        cmocka_unit_test(colours),
        cmocka_unit_test(built_in),
        cmocka_unit_test(many_sizes),
    };
    if (!open_drawing(WIDTH, HEIGHT)) return FIRN_TEST_SKIPPED;
    const int failed = cmocka_run_group_tests_name("draw_text", tests, NULL, NULL);
    close_drawing();
    return failed;
}
