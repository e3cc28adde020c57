// SPDX-License-Identifier: MIT
// Chunks that threads compress: HDF5's own filters read them, files have the same bytes for any
// number of threads (with zlib those that these filters give), and memory may run out.
#include "output/hdf5/h5_pack.h"

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "firn_test.h"
#include "output/hdf5/h5_deflate.h"
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

// What the HDF5 library reads.
static void check_values(int64_t rows, int columns)
{
    static float values[3 * ROWS_MOST];
    static int64_t sequence[ROWS_MOST];
    const hid_t file = H5Fopen(PATH, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t a = H5Dopen2(file, "/a", H5P_DEFAULT), b = H5Dopen2(file, "/b", H5P_DEFAULT);
    assert_true(H5Dread(a, H5T_NATIVE_FLOAT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    assert_true(H5Dread(b, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, sequence) >= 0);
    H5Dclose(a);
    H5Dclose(b);
    H5Fclose(file);
    assert_memory_equal(values, g_single, (size_t)(rows * columns) * sizeof *values);
    for (int64_t k = 0; k < rows; k++) assert_int_equal(sequence[k], k);
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
            uint64_t own = hash_of_file();
            if (!firn_deflate_is_zlib()) {
                assert_int_equal(put(rows[k], columns, FIRN_H5_F32), FIRN_OK);
                own = hash_of_file();
            }
            for (int threads = 0; threads <= 3; threads++) {
                use_team(threads);
                assert_int_equal(put(rows[k], columns, FIRN_H5_F32), FIRN_OK);
                use_team(0);
                assert_int_equal(hash_of_file(), own);
                if (rows[k] > 0) check_values(rows[k], columns);
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
