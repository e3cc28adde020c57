// SPDX-License-Identifier: MIT
// Places to numbers: against a plain list, through many growths, and when memory is out.
#include "geometry/sampling/cell_table.h"

#include "core/memory.h"
#include "seed.h"

static void keys_and_back(void** state)
{
    (void)state;
    const int64_t most = FIRN_CELL_MAX;
    const int64_t some[] = {-most, -most + 1, -7, -1, 0, 1, 12345, most};
    uint64_t last = 0;
    for (int z = 0; z < 8; z++)
        for (int y = 0; y < 8; y++)
            for (int x = 0; x < 8; x++) {
                const uint64_t key = firn_cell_key(some[x], some[y], some[z]);
                assert_greater(key, last);  // ordered by z, then y, then x
                last = key;
                int32_t at[3];
                firn_cell_of_key(key, at);
                assert_equal(at[0], some[x]);
                assert_equal(at[1], some[y]);
                assert_equal(at[2], some[z]);
            }
    assert_equal(firn_cell_key(most + 1, 0, 0), 0);
    assert_equal(firn_cell_key(0, -most - 1, 0), 0);
    assert_equal(firn_cell_key(0, 0, INT64_MAX), 0);
    assert_equal(firn_cell_key(0, INT64_MIN, 0), 0);
}

static void finds_what_was_added(void** state)
{
    (void)state;
    firn_cell_table table = {0};
    assert_int_equal(firn_cell_table_find(&table, firn_cell_key(0, 0, 0)), -1);
    firn_local n = 0;
    for (int z = -9; z < 9; z++)
        for (int y = -9; y < 9; y++)
            for (int x = -9; x < 9; x += 2) {
                const uint64_t key = firn_cell_key(x, y, z);
                assert_int_equal(firn_cell_table_find(&table, key), -1);
                assert_true(firn_cell_table_reserve(&table, 1));
                firn_cell_table_add(&table, key, n++);
            }
    assert_int_equal(table.count, n);
    assert_at_most(2 * table.count, table.slots);
    n = 0;
    for (int z = -9; z < 9; z++)
        for (int y = -9; y < 9; y++)
            for (int x = -9; x < 9; x++) {
                const firn_local right = (x + 9) % 2 == 0 ? n++ : -1;
                assert_int_equal(firn_cell_table_find(&table, firn_cell_key(x, y, z)), right);
            }
    firn_cell_table_clear(&table);
    assert_int_equal(table.count, 0);
    assert_int_equal(firn_cell_table_find(&table, firn_cell_key(1, 1, 1)), -1);
    firn_cell_table_destroy(&table);
}

static void memory_may_run_out(void** state)
{
    (void)state;
    firn_cell_table table = {0};
    assert_true(firn_cell_table_reserve(&table, 32));
    for (int x = 0; x < 32; x++) firn_cell_table_add(&table, firn_cell_key(x, 0, 0), x);
    const uint64_t before = firn_memory_read().bytes;
    for (uint64_t k = 1; k <= 2; k++) {
        firn_memory_fail_at(k, false);
        assert_false(firn_cell_table_reserve(&table, 1));
        firn_memory_fail_at(0, false);
        assert_equal(firn_memory_read().bytes, before);
        for (int x = 0; x < 32; x++)
            assert_int_equal(firn_cell_table_find(&table, firn_cell_key(x, 0, 0)), x);
    }
    assert_true(firn_cell_table_reserve(&table, 1));
    firn_cell_table_destroy(&table);
}

int test_cell_table(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_and_back),
                                       cmocka_unit_test(finds_what_was_added),
                                       cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests_name("cell_table", tests, NULL, NULL);
}
