// SPDX-License-Identifier: MIT
// The picture of all directions: where its texels lie, and directions drawn in proportion to it.
#include "render/path/environment.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"

#define PI 3.14159265358979323846
#define WIDTH 24
#define HEIGHT 12

static firn_rgb texels[WIDTH * HEIGHT];

// Uneven light over four magnitudes, with a black patch.
static void fill(void)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const double u = firn_random_unit(5, (uint64_t)i), v = firn_random_unit(6, (uint64_t)i);
        const float s = i % 7 == 3 ? 0 : (float)pow(10, 4 * u - 2);
        texels[i] = firn_rgb_of(s, s * (float)v, s / 2);
    }
}

static firn_environment make(float turn)
{
    firn_environment e;
    assert_int_equal(firn_environment_create(&e, texels, WIDTH, HEIGHT, turn, NULL), FIRN_OK);
    return e;
}

// d at polar angle `polar` from +y and angle `around` from -z towards +x.
static firn_vec3 direction(double polar, double around)
{
    return firn_v3((firn_real)(sin(polar) * sin(around)), (firn_real)cos(polar),
                   (firn_real)(-sin(polar) * cos(around)));
}

static void orientation(void** state)
{
    (void)state;
    for (int i = 0; i < WIDTH * HEIGHT; i++) texels[i] = firn_rgb_of((float)i, 0, 0);
    firn_environment e = make(0);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double polar = PI * (y + 0.5) / HEIGHT;
            const double around = 2 * PI * ((x + 0.5) / WIDTH - 0.5);
            const firn_rgb at = firn_environment_at(&e, direction(polar, around));
            assert_int_equal((int)at.r, y * WIDTH + x);
        }
    // the words of the header, one by one
    const firn_real tiny = (firn_real)1e-3;
    const int middle = HEIGHT / 2 * WIDTH;
    assert_in_range((int)firn_environment_at(&e, firn_v3(tiny, 1, tiny)).r, 0, WIDTH - 1);
    assert_int_equal((int)firn_environment_at(&e, firn_v3(tiny, -tiny, -1)).r, middle + WIDTH / 2);
    assert_int_equal((int)firn_environment_at(&e, firn_v3(-tiny, -tiny, -1)).r,
                     middle + WIDTH / 2 - 1);
    assert_int_equal((int)firn_environment_at(&e, firn_v3(1, -tiny, tiny)).r,
                     middle + 3 * WIDTH / 4);
    assert_int_equal((int)firn_environment_at(&e, firn_v3(-1, -tiny, -tiny)).r, middle + WIDTH / 4);
    firn_environment_destroy(&e);
    // a quarter turn: the middle looks along -x
    e = make((float)(PI / 2));
    assert_int_equal((int)firn_environment_at(&e, firn_v3(-1, -tiny, -tiny)).r, middle + WIDTH / 2);
    firn_environment_destroy(&e);
    assert_null(e.texels);
}

// Directions that no picture has: some texel, no crash.
static void odd_directions(void** state)
{
    (void)state;
    fill();
    firn_environment e = make(-100);
    const firn_real bad = (firn_real)NAN;
    const firn_vec3 odd[] = {firn_v3(0, 0, 0),  firn_v3(bad, bad, bad), firn_v3(0, 1, 0),
                             firn_v3(0, -1, 0), firn_v3(0, 0, 1),       firn_v3(-0.0f, 0, 1)};
    for (size_t k = 0; k < sizeof odd / sizeof odd[0]; k++) {
        assert_at_least(firn_environment_at(&e, odd[k]).r, 0);
        assert_at_least(firn_environment_pdf(&e, odd[k]), 0);
    }
    firn_environment_destroy(&e);
}

// The integral over the sphere by a fine grid that the texels' edges fit into.
static void pdf_integrates_to_one(void** state)
{
    (void)state;
    fill();
    firn_environment e = make(0.3f);
    double integral = 0, light = 0;
    for (int y = 0; y < HEIGHT; y++) {
        const double angle = 2 * PI / WIDTH * (cos(PI * y / HEIGHT) - cos(PI * (y + 1) / HEIGHT));
        for (int x = 0; x < WIDTH; x++) {
            const firn_vec3 d = direction(PI * (y + 0.5) / HEIGHT,
                                          2 * PI * ((x + 0.5) / WIDTH - 0.5) - (double)e.rotation);
            const double pdf = (double)firn_environment_pdf(&e, d);
            const double l = (double)firn_rgb_luminance(firn_environment_at(&e, d));
            integral += pdf * angle;
            light += l * angle;
            // proportional to the light, up to the steps of 2^-24
            assert_near(pdf * 4 * PI * (double)e.mean, l, 1e-5 * l + 1e-5 * (double)e.mean / angle);
        }
    }
    // probabilities are multiples of 2^-24, sums are in double
    assert_near(integral, 1, 1e-6);
    assert_near((double)e.mean / (light / (4 * PI)), 1, 1e-5);
    firn_environment_destroy(&e);
}

static void samples_follow_the_picture(void** state)
{
    (void)state;
    fill();
    firn_environment e = make(1);
    enum { COUNT = 200000 };
    static int hits[HEIGHT][WIDTH];
    memset(hits, 0, sizeof hits);
    // halves of texels, to see that directions are uniform inside: columns, and rows by area
    int left = 0, upper = 0;
    for (int k = 0; k < COUNT; k++) {
        firn_rng r = firn_rng_make(9, 1, (uint64_t)k);
        float pdf;
        const firn_vec3 d = firn_environment_sample(&e, &r, &pdf);
        assert_near(firn_v3_length(d), 1, 1e-6);
        assert_greater(pdf, 0);
        assert_equal(pdf, firn_environment_pdf(&e, d));
        const double column =
            WIDTH * (remainder(atan2((double)d.x, (double)-d.z) + 1, 2 * PI) / (2 * PI) + 0.5);
        const double row = HEIGHT / PI * atan2(hypot((double)d.x, (double)d.z), (double)d.y);
        const int x = (int)fmin(column, WIDTH - 1), y = (int)fmin(row, HEIGHT - 1);
        hits[y][x]++;
        left += column - x < 0.5;
        upper += 2 * (double)d.y > cos(PI * y / HEIGHT) + cos(PI * (y + 1) / HEIGHT);
    }
    double chi = 0, rest = 0, rest_hits = 0;
    int cells = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const double angle =
                2 * PI / WIDTH * (cos(PI * y / HEIGHT) - cos(PI * (y + 1) / HEIGHT));
            const double wanted = COUNT * angle *
                                  (double)firn_rgb_luminance(texels[y * WIDTH + x]) /
                                  (4 * PI * (double)e.mean);
            if (wanted == 0) assert_int_equal(hits[y][x], 0);
            if (wanted < 10) {  // too few for a bell curve: gathered in one cell
                rest += wanted;
                rest_hits += hits[y][x];
                continue;
            }
            chi += (hits[y][x] - wanted) * (hits[y][x] - wanted) / wanted;
            cells++;
        }
    chi += (rest_hits - rest) * (rest_hits - rest) / rest;
    assert_greater(cells, 100);
    // mean `cells`, deviation sqrt(2 cells): 5 deviations
    assert_less(chi, cells + 5 * sqrt(2.0 * cells));
    assert_near(left, COUNT / 2.0, 5 * sqrt(COUNT / 4.0));
    assert_near(upper, COUNT / 2.0, 5 * sqrt(COUNT / 4.0));
    firn_environment_destroy(&e);
}

static void black_picture(void** state)
{
    (void)state;
    memset(texels, 0, sizeof texels);
    firn_environment e = make(0);
    firn_rng r = firn_rng_make(1, 2, 3);
    float pdf = 1;
    const firn_vec3 d = firn_environment_sample(&e, &r, &pdf);
    assert_equal(pdf, 0);
    assert_equal(e.mean, 0);
    assert_equal(firn_environment_pdf(&e, d), 0);
    assert_near(firn_v3_length(d), 1, 1e-6);
    firn_environment_destroy(&e);
}

// A sun of one texel in a picture of real size: every sample hits it, wherever it is, and its pdf
// is one over its angle.
static void one_bright_texel(void** state)
{
    (void)state;
    enum { W = 2048, H = 1024 };
    firn_rgb* sky = firn_alloc((size_t)W * H, sizeof *sky);
    assert_non_null(sky);
    static const int places[][2] = {{0, 0}, {W - 1, H - 1}, {W / 2, H / 2}, {3, 1}, {1000, 300}};
    for (size_t k = 0; k < sizeof places / sizeof places[0]; k++) {
        firn_rgb* bright = &sky[places[k][1] * W + places[k][0]];
        *bright = firn_rgb_of(1e6f, 1e6f, 1e6f);
        firn_environment e;
        assert_int_equal(firn_environment_create(&e, sky, W, H, 0.7f, NULL), FIRN_OK);
        const double top = PI * places[k][1] / H, bottom = PI * (places[k][1] + 1) / H;
        const double angle = 2 * PI / W * (cos(top) - cos(bottom));
        firn_rng r = firn_rng_make(1, 2, k);
        for (int i = 0; i < 20000; i++) {
            float pdf;
            const firn_vec3 d = firn_environment_sample(&e, &r, &pdf);
            assert_equal(firn_environment_at(&e, d).r, 1e6f);
            assert_equal(pdf, firn_environment_pdf(&e, d));
            assert_near((double)pdf * angle, 1, 1e-5);  // the pixel's solid angle, in float
        }
        firn_environment_destroy(&e);
        *bright = firn_rgb_of(0, 0, 0);
    }
    firn_free(sky);
}

static void refusals(void** state)
{
    (void)state;
    firn_environment e;
    firn_error error = {0};
    static const float bad[] = {NAN, INFINITY, -1};
    for (int k = 0; k < 3; k++) {
        fill();
        texels[5 * WIDTH + 17].g = bad[k];
        assert_int_equal(firn_environment_create(&e, texels, WIDTH, HEIGHT, 0, &error),
                         FIRN_REFUSED_SCENE);
        assert_contains(error.text, "column 17, row 5");
        assert_null(e.texels);
    }
    fill();
    assert_int_equal(firn_environment_create(&e, texels, 0, 4, 0, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_environment_create(&e, texels, 4, 32769, 0, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_environment_create(&e, texels, 4, 4, NAN, &error), FIRN_REFUSED_ARGUMENT);
    const uint64_t in_use = firn_memory_read().bytes;
    for (uint64_t k = 1; k <= 5; k++) {
        firn_memory_fail_at(k, false);
        assert_int_equal(firn_environment_create(&e, texels, 4, 4, 0, &error), FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        assert_int_equal(firn_memory_read().bytes, in_use);
    }
}

int test_environment(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orientation),
        cmocka_unit_test(odd_directions),
        cmocka_unit_test(pdf_integrates_to_one),
        cmocka_unit_test(samples_follow_the_picture),
        cmocka_unit_test(black_picture),
        cmocka_unit_test(one_bright_texel),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests_name("environment", tests, NULL, NULL);
}
