// SPDX-License-Identifier: MIT
// Heights as files: libpng reads the PNG back, it agrees with the floats, and all frames of a
// run share a rectangle.
#include "output/export/height_files.h"

#include <math.h>
#include <png.h>

#include "mesh/io/json.h"
#include "output/export/png16.h"
#include "output/sample.h"
#include "state/surface/heights.h"

#define DIR FIRN_TEST_TMP "/"

// Read by libpng; free with firn_free.
static uint16_t* read_png(const char* path, int* out_width, int* out_height)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    if (setjmp(png_jmpbuf(png))) fail_msg("libpng cannot read '%s'", path);
    png_init_io(png, file);
    png_read_info(png, info);
    assert_int_equal(png_get_bit_depth(png, info), 16);
    assert_int_equal(png_get_color_type(png, info), PNG_COLOR_TYPE_GRAY);
    const int width = (int)png_get_image_width(png, info);
    const int height = (int)png_get_image_height(png, info);
    png_set_swap(png);
    uint16_t* values = firn_alloc((size_t)width * (size_t)height, sizeof *values);
    assert_non_null(values);
    for (int j = 0; j < height; j++)
        png_read_row(png, (png_bytep)(values + (size_t)j * (size_t)width), NULL);
    png_read_end(png, NULL);
    png_destroy_read_struct(&png, &info, NULL);
    fclose(file);
    *out_width = width;
    *out_height = height;
    return values;
}

static void pictures_come_back(void** state)
{
    (void)state;
    const int sizes[][2] = {{1, 1}, {2, 3}, {257, 61}, {700, 512}};
    for (int k = 0; k < 4; k++) {
        const int w = sizes[k][0], h = sizes[k][1];
        const size_t count = (size_t)w * (size_t)h;
        uint16_t* values = firn_alloc(count, sizeof *values);
        any_source r = {3, 0};
        for (size_t i = 0; i < count; i++)  // noise: several chunks
            values[i] = (uint16_t)any_below(&r, 65536);
        firn_error error = {0};
        if (firn_png16_write(DIR "a.png", values, w, h, &error) != FIRN_OK)
            fail_msg("%s", error.text);
        int rw, rh;
        uint16_t* read = read_png(DIR "a.png", &rw, &rh);
        assert_equal(rw, w);
        assert_equal(rh, h);
        assert_memory_equal(read, values, count * sizeof *values);
        firn_free(read);
        firn_free(values);
    }
    const uint16_t one = 1;
    firn_error error = {0};
    assert_int_equal(firn_png16_write(DIR "no/such/a.png", &one, 1, 1, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "no/such");
    assert_int_equal(firn_png16_write(DIR "b.png", &one, 0, 1, &error), FIRN_REFUSED_ARGUMENT);
    const uint64_t in_use = firn_memory_read().bytes;
    for (uint64_t k = 1; k < 6; k++) {
        firn_memory_fail_at(k, true);
        assert_int_equal(firn_png16_write(DIR "b.png", &one, 1, 1, &error), FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        assert_int_equal(firn_memory_read().bytes, in_use);
        assert_false(sample_exists(DIR "b.png"));
        disk_no_temporary(DIR "b.png");
    }
}

static double number_in(const firn_json* json, const char* name)
{
    double value = NAN;
    assert_true(firn_json_number(json, firn_json_member(json, 0, name), &value));
    return value;
}

// One rectangle for all frames.
static firn_height_plan plan_of(const firn_frame* frames, int count, int64_t samples)
{
    firn_height_plan plan = firn_height_plan_begin();
    for (int k = 0; k < count; k++) firn_height_plan_add(&plan, &frames[k]);
    firn_height_plan_finish(&plan, samples);
    return plan;
}

static void files_say_the_same(void** state)
{
    (void)state;
    firn_vec3 a[2] = {{0, 0, 0}, {1, 2, 0}}, b[2] = {{0, 0, 0}, {4, (firn_real)0.5, 1}};
    firn_real radius[2] = {(firn_real)0.5, (firn_real)0.25};
    firn_frame frames[2] = {{.info = sample_info(), .count = 2, .position = a, .radius = radius},
                            {.info = sample_info(), .count = 2, .position = b, .radius = radius}};
    const firn_height_plan plan = plan_of(frames, 2, 101);
    assert_equal(plan.low, -0.5);
    assert_equal(plan.high, 2.25);
    assert_int_equal(plan.def.columns, 101);
    assert_equal(plan.def.x, -0.5);
    assert_equal(plan.def.z, -0.5);
    assert_near(plan.def.width, 4.75, 1e-12);  // [m] in double
    const double step = 4.75 / 100;
    assert_int_equal(plan.def.rows, (int)ceil(1.75 / step) + 1);     // the same step along z
    assert_near(plan.def.depth, step * (plan.def.rows - 1), 1e-12);  // [m] in double
    firn_error error = {0};
    for (int z_up = 0; z_up < 2; z_up++) {
        if (firn_height_files_write(DIR "h", &plan, &frames[1], z_up != 0, &error) != FIRN_OK)
            fail_msg("%s", error.text);
        int w, h;
        uint16_t* values = read_png(DIR "h.png", &w, &h);
        assert_equal(w, plan.def.columns);
        assert_equal(h, plan.def.rows);
        size_t bytes;
        char* floats = sample_bytes(DIR "h.r32", &bytes);
        assert_int_equal(bytes, 4 * w * h);
        float top = -INFINITY;
        int top_row = -1;
        for (int k = 0; k < w * h; k++) {
            float height;
            memcpy(&height, floats + 4 * k, sizeof height);
            const double from_png = plan.low + values[k] / 65535.0 * (plan.high - plan.low);
            assert_near(from_png, height, (plan.high - plan.low) / 65535);  // a step of 16 bits
            if (k % w > w / 2 && height > top) top = height, top_row = k / w;
        }
        // the nearest sample is 2.4 cm from the particle: the cap, 1.5 radii wide, is 0.5 mm lower
        assert_near(top, 0.75, 1e-3);
        // the second particle lies at z = 1
        const int row = (int)floor(1.5 / step + 0.5);
        assert_near(top_row, z_up ? h - 1 - row : row, 1);  // a row for rounding
        firn_free(values);
        firn_free(floats);
        char* text = sample_bytes(DIR "h.json", &bytes);
        firn_json json = {0};
        assert_int_equal(firn_json_parse("h.json", text, bytes, 0, &json, &error), FIRN_OK);
        assert_equal(number_in(&json, "low"), plan.low);
        assert_equal(number_in(&json, "high"), plan.high);
        assert_equal(number_in(&json, "columns"), w);
        assert_equal(number_in(&json, "rows"), h);
        assert_equal(number_in(&json, "width"), plan.def.width);
        assert_equal(number_in(&json, "frame"), 7);
        assert_equal(number_in(&json, "x"), -0.5);
        if (z_up)
            assert_near(number_in(&json, "y"), 0.5 - plan.def.depth, 1e-12);  // in double
        else
            assert_equal(number_in(&json, "z"), -0.5);
        firn_json_destroy(&json);
        firn_free(text);
    }
}

// No radius in the frame: eight particles fill a cell.
static void frames_without_radius_or_snow(void** state)
{
    (void)state;
    firn_vec3 x = {0, 1, 0};
    firn_frame frame = {.info = sample_info(), .count = 1, .position = &x};
    firn_height_plan plan = plan_of(&frame, 1, 5);
    assert_near(plan.high, 1 + 0.0048 / 4, 1e-7);  // [m] a float of about 1
    frame.count = 0;
    plan = plan_of(&frame, 1, 5);
    firn_error error = {0};
    assert_int_equal(firn_height_files_write(DIR "none", &plan, &frame, false, &error), FIRN_OK);
    int w, h;
    uint16_t* values = read_png(DIR "none.png", &w, &h);
    assert_equal(w, 5);
    assert_equal(h, 5);
    assert_equal(values[12], 0);
    firn_free(values);
}

int test_height_files(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_come_back),
        cmocka_unit_test(files_say_the_same),
        cmocka_unit_test(frames_without_radius_or_snow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
