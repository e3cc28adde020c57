// SPDX-License-Identifier: MIT
// OpenEXR files that are damaged or claim what they do not hold, and memory that runs out: refused
// with nothing left behind.
#include <fcntl.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "render/exr_foreign.h"
#include "render/image/exr.h"

#define PATH FIRN_TEST_TMP "/picture.exr"

// Reads what may be nonsense: success or one of the refusals, and nothing left behind.
static bool survive(void)
{
    firn_exr_picture back = {0};
    firn_error error = {0};
    const firn_memory_stats before = firn_memory_read();
    const firn_result result = firn_exr_read(PATH, &back, &error);
    if (result == FIRN_OK) {
        firn_exr_picture_destroy(&back);
    } else {
        assert_int_equal(result, FIRN_REFUSED_DAMAGED);
        assert_contains(error.text, "picture.exr");
        assert_null(back.rgb);
    }
    assert_int_equal(firn_memory_read().bytes, before.bytes);
    return result == FIRN_OK;
}

// Every length, and every byte with some bits changed, of a small file of each kind.
static void damaged_files(void** state)
{
    (void)state;
    fill_smooth(19, 21);
    static const foreign kinds[] = {
        {EXR_COMPRESSION_ZIP, EXR_PIXEL_FLOAT, false, false, 0, 0, 19, 21},
        {EXR_COMPRESSION_NONE, EXR_PIXEL_HALF, true, false, 0, 0, 19, 21},
        {EXR_COMPRESSION_PIZ, EXR_PIXEL_HALF, true, true, -5, 3, 19, 21},
        {EXR_COMPRESSION_RLE, EXR_PIXEL_FLOAT, false, true, 2, 2, 19, 21},
    };
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        foreign_write(PATH, &kinds[k]);
        char* data;
        size_t bytes;
        assert_int_equal(firn_file_read(PATH, 1 << 20, &data, &bytes, NULL), FIRN_OK);
        assert_true(survive());
        // changed in place: waiting for the disk a few thousand times would take minutes
        const int file = open(PATH, O_RDWR);
        assert_at_least(file, 0);
        int refused = 0;
        for (size_t at = 0; at < bytes; at += at < 600 ? 1 : 7) {
            static const char changes[4] = {1, 16, -128, -1};
            for (int c = 0; c < (at < 600 ? 4 : 1); c++) {
                const char changed = (char)(data[at] ^ changes[c]);
                assert_int_equal(pwrite(file, &changed, 1, (off_t)at), 1);
                refused += !survive();
            }
            assert_int_equal(pwrite(file, &data[at], 1, (off_t)at), 1);
        }
        assert_greater(refused, 300);  // most of the header matters
        for (size_t length = bytes; length-- > 0; length -= length < 600 ? 0 : 12) {
            assert_int_equal(ftruncate(file, (off_t)length), 0);
            assert_false(survive());
        }
        close(file);
        firn_free(data);
    }
}

// A file may say that it has 32768 x 32768 pixels: it is not believed before it holds them.
static void claims_too_much(void** state)
{
    (void)state;
    fill_smooth(19, 21);
    const foreign f = {EXR_COMPRESSION_ZIP, EXR_PIXEL_FLOAT, false, false, 0, 0, 19, 21};
    foreign_write(PATH, &f);
    char* data;
    size_t bytes;
    assert_int_equal(firn_file_read(PATH, 1 << 20, &data, &bytes, NULL), FIRN_OK);
    char* window = NULL;
    for (size_t i = 0; window == NULL && i + 30 < bytes; i++)
        if (memcmp(data + i, "dataWindow\0box2i", 17) == 0) window = data + i + 17 + 4 + 8;
    assert_non_null(window);
    static const int32_t claims[][2] = {
        {32767, 20}, {32767, 32767}, {32768, 20}, {INT32_MAX, INT32_MAX}, {18, 32767}, {-1, 20}};
    for (size_t k = 0; k < sizeof claims / sizeof claims[0]; k++) {
        memcpy(window, claims[k], sizeof claims[k]);
        assert_int_equal(firn_file_write(PATH, data, bytes, NULL), FIRN_OK);
        const uint64_t peak = firn_memory_read().peak_bytes;
        assert_false(survive());
        assert_less(firn_memory_read().peak_bytes, peak + (64u << 20));
    }
    firn_free(data);
}

static firn_result write_half(void)
{
    const firn_exr_channel channels[3] = {
        {"R", planes[0], true}, {"G", planes[1], true}, {"B", planes[2], false}};
    const firn_exr_text text = {"software", "firn"};
    return firn_exr_write(PATH, 40, 40, channels, 3, &text, 1, NULL);
}

// The library may do without an allocation (it then skips an attribute that is no concern of ours):
// what it calls a success must be one.
static void out_of_memory(void** state)
{
    (void)state;
    fill_smooth(40, 40);
    assert_int_equal(write_half(), FIRN_OK);
    firn_exr_picture whole;
    assert_int_equal(firn_exr_read(PATH, &whole, NULL), FIRN_OK);
    const uint64_t in_use = firn_memory_read().bytes;
    for (int read = 0; read < 2; read++)
        for (int forever = 0; forever < 2; forever++) {
            int failed = 0, row = 0;
            for (uint64_t k = 1; row < 10; k++) {  // ten successes in a row: no more allocations
                assert_less(k, 500);
                firn_exr_picture back = {0};
                firn_memory_fail_at(k, forever != 0);
                const firn_result result = read ? firn_exr_read(PATH, &back, NULL) : write_half();
                firn_memory_fail_at(0, false);
                if (result == FIRN_OK && !read)
                    assert_int_equal(firn_exr_read(PATH, &back, NULL), FIRN_OK);
                if (result == FIRN_OK)
                    assert_memory_equal(back.rgb, whole.rgb, 40 * 40 * 3 * sizeof(float));
                else
                    assert_int_equal(result, FIRN_BROKEN_MEMORY);
                row = result == FIRN_OK ? row + 1 : 0;
                failed += result != FIRN_OK;
                firn_exr_picture_destroy(&back);
                assert_int_equal(firn_memory_read().bytes, in_use);
            }
            assert_greater(failed, 6);  // the library allocates through firn's memory
        }
    firn_exr_picture_destroy(&whole);
}

int test_exr_damage(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(claims_too_much),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("exr_damage", tests, NULL, NULL);
}
