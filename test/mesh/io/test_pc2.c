// SPDX-License-Identifier: MIT
// Point caches: written by hand, read back, damaged.
#include "mesh/io/pc2.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"

#define PATH FIRN_TEST_TMP "/cache.pc2"
#define POINTS 4
#define SAMPLES 3
#define BYTES (32 + 12 * POINTS * SAMPLES)

static unsigned char image[BYTES];

static void put_u32(size_t at, uint32_t value)
{
    for (int k = 0; k < 4; k++) image[at + (size_t)k] = (unsigned char)(value >> (8 * k));
}

static void put_float(size_t at, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(at, bits);
}

static void fill_image(void)
{
    memcpy(image, "POINTCACHE2", 12);
    put_u32(12, 1);
    put_u32(16, POINTS);
    put_float(20, 10);
    put_float(24, 2);
    put_u32(28, SAMPLES);
    for (int s = 0; s < SAMPLES; s++)
        for (int p = 0; p < POINTS; p++)
            for (int i = 0; i < 3; i++)
                put_float(32 + 12 * (size_t)(s * POINTS + p) + 4 * (size_t)i,
                          (float)(100 * s + 10 * p + i));
}

static void write_image(size_t bytes)
{
    FILE* file = fopen(PATH, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(image, 1, bytes, file), bytes);
    fclose(file);
}

static void samples_come_back(void** state)
{
    (void)state;
    fill_image();
    write_image(BYTES);
    firn_pc2 pc2;
    assert_int_equal(firn_pc2_open(PATH, &pc2, NULL), FIRN_OK);
    assert_int_equal(pc2.point_count, POINTS);
    assert_int_equal(pc2.sample_count, SAMPLES);
    assert_equal(pc2.start, 10);
    assert_equal(pc2.rate, 2);
    for (int s = SAMPLES - 1; s >= 0; s--) {
        firn_vec3 points[POINTS];
        assert_int_equal(firn_pc2_read(PATH, &pc2, s, points, NULL), FIRN_OK);
        for (int p = 0; p < POINTS; p++) {
            const firn_real first = (firn_real)(100 * s + 10 * p);
            assert_equal(points[p].x, first);
            assert_equal(points[p].y, first + 1);
            assert_equal(points[p].z, first + 2);
        }
    }
}

static void bad(size_t bytes, const char* words)
{
    write_image(bytes);
    firn_pc2 pc2;
    firn_error error = {0};
    const firn_result result = firn_pc2_open(PATH, &pc2, &error);
    if (result != FIRN_REFUSED_SCENE || strstr(error.text, words) == NULL)
        fail_msg("expected '%s', got %d '%s'", words, result, error.text);
    fill_image();
}

static void damage_is_named_with_its_byte(void** state)
{
    (void)state;
    fill_image();
    bad(0, "only 0 bytes");
    bad(31, "only 31 bytes, less than the header");
    bad(BYTES - 1, "need 176 bytes, the file has 175: it is cut short");
    image[3] = 'X';
    bad(BYTES, "byte 0: not a .pc2 file");
    image[11] = '3';
    bad(BYTES, "byte 0: not a .pc2 file");
    put_u32(12, 2);
    bad(BYTES, "byte 12: version 2");
    put_u32(16, 0);
    bad(BYTES, "byte 16: 0 points");
    put_u32(16, 0x80000000u);
    bad(BYTES, "byte 16: -2147483648 points");
    put_u32(16, POINTS + 1);
    bad(BYTES, "need 212 bytes, the file has 176: it is cut short");
    put_float(20, NAN);
    bad(BYTES, "byte 20: the first frame is nan");
    put_float(24, 0);
    bad(BYTES, "byte 24: 0 frames from sample to sample");
    put_u32(28, 0);
    bad(BYTES, "byte 28: 0 samples");
    put_u32(28, SAMPLES - 1);
    bad(BYTES, "need 128 bytes, the file has 176: it is not what its header says");
    put_u32(16, 1u << 28);  // the most that can be requested: no overflow
    put_u32(28, 10000000);
    bad(BYTES, "cut short");
}

static void a_bad_point_is_named_with_its_byte(void** state)
{
    (void)state;
    fill_image();
    put_float(32 + 12 * (POINTS + 2) + 4, INFINITY);
    write_image(BYTES);
    firn_pc2 pc2;
    firn_vec3 points[POINTS];
    firn_error error = {0};
    assert_int_equal(firn_pc2_open(PATH, &pc2, NULL), FIRN_OK);
    assert_int_equal(firn_pc2_read(PATH, &pc2, 0, points, NULL), FIRN_OK);
    assert_int_equal(firn_pc2_read(PATH, &pc2, 1, points, &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "byte 108: a coordinate of point 2 is inf");
    // cut after it was opened
    write_image(BYTES - 1);
    assert_int_equal(firn_pc2_read(PATH, &pc2, 2, points, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "it ends too early");
    remove(PATH);
    assert_int_equal(firn_pc2_read(PATH, &pc2, 0, points, &error), FIRN_REFUSED_IO);
    assert_int_equal(firn_pc2_open(PATH, &pc2, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "cannot open '" PATH "'");
}

int test_pc2(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(samples_come_back),
                                       cmocka_unit_test(damage_is_named_with_its_byte),
                                       cmocka_unit_test(a_bad_point_is_named_with_its_byte)};
    return cmocka_run_group_tests_name("pc2", tests, NULL, NULL);
}
