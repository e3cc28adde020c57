// SPDX-License-Identifier: MIT
// Chunks that threads compress: files have the bytes that HDF5's own filters give, for any number
// of threads, and memory may run out.
#include "output/hdf5/h5_pack.h"

#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "firn_test.h"
#include "team_use.h"

#define PATH FIRN_TEST_TMP "/pack.h5"
enum { ROWS_MOST = 70000 };  // 3 columns: three full chunks and a rest

static float g_single[3 * ROWS_MOST];
static double g_double[3 * ROWS_MOST];

static firn_result put(int64_t rows, int columns, firn_h5_type given)
{
    const firn_h5_array a = {.path = "/a",
                             .given = given,
                             .stored = FIRN_H5_F32,
                             .rows = rows,
                             .columns = columns,
                             .compression = 4,
                             .data = given == FIRN_H5_F32 ? (void*)g_single : (void*)g_double};
    firn_h5 h5;
    FIRN_TRY(firn_h5_create(&h5, PATH, FIRN_SEAL_FRAME, NULL));
    firn_result r = firn_h5_put_array(&h5, &a);
    if (r == FIRN_OK) r = firn_h5_put_sequence(&h5, "/b", rows);
    return firn_h5_commit(&h5, r);
}

static uint64_t hash_of_file(void)
{
    static unsigned char bytes[4 << 20];
    FILE* in = fopen(PATH, "rb");
    assert_non_null(in);
    const size_t size = fread(bytes, 1, sizeof bytes, in);
    assert_in_range(size, 1, sizeof bytes - 1);
    fclose(in);
    return firn_hash(bytes, size, 0);
}

static void setup_values(void)
{
    for (int k = 0; k < 3 * ROWS_MOST; k++)
        g_double[k] = (double)(g_single[k] = (float)(k % 1000) * 0.37f - (float)(k / 7));
}

// Numbers that HDF5 converts go through its own filters.
static void bytes_of_hdf5(void** state)
{
    (void)state;
    static const int64_t rows[] = {0, 1, 21845, 21846, 65536, ROWS_MOST};
    setup_values();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (int columns = 1; columns <= 3; columns += 2) {
            assert_int_equal(put(rows[k], columns, FIRN_H5_F64), FIRN_OK);
            const uint64_t own = hash_of_file();
            for (int threads = 0; threads <= 3; threads++) {
                use_team(threads);
                assert_int_equal(put(rows[k], columns, FIRN_H5_F32), FIRN_OK);
                use_team(0);
                assert_int_equal(hash_of_file(), own);
            }
        }
}

static void memory_runs_out(void** state)
{
    (void)state;
    setup_values();
    const uint64_t before = firn_memory_read().bytes;
    firn_result r = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; r != FIRN_OK; k++) {
        firn_memory_fail_at(k, false);
        r = put(1000, 3, FIRN_H5_F32);
        firn_memory_fail_at(0, false);
        assert_true(r == FIRN_OK || r == FIRN_BROKEN_MEMORY);
        assert_int_equal(firn_memory_read().bytes, before);
    }
}

int test_h5_pack(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_of_hdf5),
                                       cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests_name("h5_pack", tests, NULL, NULL);
}
