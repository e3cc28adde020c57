// SPDX-License-Identifier: MIT
// Height fields from PNG files written here: every colour type and depth, interlaced or not, and
// files that are damaged, cut off, or no pictures at all.
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "geometry/gallery.h"

enum { W = 13, H = 7 };

// What pixel (i, j) holds, of 0..65535.
static unsigned level(int i, int j)
{
    return (unsigned)(i * 65535 / (W - 1) + j * 311) % 65536;
}

// Bytes of a sample of the given depth.
static void put_sample(png_byte* row, int depth, int at, unsigned value16)
{
    if (depth == 16) {
        row[2 * at] = (png_byte)(value16 >> 8);
        row[2 * at + 1] = (png_byte)value16;
    } else if (depth == 8) {
        row[at] = (png_byte)(value16 >> 8);
    } else {
        const int per = 8 / depth, shift = 8 - depth * (at % per + 1);
        row[at / per] = (png_byte)(row[at / per] | (value16 >> (16 - depth)) << shift);
    }
}

static void write_png(const char* path, int colour, int depth, int interlace)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, W, H, depth, colour, interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    if (colour == PNG_COLOR_TYPE_PALETTE) {
        png_color palette[256];
        for (int k = 0; k < 256; k++)
            palette[k] = (png_color){(png_byte)k, (png_byte)k, (png_byte)k};
        png_set_PLTE(png, info, palette, 256);
    }
    png_set_gAMA(png, info, 0.45455);  // must make no difference
    png_write_info(png, info);
    const int channels = png_get_channels(png, info);
    png_byte rows[H][W * 8];
    png_bytep pointers[H];
    memset(rows, 0, sizeof rows);
    for (int j = 0; j < H; j++) {
        pointers[j] = rows[j];
        for (int i = 0; i < W; i++)
            for (int c = 0; c < channels; c++) {
                const bool alpha = (colour & PNG_COLOR_MASK_ALPHA) && c == channels - 1;
                put_sample(rows[j], depth, i * channels + c, alpha ? 30000u : level(i, j));
            }
    }
    png_write_image(png, pointers);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

// Removed first: a file system may flush a file that is cut to nothing and rewritten.
static void write_bytes(const char* path, const char* data, size_t bytes)
{
    remove(path);
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    fclose(file);
}

static firn_result add_png(firn_shapes* shapes, const char* path, firn_error* error)
{
    firn_local shape;
    return firn_shapes_add_png_field(shapes, firn_v3(0, 0, 0), firn_v3(W - 1, 1, H - 1), path,
                                     &shape, error);
}

static void every_kind_of_png(void** state)
{
    (void)state;
    const struct {
        int colour, depth;
        double tolerance;  // of the depth
    } kinds[] = {{PNG_COLOR_TYPE_GRAY, 16, 1e-6},          {PNG_COLOR_TYPE_GRAY, 8, 1. / 255},
                 {PNG_COLOR_TYPE_GRAY, 4, 1. / 15},        {PNG_COLOR_TYPE_GRAY, 1, 1},
                 {PNG_COLOR_TYPE_GRAY_ALPHA, 8, 1. / 255}, {PNG_COLOR_TYPE_GRAY_ALPHA, 16, 1e-6},
                 {PNG_COLOR_TYPE_RGB, 8, 1. / 255},        {PNG_COLOR_TYPE_RGB, 16, 1e-6},
                 {PNG_COLOR_TYPE_RGB_ALPHA, 16, 1e-6},     {PNG_COLOR_TYPE_PALETTE, 8, 1. / 255}};
    const char* path = FIRN_TEST_TMP "/kind.png";
    for (size_t k = 0; k < 2 * (sizeof kinds / sizeof kinds[0]); k++) {
        write_png(path, kinds[k / 2].colour, kinds[k / 2].depth,
                  k % 2 ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE);
        firn_shapes shapes = {0};
        firn_error error = {0};
        if (add_png(&shapes, path, &error) != FIRN_OK) fail_msg("%s", error.text);
        const firn_height_field* f = &shapes.fields[0];
        assert_int_equal(f->nx, W);
        assert_int_equal(f->nz, H);
        for (int j = 0; j < H; j++)
            for (int i = 0; i < W; i++) {
                const double d = (double)f->value[j * W + i] - level(i, j) / 65535.;
                if (!(fabs(d) <= kinds[k / 2].tolerance)) fail_msg("kind %zu: %g", k, d);
            }
        // pixel (3, 0) stands at x = 3, z = 0: just below and above its height
        const firn_real h = f->value[3];
        assert_at_most(firn_shape_distance(&shapes, 0, firn_v3(3, h * (firn_real)0.99, 0)), 0);
        assert_greater(firn_shape_distance(&shapes, 0, firn_v3(3, h + (firn_real)0.01, 0)), 0);
        firn_shapes_destroy(&shapes);
    }
}

static void colours_count_by_their_luma(void** state)
{
    (void)state;
    const char* path = FIRN_TEST_TMP "/colour.png";
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = 3, .height = 2, .format = PNG_FORMAT_RGB};
    const png_byte pixels[18] = {255, 0,   0,   0, 255, 0, 0,   0,   255,
                                 255, 255, 255, 0, 0,   0, 128, 128, 128};
    assert_true(png_image_write_to_file(&image, path, 0, pixels, 0, NULL));
    firn_shapes shapes = {0};
    assert_int_equal(add_png(&shapes, path, NULL), FIRN_OK);
    const double expected[6] = {0.2126, 0.7152, 0.0722, 1, 0, 128. / 255};
    // a code over 255 or 65535, in float
    for (int k = 0; k < 6; k++) assert_near(shapes.fields[0].value[k], expected[k], 1e-6);
    firn_shapes_destroy(&shapes);
}

// Refused as a bad input file, nothing left behind.
static void refused(const char* path, const char* words)
{
    firn_shapes shapes = {0};
    firn_error error = {0};
    const uint64_t before = firn_memory_read().bytes;
    const firn_result result = add_png(&shapes, path, &error);
    assert_either(result, FIRN_REFUSED_SCENE, FIRN_REFUSED_IO);
    assert_int_equal(shapes.field_count, 0);
    assert_equal(firn_memory_read().bytes, before);
    if (strstr(error.text, words) == NULL) fail_msg("'%s' does not say '%s'", error.text, words);
}

static void every_truncation_is_refused(void** state)
{
    (void)state;
    const char *whole = FIRN_TEST_TMP "/whole.png", *cut = FIRN_TEST_TMP "/cut.png";
    for (int interlace = 0; interlace < 2; interlace++) {
        write_png(whole, PNG_COLOR_TYPE_GRAY, 16, interlace);
        char* data;
        size_t bytes;
        assert_int_equal(firn_file_read(whole, 1 << 20, &data, &bytes, NULL), FIRN_OK);
        for (size_t length = 0; length < bytes; length++) {
            write_bytes(cut, data, length);
            refused(cut, length < 8 ? "not a PNG" : "too early");
        }
        firn_free(data);
    }
}

static void damage_is_refused_or_harmless(void** state)
{
    (void)state;
    any_source r = any_start(51);
    const char *whole = FIRN_TEST_TMP "/good.png", *path = FIRN_TEST_TMP "/damaged.png";
    write_png(whole, PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_NONE);
    char* data;
    size_t bytes;
    assert_int_equal(firn_file_read(whole, 1 << 20, &data, &bytes, NULL), FIRN_OK);
    int accepted = 0;
    for (int q = 0; q < 1000; q++) {
        const size_t at = (size_t)any_below(&r, (int)bytes);
        const char was = data[at];
        data[at] = (char)(was ^ (1 << any_below(&r, 8)));
        write_bytes(path, data, bytes);
        data[at] = was;
        firn_shapes shapes = {0};
        accepted += add_png(&shapes, path, NULL) == FIRN_OK;
        firn_shapes_destroy(&shapes);
    }
    print_message("%d of 1000 accepted\n", accepted);
    assert_less(accepted, 200);  // in chunks that heights do not need
    firn_free(data);
}

static void wrong_files_and_sizes(void** state)
{
    (void)state;
    refused(FIRN_TEST_TMP "/missing.png", "cannot open");
    refused(FIRN_TEST_TMP, "not a regular file");
    const char* path = FIRN_TEST_TMP "/odd.png";
    assert_int_equal(firn_file_write(path, "P2 3 3 255", 10, NULL), FIRN_OK);
    refused(path, "not a PNG");
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = 1, .height = 9, .format = PNG_FORMAT_GRAY};
    png_byte* pixels = calloc(1 << 24, 1);
    assert_true(png_image_write_to_file(&image, path, 0, pixels, 0, NULL));
    refused(path, "1 x 9");
    image.width = 16385;
    image.height = 2;
    assert_true(png_image_write_to_file(&image, path, 0, pixels, 0, NULL));
    refused(path, "odd.png: height field: 16385 x 2 values");
    free(pixels);
}

// A header that promises 16384 x 16384 pixels: refused by the number of values, before memory.
static void absurd_size_takes_no_memory(void** state)
{
    (void)state;
    const char* path = FIRN_TEST_TMP "/absurd.png";
    write_png(path, PNG_COLOR_TYPE_GRAY, 8, PNG_INTERLACE_NONE);
    char* data;
    size_t bytes;
    assert_int_equal(firn_file_read(path, 1 << 20, &data, &bytes, NULL), FIRN_OK);
    const png_byte size[8] = {0, 0, 0x40, 0, 0, 0, 0x40, 0};
    memcpy(data + 16, size, 8);
    // CRC-32 of "IHDR" and its data, bit by bit
    uint32_t crc = 0xffffffffu;
    for (int k = 12; k < 29; k++) {
        crc ^= (unsigned char)data[k];
        for (int b = 0; b < 8; b++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1;
    }
    crc = ~crc;
    for (int k = 0; k < 4; k++) data[29 + k] = (char)(crc >> (24 - 8 * k));
    assert_int_equal(firn_file_write(path, data, bytes, NULL), FIRN_OK);
    firn_free(data);
    firn_memory_budget* budget = firn_memory_budget_create(16 << 20);
    firn_memory_use(budget);
    refused(path, "268435456 values");
    firn_memory_use(NULL);
    firn_memory_budget_release(budget);
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    const char* path = FIRN_TEST_TMP "/memory.png";
    write_png(path, PNG_COLOR_TYPE_RGB, 16, PNG_INTERLACE_ADAM7);
    const uint64_t before = firn_memory_read().bytes;
    for (int forever = 0; forever < 2; forever++) {
        uint64_t k = 1;
        for (bool done = false; !done; k++) {
            firn_shapes shapes = {0};
            firn_memory_fail_at(k, forever);
            const firn_result result = add_png(&shapes, path, NULL);
            firn_memory_fail_at(0, false);
            done = result == FIRN_OK;
            if (!done) assert_int_equal(result, FIRN_BROKEN_MEMORY);
            firn_shapes_destroy(&shapes);
            assert_equal(firn_memory_read().bytes, before);
        }
        assert_greater(k, 8);
    }
}

int test_height_png(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_of_png),
                                       cmocka_unit_test(colours_count_by_their_luma),
                                       cmocka_unit_test(every_truncation_is_refused),
                                       cmocka_unit_test(damage_is_refused_or_harmless),
                                       cmocka_unit_test(wrong_files_and_sizes),
                                       cmocka_unit_test(absurd_size_takes_no_memory),
                                       cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests_name("height_png", tests, NULL, NULL);
}
