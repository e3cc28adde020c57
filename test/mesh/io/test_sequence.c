// SPDX-License-Identifier: MIT
// Numbered files: patterns are read with care, missing files named.
#include "mesh/io/sequence.h"

#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"

#define PATTERN FIRN_TEST_TMP "/walk.%03d.obj"

static void check_name(const char* pattern, int64_t number, const char* expected)
{
    char* name = firn_sequence_name(pattern, number);
    assert_string_equal(name, expected);
    firn_free(name);
}

static void numbers_are_filled_in(void** state)
{
    (void)state;
    check_name("walk.%04d.obj", 7, "walk.0007.obj");
    check_name("walk.%04d.obj", 123456, "walk.123456.obj");
    check_name("%d", 0, "0");
    check_name("a%%b%02d%%c", 5, "a%b05%c");
    check_name("%09d", 1, "000000001");
}

// The folder of a scene is part of its patterns, whatever its name.
static void folders_have_no_numbers(void** state)
{
    (void)state;
    check_name("/p%d/50%/100%%/walk.%04d.obj", 7, "/p%d/50%/100%%/walk.0007.obj");
    assert_false(firn_sequence_is_pattern("/p%d/walk.glb"));
    assert_true(firn_sequence_is_pattern("/p/walk.%d.obj"));
}

static void bad(const char* pattern, int64_t first, int64_t last, const char* words)
{
    firn_error error = {0};
    const firn_result result = firn_sequence_check(pattern, first, last, &error);
    if (result != FIRN_REFUSED_SCENE || strstr(error.text, words) == NULL)
        fail_msg("'%s': expected '%s', got %d '%s'", pattern, words, result, error.text);
}

static void only_one_number_is_a_pattern(void** state)
{
    (void)state;
    assert_true(firn_sequence_is_pattern("a%d"));
    assert_false(firn_sequence_is_pattern("a.obj"));
    bad("a.obj", 1, 2, "0 places for the number");
    bad("a%%.obj", 1, 2, "0 places for the number");
    bad("p%d/a.obj", 1, 2, "0 places for the number");
    bad("a%d-%02d.obj", 1, 2, "2 places for the number");
    // what printf would take: each could read or write where it must not
    const char* formats[] = {"%s",   "%n",   "%4d",  "%ld", "%x",   "%0d", "%010d",
                             "%00d", "%.3d", "%-4d", "%*d", "%1$d", "%",   "%0",
                             "%04",  "%d%",  "%d%s", "% d", "%D"};
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        bad(formats[k], 1, 2, "write %d or %04d");
    bad("a%d", 3, 2, "numbers from 3 to 2");
    bad("a%d", -1, 2, "must not be negative");
    bad("a%d", 0, INT64_MAX, "at most 1000000");
}

static void the_missing_file_is_named(void** state)
{
    (void)state;
    for (int k = 8; k <= 11; k++) {
        char* name = firn_sequence_name(PATTERN, k);
        FILE* file = fopen(name, "w");
        assert_non_null(file);
        fclose(file);
        firn_free(name);
    }
    firn_error error = {0};
    assert_int_equal(firn_sequence_check(PATTERN, 8, 11, &error), FIRN_OK);
    assert_int_equal(firn_sequence_check(PATTERN, 9, 9, &error), FIRN_OK);
    remove(FIRN_TEST_TMP "/walk.010.obj");
    assert_int_equal(firn_sequence_check(PATTERN, 8, 11, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "/walk.010.obj': No such file");
}

int test_sequence(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_filled_in),
                                       cmocka_unit_test(folders_have_no_numbers),
                                       cmocka_unit_test(only_one_number_is_a_pattern),
                                       cmocka_unit_test(the_missing_file_is_named)};
    return cmocka_run_group_tests_name("sequence", tests, NULL, NULL);
}
