// SPDX-License-Identifier: MIT
// Random numbers by counting: uniform, independent between neighbours and seeds, and fixed for
// ever.
#include "math/random.h"

#include <math.h>
#include <stdlib.h>

#include "firn_test.h"

#define COUNT 1000000
#define BINS 256

// Chi-square of 256 bins has mean 255 and sd 22.6: five sd either way.
static void assert_flat(const int* bins, double per_bin)
{
    double chi2 = 0;
    for (int b = 0; b < BINS; b++) chi2 += (bins[b] - per_bin) * (bins[b] - per_bin) / per_bin;
    assert_greater(chi2, 255 - 113);
    assert_less(chi2, 255 + 113);
}

static void uniform(void** state)
{
    (void)state;
    int high[BINS] = {0}, low[BINS] = {0};
    double sum = 0, square = 0;
    for (int k = 0; k < COUNT; k++) {
        const double u = firn_random_unit(1, (uint64_t)k);
        assert_at_least(u, 0);
        assert_less(u, 1);
        sum += u;
        square += u * u;
        high[(int)(u * BINS)]++;
        low[firn_random_bits(1, (uint64_t)k) % BINS]++;
    }
    assert_flat(high, (double)COUNT / BINS);
    assert_flat(low, (double)COUNT / BINS);
    // sd of the means: 1/sqrt(12 N) = 2.9e-4 and sqrt(4/45/N) = 3.0e-4
    assert_near(sum / COUNT, 0.5, 1.5e-3);
    assert_near(square / COUNT, 1.0 / 3, 1.5e-3);
}

// Neighbouring indices, neighbouring seeds, and a seed against an index do not know each other.
static void independent(void** state)
{
    (void)state;
    int pair[BINS] = {0}, seeds[BINS] = {0}, exchanged[BINS] = {0};
    for (int k = 0; k < COUNT; k++) {
        const uint64_t i = (uint64_t)k;
        const int here = (int)(firn_random_unit(9, i) * 16);
        pair[here * 16 + (int)(firn_random_unit(9, i + 1) * 16)]++;
        seeds[here * 16 + (int)(firn_random_unit(10, i) * 16)]++;
        exchanged[here * 16 + (int)(firn_random_unit(i, 9) * 16)]++;
    }
    assert_flat(pair, (double)COUNT / BINS);
    assert_flat(seeds, (double)COUNT / BINS);
    assert_flat(exchanged, (double)COUNT / BINS);
}

// One flipped bit of seed or index flips half of the result (mean 32, sd 4 per sample).
static void avalanche(void** state)
{
    (void)state;
    for (int bit = 0; bit < 64; bit++) {
        int by_index = 0, by_seed = 0;
        for (uint64_t k = 0; k < 400; k++) {
            const uint64_t a = firn_random_bits(k, 3 * k + 1), flip = 1ull << bit;
            by_index += __builtin_popcountll(a ^ firn_random_bits(k, (3 * k + 1) ^ flip));
            by_seed += __builtin_popcountll(a ^ firn_random_bits(k ^ flip, 3 * k + 1));
        }
        assert_near(by_index, 400 * 32, 6 * 80);
        assert_near(by_seed, 400 * 32, 6 * 80);
    }
}

// Scenes store seeds: the numbers behind them must never change. A value depends on nothing but
// (seed, index), so the order of asking cannot matter.
static void fixed(void** state)
{
    (void)state;
    assert_equal(firn_random_bits(0, 0), 0x48218226ff3cd4bfull);
    assert_equal(firn_random_bits(1, 2), 0xae6170280656bcc1ull);
    assert_equal(firn_random_bits(~0ull, ~0ull), 0x9d94e4dffe69ba12ull);
}

int test_random(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(uniform), cmocka_unit_test(independent),
                                       cmocka_unit_test(avalanche), cmocka_unit_test(fixed)};
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
