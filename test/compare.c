// SPDX-License-Identifier: MIT
#include "firn_test.h"

#include <stdio.h>

static const char* print_number(test_number n, char* text, size_t size)
{
    if (n.digits > 0)
        snprintf(text, size, "%.*Lg", n.digits, n.value);
    else if (n.digits < 0)
        snprintf(text, size, "0x%jx", (uintmax_t)n.value);
    else if (n.value >= 1e9L)  // more likely a hash than a count
        snprintf(text, size, "%.0Lf (0x%jx)", n.value, (uintmax_t)n.value);
    else
        snprintf(text, size, "%.0Lf", n.value);
    return text;
}

void test_fail_numbers(test_failure f, test_number a, test_number b)
{
    char text[64];
    print_error("false: %s %s %s\n", f.a, f.sign, f.b != NULL ? f.b : "");
    print_error("  %s is %s\n", f.a, print_number(a, text, sizeof text));
    if (f.b != NULL) print_error("  %s is %s\n", f.b, print_number(b, text, sizeof text));
    _fail(f.file, f.line);
}

void test_fail_near(test_failure f, test_number a, test_number b, test_number limit)
{
    char text[64];
    print_error("too far apart: %s and %s\n", f.a, f.b);
    print_error("  %s is %s\n", f.a, print_number(a, text, sizeof text));
    print_error("  %s is %s\n", f.b, print_number(b, text, sizeof text));
    print_error("  difference %.3Lg, tolerance %.3Lg (%s)\n", fabsl(a.value - b.value), limit.value,
                f.sign);
    _fail(f.file, f.line);
}

void test_fail_texts(test_failure f, const char* a, const char* b)
{
    print_error("false: %s %s %s\n", f.a, f.sign, f.b);
    print_error("  text: %s\n  part: %s\n", a, b);
    _fail(f.file, f.line);
}
