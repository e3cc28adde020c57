// SPDX-License-Identifier: MIT
// OpenEXR files: what is written is read back, other people's files are read, damage is refused.
#include "render/image/exr.h"

#include <math.h>
#include <openexr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/file.h"
#include "core/memory.h"
#include "disk.h"
#include "firn_test.h"
#include "math/random.h"
#include "render/exr_foreign.h"

#define PATH FIRN_TEST_TMP "/picture.exr"

// Values over many magnitudes, of both signs, some repeated so that packing has something to do.
static void fill(int32_t width, int32_t height, uint64_t seed)
{
    for (int c = 0; c < 4; c++)
        for (int32_t i = 0; i < width * height; i++) {
            const double u = firn_random_unit(seed + (uint64_t)c, (uint64_t)(i / 3));
            planes[c][i] = (float)((u - 0.3) * pow(10, 8 * u - 4));
        }
}

static void colour_channels(firn_exr_channel out[3], bool half)
{
    out[0] = (firn_exr_channel){"R", planes[0], half};
    out[1] = (firn_exr_channel){"G", planes[1], half};
    out[2] = (firn_exr_channel){"B", planes[2], half};
}

static firn_result write_colour(int32_t width, int32_t height, bool half, firn_error* error)
{
    firn_exr_channel channels[3];
    colour_channels(channels, half);
    return firn_exr_write(PATH, width, height, channels, 3, NULL, 0, error);
}

static void round_trip(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 1}, {1, 37}, {53, 1}, {96, 70}, {17, 16}, {5, 33}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        const int32_t width = sizes[k][0], height = sizes[k][1];
        fill(width, height, k);
        assert_int_equal(write_colour(width, height, false, NULL), FIRN_OK);
        disk_no_temporary(PATH);
        firn_exr_picture back;
        assert_int_equal(firn_exr_read(PATH, &back, NULL), FIRN_OK);
        assert_int_equal(back.width, width);
        assert_int_equal(back.height, height);
        for (int32_t i = 0; i < width * height; i++)
            for (int c = 0; c < 3; c++)
                assert_memory_equal(&back.rgb[3 * i + c], &planes[c][i], sizeof(float));
        firn_exr_picture_destroy(&back);
        assert_null(back.rgb);
    }
}

// The nearest number of 16 bits, ties to even, from the definition: 11 significant bits, no finer
// than 2^-24.
static double nearest_half(double x)
{
    int exponent;
    frexp(x, &exponent);
    const double step = ldexp(1, (exponent < -13 ? -13 : exponent) - 11);
    return rint(x / step) * step;
}

static void half_rounding(void** state)
{
    (void)state;
    enum { COUNT = 96 * 70 };
    for (int32_t i = 0; i < COUNT; i++) {
        const double u = firn_random_unit(3, (uint64_t)i), v = firn_random_unit(4, (uint64_t)i);
        planes[0][i] = (float)ldexp(1 + u, (int)(v * 40) - 26);  // below the smallest to 2^14
        planes[1][i] = -planes[0][i];
        // exactly half-way between two neighbours
        planes[2][i] = (float)ldexp(1024 + (i % 1024) + 0.5, i % 12 - 14);
    }
    assert_int_equal(write_colour(96, 70, true, NULL), FIRN_OK);
    firn_exr_picture back;
    assert_int_equal(firn_exr_read(PATH, &back, NULL), FIRN_OK);
    for (int32_t i = 0; i < COUNT; i++)
        for (int c = 0; c < 3; c++) assert_equal(back.rgb[3 * i + c], nearest_half(planes[c][i]));
    firn_exr_picture_destroy(&back);
}

// Too bright for 16 bits: the brightest there is, not infinity; floats keep it.
static void half_range(void** state)
{
    (void)state;
    static const float bright[4] = {1e9f, -7e4f, 65519.9f, 65504.0f};
    memcpy(planes[0], bright, sizeof bright);
    memcpy(planes[1], bright, sizeof bright);
    memcpy(planes[2], bright, sizeof bright);
    firn_exr_channel channels[3];
    colour_channels(channels, true);
    channels[2].half = false;
    assert_int_equal(firn_exr_write(PATH, 2, 2, channels, 3, NULL, 0, NULL), FIRN_OK);
    firn_exr_picture back;
    assert_int_equal(firn_exr_read(PATH, &back, NULL), FIRN_OK);
    for (int i = 0; i < 4; i++) {
        assert_equal(back.rgb[3 * i], i == 1 ? -65504.0f : 65504.0f);
        assert_equal(back.rgb[3 * i + 2], bright[i]);
    }
    firn_exr_picture_destroy(&back);
}

// Channels beside the grey one are left out, also where all of them are of type half.
static void grey_among_others(void** state)
{
    (void)state;
    for (int half = 0; half < 2; half++) {
        const int32_t width = 19, height = 35;
        fill(width, height, 5);
        firn_exr_channel channels[3];
        colour_channels(channels, half);
        channels[0].name = "Y";
        assert_int_equal(firn_exr_write(PATH, width, height, channels, 3, NULL, 0, NULL), FIRN_OK);
        firn_exr_picture back;
        assert_int_equal(firn_exr_read(PATH, &back, NULL), FIRN_OK);
        for (int32_t i = 0; i < 3 * width * height; i++)
            assert_equal(back.rgb[i],
                         half ? nearest_half(planes[0][i / 3]) : (double)planes[0][i / 3]);
        firn_exr_picture_destroy(&back);
    }
}

// The library itself finds channels, types and texts where they belong.
static void names_and_texts(void** state)
{
    (void)state;
    fill(20, 10, 7);
    const firn_exr_channel channels[] = {
        {"Z", planes[0], false}, {"R", planes[1], true}, {"albedo.R", planes[2], true},
        {"B", planes[3], true},  {"G", planes[0], true}, {"variance.R", planes[1], false},
    };
    const firn_exr_text texts[] = {{"software", "firn 0.1"}, {"firn.scene", "snowball"}};
    assert_int_equal(firn_exr_write(PATH, 20, 10, channels, 6, texts, 2, NULL), FIRN_OK);
    exr_context_t file;
    assert_int_equal(exr_start_read(&file, PATH, NULL), EXR_ERR_SUCCESS);
    const exr_attr_chlist_t* list;
    assert_int_equal(exr_get_channels(file, 0, &list), EXR_ERR_SUCCESS);
    static const char* const sorted[] = {"B", "G", "R", "Z", "albedo.R", "variance.R"};
    assert_int_equal(list->num_channels, 6);
    for (int k = 0; k < 6; k++) {
        assert_string_equal(list->entries[k].name.str, sorted[k]);
        const bool whole = k == 3 || k == 5;
        assert_int_equal(list->entries[k].pixel_type, whole ? EXR_PIXEL_FLOAT : EXR_PIXEL_HALF);
    }
    for (int k = 0; k < 2; k++) {
        const char* value;
        int32_t length;
        assert_int_equal(exr_attr_get_string(file, 0, texts[k].name, &length, &value),
                         EXR_ERR_SUCCESS);
        assert_string_equal(value, texts[k].value);
    }
    exr_finish(&file);
}

static void foreign_check(const foreign* f, double tolerance)
{
    foreign_write(PATH, f);
    firn_exr_picture back;
    firn_error error = {0};
    const firn_result result = firn_exr_read(PATH, &back, &error);
    if (result != FIRN_OK) fail_msg("packing %d: %s", (int)f->packing, error.text);
    assert_int_equal(back.width, f->width);
    assert_int_equal(back.height, f->height);
    for (int32_t i = 0; i < f->width * f->height; i++)
        for (int c = 0; c < 3; c++) {
            const double wanted = planes[f->grey ? 0 : c][i];
            if (fabs((double)back.rgb[3 * i + c] - wanted) > tolerance * wanted)
                fail_msg("packing %d, pixel %d: %g, not %g", (int)f->packing, (int)i,
                         (double)back.rgb[3 * i + c], wanted);
        }
    firn_exr_picture_destroy(&back);
}

static void other_files(void** state)
{
    (void)state;
    fill_smooth(83, 45);
    static const exr_compression_t packings[] = {
        EXR_COMPRESSION_NONE, EXR_COMPRESSION_RLE,   EXR_COMPRESSION_ZIPS, EXR_COMPRESSION_ZIP,
        EXR_COMPRESSION_PIZ,  EXR_COMPRESSION_PXR24, EXR_COMPRESSION_B44,  EXR_COMPRESSION_B44A,
    };
    for (size_t k = 0; k < sizeof packings / sizeof packings[0]; k++)
        for (int variant = 0; variant < 8; variant++) {
            const foreign f = {packings[k],
                               variant & 1 ? EXR_PIXEL_HALF : EXR_PIXEL_FLOAT,
                               (variant & 2) != 0,
                               (variant & 4) != 0,
                               variant & 4 ? -7 : 0,
                               variant & 4 ? 11 : 0,
                               83,
                               45};
            // 11 bits of a half; PXR24 keeps 24 bits of a float; B44 loses up to 5 bits of a half
            const double half = 1.0 / 2048;
            const bool b44 = f.packing == EXR_COMPRESSION_B44 || f.packing == EXR_COMPRESSION_B44A;
            foreign_check(&f, f.type == EXR_PIXEL_FLOAT ? 1e-4 : b44 ? 32 * half : half);
        }
}

static void refusals(void** state)
{
    (void)state;
    firn_error error = {0};
    firn_exr_picture back;
    fill(4, 4, 1);
    assert_int_equal(write_colour(0, 4, false, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(write_colour(4, 32769, false, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "4 x 32769");
    firn_exr_channel channels[2] = {{"R", planes[0], false}, {"R", planes[1], false}};
    assert_int_equal(firn_exr_write(PATH, 4, 4, channels, 2, NULL, 0, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "'R'");
    assert_int_equal(firn_exr_write(PATH, 4, 4, channels, 0, NULL, 0, &error),
                     FIRN_REFUSED_ARGUMENT);
    // no colour in it
    assert_int_equal(firn_exr_write(PATH, 4, 4, channels, 1, NULL, 0, NULL), FIRN_OK);
    assert_int_equal(firn_exr_read(PATH, &back, &error), FIRN_REFUSED_DAMAGED);
    assert_contains(error.text, "'G'");
    // a text that would replace what the file is made of
    const firn_exr_text clash = {"channels", "none"};
    assert_int_equal(firn_exr_write(PATH, 4, 4, channels, 1, &clash, 1, &error),
                     FIRN_REFUSED_ARGUMENT);
    disk_no_temporary(PATH);
    assert_int_equal(firn_exr_read(FIRN_TEST_TMP "/none.exr", &back, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "none.exr");
    assert_int_equal(firn_exr_read(FIRN_TEST_TMP, &back, &error), FIRN_REFUSED_IO);
    assert_int_equal(firn_exr_write(FIRN_TEST_TMP "/no/x.exr", 4, 4, channels, 1, NULL, 0, &error),
                     FIRN_REFUSED_IO);
}

// A full disk: the write fails, says so, and the old file stays.
// A picture of one colour shrinks to nothing; its pixels would take 72 MB.
static void a_flat_picture_takes_too_much_memory(void** state)
{
    (void)state;
    enum { SIDE = 1750 };
    float* black = calloc((size_t)SIDE * SIDE, sizeof *black);
    assert_non_null(black);
    const firn_exr_channel channels[] = {{"Y", black, true}};
    assert_int_equal(firn_exr_write(PATH, SIDE, SIDE, channels, 1, NULL, 0, NULL), FIRN_OK);
    free(black);
    firn_exr_picture picture = {0};
    firn_error error = {0};
    assert_int_equal(firn_exr_read(PATH, &picture, &error), FIRN_REFUSED_DAMAGED);
    assert_contains(error.text, "1750 x 1750 pixels take too much memory");
    assert_null(picture.rgb);
}

static void full_disk(void** state)
{
    (void)state;
    fill(96, 70, 5);
    assert_int_equal(write_colour(96, 70, false, NULL), FIRN_OK);
    uint64_t bytes, before, after;
    assert_int_equal(firn_file_checksum(PATH, &bytes, &before, NULL), FIRN_OK);
    firn_error error = {0};
    disk_limit(512);
    const firn_result result = write_colour(96, 70, false, &error);
    disk_limit(RLIM_INFINITY);
    assert_int_equal(result, FIRN_REFUSED_IO);
    assert_contains(error.text, "File too large");
    disk_no_temporary(PATH);
    assert_int_equal(firn_file_checksum(PATH, &bytes, &after, NULL), FIRN_OK);
    assert_equal(before, after);
}

int test_exr(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(half_rounding),
        cmocka_unit_test(half_range),
        cmocka_unit_test(grey_among_others),
        cmocka_unit_test(names_and_texts),
        cmocka_unit_test(other_files),
        cmocka_unit_test(refusals),
        cmocka_unit_test(full_disk),
        cmocka_unit_test(a_flat_picture_takes_too_much_memory),
    };
    return cmocka_run_group_tests_name("exr", tests, NULL, NULL);
}
