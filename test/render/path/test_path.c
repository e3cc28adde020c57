// SPDX-License-Identifier: MIT
// T32 and T33: light that is neither made nor lost, and how bright snow is. No bodies here: the
// picture's tests have them.
#include "render/path/path.h"

#include <stdio.h>

#include "core/simd/simd.h"
#include "figure.h"
#include "firn_test.h"
#include "render/path/simd/path_cpu.h"
#include "scene/data/scene.h"
#include "uniform_snow.h"

typedef struct brightness {
    double mean[3], error[3], events;  // of a path
    double lookups;                    // per event
} brightness;

// Paths along `ray`, n of them.
static brightness look(const firn_medium* m, const firn_lights* lights, firn_ray ray, int n)
{
    const firn_path_view view = {.medium = m, .lights = lights};
    double sum[3] = {0, 0, 0}, square[3] = {0, 0, 0};
    int64_t events = 0, lookups = 0;
    for (int k = 0; k < n; k++) {
        const firn_rng r = firn_rng_make(33, 0, (uint64_t)k);
        firn_path_count count = {0};
        const firn_film_sample s = firn_path_trace(&view, ray, r, &count);
        const double light[3] = {(double)s.light.r, (double)s.light.g, (double)s.light.b};
        for (int c = 0; c < 3; c++) {
            sum[c] += light[c];
            square[c] += light[c] * light[c];
        }
        events += count.events;
        lookups += count.lookups;
    }
    brightness b = {.events = (double)events / n, .lookups = (double)lookups / (double)events};
    for (int c = 0; c < 3; c++) {
        b.mean[c] = sum[c] / n;
        b.error[c] = sqrt(fmax(square[c] / n - b.mean[c] * b.mean[c], 0) / n);
    }
    return b;
}

static void check_albedo(brightness b, const double expected[3], double known)
{
    for (int c = 0; c < 3; c++) {
        const double limit = 4 * sqrt(b.error[c] * b.error[c] + known * known) + 1e-6;
        printf("colour %d: %.4f +- %.4f, expected %.4f\n", c, b.mean[c], b.error[c], expected[c]);
        if (fabs(b.mean[c] - expected[c]) > limit) fail_msg("colour %d", c);
    }
}

static const float s13[3] = {0.9f, 0.95f, 1.0f};  // albedos of Stomakhin 2013, section 9

// A white sky all around and white snow: every path brings exactly the sky.
static void T32_furnace(void** state)
{
    (void)state;
    const float white[3] = {1, 1, 1};
    firn_medium m = uniform_snow(724, 0.002, 3, 3, 3, white, 0.5f);
    for (int k = 0; k < FIRN_MEDIUM_NODES; k++)
        m.nodes[k] *= (float)firn_random_unit(3, (uint64_t)k);
    firn_lights lights = two_skies(1.7f, 1.7f, false);
    const firn_path_view view = {.medium = &m, .lights = &lights};
    int64_t longest = 0;
    for (uint64_t k = 0; k < 4000; k++) {
        const firn_rng r = firn_rng_make(32, k, 0);
        firn_path_count count = {0};
        const firn_vec3 eye = firn_v3((firn_real)(0.048 * firn_random_unit(1, k)),
                                      (firn_real)(0.048 * firn_random_unit(2, k)), (firn_real)-0.5);
        const firn_film_sample s =
            firn_path_trace(&view, (firn_ray){eye, firn_v3(0, 0, 1)}, r, &count);
        assert_equal(s.light.r, 1.7f);
        assert_equal(s.light.g, 1.7f);
        assert_equal(s.light.b, 1.7f);
        longest = count.events > longest ? count.events : longest;
    }
    if (longest < 100) fail_msg("the longest path has %d events", (int)longest);
    firn_environment_destroy(&lights.environment);
    firn_medium_destroy(&m);
}

// The same with the sky asked at every turn: right on average.
static void T32_furnace_asking(void** state)
{
    (void)state;
    const float white[3] = {1, 1, 1};
    firn_medium m = uniform_snow(724, 0.001, 2, 2, 2, white, 0.5f);
    firn_lights lights = two_skies(1, 1, true);
    const firn_ray ray = {firn_v3((firn_real)0.008, (firn_real)0.007, -1), firn_v3(0, 0, 1)};
    check_albedo(look(&m, &lights, ray, 20000), (double[3]){1, 1, 1}, 0);
    firn_environment_destroy(&lights.environment);
    firn_medium_destroy(&m);
}

// A snowball of 10 cm radius.
static firn_medium make_snowball(const float albedo[3])
{
    firn_medium m = uniform_snow(724, 0.0025, 10, 10, 10, albedo, 0.5f);
    firn_free(m.at);
    firn_free(m.nodes);
    firn_free(m.cells);
    m.block_count = 1000;
    m.at = firn_alloc(1000, sizeof *m.at);
    m.nodes = firn_alloc((size_t)1000 * FIRN_MEDIUM_NODES, sizeof *m.nodes);
    m.cells = firn_alloc(1000, sizeof *m.cells);
    for (int b = 0; b < 1000; b++) {
        const int at[3] = {b % 10, b / 10 % 10, b / 100};
        memcpy(m.at[b], at, sizeof at);
        m.table[b] = b;
        for (int k = 0; k < FIRN_MEDIUM_NODES; k++) {
            const double x = (at[0] * 8 + k % 9) * 0.0025 - 0.1,
                         y = (at[1] * 8 + k / 9 % 9) * 0.0025 - 0.1,
                         z = (at[2] * 8 + k / 81) * 0.0025 - 0.1;
            // half a cell of ramp about the surface keeps the ball's size
            const double inside = (0.1 - sqrt(x * x + y * y + z * z)) / 0.0025 + 0.5;
            m.nodes[(size_t)b * FIRN_MEDIUM_NODES + (size_t)k] =
                (float)(724 * 0.0025 * fmin(1, fmax(0, inside)));
        }
    }
    return m;
}

// How often light turns in it on the way through the middle.
static void T32_scatterings(void** state)
{
    (void)state;
    const float white[3] = {1, 1, 1};
    firn_medium m = make_snowball(white);
    firn_lights lights = two_skies(1, 1, false);
    const firn_ray ray = {firn_v3((firn_real)0.1, (firn_real)0.1, -1), firn_v3(0, 0, 1)};
    const firn_path_view view = {.medium = &m, .lights = &lights};
    const int n = 20000;
    double events = 0, over[4] = {0, 0, 0, 0};
    static const int caps[4] = {32, 128, 512, 2048};
    for (int k = 0; k < n; k++) {
        const firn_rng r = firn_rng_make(34, 0, (uint64_t)k);
        firn_path_count count = {0};
        firn_path_trace(&view, ray, r, &count);
        events += (double)count.events;
        for (int c = 0; c < 4; c++) over[c] += count.events > caps[c];
    }
    check_figure(T32_events, events / n);
    check_figure(T32_over_32, over[0] / n);
    check_figure(T32_over_128, over[1] / n);
    check_figure(T32_over_512, over[2] / n);
    check_figure(T32_over_2048, over[3] / n);
    firn_environment_destroy(&lights.environment);
    firn_medium_destroy(&m);
}

// Snow so deep and wide that it has no other side, seen from above under a white sky.
static void T33_half_space(void** state)
{
    (void)state;
    const float albedo[3] = {0.9f, 0.95f, 0.95f};
    firn_medium m = uniform_snow(724, 0.01, 9, 3, 9, albedo, 0.5f);
    firn_lights lights = two_skies(1, 0, true);
    const firn_ray down = {firn_v3((firn_real)0.36, 1, (firn_real)0.36), firn_v3(0, -1, 0)};
    static const double expected[3] = {0.2776, 0.4037, 0.4037};
    check_albedo(look(&m, &lights, down, 100000), expected, 3e-4);
    firn_environment_destroy(&lights.environment);
    firn_medium_destroy(&m);
}

// A slab lit from one side, seen along its normal: R from that side, T from the other.
static void T33_slab(void** state)
{
    (void)state;
    static const double thick[2] = {0.010, 0.001};  // [m]
    static const double expected[2][2][3] = {{{.2762, .3950, .6650}, {.0728, .1388, .3350}},
                                             {{.1002, .1138, .1295}, {.8080, .8382, .8705}}};
    for (int k = 0; k < 2; k++) {
        // 61 blocks of one slab's thickness: 30 on each side of the ray
        firn_medium m = uniform_snow(724, thick[k] / 8, 61, 1, 61, s13, 0.5f);
        const firn_real middle = (firn_real)(30.5 * thick[k]);
        const firn_ray down = {firn_v3(middle, 1, middle), firn_v3(0, -1, 0)};
        for (int side = 0; side < 2; side++) {
            firn_lights lights = two_skies(side == 0, side == 1, true);
            check_albedo(look(&m, &lights, down, 100000), expected[k][side], 3e-4);
            firn_environment_destroy(&lights.environment);
        }
        firn_medium_destroy(&m);
    }
}

// Deep in the snow the sun is sampled rarely, and counts for more: the light is the same on
// average.
static void rare_asking_has_no_bias(void** state)
{
    (void)state;
    const float albedo[3] = {0.95f, 0.98f, 0.99f};
    // 1.4 mean free paths a cell: deep cells begin where light still arrives
    firn_medium m = uniform_snow(724, 0.002, 3, 3, 3, albedo, 0.5f);
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    scene.render.sky_strength = 0;
    firn_lights lights;
    assert_int_equal(firn_lights_create(&lights, &scene, NULL), FIRN_OK);
    const firn_ray down = {firn_v3((firn_real)0.02, 1, (firn_real)0.02), firn_v3(0, -1, 0)};
    const brightness often = look(&m, &lights, down, 40000);
    firn_medium_set_nee_by_depth(&m);
    assert_greater(m.cells[0][7 + 8 * 7 + 64 * 7] >> 1, 0);
    const brightness rarely = look(&m, &lights, down, 40000);
    check_albedo(rarely, often.mean, fmax(often.error[0], often.error[2]));
    assert_greater(often.mean[2], 0.1);
    firn_lights_destroy(&lights);
    firn_scene_data_destroy(&scene);
    firn_medium_destroy(&m);
}

// By the depth towards the sun it is sampled at few events, on the side of the sun and on the
// other: the light is the same on average, and the noise at most a fifth more than if it is sampled
// at all.
static void sampling_the_sun_rarely_has_no_bias(void** state)
{
    (void)state;
    const float albedo[3] = {0.95f, 0.98f, 0.99f};
    firn_medium m = make_snowball(albedo);
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    scene.render.sky_strength = 0;
    scene.render.sun[0] = scene.render.sun[2] = 0.5;
    firn_lights lights;
    assert_int_equal(firn_lights_create(&lights, &scene, NULL), FIRN_OK);
    for (int side = -1; side <= 1; side += 2) {
        const firn_ray ray = {firn_v3((firn_real)0.1, (firn_real)0.12, side),
                              firn_v3(0, 0, (firn_real)-side)};
        memset(m.cells, 0, 1000 * sizeof *m.cells);
        m.rare_by_sun = false;
        const brightness often = look(&m, &lights, ray, 40000);
        firn_medium_set_nee_by_sun(&m, lights.sun_to);
        assert_equal(m.cells[555][0] >> 1, FIRN_CELL_NEE_SUN_MAX);
        const brightness rarely = look(&m, &lights, ray, 40000);
        check_albedo(rarely, often.mean, fmax(often.error[0], often.error[2]));
        for (int c = 0; c < 3; c++) assert_less(rarely.error[c], 1.2 * often.error[c]);
        print_message("tentative collisions per event: %.2f and %.2f\n", often.lookups,
                      rarely.lookups);
        assert_less(rarely.lookups, 0.75 * often.lookups);
    }
    firn_lights_destroy(&lights);
    firn_scene_data_destroy(&scene);
    firn_medium_destroy(&m);
}

// Every SIMD level of this machine against the plain loop.
static void check_levels(const firn_path_view* view, const firn_path_job* jobs, int count_of_jobs,
                         firn_film_sample* plain, firn_film_sample* simd)
{
    firn_path_count plain_count = {0};
    firn_paths_trace_level1(view, jobs, count_of_jobs, plain, &plain_count);
    assert_greater(plain_count.events, 10000);
    firn_paths_fn* const levels[] = {
        firn_paths_trace,
#if defined(__x86_64__)
        firn_simd_has(3) ? firn_paths_trace_level3 : NULL,
        firn_simd_has(4) ? firn_paths_trace_level4 : NULL
#endif
    };
    for (size_t level = 0; level < sizeof levels / sizeof *levels; level++) {
        if (levels[level] == NULL) continue;
        firn_path_count count = {0};
        levels[level](view, jobs, count_of_jobs, simd, &count);
        assert_memory_equal(&count, &plain_count, sizeof count);
        for (int k = 0; k < count_of_jobs; k++) {
            assert_memory_equal(&simd[k].light, &plain[k].light, sizeof(firn_rgb));
            assert_equal(simd[k].alpha, plain[k].alpha);
            assert_equal(simd[k].depth, plain[k].depth);
            for (int a = 0; a < 3; a++) assert_near(simd[k].normal[a], plain[k].normal[a], 1e-5f);
        }
    }
}

// SIMD batches give what the plain loop gives, for every level that this machine has: the same
// light to the last bit (normals may differ where a level fuses sums).
static void simd_is_plain(void** state)
{
    (void)state;
    firn_medium m = uniform_snow(724, 0.004, 4, 3, 4, s13, 0.5f);
    for (int k = 0; k < FIRN_MEDIUM_NODES; k++)
        m.nodes[k] *= (float)(0.5 + firn_random_unit(9, (uint64_t)k));
    m.table[5] = m.table[17] = m.table[30] = -1;  // holes of air
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    firn_lights lights;
    assert_int_equal(firn_lights_create(&lights, &scene, NULL), FIRN_OK);
    assert_true(lights.only_sun);
    enum { COUNT = 3001 };  // no multiple of eight
    firn_path_job* jobs = firn_alloc(COUNT, sizeof *jobs);
    firn_film_sample* plain = firn_alloc(COUNT, sizeof *plain);
    firn_film_sample* simd = firn_alloc(COUNT, sizeof *simd);
    for (int k = 0; k < COUNT; k++) {
        const double u = firn_random_unit(11, (uint64_t)k), v = firn_random_unit(12, (uint64_t)k);
        jobs[k].ray.origin = firn_v3((firn_real)(0.06 + 0.1 * u), (firn_real)0.3, (firn_real)0.5);
        jobs[k].ray.direction = firn_v3_normalize(
            firn_v3((firn_real)(u - 0.5), (firn_real)(-0.6 - 0.2 * v), -1), firn_v3(0, 0, -1));
        jobs[k].rng = firn_rng_make(40, (uint64_t)k, 3);
    }
    const firn_path_view view = {.medium = &m, .lights = &lights};
    for (int by_sun = 0; by_sun < 2; by_sun++) {  // deep cells sample the sun rarely
        if (by_sun)
            firn_medium_set_nee_by_sun(&m, lights.sun_to);
        else
            firn_medium_set_nee_by_depth(&m);
        int rare = 0;
        for (int k = 0; k < 512; k++) rare += m.cells[0][k] >> 1 > 0;
        assert_greater(rare, 100);
        check_levels(&view, jobs, COUNT, plain, simd);
    }
    firn_free(jobs);
    firn_free(plain);
    firn_free(simd);
    firn_lights_destroy(&lights);
    firn_scene_data_destroy(&scene);
    firn_medium_destroy(&m);
}

int test_path(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(T32_furnace),
                                       cmocka_unit_test(T32_furnace_asking),
                                       cmocka_unit_test(T32_scatterings),
                                       cmocka_unit_test(rare_asking_has_no_bias),
                                       cmocka_unit_test(sampling_the_sun_rarely_has_no_bias),
                                       cmocka_unit_test(simd_is_plain),
                                       cmocka_unit_test(T33_half_space),
                                       cmocka_unit_test(T33_slab)};
    return cmocka_run_group_tests_name("path", tests, NULL, NULL);
}
