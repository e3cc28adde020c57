// SPDX-License-Identifier: MIT
// "did you mean …?"
#include "core/suggest.h"

#include <string.h>

#include "firn_test.h"

static void distances(void** state)
{
    (void)state;
    assert_int_equal(firn_edit_distance("", ""), 0);
    assert_int_equal(firn_edit_distance("radius", "radius"), 0);
    assert_int_equal(firn_edit_distance("radus", "radius"), 1);    // missing
    assert_int_equal(firn_edit_distance("radiuss", "radius"), 1);  // too many
    assert_int_equal(firn_edit_distance("rabius", "radius"), 1);   // replaced
    assert_int_equal(firn_edit_distance("raduis", "radius"), 1);   // exchanged
    assert_int_equal(firn_edit_distance("RADIUS", "radius"), 0);   // case does not count
    assert_int_equal(firn_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(firn_edit_distance("abc", ""), 3);
    assert_int_equal(firn_edit_distance("", "abcd"), 4);
    assert_int_equal(firn_edit_distance("ca", "abc"), 3);  // optimal string alignment, not Damerau
    char huge[1001];
    memset(huge, 'x', 1000);
    huge[1000] = '\0';
    assert_at_least(firn_edit_distance(huge, "radius"), 60);  // no overflow of its table
    assert_at_least(firn_edit_distance("radius", huge), 60);
}

static void symmetric(void** state)
{
    (void)state;
    const char* const words[] = {"center", "centre", "radius", "raduis", "friction", "f", ""};
    for (int a = 0; a < 7; a++)
        for (int b = 0; b < 7; b++)
            assert_int_equal(firn_edit_distance(words[a], words[b]),
                             firn_edit_distance(words[b], words[a]));
}

static void suggestions(void** state)
{
    (void)state;
    const char* const names[] = {"sphere", "box", "capsule", "cylinder", "cone", "plane"};
    assert_string_equal(firn_suggest("spere", names, 6), "sphere");
    assert_string_equal(firn_suggest("plnae", names, 6), "plane");
    assert_string_equal(firn_suggest("Cone", names, 6), "cone");
    assert_string_equal(firn_suggest("bx", names, 6), "box");
    assert_null(firn_suggest("temperature", names, 6));  // nothing similar: no suggestion
    assert_null(firn_suggest("zz", names, 6));
    assert_null(firn_suggest("sphere", names, 0));
    assert_equal(firn_suggest("cone", names, 6), names[4]);  // borrowed from the list
}

int test_suggest(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances), cmocka_unit_test(symmetric),
                                       cmocka_unit_test(suggestions)};
    return cmocka_run_group_tests_name("suggest", tests, NULL, NULL);
}
