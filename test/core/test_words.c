// SPDX-License-Identifier: MIT
// Words and numbers: the same as strtod's on every form of number, bounded by the word, not moved
// by the locale.
#include "core/words.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firn_test.h"
#include "math/random.h"

static firn_word word_of(const char* text)
{
    return (firn_word){text, strlen(text)};
}

static void words_of_a_line(void** state)
{
    (void)state;
    const char text[] = " one\ttwo \r\n\n three";
    const char *at = text, *end = text + strlen(text);
    firn_word w;
    assert_true(firn_word_next(&at, end, &w));
    assert_true(firn_word_is(w, "one"));
    assert_true(firn_word_next(&at, end, &w));
    assert_true(firn_word_is(w, "two"));
    assert_false(firn_word_next(&at, end, &w));
    assert_equal(*at, '\n');
    at++;
    assert_false(firn_word_next(&at, end, &w));
    at++;
    assert_true(firn_word_next(&at, end - 1, &w));
    assert_true(firn_word_is(w, "thre"));  // the text ends here
    assert_false(firn_word_next(&at, end - 1, &w));
    assert_equal(at, end - 1);
}

static void comparisons(void** state)
{
    (void)state;
    assert_true(firn_word_is(word_of("solid"), "solid"));
    assert_false(firn_word_is(word_of("solid"), "solids"));
    assert_false(firn_word_is(word_of("Solid"), "solid"));
    assert_true(firn_word_is_any_case(word_of("SoLiD"), "solid"));
    assert_true(firn_word_is_any_case(word_of("solid"), "SOLID"));
    assert_false(firn_word_is_any_case(word_of("solit"), "solid"));
    assert_false(firn_word_is_any_case(word_of("@[`{"), "`{@["));  // letters only
    assert_int_equal(firn_word_shown(word_of("abc")), 3);
    char longer[100];
    memset(longer, 'x', sizeof longer);
    assert_int_equal(firn_word_shown((firn_word){longer, sizeof longer}), 40);
}

static void expect(const char* text)
{
    double number = -77;
    assert_true(firn_word_number(word_of(text), &number));
    const double wanted = strtod(text, NULL);
    if (memcmp(&number, &wanted, sizeof number) != 0)
        fail_msg("'%s' is read as %a, must be %a", text, number, wanted);
}

static void numbers_are_those_of_strtod(void** state)
{
    (void)state;
    const char* const texts[] = {"0",
                                 "-0",
                                 "+1",
                                 ".5",
                                 "5.",
                                 "-12.25",
                                 "1e3",
                                 "1E+3",
                                 "1e-3",
                                 "123456789012345",
                                 "9007199254740992",
                                 "9007199254740993",
                                 "0.1",
                                 "1e22",
                                 "1e23",
                                 "1e-22",
                                 "1e-23",
                                 "3.3e22",
                                 "1e308",
                                 "1e309",
                                 "-1e400",
                                 "4.9e-324",
                                 "1e-400",
                                 "0.000000000000000001",
                                 "0.30000000000000000000000000000001",
                                 "inf",
                                 "-inf",
                                 "nan",
                                 "infinity",
                                 "0x1p-3",
                                 "00012",
                                 "1e00000000005",
                                 "1e99999999999"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) expect(texts[k]);
    char text[64];
    for (uint64_t k = 0; k < 20000; k++) {
        const double size = pow(10, 60 * firn_random_unit(7, 3 * k) - 30);
        const int digits = 1 + (int)(18 * firn_random_unit(7, 3 * k + 1));
        snprintf(text, sizeof text, k % 2 ? "%.*g" : "%.*e", digits,
                 (firn_random_unit(7, 3 * k + 2) - 0.5) * size);
        expect(text);
    }
}

static void what_is_no_number(void** state)
{
    (void)state;
    const char* const texts[] = {"",   "-",    "+",   ".",   "e5",  "1e",   "1e+", "1,5",
                                 "1x", "1..2", "--1", "1 2", "1/2", "five", "0x",  "1e5e5"};
    double number = 3;
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        if (firn_word_number(word_of(texts[k]), &number)) fail_msg("'%s' is no number", texts[k]);
    assert_false(firn_word_number((firn_word){"1\0", 2}, &number));
    assert_equal(number, 3);
    // bounded by the word, not by a zero behind it
    assert_true(firn_word_number((firn_word){"12345", 2}, &number));
    assert_equal(number, 12);
    assert_true(firn_word_number((firn_word){"1e400", 3}, &number));
    assert_equal(number, 1e4);
    char many[600];
    memset(many, '1', sizeof many);
    assert_true(firn_word_number((firn_word){many, 300}, &number));
    assert_false(firn_word_number((firn_word){many, 501}, &number));
}

static void integers(void** state)
{
    (void)state;
    int64_t i = 3;
    assert_true(firn_word_integer(word_of("42"), &i));
    assert_equal(i, 42);
    assert_true(firn_word_integer(word_of("-7"), &i));
    assert_equal(i, -7);
    assert_true(firn_word_integer(word_of("+0"), &i));
    assert_equal(i, 0);
    assert_true(firn_word_integer(word_of("9223372036854775807"), &i));
    assert_equal(i, INT64_MAX);
    assert_true(firn_word_integer(word_of("-9223372036854775808"), &i));
    assert_equal(i, INT64_MIN);
    const char* const bad[] = {"",    "-",  "1.0", "9223372036854775808", "-9223372036854775809",
                               "1e3", " 1", "1/2", "99999999999999999999"};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++)
        assert_false(firn_word_integer(word_of(bad[k]), &i));
    assert_equal(i, INT64_MIN);
}

// A decimal comma in the user's language must not change numbers, short or long.
static void locale_does_not_matter(void** state)
{
    (void)state;
    const char* names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    const char* set = NULL;
    for (int k = 0; k < 4 && set == NULL; k++) set = setlocale(LC_NUMERIC, names[k]);
    print_message("locale: %s\n", set == NULL ? "none with a comma is installed" : set);
    double a = 0, b = 0, c = 0;
    const bool good = firn_word_number(word_of("1.5"), &a) &&
                      firn_word_number(word_of("1.5000000000000000000000"), &b) &&
                      !firn_word_number(word_of("1,5"), &c);
    setlocale(LC_NUMERIC, "C");
    assert_true(good);
    assert_equal(a, 1.5);
    assert_equal(b, 1.5);
}

static void one_of_several(void** state)
{
    (void)state;
    assert_true(firn_words_have("cpu cuda", "cpu"));
    assert_true(firn_words_have("cpu cuda", "cuda"));
    assert_true(firn_words_have(" cpu ", "cpu"));
    assert_false(firn_words_have("cpu cuda", "cud") || firn_words_have("cpu cuda", "cpu cuda"));
    assert_false(firn_words_have("", "cpu") || firn_words_have("cpu", ""));
}

int test_words(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_a_line),       cmocka_unit_test(one_of_several),
        cmocka_unit_test(comparisons),           cmocka_unit_test(numbers_are_those_of_strtod),
        cmocka_unit_test(what_is_no_number),     cmocka_unit_test(integers),
        cmocka_unit_test(locale_does_not_matter)};
    return cmocka_run_group_tests_name("words", tests, NULL, NULL);
}
