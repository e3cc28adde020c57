// SPDX-License-Identifier: MIT
// Pictures on a GPU: the bits of the host that plays the same lanes, the same in every run, and the
// CPU's pictures within their noise. FIRN_TEST_DEVICE=cpu: the host stands in for the device, so
// that the test itself can be tried where there is none.
#include <stdlib.h>

#include "device/device.h"
#include "render/path/cuda/picture_cuda.h"
#include "render/path/picture_scenes.h"
// after what defines bool
#include "figure.h"
#include "render/path/geometry/geometry.h"
#include "render/path/lanes/host_lanes.h"
#include "render/path/uniform_snow.h"

static int device_number = FIRN_DEVICE_CPU;

static const firn_picture_machine* device_machine(void)
{
    return device_number == FIRN_DEVICE_CPU ? &picture_on_host_lanes : &firn_picture_on_cuda;
}

static firn_film trace_device(const firn_scene_data* scene, const firn_picture_snow* snow,
                              firn_picture_stats* stats)
{
    return trace_on(device_machine(), device_number, scene, snow, 1, stats);
}

static void check_bits(const firn_film* a, const firn_film* b, const char* name)
{
    for (int k = 0; k < a->width * a->height; k++)
        if (memcmp(&a->pixels[k], &b->pixels[k], sizeof *a->pixels) != 0)
            fail_msg("%s: other bits in pixel %d: light %.9g and %.9g", name, k,
                     (double)(a->pixels[k].light[0][1] + a->pixels[k].light[1][1]),
                     (double)(b->pixels[k].light[0][1] + b->pixels[k].light[1][1]));
}

static void twice_the_same_bits(void** state)
{
    (void)state;
    ball* b = make_ball();
    for (int k = 0; k < PICTURE_CASES; k++) {
        firn_scene_data scene = picture_case_scene(&picture_cases[k], "", b);
        firn_picture_stats first, second;
        firn_film one = trace_device(&scene, &b->snow, &first);
        firn_film two = trace_device(&scene, &b->snow, &second);
        check_bits(&one, &two, picture_cases[k].name);
        assert_equal(first.events, second.events);
        assert_equal(first.lookups, second.lookups);
        firn_film_destroy(&one);
        firn_film_destroy(&two);
        firn_scene_data_destroy(&scene);
    }
    firn_free(b);
}

// Pictures of each scene against the CPU's: 3 sigma of the mean, and pixels within their noise.
static void agree_with_the_cpu(void** state)
{
    (void)state;
    ball* b = make_ball();
    for (int k = 0; k < PICTURE_CASES; k++) {
        firn_scene_data scene = picture_case_scene(&picture_cases[k], "", b);
        firn_picture_stats stats, cpu_stats;
        firn_film film = trace_device(&scene, &b->snow, &stats);
        firn_film cpu = trace(&scene, &b->snow, 2, &cpu_stats);
        check_agreement(&film, &cpu, picture_cases[k].name);
        assert_equal(stats.paths, cpu_stats.paths);
        assert_equal(stats.passes, cpu_stats.passes);
        firn_film_destroy(&film);
        firn_film_destroy(&cpu);
        firn_scene_data_destroy(&scene);
    }
    firn_free(b);
}

// The same with other random numbers, so that nothing agrees by chance.
static void agree_with_another_seed(void** state)
{
    (void)state;
    ball* b = make_ball();
    for (int k = 0; k < PICTURE_CASES; k++) {
        if (picture_cases[k].noise_target) continue;  // ends after other numbers of samples
        firn_scene_data scene = picture_case_scene(&picture_cases[k], ", seed: 5", b);
        firn_scene_data cpu_scene = picture_case_scene(&picture_cases[k], "", b);
        scene.render.samples = cpu_scene.render.samples = 64;
        firn_picture_stats stats;
        firn_film film = trace_device(&scene, &b->snow, &stats);
        firn_film cpu = trace(&cpu_scene, &b->snow, 2, &stats);
        check_agreement(&film, &cpu, picture_cases[k].name);
        firn_film_destroy(&film);
        firn_film_destroy(&cpu);
        firn_scene_data_destroy(&scene);
        firn_scene_data_destroy(&cpu_scene);
    }
    firn_free(b);
}

// Laws without fused sums, in one order: the device has the bits of the host with the same BVH.
static void bits_of_the_host(void** state)
{
    (void)state;
    ball* b = make_ball();
    for (int k = 0; k < PICTURE_CASES; k++) {
        firn_scene_data scene = picture_case_scene(&picture_cases[k], "", b);
        firn_picture_stats stats, host_stats;
        firn_film film = trace_device(&scene, &b->snow, &stats);
        firn_film host = trace_on(&picture_on_host_lanes, 0, &scene, &b->snow, 1, &host_stats);
        check_bits(&film, &host, picture_cases[k].name);
        assert_equal(stats.events, host_stats.events);
        assert_equal(stats.lookups, host_stats.lookups);
        assert_equal(stats.bounces, host_stats.bounces);
        assert_equal(stats.rays, host_stats.rays);
        assert_equal(stats.noise, host_stats.noise);
        firn_film_destroy(&film);
        firn_film_destroy(&host);
        firn_scene_data_destroy(&scene);
    }
    firn_free(b);
}

static void T32_furnace(void** state)
{
    (void)state;
    check_furnace(device_machine(), device_number);
}

// ---- T30, T31, T33: slabs of even snow, seen from above -----------------------------------------

enum { SIDE = 64 };  // [pixels] of a picture of one ray

typedef struct brightness {
    double mean[3], error[3], alpha;
} brightness;

// n paths down the ray from (x, 1, z): a picture so narrow that all of its rays are the same.
static brightness look_down(const firn_medium* m, const firn_lights* lights, double at, int n)
{
    const int64_t passes = n / (SIDE * SIDE);
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    const firn_vec3 eye = firn_v3((firn_real)at, 1, (firn_real)at),
                    down = firn_v3((firn_real)at, 0, (firn_real)at);
    firn_shutter shutter = {.count = 1};
    shutter.at[0].medium = *m;
    shutter.at[0].camera = firn_camera_make(eye, down, 1e-4, SIDE, SIDE);
    shutter.at[0].lens = firn_lens_make(&shutter.at[0].camera, 0, 0);
    firn_error error = {0};
    if (firn_geometry_create(&scene, NULL, 0, eye, down, eye, &shutter.at[0].geometry, &error) !=
        FIRN_OK)
        fail_msg("%s", error.text);
    const firn_picture_work work = {.shutter = &shutter,
                                    .lights = lights,
                                    .seed = 33,
                                    .width = SIDE,
                                    .height = SIDE,
                                    .tiles_x = SIDE / FIRN_FILM_TILE,
                                    .tiles_y = SIDE / FIRN_FILM_TILE};
    const firn_picture_machine* machine = device_machine();
    firn_film film;
    firn_picture_stats stats = {0};
    uint8_t finished[SIDE * SIDE / FIRN_LANE_TILE_PIXELS] = {0};
    void* self;
    assert_int_equal(firn_film_create(&film, SIDE, SIDE, NULL), FIRN_OK);
    firn_result r = machine->create(&work, &film, device_number, &self, &error);
    for (int64_t done = 0; r == FIRN_OK && done < passes; done += 8)
        r = machine->trace(self, done, passes - done < 8 ? passes - done : 8, finished, &stats,
                           &error);
    if (r == FIRN_OK) r = machine->fetch(self, &error);
    if (r != FIRN_OK) fail_msg("%s", error.text);
    machine->destroy(self);
    brightness b = {.alpha = 0};
    double square[3] = {0, 0, 0};
    for (int k = 0; k < SIDE * SIDE; k++) {
        const firn_film_pixel* p = &film.pixels[k];
        b.alpha += (double)p->alpha / (double)p->count / (SIDE * SIDE);
        for (int c = 0; c < 3; c++) {
            const double light = (double)(p->light[0][c] + p->light[1][c]) / (double)p->count;
            b.mean[c] += light / (SIDE * SIDE);
            square[c] += light * light / (SIDE * SIDE);
        }
    }
    for (int c = 0; c < 3; c++)  // of the pixels' means
        b.error[c] = sqrt(fmax(square[c] - b.mean[c] * b.mean[c], 0)) / SIDE;
    firn_film_destroy(&film);
    firn_geometry_destroy(shutter.at[0].geometry);
    firn_scene_data_destroy(&scene);
    return b;
}

// Light from below through a slab of `thick` [m] that scatters as `albedo` says.
static brightness through(double thick, const float albedo[3], int n)
{
    firn_medium m = uniform_snow(724, thick / 8, 61, 1, 61, albedo, 0.5f);
    firn_lights lights = two_skies(0, 1, false);
    const brightness b = look_down(&m, &lights, 30.5 * thick, n);
    firn_environment_destroy(&lights.environment);
    firn_medium_destroy(&m);
    return b;
}

// Of light that a thin slab scatters, this share goes on: the integral of the phase function over
// the forward half, (1 - g^2) / 2g (1 / (1 - g) - 1 / sqrt(1 + g^2)). A second scattering, of one
// path in ten at most, turns less than a third of them: 0.03.
static void T30_phase(void** state)
{
    (void)state;
    static const float white[3] = {1, 1, 1};
    const double tau = 0.05, exact = 0.75 * (2 - 1 / sqrt(1.25));
    const brightness b = through(tau / 724, white, 1 << 19);
    const double forward = (b.mean[0] - (1 - b.alpha)) / b.alpha;
    print_message("T30 forwards %.4f, exact %.4f; scattered %.4f of %.4f\n", forward, exact,
                  b.alpha, 1 - exp(-tau));
    assert_near(forward, exact, 0.03);
    assert_near(b.alpha, 1 - exp(-tau), 4 * sqrt(tau / (1 << 19)));
}

static void T31_beer_lambert(void** state)
{
    (void)state;
    static const float black[3] = {0, 0, 0};
    const int n = 1 << 18;
    const brightness b = through(0.001, black, n);
    const double exact = 0.48481, error = sqrt(exact * (1 - exact) / n);
    print_message("T31 transmittance %.5f +- %.5f, exact %.5f\n", b.mean[1], error, exact);
    assert_near(b.mean[1], exact, 4 * error);
}

static void check_albedo(brightness b, const double expected[3])
{
    for (int c = 0; c < 3; c++) {
        print_message("T33 colour %d: %.4f +- %.4f, expected %.4f\n", c, b.mean[c], b.error[c],
                      expected[c]);
        assert_near(b.mean[c], expected[c], 4 * sqrt(b.error[c] * b.error[c] + 9e-8) + 1e-6);
    }
}

static void T33_half_space(void** state)
{
    (void)state;
    static const float albedo[3] = {0.9f, 0.95f, 0.95f};
    firn_medium m = uniform_snow(724, 0.01, 9, 3, 9, albedo, 0.5f);
    firn_lights lights = two_skies(1, 0, true);
    check_albedo(look_down(&m, &lights, 0.36, 100000), (double[3]){0.2776, 0.4037, 0.4037});
    firn_environment_destroy(&lights.environment);
    firn_medium_destroy(&m);
}

static void T33_slab(void** state)
{
    (void)state;
    static const float s13[3] = {0.9f, 0.95f, 1.0f};  // Stomakhin 2013, section 9
    static const double thick[2] = {0.010, 0.001};    // [m]
    static const double expected[2][2][3] = {{{.2762, .3950, .6650}, {.0728, .1388, .3350}},
                                             {{.1002, .1138, .1295}, {.8080, .8382, .8705}}};
    for (int k = 0; k < 2; k++)
        for (int side = 0; side < 2; side++) {
            firn_medium m = uniform_snow(724, thick[k] / 8, 61, 1, 61, s13, 0.5f);
            firn_lights lights = two_skies(side == 0, side == 1, true);
            check_albedo(look_down(&m, &lights, 30.5 * thick[k], 100000), expected[k][side]);
            firn_environment_destroy(&lights.environment);
            firn_medium_destroy(&m);
        }
}

int test_picture_cuda(void)
{
    const char* name = getenv("FIRN_TEST_DEVICE");
    firn_error error = {0};
    if (firn_device_open(name != NULL ? name : "cuda", &device_number, &error) != FIRN_OK) {
        print_message("skipped: %s\n", error.text);
        return FIRN_TEST_SKIPPED;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(bits_of_the_host),
                                       cmocka_unit_test(twice_the_same_bits),
                                       cmocka_unit_test(agree_with_the_cpu),
                                       cmocka_unit_test(agree_with_another_seed),
                                       cmocka_unit_test(T32_furnace),
                                       cmocka_unit_test(T30_phase),
                                       cmocka_unit_test(T31_beer_lambert),
                                       cmocka_unit_test(T33_half_space),
                                       cmocka_unit_test(T33_slab)};
    return cmocka_run_group_tests_name("picture_cuda", tests, NULL, NULL);
}
