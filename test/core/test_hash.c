// SPDX-License-Identifier: MIT
// Hashes: the published values of XXH64, chunks hash as the whole, one bit changes the value.
#include "core/hash.h"

#include <string.h>

#include "firn_test.h"

// Files and state hashes are stored: these values must never change. From the XXH64 specification
// and its reference program (xxhsum -H1).
static void known_values(void** state)
{
    (void)state;
    assert_equal(firn_hash("", 0, 0), 0xef46db3751d8e999ull);
    assert_equal(firn_hash("a", 1, 0), 0xd24ec4f1a98c6e5bull);
    assert_equal(firn_hash("abc", 3, 0), 0x44bc2cf5ad770999ull);
}

static void pieces(void** state)
{
    (void)state;
    unsigned char data[5000];
    for (size_t i = 0; i < sizeof data; i++) data[i] = (unsigned char)(i * i >> 3);
    const uint64_t whole = firn_hash(data, sizeof data, 0);
    for (size_t step = 1; step < 300; step += 13) {
        firn_hasher* hasher = firn_hasher_create();
        assert_non_null(hasher);
        for (size_t at = 0; at < sizeof data; at += step) {
            const size_t left = sizeof data - at;
            firn_hasher_add(hasher, data + at, left < step ? left : step);
        }
        assert_equal(firn_hasher_value(hasher), whole);
        assert_equal(firn_hasher_value(hasher), whole);  // reading does not change it
        firn_hasher_destroy(hasher);
    }
}

static void every_bit_matters(void** state)
{
    (void)state;
    unsigned char data[64] = {0};
    const uint64_t zero = firn_hash(data, sizeof data, 0);
    for (int bit = 0; bit < 512; bit++) {
        data[bit / 8] = (unsigned char)(1 << bit % 8);
        assert_not_equal(firn_hash(data, sizeof data, 0), zero);
        data[bit / 8] = 0;
    }
    assert_not_equal(firn_hash(data, sizeof data, 1), zero);  // the seed chains
    assert_not_equal(firn_hash(data, 63, 0), zero);
}

int test_hash(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_values), cmocka_unit_test(pieces),
                                       cmocka_unit_test(every_bit_matters)};
    return cmocka_run_group_tests_name("hash", tests, NULL, NULL);
}
