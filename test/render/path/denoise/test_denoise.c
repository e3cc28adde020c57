// SPDX-License-Identifier: MIT
// The denoiser: noise goes, edges stay, and pictures without noise are left alone.
#include "render/path/denoise/denoise.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "math/random.h"
#include "team_use.h"

// What a pixel would be without noise.
typedef struct truth {
    float light[3], albedo, normal[3], depth;  // depth 0: sky
} truth;

typedef truth truth_fn(int32_t x, int32_t y);

static double bell(uint64_t seed, uint64_t index)
{
    const double u = firn_random_unit(seed, 2 * index), v = firn_random_unit(seed, 2 * index + 1);
    return sqrt(-2 * log(1 - u)) * cos(6.283185307179586 * v);
}

// Samples spread by `noise` of the light, log-normally as paths are (bright ones are rare), and
// normals by `rough`.
static firn_film make_film(truth_fn* scene, int32_t width, int32_t height, int samples,
                           double noise, double rough)
{
    firn_film film;
    assert_int_equal(firn_film_create(&film, width, height, NULL), FIRN_OK);
    for (int32_t y = 0; y < height; y++)
        for (int32_t x = 0; x < width; x++) {
            const truth t = scene(x, y);
            for (int k = 0; k < samples; k++) {
                const uint64_t id = (uint64_t)((y * width + x) * samples + k);
                const float s = (float)exp(noise * bell(1, id) - noise * noise / 2);
                firn_film_sample sample = {
                    .light = {s * t.light[0], s * t.light[1], s * t.light[2]},
                    .albedo = {t.albedo, t.albedo / 2, t.albedo / 3},
                    .depth = t.depth,
                    .alpha = t.depth > 0 ? 1 : 0};
                for (int c = 0; c < 3; c++)
                    sample.normal[c] = t.normal[c] + (float)(rough * bell(2 + (uint64_t)c, id));
                assert_true(firn_film_add(&film, x, y, &sample));
            }
        }
    return film;
}

// The film developed and denoised.
static firn_film_layers denoise(const firn_film* film, int threads)
{
    firn_film_layers l;
    assert_int_equal(firn_film_develop(film, &l, NULL), FIRN_OK);
    use_team(threads);
    assert_int_equal(firn_denoise(film, &l, NULL), FIRN_OK);
    use_team(0);
    return l;
}

// Mean squared error of the three bands against the truth.
static double error_of(const firn_film_layers* l, truth_fn* scene)
{
    double sum = 0;
    for (int32_t y = 0; y < l->height; y++)
        for (int32_t x = 0; x < l->width; x++) {
            const truth t = scene(x, y);
            const float* const planes[3] = {l->r, l->g, l->b};
            for (int c = 0; c < 3; c++) {
                const double d = (double)(planes[c][y * l->width + x] - t.light[c]);
                sum += d * d;
            }
        }
    return sum / (3.0 * l->width * l->height);
}

static truth constant(int32_t x, int32_t y)
{
    (void)x, (void)y;
    return (truth){{1, 2, 0.5f}, 0.5f, {0, 1, 0}, 3};
}

// A window of 17 x 17 holds 289 pixels; weights and the halves that choose them leave a tenth of
// that: the deviation falls by 5 at least. The mean over the picture keeps its own deviation, 0.2
// %.
static void constant_picture(void** state)
{
    (void)state;
    firn_film film = make_film(constant, 64, 48, 16, 0.4, 0.1);
    firn_film_layers before, after = denoise(&film, 2);
    assert_int_equal(firn_film_develop(&film, &before, NULL), FIRN_OK);
    assert_less(error_of(&after, constant), error_of(&before, constant) / 25);
    double mean = 0;
    for (int i = 0; i < 64 * 48; i++) mean += (double)after.g[i] / (64 * 48);
    assert_near(mean, 2, 4 * 0.002 * 2);
    firn_film_layers_destroy(&before);
    firn_film_layers_destroy(&after);
    firn_film_destroy(&film);
}

// Left and right halves that the light alone can hardly tell apart.
static int edge_in;  // 0 nothing, 1 albedo, 2 depth, 3 normal

static truth edge(int32_t x, int32_t y)
{
    (void)y;
    const bool right = x >= 24;
    truth t = constant(x, y);
    for (int c = 0; c < 3; c++) t.light[c] = right ? 1.1f : 1;
    if (right && edge_in == 1) t.albedo = 0.8f;
    if (right && edge_in == 2) t.depth = 6;
    if (right && edge_in == 3) t.normal[0] = 1, t.normal[1] = 0;
    return t;
}

static void edges_stay(void** state)
{
    (void)state;
    for (edge_in = 0; edge_in < 4; edge_in++) {
        firn_film film = make_film(edge, 48, 96, 16, 0.4, 0);
        firn_film_layers l = denoise(&film, 2);
        double step = 0;
        for (int y = 0; y < 96; y++) step += (double)(l.r[48 * y + 24] - l.r[48 * y + 23]) / 96;
        if (edge_in == 0)
            assert_less(step, 0.05);  // nothing says that there is an edge: it is blurred
        else {
            assert_greater(step, 0.09);
            assert_less(step, 0.11);
        }
        firn_film_layers_destroy(&l);
        firn_film_destroy(&film);
    }
}

// Sky, a ball with a bumpy surface, a chequered floor that runs away, and a shadow on it that no
// feature knows of.
static truth picture(int32_t x, int32_t y)
{
    const double u = (x + 0.5) / 160, v = (y + 0.5) / 90;
    const double dx = (u - 0.35) * 16 / 9, dy = v - 0.5, r = sqrt(dx * dx + dy * dy) / 0.25;
    truth t = {{0.5f + 0.3f * (float)v, 0.7f, 0.9f}, 0, {0, 0, 0}, 0};
    if (r < 1) {
        const double n[3] = {dx / 0.25, -dy / 0.25, sqrt(1 - r * r)};
        const double lit = 0.1 + 0.9 * fmax(0, 0.5 * n[0] + 0.6 * n[1] + 0.6 * n[2]);
        const double bumps = 1 + 0.1 * sin(120 * u) * sin(100 * v);
        for (int c = 0; c < 3; c++) {
            t.light[c] = (float)(lit * bumps * (0.8 + 0.1 * c));
            t.normal[c] = (float)n[c];
        }
        t.albedo = 0.9f;
        t.depth = 4;
    } else if (v > 0.35) {
        const bool light = (((int)(u * 10) + (int)(v * 8)) & 1) != 0;
        const bool shade = u > 0.5 && u < 0.75 && v > 0.6 && v < 0.85;
        t.albedo = light ? 0.6f : 0.25f;
        for (int c = 0; c < 3; c++)
            t.light[c] = t.albedo * (shade ? 0.3f : 1) * (0.5f + 0.8f * (float)u);
        t.normal[1] = 1;
        t.depth = (float)(2 / (v - 0.2));
    }
    return t;
}

// How much the mean squared error falls, with margin below what is measured: 23, 13 and 9.7.
static void error_falls(void** state)
{
    (void)state;
    static const struct {
        int samples;
        double noise, rough, factor;
    } cases[] = {{4, 1.0, 0.3, 12}, {16, 0.5, 0.3, 6}, {64, 0.5, 0, 4}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        firn_film film =
            make_film(picture, 160, 90, cases[k].samples, cases[k].noise, cases[k].rough);
        firn_film_layers before, after = denoise(&film, 2);
        assert_int_equal(firn_film_develop(&film, &before, NULL), FIRN_OK);
        const double ratio = error_of(&before, picture) / error_of(&after, picture);
        if (!(ratio > cases[k].factor)) fail_msg("case %d: falls by %g only", (int)k, ratio);
        firn_film_layers_destroy(&before);
        firn_film_layers_destroy(&after);
        firn_film_destroy(&film);
    }
}

static void no_noise_no_change(void** state)
{
    (void)state;
    firn_film film = make_film(picture, 160, 90, 4, 0, 0);
    firn_film_layers l = denoise(&film, 2);
    for (int i = 0; i < 160 * 90; i++) {
        const truth t = picture(i % 160, i / 160);
        assert_near(l.r[i], t.light[0], 1e-3f * (1 + t.light[0]));
        assert_near(l.b[i], t.light[2], 1e-3f * (1 + t.light[2]));
    }
    firn_film_layers_destroy(&l);
    firn_film_destroy(&film);
}

static void any_number_of_threads(void** state)
{
    (void)state;
    firn_film film = make_film(picture, 160, 90, 3, 0.7, 0.2);
    firn_film_layers one = denoise(&film, 1), three = denoise(&film, 3);
    assert_memory_equal(one.r, three.r, 160 * 90 * sizeof(float));
    assert_memory_equal(one.g, three.g, 160 * 90 * sizeof(float));
    assert_memory_equal(one.b, three.b, 160 * 90 * sizeof(float));
    firn_film_layers_destroy(&one);
    firn_film_layers_destroy(&three);
    firn_film_destroy(&film);
}

static void small_pictures(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 1}, {3, 2}, {1, 70}, {65, 1}};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (int samples = 1; samples <= 3; samples++) {
            const int pixels = sizes[k][0] * sizes[k][1];
            firn_film film = make_film(constant, sizes[k][0], sizes[k][1], samples, 0.3, 0);
            firn_film_layers before, l = denoise(&film, 2);
            assert_int_equal(firn_film_develop(&film, &before, NULL), FIRN_OK);
            double low = INFINITY, high = 0, first = 0, then = 0;
            for (int i = 0; i < pixels; i++) {
                const firn_film_pixel* p = &film.pixels[i];
                first += (double)before.r[i] / pixels;
                then += (double)l.r[i] / pixels;
                for (int h = 0; h < (samples > 1 ? 2 : 1); h++) {
                    const double mean =
                        (double)p->light[h][0] / (h == 0 ? (samples + 1) / 2 : samples / 2);
                    low = fmin(low, mean);
                    high = fmax(high, mean);
                }
            }
            // means of what is there, and the picture as bright as before
            for (int i = 0; i < pixels; i++) {
                assert_greater(l.r[i], low - 1e-5);
                assert_less(l.r[i], high + 1e-5);
            }
            assert_near(then / first, 1, 0.25);
            if (pixels == 1) assert_near(then / first, 1, 1e-6);
            firn_film_layers_destroy(&before);
            firn_film_layers_destroy(&l);
            firn_film_destroy(&film);
        }
}

// Pixels without samples stay black and darken no other; light at the end of the range stays
// finite.
static void holes_and_fires(void** state)
{
    (void)state;
    firn_film film = make_film(constant, 30, 20, 4, 0, 0);
    for (int i = 0; i < 600; i += 7) film.pixels[i] = (firn_film_pixel){0};
    firn_film_layers l = denoise(&film, 2);
    for (int i = 0; i < 600; i++) assert_true(i % 7 == 0 ? l.r[i] == 0 : fabsf(l.r[i] - 1) < 1e-5f);
    firn_film_layers_destroy(&l);
    for (int k = 0; k < 3; k++) {
        const firn_film_sample fire = {.light = {3e38f, 1e30f, 1e20f},
                                       .albedo = {1e38f, 0, 0},
                                       .normal = {0, 1e30f, 0},
                                       .depth = 3e38f,
                                       .alpha = 1};
        for (int x = 3; x < 9; x += 2) firn_film_add(&film, x, 5, &fire);
    }
    l = denoise(&film, 2);
    for (int i = 0; i < 600; i++) {
        assert_finite(l.r[i]);
        assert_finite(l.g[i]);
        assert_finite(l.b[i]);
    }
    firn_film_layers_destroy(&l);
    firn_film_destroy(&film);
}

// One sample two thousand times too bright leaves no mark, neither bright nor smeared.
static void one_bright_sample(void** state)
{
    (void)state;
    firn_film film = make_film(constant, 40, 30, 16, 0.3, 0);
    const firn_film_sample fire = {.light = {2000, 4000, 1000},
                                   .albedo = {0.5f, 0.25f, 0.5f / 3},
                                   .normal = {0, 1, 0},
                                   .depth = 3,
                                   .alpha = 1};
    assert_true(firn_film_add(&film, 21, 14, &fire));
    firn_film_layers l = denoise(&film, 2);
    // 0.3 / sqrt(16) is 8 % a pixel before; the cut sample may still be 7 times the mean, shared by
    // the 80 or more pixels of a mean
    for (int i = 0; i < 40 * 30; i++) assert_near(l.r[i], 1, 0.1f);
    firn_film_layers_destroy(&l);
    firn_film_destroy(&film);
}

// Light that comes by one sample in ten, four samples a pixel: most pixels are black, the others
// bright. It is noise, not outliers: the picture stays as bright. (1200 pixels with four samples of
// deviation 3 each: 4.3 % of the mean.)
static void rare_light_stays(void** state)
{
    (void)state;
    firn_film film = make_film(constant, 40, 30, 0, 0, 0);
    double sum = 0;
    for (int i = 0; i < 40 * 30 * 4; i++) {
        const float s = firn_random_unit(8, (uint64_t)i) < 0.1 ? 10 : 0;
        const firn_film_sample sample = {.light = {s, s, s},
                                         .albedo = {0.5f, 0.5f, 0.5f},
                                         .normal = {0, 1, 0},
                                         .depth = 3,
                                         .alpha = 1};
        assert_true(firn_film_add(&film, i / 4 % 40, i / 4 / 40, &sample));
        sum += (double)s / (40 * 30 * 4);
    }
    firn_film_layers l = denoise(&film, 2);
    double mean = 0;
    for (int i = 0; i < 40 * 30; i++) mean += (double)l.r[i] / (40 * 30);
    assert_near(mean / sum, 1, 0.1);
    firn_film_layers_destroy(&l);
    firn_film_destroy(&film);
}

static void out_of_memory(void** state)
{
    (void)state;
    firn_film film = make_film(constant, 5, 4, 2, 0.1, 0);
    firn_film_layers l;
    assert_int_equal(firn_film_develop(&film, &l, NULL), FIRN_OK);
    const uint64_t in_use = firn_memory_read().bytes;
    for (uint64_t k = 1; k <= 3; k++) {
        const float before = l.r[7];
        firn_memory_fail_at(k, false);
        assert_int_equal(firn_denoise(&film, &l, NULL), FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        assert_int_equal(firn_memory_read().bytes, in_use);
        assert_equal(l.r[7], before);
    }
    assert_int_equal(firn_denoise(&film, &l, NULL), FIRN_OK);
    assert_int_equal(firn_memory_read().bytes, in_use);
    firn_film_layers_destroy(&l);
    firn_film_destroy(&film);
}

int test_denoise(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constant_picture), cmocka_unit_test(edges_stay),
        cmocka_unit_test(error_falls),      cmocka_unit_test(no_noise_no_change),
        cmocka_unit_test(small_pictures),   cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(holes_and_fires),  cmocka_unit_test(one_bright_sample),
        cmocka_unit_test(rare_light_stays), cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("denoise", tests, NULL, NULL);
}
