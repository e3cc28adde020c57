// SPDX-License-Identifier: MIT
// Morton codes: bits where they belong, there and back, order by halves of space.
#include "math/morton.h"

#include "figure.h"
#include "seed.h"

static uint64_t slow_spread(uint64_t x)
{
    uint64_t out = 0;
    for (int k = 0; k < 21; k++) out |= (x >> k & 1) << (3 * k);
    return out;
}

static uint64_t any_coordinate(any_source* r)
{
    return (uint64_t)any_below(r, 1 << 21);
}

static void there_and_back(void** state)
{
    (void)state;
    any_source r = any_start(41);
    for (int n = 0; n < 10000; n++) {
        const uint64_t x = any_coordinate(&r);
        assert_equal(firn_morton_spread(x), slow_spread(x));
        assert_equal(firn_morton_compact(firn_morton_spread(x)), x);
        const uint64_t y = any_coordinate(&r), z = any_coordinate(&r);
        const uint64_t code = firn_morton_code(x, y, z);
        assert_equal(firn_morton_compact(code >> 2), x);
        assert_equal(firn_morton_compact(code >> 1), y);
        assert_equal(firn_morton_compact(code), z);
    }
    assert_equal(firn_morton_spread(0x200000), 0);  // beyond 21 bits nothing is kept
    assert_greater(firn_morton_code(4, 0, 0), firn_morton_code(3, 3, 3));
}

int test_morton(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back)};
    return cmocka_run_group_tests_name("morton", tests, NULL, NULL);
}
