// SPDX-License-Identifier: MIT
// Messages as a compiler prints them.
#include <stdlib.h>

#include "scene/parse/diagnostics.h"
#include "scene/scene_fixture.h"

__attribute__((format(printf, 5, 6))) static void diagnose(firn_diagnostics* d, const char* source,
                                                           int line, int column, const char* format,
                                                           ...)
{
    va_list args;
    va_start(args, format);
    firn_diagnose_source(d, true, "a.yaml", source, strlen(source), line, column, format, args);
    va_end(args);
}

static void expect_text(firn_diagnostics* d, const char* expected)
{
    char* text = firn_diagnostics_text(d);
    assert_string_equal(text, expected);
    firn_free(text);
    firn_diagnostics_destroy(d);
}

static void test_form(void** state)
{
    (void)state;
    firn_diagnostics d = {0};
    firn_diagnose(&d, false, "--set a=1", 0, 0, "odd value %d", 1);
    diagnose(&d, "one\ntwo: x\n", 2, 6, "bad '%s'", "x");
    assert_int_equal(d.error_count, 1);
    firn_diagnostics_sort(&d);
    expect_text(&d, "a.yaml:2:6: error: bad 'x'\n    2 | two: x\n      |      ^\n"
                    "--set a=1: warning: odd value 1\n");
    expect_text(&d, "");
}

// Columns count characters: the caret stands under the right one after letters of two bytes and
// tabs.
static void test_caret(void** state)
{
    (void)state;
    firn_diagnostics d = {0};
    diagnose(&d, "caf\xc3\xa9: x", 1, 7, "here");
    expect_text(&d, "a.yaml:1:7: error: here\n    1 | caf\xc3\xa9: x\n      |       ^\n");
    diagnose(&d, "a:\tx\r\n", 1, 4, "here");
    expect_text(&d, "a.yaml:1:4: error: here\n    1 | a:\tx\n      |   \t^\n");
    diagnose(&d, "short", 7, 1, "past the end");
    expect_text(&d, "a.yaml:7:1: error: past the end\n");
    char line[400];
    memset(line, 'a', sizeof line - 1);
    line[sizeof line - 1] = 0;
    line[299] = 'X';
    diagnose(&d, line, 1, 300, "far right");
    assert_int_equal(strlen(d.items[0].source_line), 100);  // a window
    assert_int_equal(d.items[0].source_line[d.items[0].caret - 1], 'X');
    firn_diagnostics_destroy(&d);
}

static void test_sort_is_stable(void** state)
{
    (void)state;
    firn_diagnostics d = {0};
    static const int places[][2] = {{3, 1}, {0, 0}, {1, 5}, {1, 2}, {3, 1}, {0, 0}};
    for (int i = 0; i < 6; i++) firn_diagnose(&d, true, "f", places[i][0], places[i][1], "%d", i);
    firn_diagnostics_sort(&d);
    static const char* const order[] = {"3", "2", "0", "4", "1", "5"};
    for (int i = 0; i < 6; i++) assert_string_equal(d.items[i].message, order[i]);
    firn_diagnostics_destroy(&d);
}

static void test_without_memory(void** state)
{
    (void)state;
    for (uint64_t k = 1; k < 6; k++) {
        firn_diagnostics d = {0};
        firn_memory_fail_at(k, true);
        diagnose(&d, "text", 1, 1, "lost or kept");
        firn_memory_fail_at(0, false);
        assert_int_equal(d.error_count, 1);  // counted even when the message is lost
        assert_int_equal(d.count, k > 3);
        firn_diagnostics_destroy(&d);
    }
}

int test_diagnostics(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_form), cmocka_unit_test(test_caret),
                                       cmocka_unit_test(test_sort_is_stable),
                                       cmocka_unit_test(test_without_memory)};
    return cmocka_run_group_tests_name("diagnostics", tests, NULL, NULL);
}
