// SPDX-License-Identifier: MIT
// Characters that a scene may hold.
#include <string.h>

#include "firn_test.h"
#include "scene/parse/characters.h"

static void test_lengths(void** state)
{
    (void)state;
    static const struct {
        const char* bytes;
        int length;  // 0: refused
    } cases[] = {
        {"a", 1},
        {"\t", 1},
        {"\n", 1},
        {"\r", 1},
        {"~", 1},
        {"\x01", 0},
        {"\x1f", 0},
        {"\x7f", 0},
        {"\x80", 0},
        {"\xbf", 0},
        {"\xc0\x80", 0},
        {"\xc1\xbf", 0},
        {"\xc2\x85", 2},
        {"\xc2\x80", 0},
        {"\xc2\xa0", 2},
        {"\xdf\xbf", 2},
        {"\xc3", 0},
        {"\xc3(", 0},
        {"\xe0\x80\x80", 0},
        {"\xe0\xa0\x80", 3},
        {"\xe2\x82", 0},
        {"\xed\x9f\xbf", 3},
        {"\xed\xa0\x80", 0},
        {"\xee\x80\x80", 3},
        {"\xef\xbf\xbd", 3},
        {"\xef\xbf\xbe", 0},
        {"\xef\xbf\xbf", 0},
        {"\xf0\x80\x80\x80", 0},
        {"\xf0\x90\x80\x80", 4},
        {"\xf4\x8f\xbf\xbd", 4},
        {"\xf4\x90\x80\x80", 0},
        {"\xf5\x80\x80\x80", 0},
        {"\xff", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const int length = firn_character_length(cases[i].bytes, strlen(cases[i].bytes));
        if (length != cases[i].length) print_error("case %zu: %d\n", i, length);
        assert_int_equal(length, cases[i].length);
    }
    assert_int_equal(firn_character_length("", 1), 0);              // the zero byte
    assert_int_equal(firn_character_length("\xe2\x82\xac", 2), 0);  // cut off
}

int test_characters(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lengths)};
    return cmocka_run_group_tests_name("characters", tests, NULL, NULL);
}
