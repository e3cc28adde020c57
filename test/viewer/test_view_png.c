// SPDX-License-Identifier: MIT
// Pictures of the window as files: read back as written, or not there at all.
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "disk.h"
#include "firn_test.h"
#include "render/image/image.h"
#include "viewer/draw/png_write.h"

#define PATH FIRN_TEST_TMP "/picture.png"

static void round_trip(void** state)
{
    (void)state;
    uint8_t pixels[5 * 7 * 3];
    for (size_t k = 0; k < sizeof pixels; k++) pixels[k] = (uint8_t)(37 * k + k / 9);
    assert_true(view_png_write(PATH, 7, 5, pixels));
    disk_no_temporary(PATH);
    firn_image image;
    assert_int_equal(firn_png_read(PATH, &image, NULL), FIRN_OK);
    assert_int_equal(image.width, 7);
    assert_int_equal(image.height, 5);
    assert_memory_equal(image.rgb, pixels, sizeof pixels);
    firn_image_destroy(&image);
}

static void refused(void** state)
{
    (void)state;
    const uint8_t pixel[3] = {1, 2, 3};
    errno = 0;
    assert_false(view_png_write(FIRN_TEST_TMP "/no/such/folder.png", 1, 1, pixel));
    assert_int_equal(errno, ENOENT);
    assert_false(view_png_write(PATH ".empty", 0, 1, pixel));
    assert_int_equal(errno, EINVAL);
    assert_int_not_equal(access(PATH ".empty", F_OK), 0);
    disk_no_temporary(PATH);
    char path[8192];
    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    assert_false(view_png_write(path, 1, 1, pixel));
    assert_int_equal(errno, ENAMETOOLONG);
}

// A full disk: the old picture stays.
static void full(void** state)
{
    (void)state;
    static uint8_t pixels[64 * 64 * 3];
    errno = 0;
    disk_limit(20);
    const bool written = view_png_write(FIRN_TEST_TMP "/full.png", 64, 64, pixels);
    const int code = errno;
    disk_limit(RLIM_INFINITY);
    assert_false(written);
    assert_int_equal(code, EFBIG);
    disk_no_temporary(PATH);
    assert_int_not_equal(access(FIRN_TEST_TMP "/full.png", F_OK), 0);
}

int test_view_png(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(round_trip), cmocka_unit_test(refused),
                                       cmocka_unit_test(full)};
    return cmocka_run_group_tests_name("view_png", tests, NULL, NULL);
}
