// SPDX-License-Identifier: MIT
// Finding fonts: by path, by name in the folders of the user and of the system, in a fixed order.
#include "geometry/text/font_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "firn_test.h"

static void put_file(const char* path)
{
    char folder[1000];
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    assert_int_equal(firn_folder_make(folder, NULL), FIRN_OK);
    assert_int_equal(firn_file_write(path, "x", 1, NULL), FIRN_OK);
}

// Fonts of a home of our own; none of these is one that a system has.
static int make_home(void** state)
{
    (void)state;
    put_file(FIRN_TEST_TMP "/data/fonts/b/Firnlight.ttf");
    put_file(FIRN_TEST_TMP "/data/fonts/a/deep/er/Firnlight.otf");
    put_file(FIRN_TEST_TMP "/data/fonts/a/Firnlight.txt");
    put_file(FIRN_TEST_TMP "/home/.fonts/Firnlight.ttf");
    put_file(FIRN_TEST_TMP "/home/.fonts/Firnbold.TTF");
    put_file(FIRN_TEST_TMP "/plain.font");
    setenv("XDG_DATA_HOME", FIRN_TEST_TMP "/data", 1);
    setenv("HOME", FIRN_TEST_TMP "/home", 1);
    return 0;
}

static void assert_found(const char* name, const char* expected)
{
    char* path = NULL;
    firn_error error = {0};
    assert_int_equal(firn_font_find(name, &path, &error), FIRN_OK);
    assert_string_equal(path, expected);
    firn_free(path);
}

static void the_first_folder_and_path_win(void** state)
{
    (void)state;
    assert_found("Firnlight", FIRN_TEST_TMP "/data/fonts/a/deep/er/Firnlight.otf");
    assert_found("Firnlight.ttf", FIRN_TEST_TMP "/data/fonts/b/Firnlight.ttf");
    assert_found("Firnbold", FIRN_TEST_TMP "/home/.fonts/Firnbold.TTF");
    setenv("XDG_DATA_HOME", FIRN_TEST_TMP "/nowhere", 1);
    assert_found("Firnlight", FIRN_TEST_TMP "/home/.fonts/Firnlight.ttf");
    setenv("XDG_DATA_HOME", FIRN_TEST_TMP "/data", 1);
}

static void a_path_is_taken_as_it_is(void** state)
{
    (void)state;
    assert_found(FIRN_TEST_TMP "/plain.font", FIRN_TEST_TMP "/plain.font");
}

static void what_is_missing_is_told(void** state)
{
    (void)state;
    char* path = NULL;
    firn_error error = {0};
    assert_int_equal(firn_font_find("Firnligth", &path, &error), FIRN_REFUSED_NAME);
    assert_null(path);
    assert_contains(error.text, "'Firnligth'");
    assert_contains(error.text, "did you mean 'Firnlight'?");
    assert_contains(error.text, FIRN_TEST_TMP "/data/fonts, ");
    assert_contains(error.text, "/usr/share/fonts");
    assert_contains(error.text, "fonts-dejavu-core");
    // a path that does not exist is not looked for elsewhere
    assert_int_equal(firn_font_find("./Firnlight", &path, &error), FIRN_REFUSED_NAME);
    // a long name, and a folder
    char name[3000];
    memset(name, 'q', sizeof name - 1);
    name[sizeof name - 1] = 0;
    assert_int_equal(firn_font_find(name, &path, &error), FIRN_REFUSED_NAME);
    assert_int_equal(firn_font_find(FIRN_TEST_TMP, &path, &error), FIRN_REFUSED_NAME);
}

// Every allocation made to fail: an error, nothing leaked.
static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result != FIRN_OK; k++) {
        char* path = NULL;
        firn_memory_fail_at(k, true);
        result = firn_font_find("Firnbold", &path, NULL);
        firn_memory_fail_at(0, false);
        assert_either(result, FIRN_OK, FIRN_BROKEN_MEMORY);
        firn_free(path);
        assert_equal(firn_memory_read().bytes, before);
    }
}

int test_font_file(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_folder_and_path_win),
        cmocka_unit_test(a_path_is_taken_as_it_is),
        cmocka_unit_test(what_is_missing_is_told),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("font_file", tests, make_home, NULL);
}
