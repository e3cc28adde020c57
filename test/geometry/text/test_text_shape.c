// SPDX-License-Identifier: MIT
// Words as solids, against the font's own curves, whose area has a closed form.
#include "geometry/text/text_shape.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "geometry/sdf/shape.h"
#include "math/vec3.h"

#define FONT "DejaVuSans-Bold"
#define FONT_FILE "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"

static firn_text_def def_of(const char* text)
{
    return (firn_text_def){
        .text = text, .font = FONT, .size = 0.3, .depth = 0.1, .line_height = 1, .voxel = 0.005};
}

static void assert_refused(const firn_text_def* def, firn_result code, const char* part)
{
    firn_error error = {0};
    const firn_level_set* set = NULL;
    assert_int_equal(firn_level_set_from_text(def, &set, &error), code);
    assert_null(set);
    if (strstr(error.text, part) == NULL) fail_msg("'%s' is not in: %s", part, error.text);
}

#ifdef FIRN_HAVE_FREETYPE
#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_BBOX_H
#include FT_OUTLINE_H

// Tolerances: outlines are in double (1e-12); their curves are within 1e-6 m of the true ones
// (2e-6); level sets hold floats, and their volumes are good to the chords of a voxel.

// ---- the font's own account of itself -------------------------------------------------------

// Twice the area left of the curves so far, by Green's theorem, and where the last one ended.
typedef struct account {
    double twice, x, y;
} account;

static double cross(double ax, double ay, double bx, double by)
{
    return ax * by - ay * bx;
}

static int account_move(const FT_Vector* to, void* user)
{
    account* a = user;
    a->x = (double)to->x;
    a->y = (double)to->y;
    return 0;
}

static int account_line(const FT_Vector* to, void* user)
{
    account* a = user;
    a->twice += cross(a->x, a->y, (double)to->x, (double)to->y);
    return account_move(to, user);
}

// The integral of x dy - y dx along a parabola.
static int account_conic(const FT_Vector* c, const FT_Vector* to, void* user)
{
    account* a = user;
    const double cx = (double)c->x, cy = (double)c->y, x = (double)to->x, y = (double)to->y;
    a->twice +=
        (2 * cross(a->x, a->y, cx, cy) + 2 * cross(cx, cy, x, y) + cross(a->x, a->y, x, y)) / 3;
    return account_move(to, user);
}

static int account_cubic(const FT_Vector* c, const FT_Vector* d, const FT_Vector* to, void* user)
{
    (void)c, (void)d, (void)to, (void)user;
    return 1;  // a TrueType font has none
}

// What FreeType says of a letter, in metres for capitals 0.3 m high.
typedef struct letter {
    double area, advance, low[2], high[2];
} letter;

static letter read_letter(char character)
{
    const FT_Outline_Funcs steps = {account_move, account_line, account_conic, account_cubic, 0, 0};
    FT_Library library;
    FT_Face face;
    assert_int_equal(FT_Init_FreeType(&library), 0);
    assert_int_equal(FT_New_Face(library, FONT_FILE, 0, &face), 0);
    assert_int_equal(FT_Load_Char(face, 'H', FT_LOAD_NO_SCALE), 0);
    FT_BBox box;
    FT_Outline_Get_BBox(&face->glyph->outline, &box);
    const double scale = 0.3 / (double)box.yMax;
    assert_int_equal(FT_Load_Char(face, (FT_ULong)character, FT_LOAD_NO_SCALE), 0);
    account a = {0};
    assert_int_equal(FT_Outline_Decompose(&face->glyph->outline, &steps, &a), 0);
    FT_Outline_Get_BBox(&face->glyph->outline, &box);
    const letter l = {fabs(a.twice) / 2 * scale * scale,
                      scale * (double)face->glyph->metrics.horiAdvance,
                      {scale * (double)box.xMin, scale * (double)box.yMin},
                      {scale * (double)box.xMax, scale * (double)box.yMax}};
    FT_Done_FreeType(library);
    return l;
}

static const firn_level_set* set_of(const firn_text_def* def)
{
    firn_error error = {0};
    const firn_level_set* set = NULL;
    if (firn_level_set_from_text(def, &set, &error) != FIRN_OK) fail_msg("%s", error.text);
    return set;
}

// ---- cases --------------------------------------------------------------------------------------

static void outlines_have_the_area_of_the_curves(void** state)
{
    (void)state;
    static const char letters[] = "IOSG8";
    for (int k = 0; letters[k] != 0; k++) {
        const letter l = read_letter(letters[k]);
        const char text[2] = {letters[k], 0};
        const firn_text_def def = def_of(text);
        firn_outline outline;
        assert_int_equal(firn_text_outline(&def, 1e-6, &outline, NULL), FIRN_OK);
        // chords lose up to the tolerance along curves of about two metres in all
        assert_near(firn_outline_area(&outline), l.area, letters[k] == 'I' ? 1e-12 : 2e-6);
        double low[2], high[2];
        firn_outline_bounds(&outline, low, high);
        for (int i = 0; i < 2; i++) {
            assert_near(low[i], l.low[i], 2e-6);
            assert_near(high[i], l.high[i], 2e-6);
        }
        firn_outline_destroy(&outline);
    }
}

static void level_sets_have_the_volume_of_the_letters(void** state)
{
    (void)state;
    static const char letters[] = "IOSH";
    for (int k = 0; letters[k] != 0; k++) {
        const letter l = read_letter(letters[k]);
        const char text[2] = {letters[k], 0};
        const firn_text_def def = def_of(text);
        const firn_level_set* set = set_of(&def);
        assert_near(firn_level_set_volume(set), l.area * def.depth, 0.01 * l.area * def.depth);
        const firn_box3 b = set->bounds;
        const double rounding = 0.05 * def.voxel;
        assert_near(b.low.x, l.low[0], 4 * rounding);  // curves: trilinear cuts their tops
        assert_near(b.high.y, l.high[1], 4 * rounding);
        assert_near(b.low.z, -0.05, 1e-6);
        assert_near(b.high.z, 0.05, 1e-6);
        firn_level_set_release(set);
    }
}

// phi as shapes see it.
static double phi_of(const firn_shapes* shapes, double x, double y, double z)
{
    return (double)firn_shape_distance(shapes, 0,
                                       firn_v3((firn_real)x, (firn_real)y, (firn_real)z));
}

static void an_o_is_hollow_and_exact_at_nodes(void** state)
{
    (void)state;
    const letter l = read_letter('O');
    const firn_text_def def = def_of("O");
    const firn_level_set* set = set_of(&def);
    firn_shapes shapes = {0};
    firn_local shape;
    assert_int_equal(firn_shapes_add_level_set(&shapes, set, &shape, NULL), FIRN_OK);
    firn_level_set_release(set);
    const double x = (l.low[0] + l.high[0]) / 2, y = 0.15;
    assert_at_least(phi_of(&shapes, x, y, 0), 3 * def.voxel);  // the hole
    assert_less(phi_of(&shapes, l.low[0] + 0.02, y, 0), 0);
    firn_outline outline;
    assert_int_equal(firn_text_outline(&def, 0.05 * def.voxel, &outline, NULL), FIRN_OK);
    int inside = 0;
    for (int n = 0; n < 4000; n++) {  // nodes over the letter, in and out
        const double nx = (n % 80) * def.voxel, ny = (n / 80 - 10) * 2 * def.voxel,
                     nz = (n % 23 - 11) * def.voxel;
        const double flat = firn_outline_distance(&outline, nx, ny), deep = fabs(nz) - 0.05;
        const double exact = flat > 0 && deep > 0 ? hypot(flat, deep) : fmax(flat, deep);
        inside += exact < 0;
        // outside, the box around the body counts, whose round tops trilinear phi cuts a little
        const double phi = phi_of(&shapes, nx, ny, nz), band = 4 * def.voxel;
        if (exact < band)
            assert_near(phi, exact, exact < 0 ? 2e-6 : 0.01 * def.voxel);
        else {
            assert_greater(phi, band - 2e-6);
            assert_less(phi, exact + 0.05 * def.voxel);
        }
    }
    assert_greater(inside, 200);
    firn_outline_destroy(&outline);
    firn_shapes_destroy(&shapes);
}

static void bounds_of(const firn_text_def* def, double low[2], double high[2])
{
    firn_outline outline;
    firn_error error = {0};
    if (firn_text_outline(def, 1e-5, &outline, &error) != FIRN_OK) fail_msg("%s", error.text);
    firn_outline_bounds(&outline, low, high);
    firn_outline_destroy(&outline);
}

static void lines_are_aligned_and_stacked(void** state)
{
    (void)state;
    const letter i = read_letter('I');
    double low[2], high[2];
    firn_text_def def = def_of("II");  // left: the pen starts at 0
    def.spacing = 0.07;
    bounds_of(&def, low, high);
    const double width = 2 * i.advance + 0.07;
    assert_near(low[0], i.low[0], 1e-12);
    assert_near(high[0], width - i.advance + i.high[0], 1e-12);
    def.align = FIRN_ALIGN_CENTER;
    bounds_of(&def, low, high);
    assert_near(low[0], i.low[0] - width / 2, 1e-12);
    def.align = FIRN_ALIGN_RIGHT;
    bounds_of(&def, low, high);
    assert_near(low[0], i.low[0] - width, 1e-12);
    assert_near(low[1], 0, 1e-12);
    assert_near(high[1], 0.3, 1e-12);
    // three lines, the second empty; the last baseline is two lines down
    def.text = "I\n\nI\r\n";
    bounds_of(&def, low, high);
    const double down = -low[1];
    assert_greater(down, 0.6);
    assert_less(down, 1.2);
    def.line_height = 0.5;
    bounds_of(&def, low, high);
    assert_near(-low[1], down / 2, 1e-12);
    assert_near(low[0], i.low[0] - i.advance, 1e-12);  // each line is aligned by itself
}

// "AV" is set closer than A and V by themselves.
static void pairs_are_kerned(void** state)
{
    (void)state;
    const letter a = read_letter('A'), v = read_letter('V');
    double low[2], high[2];
    firn_text_def def = def_of("AV");
    bounds_of(&def, low, high);
    assert_less(high[0], a.advance + v.high[0] - 0.01);
    assert_greater(high[0], a.advance + v.high[0] - 0.1);
    def.text = "A\nV";  // not across lines
    bounds_of(&def, low, high);
    assert_near(high[0], fmax(a.high[0], v.high[0]), 1e-12);
}

// Letters pushed over each other are one body: no surface where they overlap.
static void overlapping_letters_join(void** state)
{
    (void)state;
    const letter i = read_letter('I');
    firn_text_def def = def_of("II");
    const double shift = (i.high[0] - i.low[0]) / 2;
    def.spacing = shift - i.advance;
    firn_outline outline;
    assert_int_equal(firn_text_outline(&def, 1e-5, &outline, NULL), FIRN_OK);
    assert_near(firn_outline_area(&outline), 3 * shift * 0.3, 1e-12);
    assert_near(firn_outline_distance(&outline, i.low[0] + shift, 0.15), -shift, 1e-12);
    firn_outline_destroy(&outline);
}

static void letters_of_other_scripts_are_read(void** state)
{
    (void)state;
    double low[2], high[2], plain_low[2], plain_high[2];
    const firn_text_def accented = def_of("\xc3\x84"), plain = def_of("A");  // A with two dots
    bounds_of(&accented, low, high);
    bounds_of(&plain, plain_low, plain_high);
    assert_greater(high[1], plain_high[1] + 0.03);
    const firn_text_def greek = def_of("\xce\xa9"), treble = def_of("\xe2\x88\x91");  // omega, sum
    bounds_of(&greek, low, high);
    bounds_of(&treble, low, high);
}

static void mistakes_are_told(void** state)
{
    (void)state;
    firn_text_def def = def_of("snow\x01");
    assert_refused(&def, FIRN_REFUSED_SCENE, "(U+0001)");
    def.text = "\xe6\x97\xa5";  // not in this font
    assert_refused(&def, FIRN_REFUSED_SCENE, "has no '\xe6\x97\xa5' (U+65E5)");
    static const char* const broken[] = {"ab\xff",
                                         "ab\xc3",
                                         "ab\xc3(",
                                         "ab\xc0\x80",
                                         "ab\x80",
                                         "ab\xed\xa0\x80",
                                         "ab\xf4\x90\x80\x80",
                                         "ab\xe0\x80\xaf"};
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        def.text = broken[k];
        assert_refused(&def, FIRN_REFUSED_SCENE, "byte 2 is not UTF-8");
    }
    def.text = " \n ";
    assert_refused(&def, FIRN_REFUSED_SCENE, "nothing of it can be seen");
    def.text = "";
    assert_refused(&def, FIRN_REFUSED_ARGUMENT, "0 bytes");
    def = def_of("I");
    def.font = "NoSuchFontAtAll";
    assert_refused(&def, FIRN_REFUSED_NAME, "/usr/share/fonts");
}

static void numbers_out_of_range_are_refused(void** state)
{
    (void)state;
    firn_text_def def = def_of("I");
    def.size = NAN;
    assert_refused(&def, FIRN_REFUSED_ARGUMENT, "its size is nan");
    def = def_of("I");
    def.depth = 0;
    assert_refused(&def, FIRN_REFUSED_ARGUMENT, "its depth is 0");
    def = def_of("I");
    def.align = (firn_align)3;
    assert_refused(&def, FIRN_REFUSED_ARGUMENT, "its align is 3");
    def = def_of("I");
    def.voxel = 0.06;  // more than half the depth
    assert_refused(&def, FIRN_REFUSED_ARGUMENT, "a voxel of 0.06 m");
    def.voxel = 0;
    assert_refused(&def, FIRN_REFUSED_ARGUMENT, "a voxel of 0 m");
    def.voxel = 1e-6;
    assert_refused(&def, FIRN_REFUSED_ARGUMENT, "use larger voxels");
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    firn_text_def def = def_of("I");
    def.voxel = 0.03;
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1; k < 10000; k++) {
        const firn_level_set* set = NULL;
        firn_error error = {0};
        firn_memory_fail_at(k, false);
        const firn_result r = firn_level_set_from_text(&def, &set, &error);
        firn_memory_fail_at(0, false);
        firn_level_set_release(set);
        assert_int_equal(firn_memory_read().bytes, before);
        if (r == FIRN_OK) break;
        assert_int_equal(r, FIRN_BROKEN_MEMORY);
        assert_not_equal(error.text[0], 0);
        failures++;
    }
    assert_greater(failures, 20);  // FreeType's own allocations too
}

int test_text_shape(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outlines_have_the_area_of_the_curves),
        cmocka_unit_test(level_sets_have_the_volume_of_the_letters),
        cmocka_unit_test(an_o_is_hollow_and_exact_at_nodes),
        cmocka_unit_test(lines_are_aligned_and_stacked),
        cmocka_unit_test(pairs_are_kerned),
        cmocka_unit_test(overlapping_letters_join),
        cmocka_unit_test(letters_of_other_scripts_are_read),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("text_shape", tests, NULL, NULL);
}

#else

static void freetype_is_named(void** state)
{
    (void)state;
    firn_text_def def = def_of("I");
    def.font = FIRN_SOURCE_DIR "/README.md";  // any file: without FreeType none is opened
    assert_refused(&def, FIRN_REFUSED_BACKEND, "libfreetype-dev");
}

int test_text_shape(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(freetype_is_named)};
    return cmocka_run_group_tests_name("text_shape", tests, NULL, NULL);
}
#endif
