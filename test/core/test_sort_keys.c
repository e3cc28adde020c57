// SPDX-License-Identifier: MIT
// The stable key sort against a plain insertion by comparison, for many sizes and thread counts.
#include "core/sort_keys.h"

#include "core/memory.h"
#include "firn_test.h"
#include "math/random.h"

// Keys with many repetitions, in the given number of bits.
static void fill(uint64_t* key, firn_local count, int bits, uint64_t seed)
{
    for (firn_local k = 0; k < count; k++)
        key[k] = bits == 0 ? 5 : firn_random_bits(seed, (uint64_t)k) >> (64 - bits);
}

static void check_sorted(firn_local count, int bits, int threads)
{
    firn_key_sort sort = {0};
    assert_int_equal(firn_key_sort_reserve(&sort, count, threads), FIRN_OK);
    fill(sort.key[0], count, bits, 11);
    uint64_t* before = firn_alloc((size_t)count + 1, sizeof *before);
    char* seen = firn_alloc((size_t)count + 1, 1);
    for (firn_local k = 0; k < count; k++) before[k] = sort.key[0][k];
    const uint64_t* keys;
    const firn_local* order;
    const bool moved = firn_key_sort_run(&sort, count, &keys, &order);
    for (firn_local k = 0; k < count; k++) {
        const firn_local from = moved ? order[k] : k;
        assert_at_least(from, 0);
        assert_less(from, count);
        assert_equal(seen[from]++, 0);  // a permutation
        assert_equal(keys[k], before[from]);
        if (k == 0) continue;
        assert_at_most(keys[k - 1], keys[k]);
        if (keys[k - 1] == keys[k] && moved) assert_less(order[k - 1], order[k]);  // stable
    }
    firn_free(before);
    firn_free(seen);
    firn_key_sort_destroy(&sort);
}

static void sorts(void** state)
{
    (void)state;
    const firn_local counts[] = {0, 1, 2, 3, 100, 2049, 20011};
    const int bits[] = {0, 1, 9, 23, 64}, threads[] = {1, 2, 3, 8};
    for (int c = 0; c < 7; c++)
        for (int b = 0; b < 5; b++)
            for (int t = 0; t < 4; t++) check_sorted(counts[c], bits[b], threads[t]);
}

static void sorted_input_is_left(void** state)
{
    (void)state;
    firn_key_sort sort = {0};
    assert_int_equal(firn_key_sort_reserve(&sort, 100, 2), FIRN_OK);
    for (int k = 0; k < 100; k++) sort.key[0][k] = (uint64_t)k / 3;
    const uint64_t* keys;
    const firn_local* order;
    assert_false(firn_key_sort_run(&sort, 100, &keys, &order));
    assert_equal(keys, sort.key[0]);
    assert_null(order);
    firn_key_sort_destroy(&sort);
}

static void out_of_memory(void** state)
{
    (void)state;
    const uint64_t start = firn_memory_read().bytes;
    for (uint64_t k = 1; k < 20; k++) {
        firn_key_sort sort = {0};
        firn_memory_fail_at(k, false);
        const firn_result r = firn_key_sort_reserve(&sort, 1000, 2);
        firn_memory_fail_at(0, false);
        if (r != FIRN_OK) assert_int_equal(r, FIRN_BROKEN_MEMORY);
        firn_key_sort_destroy(&sort);
        assert_int_equal(firn_memory_read().bytes, start);
        if (r == FIRN_OK) {
            assert_greater(k, 4);
            return;
        }
    }
    fail_msg("never succeeded");
}

int test_sort_keys(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sorts),
                                       cmocka_unit_test(sorted_input_is_left),
                                       cmocka_unit_test(out_of_memory)};
    return cmocka_run_group_tests_name("sort_keys", tests, NULL, NULL);
}
