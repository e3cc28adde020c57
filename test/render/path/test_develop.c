// SPDX-License-Identifier: MIT
// Layers as files: tones and exposure of the picture, channels of the OpenEXR file.
#include "render/path/develop.h"

#include <float.h>
#include <math.h>
#include <openexr.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "render/image/tone_map.h"

#define PATH FIRN_TEST_TMP "/layers.exr"

// Light 0, 1/64, 2/64 ... in red, twice that in green, a bright blue.
static firn_film_layers make_layers(int32_t width, int32_t height)
{
    firn_film film;
    firn_film_layers l;
    assert_int_equal(firn_film_create(&film, width, height, NULL), FIRN_OK);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            const float v = (float)(y * width + x) / 64;
            const firn_film_sample s = {.light = {v, 2 * v, 100},
                                        .albedo = {0.5f, 0.25f, 0.125f},
                                        .normal = {0, 1, 0},
                                        .depth = 7 + v,
                                        .alpha = 1};
            firn_film_add(&film, x, y, &s);
            firn_film_add(&film, x, y, &s);
        }
    assert_int_equal(firn_film_develop(&film, &l, NULL), FIRN_OK);
    firn_film_destroy(&film);
    return l;
}

static void tones(void** state)
{
    (void)state;
    firn_film_layers l = make_layers(16, 12);
    static firn_tone tone;
    firn_tone_init(&tone);
    firn_image plain, brighter;
    assert_int_equal(firn_film_image(&l, 0, FIRN_TONE_SHOULDER, &plain, NULL), FIRN_OK);
    assert_int_equal(firn_film_image(&l, 1, FIRN_TONE_SHOULDER, &brighter, NULL), FIRN_OK);
    assert_int_equal(plain.width, 16);
    assert_int_equal(plain.height, 12);
    for (int i = 0; i < 16 * 12; i++) {
        const int code = firn_tone_code(&tone, firn_tone_curve((float)i / 64));
        assert_near(plain.rgb[3 * i], code, 1);  // dithered
        // one stop: red looks as green did
        assert_int_equal(brighter.rgb[3 * i], plain.rgb[3 * i + 1]);
        assert_int_equal(plain.rgb[3 * i + 2], 255);
    }
    assert_int_equal(plain.rgb[0], 0);
    firn_image_destroy(&plain);
    firn_image_destroy(&brighter);
    // light beyond all bounds is white, less than none black; never a jump in between
    l.r[0] = FLT_MAX, l.g[0] = -FLT_MAX, l.b[0] = 1e30f;
    assert_int_equal(firn_film_image(&l, 10, FIRN_TONE_SHOULDER, &plain, NULL), FIRN_OK);
    assert_int_equal(plain.rgb[0], 255);
    assert_int_equal(plain.rgb[1], 0);
    assert_int_equal(plain.rgb[2], 255);
    firn_image_destroy(&plain);
    firn_film_layers_destroy(&l);
}

// Light between two bytes becomes both of them, in the right shares; black and white stay.
static void dither_keeps_means(void** state)
{
    (void)state;
    firn_film_layers l = make_layers(64, 64);
    firn_image image;
    for (int step = 0; step < 9; step++) {
        const float x = 0.2f + 0.0005f * (float)step;
        for (int i = 0; i < 64 * 64; i++) l.r[i] = x, l.g[i] = 0, l.b[i] = 1e5f;
        assert_int_equal(firn_film_image(&l, 0, FIRN_TONE_SHOULDER, &image, NULL), FIRN_OK);
        double mean = 0;
        for (int i = 0; i < 64 * 64; i++) {
            mean += (double)firn_tone_linear(image.rgb[3 * i]) / (64 * 64);
            assert_equal(image.rgb[3 * i + 1], 0);
            assert_equal(image.rgb[3 * i + 2], 255);
        }
        // a step is 0.005 here: without dither the mean would be off by up to half of it
        const double exact = (double)firn_tone_curve(x);
        if (fabs(mean - exact) > 3e-4) fail_msg("%g becomes %g", exact, mean);
        firn_image_destroy(&image);
    }
    firn_film_layers_destroy(&l);
}

static void exr_layers(void** state)
{
    (void)state;
    firn_film_layers l = make_layers(9, 5);
    const firn_exr_text text = {"firn.scene", "snowball"};
    assert_int_equal(firn_film_write_exr(PATH, &l, NULL, &text, 1, NULL), FIRN_OK);
    firn_exr_picture back;
    assert_int_equal(firn_exr_read(PATH, &back, NULL), FIRN_OK);
    for (int i = 0; i < 45; i++) {
        assert_equal(back.rgb[3 * i], l.r[i]);
        assert_equal(back.rgb[3 * i + 1], l.g[i]);
        assert_equal(back.rgb[3 * i + 2], l.b[i]);
    }
    firn_exr_picture_destroy(&back);
    exr_context_t file;
    assert_int_equal(exr_start_read(&file, PATH, NULL), EXR_ERR_SUCCESS);
    const exr_attr_chlist_t* list;
    assert_int_equal(exr_get_channels(file, 0, &list), EXR_ERR_SUCCESS);
    static const char* const names[] = {
        "A",        "B",        "G",        "N.X",     "N.Y",        "N.Z",        "R",         "Z",
        "albedo.B", "albedo.G", "albedo.R", "samples", "variance.B", "variance.G", "variance.R"};
    assert_int_equal(list->num_channels, sizeof names / sizeof names[0]);
    for (int k = 0; k < list->num_channels; k++)
        assert_string_equal(list->entries[k].name.str, names[k]);
    int32_t length;
    const char* value;
    assert_int_equal(exr_attr_get_string(file, 0, "firn.scene", &length, &value), EXR_ERR_SUCCESS);
    assert_string_equal(value, "snowball");
    exr_finish(&file);
    firn_film_layers_destroy(&l);
}

static void out_of_memory(void** state)
{
    (void)state;
    firn_film_layers l = make_layers(4, 4);
    firn_image image = {0};
    const uint64_t in_use = firn_memory_read().bytes;
    for (uint64_t k = 1; k <= 2; k++) {
        firn_memory_fail_at(k, false);
        assert_int_equal(firn_film_image(&l, 0, FIRN_TONE_SHOULDER, &image, NULL),
                         FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        assert_int_equal(firn_memory_read().bytes, in_use);
        assert_null(image.rgb);
    }
    firn_film_layers_destroy(&l);
}

int test_develop(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tones),
        cmocka_unit_test(dither_keeps_means),
        cmocka_unit_test(exr_layers),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("develop", tests, NULL, NULL);
}
