// SPDX-License-Identifier: MIT
// Names of files: any length that the system accepts, and none that leads out of a folder.
#include "core/paths.h"

#include <limits.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"

static void lengths(void** state)
{
    (void)state;
    char* path = NULL;
    firn_error error = {0};
    assert_int_equal(firn_path_print(&path, &error, "%s/%s.%04d", "a", "b", 7), FIRN_OK);
    assert_string_equal(path, "a/b.0007");
    firn_free(path);
    char name[PATH_MAX + 1];
    memset(name, 'x', sizeof name);
    name[PATH_MAX - 3] = '\0';  // with "d/" one byte below the limit
    assert_int_equal(firn_path_print(&path, &error, "d/%s", name), FIRN_OK);
    assert_int_equal(strlen(path), PATH_MAX - 1);
    firn_free(path);
    name[PATH_MAX - 3] = 'x';
    name[PATH_MAX - 2] = '\0';
    path = NULL;
    assert_int_equal(firn_path_print(&path, &error, "d/%s", name), FIRN_REFUSED_IO);
    assert_contains(error.text, "too long (4096 bytes, at most 4095)");
    assert_null(path);
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_path_print(&path, &error, "a"), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
}

static void folders(void** state)
{
    (void)state;
    const char* const cases[][2] = {{"a", "."}, {"a/b", "a"}, {"/a", "/"}, {"/a/b/c", "/a/b"}};
    for (size_t k = 0; k < 4; k++) {
        char* folder = firn_path_folder(cases[k][0]);
        assert_string_equal(folder, cases[k][1]);
        firn_free(folder);
    }
}

static void inside(void** state)
{
    (void)state;
    const char* const good[] = {"a", "a/b", "a/..b", "...", "a b/\xc3\xa4.png"};
    const char* const bad[] = {"",     "/etc/passwd", "../x", "a/../b", "a/..", "..",
                               "a//b", "./a",         "a/.",  "a/",     "a\nb", "a\x7f"};
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        assert_true(firn_path_is_inside(good[k]));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) assert_false(firn_path_is_inside(bad[k]));
}

static void stems(void** state)
{
    (void)state;
    const char* const cases[][2] = {{"ball", "ball"},     {"", "run"},          {"..", "_."},
                                    {".", "_"},           {"../x", "_._x"},     {"/a/b", "_a_b"},
                                    {"a\nb\x7f", "a_b_"}, {"a..b c", "a..b c"}, {"-x", "-x"}};
    char stem[FIRN_STEM_BYTES];
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        firn_path_stem(cases[k][0], stem);
        assert_string_equal(stem, cases[k][1]);
        assert_true(firn_path_is_inside(stem));
    }
    // 126 letters and one of two bytes: cut before it, not in it
    char name[300];
    memset(name, 'x', 126);
    strcpy(name + 126, "\xc3\xa4 and more");
    firn_path_stem(name, stem);
    assert_int_equal(strlen(stem), 126);
    strcpy(name + 125, "\xc3\xa4 and more");
    firn_path_stem(name, stem);
    assert_int_equal(strlen(stem), 127);
}

int test_paths(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lengths), cmocka_unit_test(folders),
                                       cmocka_unit_test(inside), cmocka_unit_test(stems)};
    return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
