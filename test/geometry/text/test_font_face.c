// SPDX-License-Identifier: MIT
// Fonts as FreeType reads them: measures, letters, files that are no fonts or are damaged.
#include "geometry/text/font_face.h"

#include <math.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "firn_test.h"

#define FONT_FILE "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"

#ifdef FIRN_HAVE_FREETYPE

// DejaVu Sans Bold in its own units, of which an em has 2048: what its tables say.
static void measures_are_those_of_the_tables(void** state)
{
    (void)state;
    firn_font_face* face;
    firn_error error = {0};
    assert_int_equal(firn_font_face_open(FONT_FILE, &face, &error), FIRN_OK);
    const firn_font_metrics m = firn_font_face_metrics(face);
    assert_equal(m.capital, 1493);
    assert_equal(m.line, 2384);
    const uint32_t i = firn_font_face_glyph(face, 'I'), a = firn_font_face_glyph(face, 'A'),
                   v = firn_font_face_glyph(face, 'V');
    assert_not_equal(i, 0);
    assert_not_equal(a, 0);
    assert_not_equal(v, 0);
    assert_int_equal(firn_font_face_glyph(face, 0x65e5), 0);
    double advance, extent;
    assert_int_equal(firn_font_face_advance(face, i, &advance, &extent, &error), FIRN_OK);
    assert_equal(advance, 762);
    assert_less(firn_font_face_kerning(face, a, v), -100);
    assert_equal(firn_font_face_kerning(face, i, i), 0);
    // its I is a plain box
    firn_outline o = {.tolerance = 1};
    assert_int_equal(firn_font_face_draw(face, i, (double[]){10, 20}, 2, &o, &error), FIRN_OK);
    assert_int_equal(firn_outline_finish(&o, &error), FIRN_OK);
    assert_int_equal(o.edge_count, 4);
    assert_equal(firn_outline_area(&o), 4 * (573 - 188) * 1493.0);
    assert_equal(firn_outline_distance(&o, 10 + 2 * 188, 20), 0);
    firn_outline_destroy(&o);
    firn_font_face_close(face);
}

static void what_is_no_font_is_refused(void** state)
{
    (void)state;
    firn_font_face* face = NULL;
    firn_error error = {0};
    assert_int_equal(firn_font_face_open(FIRN_SOURCE_DIR "/README.md", &face, &error),
                     FIRN_REFUSED_SCENE);
    assert_contains(error.text, "README.md': not a font that can be read");
    assert_int_equal(firn_font_face_open(FIRN_TEST_TMP "/none.ttf", &face, &error),
                     FIRN_REFUSED_IO);
    assert_contains(error.text, "none.ttf");
    assert_null(face);
}

// Draws some letters of a file; what goes wrong on the way is the result.
static firn_result draw_letters(const char* path)
{
    firn_font_face* face;
    firn_error error = {0};
    FIRN_TRY(firn_font_face_open(path, &face, &error));
    firn_font_face_metrics(face);
    firn_outline o = {.tolerance = 10};
    firn_result r = FIRN_OK;
    for (const char* c = "Sg8%"; *c != 0 && r == FIRN_OK; c++)
        r = firn_font_face_draw(face, firn_font_face_glyph(face, (uint32_t)*c), (double[]){0, 0}, 1,
                                &o, &error);
    if (r == FIRN_OK) r = firn_outline_finish(&o, &error);
    firn_outline_destroy(&o);
    firn_font_face_close(face);
    if (r != FIRN_OK) assert_not_equal(error.text[0], 0);
    return r;
}

// A damaged font is refused or read, and nothing else.
static void damaged_fonts_do_no_harm(void** state)
{
    (void)state;
    char* data;
    size_t bytes;
    const char* path = FIRN_TEST_TMP "/damaged.ttf";
    assert_int_equal(firn_file_read(FONT_FILE, 1 << 24, &data, &bytes, NULL), FIRN_OK);
    int refused = 0;
    for (unsigned k = 0; k < 40; k++) {
        const size_t at = (size_t)k * 2654435761u % bytes, cut = k % 4 == 0 ? at : bytes;
        const size_t head = k < 20 ? (size_t)k * 7 : at;  // the table of tables
        data[at] = (char)~data[at];
        if (head != at) data[head] = (char)~data[head];
        assert_int_equal(firn_file_write(path, data, cut, NULL), FIRN_OK);
        const firn_result r = draw_letters(path);
        assert_either(r, FIRN_OK, FIRN_REFUSED_SCENE);
        refused += r != FIRN_OK;
        data[at] = (char)~data[at];
        if (head != at) data[head] = (char)~data[head];
    }
    assert_at_least(refused, 8);
    firn_free(data);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1; k < 10000; k++) {
        firn_memory_fail_at(k, k % 2 == 0);
        const firn_result r = draw_letters(FONT_FILE);
        firn_memory_fail_at(0, false);
        assert_int_equal(firn_memory_read().bytes, before);
        if (r == FIRN_OK) break;
        assert_int_equal(r, FIRN_BROKEN_MEMORY);
        failures++;
    }
    assert_greater(failures, 20);  // FreeType's own allocations too
}

int test_font_face(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_are_those_of_the_tables),
        cmocka_unit_test(what_is_no_font_is_refused),
        cmocka_unit_test(damaged_fonts_do_no_harm),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("font_face", tests, NULL, NULL);
}

#else

static void freetype_is_named(void** state)
{
    (void)state;
    firn_font_face* face = NULL;
    firn_error error = {0};
    assert_int_equal(firn_font_face_open(FONT_FILE, &face, &error), FIRN_REFUSED_BACKEND);
    assert_contains(error.text, "libfreetype-dev");
    assert_null(face);
}

int test_font_face(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(freetype_is_named)};
    return cmocka_run_group_tests_name("font_face", tests, NULL, NULL);
}
#endif
