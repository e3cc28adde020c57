// SPDX-License-Identifier: MIT
// Exact sums: against integers of 128 bits, in any order and any division into parts; all
// exponents; carries through all limbs; infinities and numbers that are none.
#include "math/exact_sum.h"

#include <float.h>
#include <time.h>

#include "figure.h"
#include "seed.h"

#define COUNT 4096

static double sum_of(const double* values, int count)
{
    firn_exact_sum sum = {0};
    for (int k = 0; k < count; k++) firn_exact_sum_add(&sum, values[k]);
    return firn_exact_sum_value(&sum);
}

static void check_bits(double got, double expected)
{
    if (memcmp(&got, &expected, sizeof got) != 0)
        fail_msg("%.17g (%a) instead of %.17g (%a)", got, got, expected, expected);
}

static void shuffle(any_source* r, double* values, int count)
{
    for (int k = count - 1; k > 0; k--) {
        const int other = any_below(r, k + 1);
        const double v = values[k];
        values[k] = values[other];
        values[other] = v;
    }
}

// Any double but infinities and NaN: all exponents are as likely.
static double any_double(any_source* r)
{
    const uint64_t bits = firn_random_bits(r->seed, r->index++);
    const uint64_t exponent = (uint64_t)any_below(r, 2047);
    const uint64_t all = (bits & 0x800fffffffffffffull) | exponent << 52;
    double value;
    memcpy(&value, &all, sizeof value);
    return value;
}

__extension__ typedef __int128 wide;

// Values k 2^-40 with |k| < 2^100: their sum fits in 128 bits, and the compiler rounds it.
static void equals_integers(void** state)
{
    (void)state;
    any_source r = any_start(51);
    for (int n = 0; n < 200; n++) {
        static double values[COUNT];
        wide exact = 0;
        const int count = 1 + any_below(&r, COUNT);
        for (int k = 0; k < count; k++) {
            const double size = ldexp(any_between(&r, -1, 1), any_below(&r, 52));
            const int shift = any_below(&r, 48);
            const wide integer = (wide)rint(size) * ((wide)1 << shift);
            exact += integer;
            values[k] = ldexp((double)integer, -40);
        }
        check_bits(sum_of(values, count), ldexp((double)exact, -40));
    }
}

static void any_order_any_parts(void** state)
{
    (void)state;
    any_source r = any_start(52);
    for (int n = 0; n < 100; n++) {
        static double values[COUNT];
        const int count = 1 + any_below(&r, COUNT);
        const bool any_size = n % 2 == 0;
        for (int k = 0; k < count; k++)
            values[k] = any_size ? any_double(&r) : any_between(&r, -1, 1);
        const double expected = sum_of(values, count);
        shuffle(&r, values, count);
        check_bits(sum_of(values, count), expected);
        firn_exact_sum part[8] = {0}, all = {0};
        for (int k = 0; k < count; k++) firn_exact_sum_add(&part[any_below(&r, 8)], values[k]);
        for (int k = 7; k >= 0; k--) firn_exact_sum_join(&all, &part[k]);
        check_bits(firn_exact_sum_value(&all), expected);
        // what a reduction of integers does
        firn_exact_sum added = {0};
        for (int k = 0; k < 8; k++) {
            firn_exact_sum_settle(&part[k]);
            for (int l = 0; l < FIRN_EXACT_LIMBS; l++) added.limb[l] += part[k].limb[l];
        }
        check_bits(firn_exact_sum_value(&added), expected);
        for (int k = 0; k < count; k++) firn_exact_sum_add(&all, -values[k]);
        check_bits(firn_exact_sum_value(&all), 0);  // nothing was lost
    }
}

static void one_value_is_itself(void** state)
{
    (void)state;
    any_source r = any_start(53);
    const double special[] = {0,           DBL_MIN,
                              -DBL_MIN,    DBL_TRUE_MIN,
                              DBL_MAX,     -DBL_MAX,
                              DBL_MIN / 2, -DBL_TRUE_MIN,
                              1,           DBL_MIN * 1.5,
                              0x1p-1022,   0x1.fffffffffffffp-1022,
                              0x1p1023,    0x0.fffffffffffffp-1022};
    for (size_t k = 0; k < sizeof special / sizeof *special; k++)
        check_bits(sum_of(&special[k], 1), special[k]);
    for (int n = 0; n < 100000; n++) {
        const double v = any_double(&r);
        check_bits(sum_of(&v, 1), v != 0 ? v : 0);  // -0 is +0
    }
}

static void rounds_once(void** state)
{
    (void)state;
    const double tie[] = {0x1p53, 1};                       // to even: down
    const double odd[] = {0x1p53 + 2, 1};                   // to even: up
    const double above[] = {0x1p53, 1, DBL_TRUE_MIN};       // a hair above the tie
    const double below[] = {0x1p53 + 2, 1, -DBL_TRUE_MIN};  // a hair below
    const double far[] = {1e300, 1, -1e300, 1e-300};
    const double over[] = {DBL_MAX, DBL_MAX, -DBL_MAX};
    check_bits(sum_of(tie, 2), 0x1p53);
    check_bits(sum_of(odd, 2), 0x1p53 + 4);
    check_bits(sum_of(above, 3), 0x1p53 + 2);
    check_bits(sum_of(below, 3), 0x1p53 + 2);
    check_bits(sum_of(far, 4), 1);
    check_bits(sum_of(over, 3), DBL_MAX);
    check_bits(sum_of(over, 2), INFINITY);
    const double lower[] = {-DBL_MAX, -DBL_MAX};
    check_bits(sum_of(lower, 2), -INFINITY);
}

// Limbs that are nearly full, and carries that run through many of them.
static void passes_carries_on(void** state)
{
    (void)state;
    firn_exact_sum sum = {0};
    for (int k = 0; k < 100000; k++) firn_exact_sum_add(&sum, 0x1.fffffffffffffp31);
    check_bits(firn_exact_sum_value(&sum), 0x1.fffffffffffffp31 * 100000);
    // 2^30 - 1 values of which carries are not yet passed on, as limbs have them
    memset(&sum, 0, sizeof sum);
    firn_exact_sum_add(&sum, 0x1.fffffffffffffp0);
    for (int k = 0; k < FIRN_EXACT_LIMBS; k++) sum.limb[k] *= FIRN_EXACT_DUE - 1;
    sum.added = FIRN_EXACT_DUE - 1;
    firn_exact_sum_add(&sum, 0x1.fffffffffffffp0);
    assert_int_equal(sum.added, 0);
    check_bits(firn_exact_sum_value(&sum), 0x1.fffffffffffffp30);
    // -2^-1074 turns 2^1023 into a string of ones, and back
    memset(&sum, 0, sizeof sum);
    firn_exact_sum_add(&sum, 0x1p1023);
    firn_exact_sum_add(&sum, -DBL_TRUE_MIN);
    firn_exact_sum_settle(&sum);
    for (int k = 0; k < 65; k++) assert_true(sum.limb[k] > 0);
    check_bits(firn_exact_sum_value(&sum), 0x1p1023);
    firn_exact_sum_add(&sum, -0x1p1023);
    check_bits(firn_exact_sum_value(&sum), -DBL_TRUE_MIN);
}

static void infinities_and_nan(void** state)
{
    (void)state;
    const double up[] = {1, INFINITY, -DBL_MAX}, down[] = {-INFINITY, -INFINITY, 5};
    const double both[] = {INFINITY, -INFINITY}, none[] = {1, NAN, INFINITY};
    check_bits(sum_of(up, 3), INFINITY);
    check_bits(sum_of(down, 3), -INFINITY);
    assert_true(isnan(sum_of(both, 2)));
    assert_true(isnan(sum_of(none, 3)));
    check_bits(sum_of(none, 1), 1);
    firn_exact_sum a = {0}, b = {0};
    firn_exact_sum_add(&a, INFINITY);
    firn_exact_sum_add(&b, -INFINITY);
    firn_exact_sum_join(&a, &b);
    assert_true(isnan(firn_exact_sum_value(&a)));
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Printed for design/0028; nothing depends on it.
static void takes_some_nanoseconds(void** state)
{
    (void)state;
    any_source r = any_start(54);
    static double values[COUNT];
    for (int k = 0; k < COUNT; k++) values[k] = any_between(&r, 0, 1);
    double best[3] = {1, 1, 1};
    volatile double kept = 0;
    for (int n = 0; n < 20; n++) {
        const double start = seconds();
        double plain = 0;
        for (int k = 0; k < COUNT; k++) plain += values[k];
        const double middle = seconds();
        firn_exact_sum sum = {0};
        for (int k = 0; k < COUNT; k++) firn_exact_sum_add(&sum, values[k]);
        const double end = seconds();
        kept = plain + firn_exact_sum_value(&sum);
        const double last = seconds();
        best[0] = fmin(best[0], middle - start);
        best[1] = fmin(best[1], end - middle);
        best[2] = fmin(best[2], last - end);
    }
    (void)kept;
    print_message("%.2f ns a value, %.2f ns in a plain sum (test code is not optimised), %.0f ns "
                  "for the result\n",
                  best[1] / COUNT * 1e9, best[0] / COUNT * 1e9, best[2] * 1e9);
}

int test_exact_sum(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_integers),       cmocka_unit_test(any_order_any_parts),
        cmocka_unit_test(one_value_is_itself),   cmocka_unit_test(rounds_once),
        cmocka_unit_test(passes_carries_on),     cmocka_unit_test(infinities_and_nan),
        cmocka_unit_test(takes_some_nanoseconds)};
    return cmocka_run_group_tests_name("exact_sum", tests, NULL, NULL);
}
