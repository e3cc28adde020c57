// SPDX-License-Identifier: MIT
// Words in scenes: read, written again, hashed by what they look like, built from code.
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/file.h"
#include "core/text.h"
#include "firn/firn.h"
#include "geometry/levelset/level_set.h"
#include "scene/data/scene_shapes.h"
#include "scene/data/snow.h"
#include "scene/scene_fixture.h"
#include "scene/write/scene_write.h"

#define FONT_FILE "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
#define WORD(keys) "firn: 1\nsnow:\n- shape: {text: {" keys "}}\n"
#define LINE "text: \"Io\", font: DejaVuSans-Bold, size: 30 cm, depth: 10 cm"

static void assert_mistake(const char* text, int column, const char* part)
{
    firn_scene_data s;
    firn_diagnostics d = {0};
    assert_int_equal(parse_length(text, strlen(text), NULL, &s, &d), FIRN_REFUSED_SCENE);
    if (!has_message(&d, 3, column, part)) {
        char* messages = firn_diagnostics_text(&d);
        print_error("%s\n%s", text, messages);
        firn_free(messages);
        fail();
    }
    firn_diagnostics_destroy(&d);
}

#ifdef FIRN_HAVE_FREETYPE

static uint64_t hash_of(const char* text)
{
    firn_scene_data s = parse_good(text, NULL);
    const uint64_t hash = s.hash;
    firn_scene_data_destroy(&s);
    return hash;
}

static void a_word_is_a_shape(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(WORD(LINE ", align: center"), NULL);
    const firn_box3 b = firn_shape_bounds(&s.shapes, s.snow[0].shape);
    // [m] flat faces are exact but for floats; capitals are `size` high, to a voxel or two of 5 mm;
    // the two letters have unequal margins, which stay below a tenth of the size
    assert_near(b.high.z, 0.05, 1e-5);
    assert_near(b.low.z, -0.05, 1e-5);
    assert_greater(b.high.y, 0.295);
    assert_less(b.high.y, 0.31);
    assert_near(b.low.x + b.high.x, 0, 0.03);
    assert_near(s.shapes.level_sets[0]->voxel, 0.005, 1e-9);  // size / 60, a float
    firn_scene_data_destroy(&s);
    // a thin word gets voxels by its depth
    s = parse_good(WORD("text: I, font: DejaVuSans-Bold, size: 3, depth: 0.1"), NULL);
    assert_near(s.shapes.level_sets[0]->voxel, 0.025, 1e-9);  // depth / 4
    firn_scene_data_destroy(&s);
}

// Written from the data, as for a scene from code, it reads back as itself.
static void words_are_written_again(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(WORD("text: \"a\\\"\\u000aB\", font: DejaVuSans-Bold, size: "
                                        "0.3, depth: 0.1, spacing: -1 cm, "
                                        "line_height: 0.8, align: right, voxel: 7 mm"),
                                   NULL);
    firn_scene_data_changed(&s);  // forgets the file's text
    char* text = firn_scene_to_yaml(&s);
    assert_contains(text, "text: \"a\\\"\\u000aB\", font: \"DejaVuSans-Bold\"");
    assert_contains(text, "align: right, voxel: 0.007}");
    firn_scene_data again = parse_good(text, NULL);
    assert_equal(again.hash, s.hash);
    firn_scene_data copy;
    assert_int_equal(firn_scene_data_copy(&again, &copy), FIRN_OK);
    assert_equal(copy.hash, s.hash);
    firn_scene_data_changed(&copy);
    char* second = firn_scene_to_yaml(&copy);
    assert_string_equal(second, text);
    firn_free(text);
    firn_free(second);
    firn_scene_data_destroy(&s);
    firn_scene_data_destroy(&again);
    firn_scene_data_destroy(&copy);
}

static void the_hash_looks_at_the_letters(void** state)
{
    (void)state;
    const uint64_t hash = hash_of(WORD(LINE));
    assert_equal(hash, hash_of(WORD(LINE ", voxel: 5 mm, spacing: 0, align: left")));
    assert_equal(hash, hash_of(WORD("text: Io, font: " FONT_FILE ", size: 0.3, depth: 0.1")));
    assert_not_equal(hash, hash_of(WORD(LINE ", spacing: 1 cm")));
    assert_not_equal(hash, hash_of(WORD(LINE ", align: right")));
    assert_not_equal(hash, hash_of(WORD("text: Ia, font: DejaVuSans-Bold, size: 0.3, depth: 0.1")));
    assert_not_equal(hash, hash_of(WORD("text: Io, font: DejaVuSans, size: 0.3, depth: 0.1")));
}

// A font beside the scene file is found from anywhere, in the run's copy of the scene too.
static void fonts_are_found_beside_the_scene(void** state)
{
    (void)state;
    char* font;
    size_t bytes;
    assert_int_equal(firn_file_read(FONT_FILE, 1 << 24, &font, &bytes, NULL), FIRN_OK);
    assert_int_equal(firn_folder_make(FIRN_TEST_TMP "/fonts", NULL), FIRN_OK);
    assert_int_equal(firn_file_write(FIRN_TEST_TMP "/fonts/own.ttf", font, bytes, NULL), FIRN_OK);
    const char* text = WORD("text: Io, font: fonts/own.ttf, size: 30 cm, depth: 10 cm");
    assert_int_equal(firn_file_write(FIRN_TEST_TMP "/s.yaml", text, strlen(text), NULL), FIRN_OK);
    firn_scene_data s;
    firn_diagnostics d = {0};
    assert_int_equal(firn_scene_parse_file(FIRN_TEST_TMP "/s.yaml", toy_solvers, 2, NULL, &s, &d),
                     FIRN_OK);
    assert_contains(s.effective, FIRN_TEST_TMP "/fonts/own.ttf");
    assert_equal(s.hash, hash_of(WORD(LINE)));
    char* emitted = firn_scene_to_yaml(&s);
    assert_equal(hash_of(emitted), s.hash);
    firn_free(emitted);
    firn_free(font);
    firn_diagnostics_destroy(&d);
    firn_scene_data_destroy(&s);
}

static void mistakes_have_places(void** state)
{
    (void)state;
    assert_mistake(WORD("font: DejaVuSans-Bold, size: 1, depth: 1"), 11, "needs the key 'text'");
    assert_mistake(WORD("text: \"\", font: DejaVuSans-Bold, size: 1, depth: 1"), 24,
                   "'text' must be a text");
    assert_mistake(WORD("text: I, font: Nofontofthisname, size: 1, depth: 1"), 33,
                   "there is no font 'Nofontofthisname'");
    assert_mistake(WORD(LINE ", align: middle"), 87, "choose from: left, center, right");
    assert_mistake(WORD(LINE ", voxel: 6 cm"), 17, "need one above 0 and at most 0.0375 m");
    assert_mistake(WORD("text: \"\xe6\x97\xa5\", font: DejaVuSans-Bold, size: 1, depth: 1"), 17,
                   "U+65E5");
    assert_mistake(WORD("text: \" \", font: DejaVuSans-Bold, size: 1, depth: 1"), 17,
                   "nothing of it can be seen");
}

// A variant that is not chosen is read for mistakes and makes nothing.
static void unchosen_words_are_checked_only(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(
        "firn: 1\nsnow:\n- shape: {sphere: {radius: 1}}\nvariants:\n  word:\n    snow:\n    - "
        "shape: {transform: {shape: {text: {" LINE "}}, move: [0, 1, 0]}}\n",
        NULL);
    assert_int_equal(s.shapes.level_set_count, 0);
    assert_int_equal(s.level_set_text_count, 0);
    firn_scene_data_destroy(&s);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    static const char text[] =
        WORD("text: I, font: DejaVuSans-Bold, size: 0.3, depth: 0.1, voxel: 3 cm");
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1; k < 100000; k++) {
        firn_scene_data s;
        firn_diagnostics d = {0};
        firn_memory_fail_at(k, false);
        const firn_result r = parse_length(text, strlen(text), NULL, &s, &d);
        firn_memory_fail_at(0, false);
        firn_diagnostics_destroy(&d);
        if (r == FIRN_OK) firn_scene_data_destroy(&s);
        assert_int_equal(firn_memory_read().bytes, before);
        if (r == FIRN_OK) break;
        assert_int_equal(r, FIRN_BROKEN_MEMORY);
        failures++;
    }
    assert_greater(failures, 50);
}

// Code that adds the same word gets the same scene.
static void words_from_code_are_the_same(void** state)
{
    (void)state;
    firn_scene_data s = parse_good(WORD(LINE), NULL), t = parse_good("firn: 1\n", NULL);
    const firn_text_def def = {.text = "Io",
                               .font = "DejaVuSans-Bold",
                               .size = 0.3,
                               .depth = 0.1,
                               .line_height = 1,
                               .voxel = 0.005};
    firn_local shape = -1;
    assert_int_equal(firn_scene_add_text(&t, &def, &shape, NULL), FIRN_OK);
    assert_int_equal(shape, 0);
    assert_string_equal(t.level_set_texts[0], s.level_set_texts[0]);
    assert_equal(firn_level_set_hash(t.shapes.level_sets[0]),
                 firn_level_set_hash(s.shapes.level_sets[0]));
    firn_scene_data_destroy(&s);
    firn_scene_data_destroy(&t);
}

int test_text_keys(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_is_a_shape),
        cmocka_unit_test(words_are_written_again),
        cmocka_unit_test(the_hash_looks_at_the_letters),
        cmocka_unit_test(fonts_are_found_beside_the_scene),
        cmocka_unit_test(mistakes_have_places),
        cmocka_unit_test(unchosen_words_are_checked_only),
        cmocka_unit_test(memory_may_run_out_anywhere),
        cmocka_unit_test(words_from_code_are_the_same),
    };
    return cmocka_run_group_tests_name("text_keys", tests, NULL, NULL);
}

#else

static void freetype_is_named(void** state)
{
    (void)state;
    assert_mistake(WORD("text: I, font: " FIRN_SOURCE_DIR "/README.md, size: 1, depth: 1"), 17,
                   "libfreetype-dev");
}

int test_text_keys(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(freetype_is_named)};
    return cmocka_run_group_tests_name("text_keys", tests, NULL, NULL);
}
#endif
