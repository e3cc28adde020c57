// SPDX-License-Identifier: MIT
// The film: means, halves, variances; nothing that is not finite gets in or out.
#include "render/path/film_pixel.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "math/random.h"

static firn_film_sample sample_of(float light, float albedo, float normal, float depth, float alpha)
{
    return (firn_film_sample){.light = {light, 2 * light, 3 * light},
                              .albedo = {albedo, albedo / 2, albedo / 4},
                              .normal = {normal, -normal, normal / 2},
                              .depth = depth,
                              .alpha = alpha};
}

// Against means and variances in double, in two passes. The noise is a hundredth of the light: sums
// of squares in floats would lose it.
static void sums_and_variance(void** state)
{
    (void)state;
    enum { COUNT = 1001 };
    firn_film film;
    assert_int_equal(firn_film_create(&film, 3, 2, NULL), FIRN_OK);
    double value[COUNT], mean = 0, depth = 0, variance = 0;
    int seen = 0;
    for (int k = 0; k < COUNT; k++) {
        const float light = 4 + 0.04f * (float)firn_random_unit(1, (uint64_t)k);
        const bool sky = k % 4 == 3;
        const float d = sky ? 0 : 10 + (float)firn_random_unit(2, (uint64_t)k);
        const firn_film_sample s = sample_of(light, 0.5f, sky ? 0 : 0.25f, d, sky ? 0 : 1);
        assert_true(firn_film_add(&film, 2, 1, &s));
        value[k] = (double)light;
        mean += value[k] / COUNT;
        depth += (double)d;
        seen += !sky;
    }
    for (int k = 0; k < COUNT; k++)
        variance += (value[k] - mean) * (value[k] - mean) / (COUNT - 1.0) / COUNT;
    const firn_film_pixel* p = &film.pixels[5];
    double half[2] = {0, 0};
    for (int k = 0; k < COUNT; k++) half[k & 1] += value[k];
    // 1001 additions of floats, each within 2^-24 of a sum that grows: 1e-5 is ample
    for (int h = 0; h < 2; h++) assert_near((double)p->light[h][0] / half[h], 1, 1e-5);
    firn_film_layers l;
    assert_int_equal(firn_film_develop(&film, &l, NULL), FIRN_OK);
    assert_near((double)l.r[5] / mean, 1, 1e-5);
    assert_near((double)l.b[5] / (3 * mean), 1, 1e-5);
    // a variance of 1e-4 of the square, from differences of sums: three digits
    assert_near((double)l.variance_r[5] / variance, 1, 1e-3);
    assert_near((double)l.variance_b[5] / (9 * variance), 1, 1e-3);
    assert_near((double)l.depth[5] / (depth / seen), 1, 1e-5);
    assert_near(l.a[5], (double)seen / COUNT, 1e-6);
    assert_near(l.albedo_g[5], 0.25, 1e-6);
    assert_near((double)l.normal_y[5] + 0.25 * seen / COUNT, 0, 1e-6);
    assert_equal(l.samples[5], COUNT);
    // colours move together: the luminance's noise is theirs
    assert_near((double)firn_film_noise(p, 0.1f) / (sqrt(variance) / mean), 1, 1e-3);
    const double lit = 0.2126 + 2 * 0.7152 + 3 * 0.0722;  // luminance of light 1
    assert_near((double)firn_film_noise(p, 1e3f) / (lit * sqrt(variance) / 1e3), 1, 1e-3);
    for (int i = 0; i < 5; i++) {
        assert_equal(l.r[i], 0);
        assert_equal(l.samples[i], 0);
        assert_equal(l.a[i], 0);
        assert_equal(l.depth[i], 0);
    }
    firn_film_layers_destroy(&l);
    assert_null(l.r);
    firn_film_destroy(&film);
    assert_null(film.pixels);
}

static void one_sample(void** state)
{
    (void)state;
    firn_film film;
    firn_film_layers l;
    assert_int_equal(firn_film_create(&film, 1, 1, NULL), FIRN_OK);
    assert_equal(firn_film_noise(film.pixels, 0.1f), 1);
    const firn_film_sample s = sample_of(2, 1, 1, 3, 1);
    assert_true(firn_film_add(&film, 0, 0, &s));
    assert_equal(firn_film_noise(film.pixels, 0.1f), 1);
    assert_int_equal(firn_film_develop(&film, &l, NULL), FIRN_OK);
    assert_equal(l.variance_r[0], 4);
    assert_equal(l.variance_b[0], 36);
    firn_film_layers_destroy(&l);
    // the same again: no noise at all
    assert_true(firn_film_add(&film, 0, 0, &s));
    assert_equal(firn_film_noise(film.pixels, 0.1f), 0);
    firn_film_destroy(&film);
}

// Each number of a sample, each kind of bad value: dropped, the pixel as before.
static void bad_samples(void** state)
{
    (void)state;
    firn_film film;
    assert_int_equal(firn_film_create(&film, 2, 1, NULL), FIRN_OK);
    const firn_film_sample good = sample_of(1, 1, 1, 1, 1);
    assert_true(firn_film_add(&film, 1, 0, &good));
    const firn_film_pixel before = film.pixels[1];
    static const float bad[3] = {NAN, INFINITY, -INFINITY};
    for (size_t at = 0; at < offsetof(firn_film_sample, catcher) / sizeof(float); at++)
        for (int k = 0; k < 3; k++) {
            firn_film_sample s = good;
            memcpy((char*)&s + at * sizeof(float), &bad[k], sizeof(float));
            assert_false(firn_film_add(&film, 1, 0, &s));
            assert_memory_equal(&film.pixels[1], &before, sizeof before);
        }
    firn_film_destroy(&film);
}

// Alpha of a catcher is the share of the light that is missing on it.
static void catchers(void** state)
{
    (void)state;
    firn_film film;
    assert_int_equal(firn_film_create(&film, 1, 1, NULL), FIRN_OK);
    const firn_film_sample lit = {.catcher = true, .catcher_lit = 1.5f, .catcher_unshadowed = 2};
    const firn_film_sample dark = {.catcher = true, .catcher_lit = 0, .catcher_unshadowed = 1};
    const firn_film_sample solid = sample_of(1, 1, 1, 1, 1);
    assert_true(firn_film_add(&film, 0, 0, &lit));
    assert_true(firn_film_add(&film, 0, 0, &dark));
    assert_true(firn_film_add(&film, 0, 0, &solid));
    assert_true(firn_film_add(&film, 0, 0, &solid));
    firn_film_layers l;
    assert_int_equal(firn_film_develop(&film, &l, NULL), FIRN_OK);
    assert_near(l.a[0], (2 + 2 * (1 - 1.5f / 3)) / 4, 1e-6f);
    firn_film_layers_destroy(&l);
    firn_film_destroy(&film);
}

// Finite samples whose squares and sums are not: the layers are finite all the same.
static void huge_samples(void** state)
{
    (void)state;
    firn_film film;
    assert_int_equal(firn_film_create(&film, 1, 1, NULL), FIRN_OK);
    for (int k = 0; k < 7; k++) {
        const firn_film_sample s = sample_of(k % 2 ? 1e38f : 0, 1, 1, k % 3 ? 3e38f : 1, 1);
        assert_true(firn_film_add(&film, 0, 0, &s));
    }
    firn_film_layers l;
    assert_int_equal(firn_film_develop(&film, &l, NULL), FIRN_OK);
    const float* const all[] = {l.r, l.g, l.b, l.depth, l.variance_r, l.variance_g, l.variance_b};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) assert_finite(all[k][0]);
    assert_equal(l.variance_r[0], FLT_MAX);
    firn_film_layers_destroy(&l);
    firn_film_destroy(&film);
}

static void refusals(void** state)
{
    (void)state;
    firn_film film;
    firn_film_layers l = {0};
    firn_error error = {0};
    assert_int_equal(firn_film_create(&film, 0, 5, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_film_create(&film, 5, 32769, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "5 x 32769");
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_film_create(&film, 5, 5, &error), FIRN_BROKEN_MEMORY);
    assert_int_equal(firn_film_create(&film, 5, 5, &error), FIRN_OK);
    firn_memory_fail_at(1, false);
    assert_int_equal(firn_film_develop(&film, &l, &error), FIRN_BROKEN_MEMORY);
    firn_memory_fail_at(0, false);
    assert_null(l.r);
    firn_film_destroy(&film);
}

int test_film(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_variance), cmocka_unit_test(one_sample),
        cmocka_unit_test(bad_samples),       cmocka_unit_test(catchers),
        cmocka_unit_test(huge_samples),      cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("film", tests, NULL, NULL);
}
