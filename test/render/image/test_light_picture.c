// SPDX-License-Identifier: MIT
// Radiance pictures: all three ways of storing rows, exposure and order, and damage refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "firn_test.h"
#include "render/image/light_picture.h"

#define PATH FIRN_TEST_TMP "/sky.hdr"
#define HEAD "#?RADIANCE\n# made here\nFORMAT=32-bit_rle_rgbe\n"

static void put(const char* head, const void* pixels, size_t bytes)
{
    FILE* file = fopen(PATH, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(head, 1, strlen(head), file), strlen(head));
    assert_int_equal(fwrite(pixels, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static firn_exr_picture read(void)
{
    firn_exr_picture picture = {0};
    firn_error error = {0};
    if (firn_light_picture_read(PATH, &picture, &error) != FIRN_OK) fail_msg("%s", error.text);
    return picture;
}

static void refused(const char* why)
{
    firn_exr_picture picture;
    firn_error error = {0};
    assert_int_equal(firn_light_picture_read(PATH, &picture, &error), FIRN_REFUSED_DAMAGED);
    assert_contains(error.text, PATH);
    assert_contains(error.text, why);
}

static void pixel_is(const firn_exr_picture* p, int32_t x, int32_t y, float r, float g, float b)
{
    const float* c = p->rgb + 3 * (y * p->width + x);
    if (c[0] != r || c[1] != g || c[2] != b)
        fail_msg("pixel %d, %d is %g %g %g, not %g %g %g", (int)x, (int)y, (double)c[0],
                 (double)c[1], (double)c[2], (double)r, (double)g, (double)b);
}

// Exponent 128 + 8 makes mantissas whole numbers; 0 is black whatever they are.
static const unsigned char plain[] = {128, 64,  1,   136, 255, 0, 0,   137, 9,   9, 9, 0,
                                      128, 128, 128, 127, 1,   2, 200, 136, 128, 0, 0, 255};

static void plain_rows(void** state)
{
    (void)state;
    put(HEAD "\n-Y 2 +X 3\n", plain, sizeof plain);
    firn_exr_picture p = read();
    assert_int_equal(p.width, 3);
    assert_int_equal(p.height, 2);
    pixel_is(&p, 0, 0, 128, 64, 1);
    pixel_is(&p, 1, 0, 510, 0, 0);
    pixel_is(&p, 2, 0, 0, 0, 0);
    pixel_is(&p, 0, 1, 0.25f, 0.25f, 0.25f);
    pixel_is(&p, 2, 1, ldexpf(128, 119), 0, 0);
    firn_exr_picture_destroy(&p);
}

static void order_and_exposure(void** state)
{
    (void)state;
    put(HEAD "EXPOSURE=4\nEXPOSURE= 0.5\r\n\n+Y 2 -X 3\n", plain, sizeof plain);
    firn_exr_picture p = read();
    pixel_is(&p, 2, 1, 64, 32, 0.5f);  // the first pixel: at the bottom, on the right
    pixel_is(&p, 2, 0, 0.125f, 0.125f, 0.125f);
    firn_exr_picture_destroy(&p);
}

// Repetitions of the last pixel: 2, then 1 * 256 more.
static void old_runs(void** state)
{
    (void)state;
    static const unsigned char row[] = {7, 8, 128, 136, 1, 1, 1, 2, 1, 1, 1, 1, 5, 5, 255, 136};
    put(HEAD "\n-Y 1 +X 260\n", row, sizeof row);
    firn_exr_picture p = read();
    pixel_is(&p, 258, 0, 7, 8, 128);
    pixel_is(&p, 259, 0, 5, 5, 255);
    firn_exr_picture_destroy(&p);
}

static const unsigned char packed[] = {2,   2,   0, 9,                    // 9 pixels
                                       137, 200,                          // red
                                       9,   1,   2, 3, 4, 5, 6, 7, 8, 9,  // green
                                       130, 7,   7, 1, 2, 3, 4, 5, 6, 9,  // blue
                                       137, 136};

static void packed_rows(void** state)
{
    (void)state;
    put(HEAD "\n-Y 1 +X 9\n", packed, sizeof packed);
    firn_exr_picture p = read();
    pixel_is(&p, 0, 0, 200, 1, 7);
    pixel_is(&p, 1, 0, 200, 2, 7);
    pixel_is(&p, 8, 0, 200, 9, 9);
    firn_exr_picture_destroy(&p);
}

// Every file that is cut ends in a sentence, and so does every changed byte or in a picture.
static void damage(void** state)
{
    (void)state;
    static const char head[] = HEAD "\n-Y 1 +X 9\n";
    for (size_t n = 0; n < sizeof packed; n++) {
        put(head, packed, n);
        refused(n < 4 ? "ends before its last row" : "ends in the middle of a row");
    }
    for (size_t n = 0; n < sizeof packed; n++)
        for (int bit = 0; bit < 8; bit++) {
            unsigned char bytes[sizeof packed];
            memcpy(bytes, packed, sizeof packed);
            bytes[n] ^= (unsigned char)(1 << bit);
            put(head, bytes, sizeof bytes);
            firn_exr_picture p;
            firn_error error = {0};
            const firn_result result = firn_light_picture_read(PATH, &p, &error);
            assert_true(result == FIRN_OK || result == FIRN_REFUSED_DAMAGED);
            if (result == FIRN_OK) firn_exr_picture_destroy(&p);
        }
    static const unsigned char run[] = {7, 8, 128, 136, 1, 1, 1, 200};
    put(HEAD "\n-Y 1 +X 9\n", run, sizeof run);
    refused("leaves its row");
}

static void refusals(void** state)
{
    (void)state;
    put("", "P6 a picture", 12);
    refused("neither OpenEXR (.exr) nor Radiance (.hdr)");
    put("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 2 +X 3\n", plain, sizeof plain);
    refused("save it as RGB");
    put(HEAD "\n+X 3 -Y 2\n", plain, sizeof plain);
    refused("'-Y rows +X columns'");
    put(HEAD "\n-Y 40000 +X 3\n", plain, sizeof plain);
    refused("each side must be 1 to 32768");
    put(HEAD "\n-Y 30000 +X 30000\n", plain, sizeof plain);
    refused("cannot hold the 30000 x 30000 pixels");
    put(HEAD "EXPOSURE=0\n\n-Y 2 +X 3\n", plain, sizeof plain);
    refused("exposure");
    put(HEAD, "", 0);
    refused("header has no end");
}

int test_light_picture(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_rows), cmocka_unit_test(order_and_exposure),
        cmocka_unit_test(old_runs),   cmocka_unit_test(packed_rows),
        cmocka_unit_test(damage),     cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("light_picture", tests, NULL, NULL);
}
