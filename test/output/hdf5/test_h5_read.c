// SPDX-License-Identifier: MIT
// What the HDF5 library writes, firn's own reader reads: all types, shapes and sizes, with indices
// of more than one level; and whatever byte of a file is forged, it ends with a sentence.
#include "output/hdf5/h5_read.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/memory.h"
#include "firn_test.h"
#include "output/hdf5/h5_write.h"

#define DIR FIRN_TEST_TMP "/"

static void begin(firn_h5* h5, const char* path)
{
    firn_error error;
    if (firn_h5_create(h5, path, FIRN_SEAL_FRAME, &error) != FIRN_OK) fail_msg("%s", error.text);
}

static void open_input(firn_h5_input* in, const char* path, firn_error* error)
{
    if (firn_h5_open(in, path, FIRN_SEAL_FRAME, error) != FIRN_OK) fail_msg("%s", error->text);
}

// Bytes that do not repeat, but compress a little.
static uint8_t* make_bytes(size_t count)
{
    uint8_t* bytes = firn_alloc(count + 1, 1);
    for (size_t k = 0; k < count; k++) bytes[k] = (uint8_t)((k * 2654435761u) >> 13) & 0x3f;
    return bytes;
}

static void check_array(const firn_h5_array* a)
{
    const size_t bytes = (size_t)a->rows * (size_t)a->columns * firn_h5_type_size(a->stored);
    firn_h5 h5;
    begin(&h5, DIR "a.hdf");
    assert_int_equal(firn_h5_commit(&h5, firn_h5_put_array(&h5, a)), FIRN_OK);
    firn_h5_input in;
    firn_error error = {0};
    open_input(&in, DIR "a.hdf", &error);
    firn_h5_dataset dataset;
    int64_t rows = -1;
    firn_result r = firn_h5_measure(&in, a->path, a->stored, a->columns, &dataset, &rows);
    if (r != FIRN_OK) fail_msg("%lld × %d: %s", (long long)a->rows, a->columns, error.text);
    assert_int_equal(rows, a->rows);
    uint8_t* read = firn_alloc(bytes + 1, 1);
    r = firn_h5_get_array(&in, &dataset, a->stored, read);
    if (r != FIRN_OK) fail_msg("%lld × %d: %s", (long long)a->rows, a->columns, error.text);
    assert_memory_equal(read, a->data, bytes);
    assert_int_equal(read[bytes], 0);
    firn_free(read);
    assert_int_equal(firn_h5_close(&in, FIRN_OK), FIRN_OK);
}

static void arrays_come_back(void** state)
{
    (void)state;
    const int64_t sizes[] = {0, 1, 7, FIRN_H5_CHUNK / 9, FIRN_H5_CHUNK, FIRN_H5_CHUNK + 1};
    uint8_t* data = make_bytes(70 * FIRN_H5_CHUNK);
    for (int type = 0; type < FIRN_H5_TYPES; type++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
            for (int c = 0; c < 3; c++) {
                firn_h5_array a = {.path = "/a",
                                   .given = (firn_h5_type)type,
                                   .stored = (firn_h5_type)type,
                                   .rows = sizes[s],
                                   .columns = (int[]){1, 3, 9}[c],
                                   .compression = ((int)s + c + type) % 3,
                                   .data = data};
                if (a.rows * a.columns <= 70 * FIRN_H5_CHUNK / 8) check_array(&a);
            }
    // more chunks than one node of the index has entries
    const firn_h5_array large = {.path = "/a",
                                 .given = FIRN_H5_U8,
                                 .stored = FIRN_H5_U8,
                                 .rows = 70 * FIRN_H5_CHUNK - 5,
                                 .columns = 1,
                                 .compression = 1,
                                 .data = data};
    check_array(&large);
    firn_free(data);
}

static void float32_become_float64(void** state)
{
    (void)state;
    const float values[3] = {1.5f, -3e38f, 0.1f};
    const firn_h5_array a = {.path = "/a",
                             .given = FIRN_H5_F32,
                             .stored = FIRN_H5_F32,
                             .rows = 3,
                             .columns = 1,
                             .data = values};
    firn_h5 h5;
    begin(&h5, DIR "f.hdf");
    assert_int_equal(firn_h5_commit(&h5, firn_h5_put_array(&h5, &a)), FIRN_OK);
    firn_h5_input in;
    firn_error error;
    open_input(&in, DIR "f.hdf", &error);
    firn_h5_dataset dataset;
    int64_t rows;
    double wide[3];
    assert_int_equal(firn_h5_measure(&in, "/a", FIRN_H5_F32, 1, &dataset, &rows), FIRN_OK);
    assert_int_equal(firn_h5_get_array(&in, &dataset, FIRN_H5_F64, wide), FIRN_OK);
    for (int k = 0; k < 3; k++) assert_true(wide[k] == (double)values[k]);
    assert_int_equal(firn_h5_get_array(&in, &dataset, FIRN_H5_I64, wide), FIRN_REFUSED_DAMAGED);
    assert_int_equal(firn_h5_close(&in, FIRN_OK), FIRN_REFUSED_DAMAGED);
}

enum { MANY = 300 };

// So many that HDF5 moves them to heaps with several blocks and indices of two levels.
static void write_many(const char* path)
{
    firn_h5 h5;
    begin(&h5, path);
    firn_result r = firn_h5_put_group(&h5, "/g");
    for (int64_t k = 0; k < MANY && r == FIRN_OK; k++) {
        char name[64], text[64];
        snprintf(name, sizeof name, "number %d", (int)k);
        snprintf(text, sizeof text, "/g/group %d", (int)k);
        r = firn_h5_put_number(&h5, "/g", name, FIRN_H5_I64, &k, 0);
        if (r == FIRN_OK) r = firn_h5_put_group(&h5, text);
        snprintf(name, sizeof name, "text %d", (int)k);
        if (r == FIRN_OK) r = firn_h5_put_text(&h5, text, name, text);
    }
    assert_int_equal(firn_h5_commit(&h5, r), FIRN_OK);
}

static void many_attributes_and_links_come_back(void** state)
{
    (void)state;
    write_many(DIR "m.hdf");
    firn_h5_input in;
    firn_error error = {0};
    open_input(&in, DIR "m.hdf", &error);
    for (int64_t k = 0; k < MANY; k++) {
        char name[64], path[64], text[64];
        int64_t number = -1;
        snprintf(name, sizeof name, "number %d", (int)k);
        if (firn_h5_get_number(&in, "/g", name, FIRN_H5_I64, &number) != FIRN_OK)
            fail_msg("%s", error.text);
        assert_int_equal(number, k);
        snprintf(path, sizeof path, "/g/group %d", (int)k);
        snprintf(name, sizeof name, "text %d", (int)k);
        if (firn_h5_get_text(&in, path, name, text, sizeof text) != FIRN_OK)
            fail_msg("%s", error.text);
        assert_string_equal(text, path);
    }
    assert_false(firn_h5_has(&in, "/g/group 300"));
    assert_false(firn_h5_has(&in, "/g/group"));
    assert_true(firn_h5_has(&in, "/g/group 299"));
    assert_int_equal(firn_h5_close(&in, FIRN_OK), FIRN_OK);
}

// Reads all that is in a file of write_small. The result is that of the first failure.
static firn_result read_small(const char* path, firn_error* error)
{
    firn_h5_input in;
    FIRN_TRY(firn_h5_open(&in, path, FIRN_SEAL_FRAME, error));
    firn_text text = {0};
    firn_result r = firn_h5_list(&in, "/g", &text);
    firn_text_destroy(&text);
    for (int k = 0; k < 12 && r == FIRN_OK; k++) {
        char name[16];
        int64_t number;
        snprintf(name, sizeof name, "n%d", k);
        r = firn_h5_get_number(&in, "/g", name, FIRN_H5_I64, &number);
    }
    const char* const arrays[] = {"/g/chunks", "/g/whole"};
    for (int k = 0; k < 2 && r == FIRN_OK; k++) {
        firn_h5_dataset dataset;
        int64_t rows;
        r = firn_h5_measure(&in, arrays[k], FIRN_H5_F32, 3, &dataset, &rows);
        if (r != FIRN_OK) break;
        float* values = firn_alloc((size_t)rows * 3 + 1, sizeof *values);
        if (values != NULL) r = firn_h5_get_array(&in, &dataset, FIRN_H5_F32, values);
        firn_free(values);
    }
    return firn_h5_close(&in, r);
}

static void write_small(const char* path)
{
    float values[60] = {0};
    firn_h5 h5;
    begin(&h5, path);
    firn_result r = firn_h5_put_group(&h5, "/g");
    for (int64_t k = 0; k < 12 && r == FIRN_OK; k++) {
        char name[16];
        snprintf(name, sizeof name, "n%d", (int)k);
        r = firn_h5_put_number(&h5, "/g", name, FIRN_H5_I64, &k, 0);
    }
    const char* const arrays[] = {"/g/chunks", "/g/whole"};
    for (int k = 0; k < 2 && r == FIRN_OK; k++) {
        const firn_h5_array a = {.path = arrays[k],
                                 .given = FIRN_H5_F32,
                                 .stored = FIRN_H5_F32,
                                 .rows = 20,
                                 .columns = 3,
                                 .compression = k == 0 ? 1 : 0,
                                 .data = values};
        r = firn_h5_put_array(&h5, &a);
        if (r == FIRN_OK) r = firn_h5_put_text(&h5, a.path, "unit", "m");
    }
    assert_int_equal(firn_h5_commit(&h5, r), FIRN_OK);
}

// Changes every byte behind the seal in turn, in three ways, and seals the file again. It is read
// or refused with a sentence; nothing is read out of bounds (ASan), nothing loops (timeout).
static void forged_bytes_are_read_or_refused(void** state)
{
    (void)state;
    write_small(DIR "s.hdf");
    const int file = open(DIR "s.hdf", O_RDWR | O_CLOEXEC);
    assert_true(file >= 0);
    const off_t size = lseek(file, 0, SEEK_END);
    firn_error error;
    int refused = 0;
    for (off_t at = FIRN_SEAL_BYTES; at < size; at++) {
        uint8_t byte;
        assert_int_equal(pread(file, &byte, 1, at), 1);
        const uint8_t forged[3] = {(uint8_t)(byte + 1), 0xff, (uint8_t)(byte ^ 0x40)};
        for (int k = 0; k < 3; k++) {
            assert_int_equal(pwrite(file, &forged[k], 1, at), 1);
            assert_int_equal(firn_seal_write(file, DIR "s.hdf", FIRN_SEAL_FRAME, &error), FIRN_OK);
            const firn_result r = read_small(DIR "s.hdf", &error);
            refused += r == FIRN_REFUSED_DAMAGED;
            if (r != FIRN_OK && r != FIRN_REFUSED_DAMAGED) fail_msg("%s", error.text);
            if (r != FIRN_OK) assert_contains(error.text, "is damaged: ");
        }
        assert_int_equal(pwrite(file, &byte, 1, at), 1);
    }
    assert_int_equal(firn_seal_write(file, DIR "s.hdf", FIRN_SEAL_FRAME, &error), FIRN_OK);
    close(file);
    assert_int_equal(read_small(DIR "s.hdf", &error), FIRN_OK);
    assert_at_least(refused, 300);
}

int test_h5_read(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_come_back),
        cmocka_unit_test(float32_become_float64),
        cmocka_unit_test(many_attributes_and_links_come_back),
        cmocka_unit_test(forged_bytes_are_read_or_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
