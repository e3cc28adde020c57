// SPDX-License-Identifier: MIT
// Pictures and their PNG files: what is written is read back, what is damaged is refused.
#include "render/image/image.h"

#include <png.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "disk.h"
#include "firn_test.h"
#include "render/texture.h"

#define PATH FIRN_TEST_TMP "/image.png"

static firn_image noise_image(int32_t width, int32_t height)
{
    firn_image image;
    assert_int_equal(firn_image_create(&image, width, height, NULL), FIRN_OK);
    for (int32_t i = 0; i < 3 * width * height; i++)
        image.rgb[i] = (uint8_t)(i % 5 == 0 ? i / 5 : (int32_t)(firn_hash32((uint32_t)i) >> 24));
    return image;
}

static void round_trip(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 1}, {1, 37}, {53, 1}, {96, 54}, {333, 77}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int effort = 1; effort <= 9; effort += 4) {
            firn_image image = noise_image(sizes[k][0], sizes[k][1]), back;
            assert_int_equal(firn_png_write(PATH, &image, effort, NULL), FIRN_OK);
            disk_no_temporary(PATH);
            assert_int_equal(firn_png_read(PATH, &back, NULL), FIRN_OK);
            assert_int_equal(back.width, image.width);
            assert_int_equal(back.height, image.height);
            assert_memory_equal(back.rgb, image.rgb, (size_t)(3 * image.width * image.height));
            firn_image_destroy(&image);
            firn_image_destroy(&back);
            assert_null(back.rgb);
        }
}

// Other people's pictures: libpng's simple interface writes them.
static void other_formats(void** state)
{
    (void)state;
    uint16_t deep[2][2] = {{0, 65535}, {32768, 255}};
    png_image png = {.version = PNG_IMAGE_VERSION, .width = 2, .height = 2};
    png.format = PNG_FORMAT_LINEAR_Y;  // 16 bits, grey
    assert_true(png_image_write_to_file(&png, PATH, 0, deep, 0, NULL));
    firn_image image;
    assert_int_equal(firn_png_read(PATH, &image, NULL), FIRN_OK);
    assert_int_equal(image.rgb[0], 0);
    assert_int_equal(image.rgb[3], 255);
    assert_int_equal(image.rgb[6], image.rgb[8]);
    firn_image_destroy(&image);
    const uint8_t clear[2][2][4] = {{{10, 20, 30, 255}, {40, 50, 60, 0}},
                                    {{70, 80, 90, 128}, {1, 2, 3, 4}}};
    png = (png_image){.version = PNG_IMAGE_VERSION, .width = 2, .height = 2};
    png.format = PNG_FORMAT_RGBA;
    assert_true(png_image_write_to_file(&png, PATH, 0, clear, 0, NULL));
    assert_int_equal(firn_png_read(PATH, &image, NULL), FIRN_OK);
    assert_int_equal(image.rgb[3], 40);
    assert_int_equal(image.rgb[8], 90);
    firn_image_destroy(&image);
}

// Not firn_file_write: waiting for the disk a few hundred times takes seconds.
static void put(const char* data, size_t bytes)
{
    FILE* file = fopen(PATH, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    assert_int_equal(fclose(file), 0);
}

static void damaged_files(void** state)
{
    (void)state;
    firn_image image = noise_image(40, 30), back = {0};
    firn_error error = {0};
    assert_int_equal(firn_png_write(PATH, &image, 6, NULL), FIRN_OK);
    char* data;
    size_t bytes;
    assert_int_equal(firn_file_read(PATH, 1 << 20, &data, &bytes, NULL), FIRN_OK);
    const uint64_t in_use = firn_memory_read().bytes;
    for (size_t cut = 0; cut < bytes; cut += 1 + cut / 16) {
        put(data, cut);
        assert_int_equal(firn_png_read(PATH, &back, &error), FIRN_REFUSED_DAMAGED);
        assert_contains(error.text, "image.png");
    }
    // one changed bit in the header, the picture or a checksum is noticed; none crashes
    int refused = 0;
    for (size_t at = 0; at < bytes; at += 7) {
        data[at] ^= 16;
        put(data, bytes);
        const firn_result result = firn_png_read(PATH, &back, &error);
        if (result == FIRN_OK)
            firn_image_destroy(&back);
        else
            refused++;
        data[at] ^= 16;
    }
    assert_greater(refused, 0);
    assert_int_equal(firn_memory_read().bytes, in_use);
    assert_null(back.rgb);
    firn_free(data);
    firn_image_destroy(&image);
}

static void refusals(void** state)
{
    (void)state;
    firn_error error = {0};
    firn_image image;
    assert_int_equal(firn_image_create(&image, 0, 5, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_image_create(&image, 5, -1, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_image_create(&image, FIRN_IMAGE_SIDE_MAX + 1, 1, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "32769 x 1");
    assert_int_equal(firn_png_read(FIRN_TEST_TMP "/none.png", &image, &error), FIRN_REFUSED_IO);
    image = noise_image(4, 4);
    assert_int_equal(firn_png_write(FIRN_TEST_TMP "/no/folder.png", &image, 3, &error),
                     FIRN_REFUSED_IO);
    firn_image_destroy(&image);
}

// A full disk: the write fails, says so, and the old file stays.
static void full_disk(void** state)
{
    (void)state;
    firn_image image = noise_image(200, 200);
    assert_int_equal(firn_png_write(PATH, &image, 3, NULL), FIRN_OK);
    uint64_t bytes, before, after;
    assert_int_equal(firn_file_checksum(PATH, &bytes, &before, NULL), FIRN_OK);
    firn_error error = {0};
    disk_limit(512);
    const firn_result result = firn_png_write(PATH, &image, 3, &error);
    disk_limit(RLIM_INFINITY);
    assert_int_equal(result, FIRN_REFUSED_IO);
    assert_contains(error.text, "image.png");
    disk_no_temporary(PATH);
    assert_int_equal(firn_file_checksum(PATH, &bytes, &after, NULL), FIRN_OK);
    assert_int_equal(before, after);
    firn_image_destroy(&image);
}

static void out_of_memory(void** state)
{
    (void)state;
    firn_image image = noise_image(64, 64), back;
    assert_int_equal(firn_png_write(PATH, &image, 6, NULL), FIRN_OK);
    const uint64_t in_use = firn_memory_read().bytes;
    for (int read = 0; read < 2; read++)
        for (int forever = 0; forever < 2; forever++) {
            firn_result result = FIRN_BROKEN_MEMORY;
            uint64_t k = 1;
            for (; result != FIRN_OK && k < 100; k++) {
                firn_memory_fail_at(k, forever != 0);
                result =
                    read ? firn_png_read(PATH, &back, NULL) : firn_png_write(PATH, &image, 6, NULL);
                firn_memory_fail_at(0, false);
                if (result == FIRN_OK && read) firn_image_destroy(&back);
                if (result != FIRN_OK) assert_int_equal(result, FIRN_BROKEN_MEMORY);
                assert_int_equal(firn_memory_read().bytes, in_use);
            }
            assert_int_equal(result, FIRN_OK);
            assert_greater(k, 3);  // libpng and zlib allocate through firn's memory
        }
    firn_image_destroy(&image);
}

// Notes come back as they were, also odd and long ones; a picture without them has none.
static void notes(void** state)
{
    (void)state;
    static char value[70000];
    for (size_t k = 0; k + 1 < sizeof value; k++) value[k] = (char)('a' + k % 26);
    const firn_png_note all[] = {{"Software", "firn"}, {"firn:empty", ""}, {"firn:text", value}};
    firn_image image = noise_image(17, 9), back;
    firn_error error = {0};
    memcpy(value, "{a: [1, 2], b: \"\xc3\xa9\"}\n", 20);
    assert_int_equal(firn_png_write_noted(PATH, &image, 3, all, 3, &error), FIRN_OK);
    assert_int_equal(firn_png_read(PATH, &back, NULL), FIRN_OK);
    assert_memory_equal(back.rgb, image.rgb, 3 * 17 * 9);
    firn_image_destroy(&back);
    const uint64_t in_use = firn_memory_read().bytes;
    char* text = NULL;
    for (int k = 0; k < 3; k++) {
        assert_int_equal(firn_png_read_note(PATH, all[k].name, &text, &error), FIRN_OK);
        assert_string_equal(text, all[k].value);
        firn_free(text);
    }
    assert_int_equal(firn_png_read_note(PATH, "firn:none", &text, &error), FIRN_OK);
    assert_null(text);
    firn_result result = FIRN_BROKEN_MEMORY;
    for (uint64_t k = 1; result != FIRN_OK && k < 100; k++) {
        firn_memory_fail_at(k, false);
        result = firn_png_read_note(PATH, "firn:text", &text, NULL);
        firn_memory_fail_at(0, false);
        if (result != FIRN_OK) assert_int_equal(result, FIRN_BROKEN_MEMORY);
    }
    assert_string_equal(text, value);
    firn_free(text);
    assert_int_equal(firn_memory_read().bytes, in_use);
    assert_int_equal(firn_png_write(PATH, &image, 3, &error), FIRN_OK);
    assert_int_equal(firn_png_read_note(PATH, "firn:text", &text, &error), FIRN_OK);
    assert_null(text);
    firn_image_destroy(&image);
    assert_int_equal(firn_file_write(PATH, "no picture", 10, &error), FIRN_OK);
    assert_int_equal(firn_png_read_note(PATH, "a", &text, &error), FIRN_REFUSED_DAMAGED);
    assert_int_equal(firn_png_read_note(FIRN_TEST_TMP "/none.png", "a", &text, &error),
                     FIRN_REFUSED_IO);
}

int test_image(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),    cmocka_unit_test(other_formats),
        cmocka_unit_test(damaged_files), cmocka_unit_test(refusals),
        cmocka_unit_test(full_disk),     cmocka_unit_test(out_of_memory),
        cmocka_unit_test(notes),
    };
    return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
