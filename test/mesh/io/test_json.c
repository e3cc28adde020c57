// SPDX-License-Identifier: MIT
// JSON: what is good is found again, what is bad is named with its byte.
#include "mesh/io/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"

static firn_json parse_good(const char* text)
{
    firn_json json;
    firn_error error = {0};
    if (firn_json_parse("a.json", text, strlen(text), 0, &json, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return json;
}

static void check_string(const char* text, const char* meaning)
{
    firn_json json = parse_good(text);
    char* string = firn_json_string(&json, 0);
    assert_string_equal(string, meaning);
    firn_free(string);
    firn_json_destroy(&json);
}

static void values_are_found_again(void** state)
{
    (void)state;
    firn_json json = parse_good(" {\"a\" : [1, -2.5e1, []],\r\n\t\"b\":{\"c\":true, \"d\":null},"
                                "\"e\":\"x\", \"f\": false}\n");
    const firn_local a = firn_json_member(&json, 0, "a"), b = firn_json_member(&json, 0, "b");
    double number = 0;
    assert_int_equal(json.values[0].count, 4);
    assert_int_equal(json.values[a].type, FIRN_JSON_ARRAY);
    assert_int_equal(json.values[a].count, 3);
    assert_true(firn_json_number(&json, a + 1, &number));
    assert_equal(number, 1);
    assert_true(firn_json_number(&json, a + 2, &number));
    assert_equal(number, -25);
    assert_false(firn_json_number(&json, a + 3, &number));
    assert_int_equal(json.values[a + 3].count, 0);
    assert_true(firn_json_is_true(&json, firn_json_member(&json, b, "c")));
    assert_int_equal(json.values[firn_json_member(&json, b, "d")].type, FIRN_JSON_NULL);
    assert_false(firn_json_is_true(&json, firn_json_member(&json, 0, "f")));
    assert_true(firn_json_equals(&json, firn_json_member(&json, 0, "e"), "x"));
    assert_false(firn_json_equals(&json, firn_json_member(&json, 0, "e"), "xy"));
    assert_int_equal(firn_json_member(&json, b, "a"), -1);
    assert_int_equal(firn_json_member(&json, a, "a"), -1);
    assert_int_equal(firn_json_member(&json, -1, "a"), -1);
    assert_int_equal(firn_json_offset(&json, a), 8);
    firn_json_destroy(&json);
}

static void strings_with_escapes(void** state)
{
    (void)state;
    check_string("\"plain\"", "plain");
    check_string("\"q\\\" b\\\\ s\\/ n\\n t\\t\"", "q\" b\\ s/ n\n t\t");
    check_string("\"\\u0041\\u00e9\\u20AC\"", "A\xC3\xA9\xE2\x82\xAC");
    check_string("\"\\uD83D\\uDE00!\"", "\xF0\x9F\x98\x80!");
    check_string("\"\\uD83D\"", "\xEF\xBF\xBD");  // half a pair
    check_string("\"\\uD83D\\u0041\"", "\xEF\xBF\xBD"
                                       "A");
    check_string("\"\\u0000\"", "\xEF\xBF\xBD");  // would end the string
    check_string("\xEF\xBB\xBF\"\xC3\xA9\"", "\xC3\xA9");
    check_string("12", "");
}

static void parse_bad(const char* text, size_t bytes, const char* words)
{
    // a copy of the exact size: the address sanitizer sees a read behind it
    char* copy = malloc(bytes + 1);
    memcpy(copy, text, bytes);
    char* exact = realloc(copy, bytes > 0 ? bytes : 1);
    firn_json json;
    firn_error error = {0};
    const firn_result result = firn_json_parse("a.json", exact, bytes, 100, &json, &error);
    free(exact);
    if (result != FIRN_REFUSED_SCENE || strstr(error.text, words) == NULL)
        fail_msg("'%s': expected '%s', got %d '%s'", text, words, result, error.text);
}

static void mistakes_are_named_with_their_byte(void** state)
{
    (void)state;
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"", "byte 100: expected a value, but the JSON text ends"},
        {"  x", "byte 102: expected a value, found 'x'"},
        {"[1,2", "byte 104: expected ',' or ']', but the JSON text ends"},
        {"[1 2]", "byte 103: expected ',' or ']', found '2]'"},
        {"[1,]", "byte 103: expected a value, found ']'"},
        {"{\"a\" 1}", "byte 105: expected ':', found '1}'"},
        {"{\"a\":1,}", "byte 107: expected the name of a member in quotes, found '}'"},
        {"{a:1}", "byte 101: expected the name"},
        {"{\"a\":1", "byte 106: expected ',' or '}', but"},
        {"[1] 2", "byte 104: expected nothing after"},
        {"[01]", "byte 101: expected a number, found '01]'"},
        {"[1.]", "expected a number"},
        {"[1e]", "expected a number"},
        {"[-]", "expected a number"},
        {"[tru]", "byte 101: expected a value"},
        {"\"abc", "byte 104: expected '\"', but the JSON text ends"},
        {"\"a\nb\"", "byte 102: a control character"},
        {"\"\\x\"", "byte 101: unknown escape"},
        {"\"\\u12g4\"", "byte 101: expected \\u and four"},
        {"\"\\u12", "byte 101: expected \\u and four"},
        {"\"\\", "expected '\"'"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        parse_bad(cases[k].text, strlen(cases[k].text), cases[k].words);
    parse_bad("[\0]", 3, "byte 101: expected a value");
    char deep[300];
    memset(deep, '[', sizeof deep);
    parse_bad(deep, sizeof deep, "byte 200: nested too deep");
}

static void numbers_that_are_none(void** state)
{
    (void)state;
    firn_json json = parse_good("[1e999, \"1\", 0.1]");
    double number = 7;
    assert_false(firn_json_number(&json, 1, &number));
    assert_false(firn_json_number(&json, 2, &number));
    assert_false(firn_json_number(&json, -1, &number));
    assert_equal(number, 7);
    assert_true(firn_json_number(&json, 3, &number));
    assert_equal(number, 0.1);
    firn_json_destroy(&json);
}

int test_json(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_are_found_again),
                                       cmocka_unit_test(strings_with_escapes),
                                       cmocka_unit_test(mistakes_are_named_with_their_byte),
                                       cmocka_unit_test(numbers_that_are_none)};
    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
