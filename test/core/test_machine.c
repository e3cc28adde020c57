// SPDX-License-Identifier: MIT
// Loops that measure the machine: not their speed, but that they do the work they are credited
// with, at every SIMD level.
#include "core/machine.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/simd/simd.h"
#include "firn_test.h"

static const struct {
    const char* simd;
    int level, bytes;
} levels[] = {{"baseline", 1, 16}, {"x86-64-v3", 3, 32}, {"x86-64-v4", 4, 64}};

// x <- x/2 + 1/4 from k: after n rounds 1/2 + (k - 1/2) 2^-n. A missing round changes the
// sum by more than 1.
static void rounds_are_done(void** state)
{
    (void)state;
    int found = 0;
    for (int l = 0; l < 3; l++) {
        const firn_machine_loops* loops = firn_machine_loops_find(levels[l].simd);
        assert_int_equal(loops != NULL, firn_simd_has(levels[l].level));
        if (loops == NULL) continue;
        found++;
        assert_string_equal(loops->simd, levels[l].simd);
        assert_int_equal(loops->lanes * (int)sizeof(firn_real), levels[l].bytes);
        for (int n = 0; n < 6; n++) {
            double sum = 0;
            for (int k = 0; k < FIRN_MACHINE_CHAINS; k++) sum += 0.5 + (k - 0.5) * ldexp(1, -n);
            const double x = (double)loops->chains(n, (firn_real)0.5, (firn_real)0.25);
            assert_near(x, sum, 1e-5);  // multiples of 1/64 below 100: exact even in float
        }
    }
    assert_at_least(found, 1);
    assert_null(firn_machine_loops_find("abacus"));
    assert_non_null(firn_machine_loops_find(NULL));
    assert_equal(firn_machine_loops_find("plain"), firn_machine_loops_find(NULL));
}

// Rates are positive and finite; their size depends on the machine.
static void figures(void** state)
{
    (void)state;
    const double clock = firn_machine_clock(2);
    const double flops = firn_machine_flops(firn_machine_loops_find(NULL), 2);
    assert_finite(clock);
    assert_greater(clock, 0);
    assert_finite(flops);
    assert_greater(flops, 0);
}

static void copying(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    assert_at_least(firn_machine_copy_bytes(), (size_t)64 << 20);
    for (int threads = 1; threads <= 2; threads++) {
        double rate = 0;
        assert_int_equal(firn_machine_copy(threads, 3 << 20, 2, &rate), FIRN_OK);
        assert_finite(rate);
        assert_greater(rate, 1e6);
    }
    for (uint64_t k = 1; k <= 2; k++) {
        double rate = -1;
        firn_memory_fail_at(k, false);
        assert_int_equal(firn_machine_copy(1, 3 << 20, 2, &rate), FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        assert_equal(rate, -1);
    }
    assert_int_equal(firn_memory_read().bytes, before);
}

int test_machine(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_are_done), cmocka_unit_test(figures),
                                       cmocka_unit_test(copying)};
    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
