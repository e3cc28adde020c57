// SPDX-License-Identifier: MIT
// Contact sheets: size, order, averages in linear light, refusals.
#include "render/image/contact_sheet.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "firn_test.h"
#include "render/image/image.h"

#define SHEET FIRN_TEST_TMP "/sheet.png"

// Picture k: all bytes 40 k + 15, but every second column black when `striped`.
static void write_picture(const char* path, int k, int32_t width, int32_t height, bool striped)
{
    firn_image image;
    assert_int_equal(firn_image_create(&image, width, height, NULL), FIRN_OK);
    for (int32_t i = 0; i < width * height; i++)
        memset(image.rgb + 3 * i, striped && i % width % 2 ? 0 : 40 * k + 15, 3);
    assert_int_equal(firn_png_write(path, &image, 1, NULL), FIRN_OK);
    firn_image_destroy(&image);
}

static const char* const paths[5] = {FIRN_TEST_TMP "/a.png", FIRN_TEST_TMP "/b.png",
                                     FIRN_TEST_TMP "/c.png", FIRN_TEST_TMP "/d.png",
                                     FIRN_TEST_TMP "/e.png"};

static void size_and_order(void** state)
{
    (void)state;
    for (int k = 0; k < 5; k++) write_picture(paths[k], k, 192, 96, false);
    assert_int_equal(firn_contact_sheet_write(paths, 5, 3, 0.5, SHEET, NULL), FIRN_OK);
    firn_image sheet;
    assert_int_equal(firn_png_read(SHEET, &sheet, NULL), FIRN_OK);
    assert_int_equal(sheet.width, 3 * (96 + 2) + 2);
    assert_int_equal(sheet.height, 2 * (48 + 2) + 2);
    for (int k = 0; k < 5; k++) {
        const int x = 2 + k % 3 * 98, y = 2 + k / 3 * 50;
        assert_int_equal(sheet.rgb[(y * sheet.width + x) * 3], 40 * k + 15);
        assert_int_equal(sheet.rgb[((y + 47) * sheet.width + x + 95) * 3 + 2], 40 * k + 15);
        assert_int_equal(sheet.rgb[((y - 1) * sheet.width + x) * 3], 0);  // gap
    }
    assert_int_equal(sheet.rgb[((sheet.height - 10) * sheet.width + sheet.width - 10) * 3], 0);
    firn_image_destroy(&sheet);
    // fewer pictures than columns; full size keeps every byte
    assert_int_equal(firn_contact_sheet_write(paths, 2, 9, 1, SHEET, NULL), FIRN_OK);
    assert_int_equal(firn_png_read(SHEET, &sheet, NULL), FIRN_OK);
    assert_int_equal(sheet.width, 2 * (192 + 3) + 3);
    assert_int_equal(sheet.rgb[(50 * sheet.width + 250) * 3], 55);
    firn_image_destroy(&sheet);
}

static void averages_light(void** state)
{
    (void)state;
    write_picture(paths[0], 6, 64, 64, true);  // 255 and 0 in turn
    assert_int_equal(firn_contact_sheet_write(paths, 1, 1, 0.25, SHEET, NULL), FIRN_OK);
    firn_image sheet;
    assert_int_equal(firn_png_read(SHEET, &sheet, NULL), FIRN_OK);
    // half of the light of a white screen is sRGB 188, not 128
    assert_int_equal(sheet.rgb[(5 * sheet.width + 5) * 3], 188);
    firn_image_destroy(&sheet);
}

static void refusals(void** state)
{
    (void)state;
    firn_error error = {0};
    write_picture(paths[0], 1, 64, 32, false);
    write_picture(paths[1], 2, 64, 33, false);
    unlink(SHEET);
    assert_int_equal(firn_contact_sheet_write(paths, 0, 1, 1, SHEET, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_contact_sheet_write(paths, 1, 0, 1, SHEET, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_contact_sheet_write(paths, 1, 1, 1.5, SHEET, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_contact_sheet_write(paths, 1, 1, 0.001, SHEET, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_contact_sheet_write(paths, 2, 2, 1, SHEET, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "b.png");
    assert_contains(error.text, "64 x 33");
    const char* missing[] = {paths[0], FIRN_TEST_TMP "/missing.png"};
    assert_int_equal(firn_contact_sheet_write(missing, 2, 2, 1, SHEET, &error), FIRN_REFUSED_IO);
    assert_int_not_equal(access(SHEET, F_OK), 0);
}

static void out_of_memory(void** state)
{
    (void)state;
    for (int k = 0; k < 2; k++) write_picture(paths[k], k, 32, 16, false);
    const uint64_t in_use = firn_memory_read().bytes;
    firn_result result = FIRN_BROKEN_MEMORY;
    uint64_t k = 1;
    for (; result != FIRN_OK && k < 200; k++) {
        firn_memory_fail_at(k, k % 2 == 0);
        result = firn_contact_sheet_write(paths, 2, 2, 0.5, SHEET, NULL);
        firn_memory_fail_at(0, false);
        if (result != FIRN_OK) assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_int_equal(firn_memory_read().bytes, in_use);
    }
    assert_int_equal(result, FIRN_OK);
    assert_greater(k, 10);
}

int test_contact_sheet(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_and_order),
        cmocka_unit_test(averages_light),
        cmocka_unit_test(refusals),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("contact_sheet", tests, NULL, NULL);
}
