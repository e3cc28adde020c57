// SPDX-License-Identifier: MIT
// Comparisons for tests that print the expressions and both values when they fail. They take
// numbers of any type, and evaluate each argument once. A NaN fails every one but assert_nan and
// assert_not_equal.
//     assert_equal(a, b)         assert_not_equal(a, b)     numbers or pointers
//     assert_less(a, b)          assert_at_most(a, b)       a < b, a <= b
//     assert_greater(a, b)       assert_at_least(a, b)      a > b, a >= b
//     assert_near(a, b, limit)   |a - b| <= limit
//     assert_finite(a)           assert_nan(a)
//     assert_either(a, b, c)     a is b or c
//     assert_contains(text, part), assert_lacks(text, part)
// Integers and texts also have assert_int_equal, assert_string_equal and others of cmocka.
#pragma once
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if LDBL_MANT_DIG < 64
#error "comparisons of 64-bit integers need a long double that holds them"
#endif

typedef struct test_number {
    long double value;
    int digits;  // to print of a real number; 0: an integer; -1: an address
} test_number;

static inline test_number test_from_signed(long long x)
{
    return (test_number){(long double)x, 0};
}

static inline test_number test_from_unsigned(unsigned long long x)
{
    return (test_number){(long double)x, 0};
}

static inline test_number test_from_float(float x)
{
    return (test_number){(long double)x, 9};
}

static inline test_number test_from_double(double x)
{
    return (test_number){(long double)x, 17};
}

static inline test_number test_from_long_double(long double x)
{
    return (test_number){x, 21};
}

static inline test_number test_from_address(const volatile void* p)
{
    return (test_number){(long double)(uintptr_t)p, -1};
}

// clang-format off
#define TEST_NUMBER(x)                                                                    \
    _Generic((x), bool: test_from_unsigned, char: test_from_signed,                       \
        signed char: test_from_signed, unsigned char: test_from_unsigned,                 \
        short: test_from_signed, unsigned short: test_from_unsigned,                      \
        int: test_from_signed, unsigned: test_from_unsigned,                              \
        long: test_from_signed, unsigned long: test_from_unsigned,                        \
        long long: test_from_signed, unsigned long long: test_from_unsigned,              \
        float: test_from_float, double: test_from_double,                                 \
        long double: test_from_long_double, default: test_from_address)(x)
// clang-format on

// A failed comparison, as the test's source has it.
typedef struct test_failure {
    const char *a, *b, *sign;
    const char* file;
    int line;
} test_failure;

// Print the failure and end the test.
void test_fail_numbers(test_failure f, test_number a, test_number b);
void test_fail_near(test_failure f, test_number a, test_number b, test_number limit);
void test_fail_texts(test_failure f, const char* a, const char* b);

#define TEST_FAILURE(a, sign, b) ((test_failure){a, b, sign, __FILE__, __LINE__})

#define TEST_COMPARE(a, sign, b, a_text, b_text)                                    \
    do {                                                                            \
        const test_number test_a = TEST_NUMBER(a), test_b = TEST_NUMBER(b);         \
        if (!(test_a.value sign test_b.value))                                      \
            test_fail_numbers(TEST_FAILURE(a_text, #sign, b_text), test_a, test_b); \
    } while (0)

#define assert_equal(a, b) TEST_COMPARE(a, ==, b, #a, #b)
#define assert_not_equal(a, b) TEST_COMPARE(a, !=, b, #a, #b)
#define assert_less(a, b) TEST_COMPARE(a, <, b, #a, #b)
#define assert_at_most(a, b) TEST_COMPARE(a, <=, b, #a, #b)
#define assert_greater(a, b) TEST_COMPARE(a, >, b, #a, #b)
#define assert_at_least(a, b) TEST_COMPARE(a, >=, b, #a, #b)

#define assert_near(a, b, limit)                                                      \
    do {                                                                              \
        const test_number test_a = TEST_NUMBER(a), test_b = TEST_NUMBER(b);           \
        const test_number test_limit = TEST_NUMBER(limit);                            \
        if (!(fabsl(test_a.value - test_b.value) <= test_limit.value))                \
            test_fail_near(TEST_FAILURE(#a, #limit, #b), test_a, test_b, test_limit); \
    } while (0)

#define assert_finite(a)                                                            \
    do {                                                                            \
        const test_number test_a = TEST_NUMBER(a);                                  \
        if (!isfinite(test_a.value))                                                \
            test_fail_numbers(TEST_FAILURE(#a, "is finite", NULL), test_a, test_a); \
    } while (0)

#define assert_nan(a)                                                            \
    do {                                                                         \
        const test_number test_a = TEST_NUMBER(a);                               \
        if (!isnan(test_a.value))                                                \
            test_fail_numbers(TEST_FAILURE(#a, "is NaN", NULL), test_a, test_a); \
    } while (0)

#define assert_either(a, b, c)                                                       \
    do {                                                                             \
        const test_number test_a = TEST_NUMBER(a), test_b = TEST_NUMBER(b);          \
        const test_number test_c = TEST_NUMBER(c);                                   \
        if (test_a.value != test_b.value && test_a.value != test_c.value)            \
            test_fail_numbers(TEST_FAILURE(#a, "is " #b " or", #c), test_a, test_c); \
    } while (0)

#define assert_contains(text, part)                                                        \
    do {                                                                                   \
        const char *const test_text = (text), *const test_part = (part);                   \
        if (strstr(test_text, test_part) == NULL)                                          \
            test_fail_texts(TEST_FAILURE(#text, "contains", #part), test_text, test_part); \
    } while (0)

#define assert_lacks(text, part)                                                        \
    do {                                                                                \
        const char *const test_text = (text), *const test_part = (part);                \
        if (strstr(test_text, test_part) != NULL)                                       \
            test_fail_texts(TEST_FAILURE(#text, "lacks", #part), test_text, test_part); \
    } while (0)
