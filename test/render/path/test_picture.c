// SPDX-License-Identifier: MIT
// Whole pictures: light is neither made nor lost, shadows are where they belong, threads do not
// matter, and odd scenes give sensible pictures.
#include "render/path/picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "math/random.h"
#include "math/vec3.h"
#include "render/path/picture_fixture.h"

static void energy_balance_with_a_floor(void** state)
{
    (void)state;
    check_furnace(NULL, 0);
}

// Snow that swallows everything, before an even sky: the picture is the transmittance along each
// pixel's rays. Two shutters of light: alpha counts what was met, light what came through.
static void transmittance_is_exact(void** state)
{
    (void)state;
    ball* b = make_ball();
    char render[300];
    snprintf(render, sizeof render,
             ", samples: 400, sun_strength: 0, sky: {picture: \"%s\"}, medium: {albedo: [0, 0, 0], "
             "extinction: 8}",
             sky_file(1));
    firn_scene_data scene = scene_of("", render);
    firn_picture_stats stats;
    firn_film film = trace(&scene, &b->snow, 2, &stats);
    double darkest = 1, middle = 0;
    for (int y = 0; y < film.height; y++)
        for (int x = 0; x < film.width; x++) {
            const double t = light_at(&film, x, y, 0);
            const double alpha =
                (double)film.pixels[y * film.width + x].alpha / (double)stats.passes;
            assert_near(t + alpha, 1, 1e-3);  // what is not stopped comes through
            darkest = fmin(darkest, t);
        }
    for (int y = 8; y < 10; y++)
        for (int x = 15; x < 17; x++) middle += light_at(&film, x, y, 0) / 4;
    // through the middle: 0.2 m of snow at 8/m, less what the kernel has spread outwards
    const double exact = exp(-8 * 0.2);
    if (fabs(middle - exact) > 0.06) fail_msg("transmittance %g, about %g", middle, exact);
    assert_equal(light_at(&film, 0, 0, 0), 1);
    assert_less(darkest, 0.5);
    firn_film_destroy(&film);
    firn_scene_data_destroy(&scene);
    firn_free(b);
}

static void threads_do_not_matter(void** state)
{
    (void)state;
    ball* b = make_ball();
    for (int p = 0; p < COUNT; p++) b->v[p] = firn_v3(1, -2, 0);
    firn_scene_data scene = scene_of("{shape: {plane: {}}}", ", samples: 5, shutter: 0.5");
    firn_picture_stats one, three;
    firn_film a = trace(&scene, &b->snow, 1, &one), c = trace(&scene, &b->snow, 3, &three);
    assert_memory_equal(a.pixels, c.pixels, (size_t)(a.width * a.height) * sizeof *a.pixels);
    assert_equal(one.events, three.events);
    assert_equal(one.paths, 5 * 32 * 18);
    scene.render.seed = 7;  // another seed is another picture
    firn_film d = trace(&scene, &b->snow, 3, &three);
    assert_memory_not_equal(a.pixels, d.pixels, (size_t)(a.width * a.height) * sizeof *a.pixels);
    firn_film_destroy(&a);
    firn_film_destroy(&c);
    firn_film_destroy(&d);
    firn_scene_data_destroy(&scene);
    firn_free(b);
}

// The sun stands on the left: the floor on the right of the ball is in its shadow.
static void shadows_fall_on_the_floor(void** state)
{
    (void)state;
    ball* b = make_ball();
    firn_scene_data scene =
        scene_of("{shape: {plane: {}}, surface: {kind: diffuse, colour: [0.5, 0.5, 0.5]}}",
                 ", samples: 64, sun: [-1, 1, 0], sky_strength: 0.2");
    const double eye[3] = {0, 1.2, 0.001}, at[3] = {0, 0, 0};
    memcpy(scene.render.eye, eye, sizeof eye);
    memcpy(scene.render.look_at, at, sizeof at);
    firn_picture_stats stats;
    firn_film film = trace(&scene, &b->snow, 2, &stats);
    // seen from above: the shadow's middle lies 0.15 m to the right of the ball's
    const double lit = light_at(&film, 4, 9, 1), dark = light_at(&film, 22, 9, 1);
    if (!(lit > 3 * dark)) fail_msg("lit %g, in the shadow %g", lit, dark);
    firn_film_destroy(&film);
    firn_scene_data_destroy(&scene);
    firn_free(b);
}

// The floor is not seen, but for the sunlight that is missing on it: alpha. The backdrop is empty.
static void shadows_are_caught(void** state)
{
    (void)state;
    ball* b = make_ball();
    firn_scene_data scene = scene_of("{shape: {plane: {}}, surface: {kind: shadow_catcher}}",
                                     ", samples: 256, sun: [-1, 1, 0], sky_strength: 0.2");
    const double eye[3] = {0, 1.2, 0.001}, at[3] = {0, 0, 0};
    memcpy(scene.render.eye, eye, sizeof eye);
    memcpy(scene.render.look_at, at, sizeof at);
    firn_picture_stats stats;
    firn_film film = trace(&scene, &b->snow, 2, &stats);
    firn_film_layers layers;
    assert_int_equal(firn_film_develop(&film, &layers, NULL), FIRN_OK);
    const int lit = 9 * 32 + 3, dark = 9 * 32 + 22, snow = 9 * 32 + 16;
    assert_equal(layers.g[lit] + layers.g[dark], 0);
    assert_greater(layers.g[snow], 0.2f);
    if (fabsf(layers.a[lit]) > 0.1f) fail_msg("alpha of the open floor %g", (double)layers.a[lit]);
    if (layers.a[dark] < 0.6f) fail_msg("alpha of the shadow %g", (double)layers.a[dark]);
    assert_greater(layers.a[snow], 0.95f);
    firn_film_layers_destroy(&layers);
    firn_film_destroy(&film);
    firn_scene_data_destroy(&scene);
    firn_free(b);
}

static void motion_blurs(void** state)
{
    (void)state;
    ball* b = make_ball();
    for (int p = 0; p < COUNT; p++) b->v[p] = firn_v3(6, 0, 0);  // 0.25 m a frame
    firn_scene_data scene = scene_of("", ", samples: 64");
    firn_picture_stats stats;
    firn_film sharp = trace(&scene, &b->snow, 2, &stats);
    scene.render.shutter = 1;
    firn_film blurred = trace(&scene, &b->snow, 2, &stats);
    int half_sharp = 0, half_blurred = 0;  // pixels that are partly snow
    for (int k = 0; k < 32 * 18; k++) {
        const double a = (double)sharp.pixels[k].alpha / 64,
                     c = (double)blurred.pixels[k].alpha / 64;
        half_sharp += a > 0.1 && a < 0.9;
        half_blurred += c > 0.1 && c < 0.9;
    }
    if (!(half_blurred > 2 * half_sharp)) fail_msg("%d and %d", half_sharp, half_blurred);
    firn_film_destroy(&sharp);
    firn_film_destroy(&blurred);
    firn_scene_data_destroy(&scene);
    firn_free(b);
}

// No snow, the camera in the snow, no light, one pixel of a stray: finite pictures, no complaint.
static void odd_scenes(void** state)
{
    (void)state;
    ball* b = make_ball();
    firn_picture_stats stats;
    firn_scene_data scene = scene_of("{shape: {plane: {}}}", ", samples: 4");
    firn_picture_snow none = b->snow;
    none.count = 0;
    firn_film film = trace(&scene, &none, 2, &stats);
    assert_equal(stats.events, 0);
    assert_greater(light_at(&film, 16, 17, 0), 0.05);
    firn_film_destroy(&film);
    firn_picture_snow weightless = b->snow;  // no masses are known
    weightless.mass = NULL;
    film = trace(&scene, &weightless, 2, &stats);
    assert_greater(stats.events, 100);
    firn_film_destroy(&film);
    const double inside[3] = {0, 0.15, 0.01};
    memcpy(scene.render.eye, inside, sizeof inside);
    film = trace(&scene, &b->snow, 2, &stats);
    assert_greater(light_at(&film, 16, 9, 2), 0);
    firn_film_destroy(&film);
    scene.render.sun_strength = scene.render.sky_strength = 0;
    film = trace(&scene, &b->snow, 2, &stats);
    for (int k = 0; k < 3; k++) assert_equal(light_at(&film, 16, 9, k), 0);
    firn_film_destroy(&film);
    scene.render.sun_strength = scene.render.sky_strength = 1;
    b->x[0] = firn_v3(3000, 2000, -4000);
    film = trace(&scene, &b->snow, 2, &stats);
    firn_film_destroy(&film);
    scene.render.medium.extinction = 0;
    film = trace(&scene, &b->snow, 2, &stats);
    assert_equal(stats.events, 0);
    firn_film_destroy(&film);
    firn_scene_data_destroy(&scene);
    firn_free(b);
}

// A reference picture, inspected by eye: 8192 samples per pixel, FIRN_WRITE_GOLDEN=1 renders it
// again. Path tracing is random, so equal bits are not required: the mean must agree within 1
// %, and pixels must scatter about the kept ones as their own noise says (mean of the squared
// differences over the variance 1 but for its uncertainty; a mistake in light or geometry makes it
// many).
static void golden_picture(void** state)
{
    (void)state;
    static const char path[] = FIRN_SOURCE_DIR "/test/render/path/golden.exr";
    const bool writes = getenv("FIRN_WRITE_GOLDEN") != NULL;
    ball* b = make_ball();
    firn_scene_data scene = scene_of(
        "{shape: {plane: {}}, surface: {kind: rough, colour: [0.4, 0.3, 0.2], roughness: 0.3}}, "
        "{shape: {box: {center: [-0.25, 0.1, -0.1], size: [0.1, 0.2, 0.1]}}, surface: {kind: "
        "metal, colour: [0.9, 0.6, 0.3], roughness: 0.4}}",
        ", samples: 64, sun: [-0.6, 0.8, 0.5], lights: [{center: [0.3, 0.5, 0], edge_u: [0.1, 0, "
        "0], "
        "edge_v: [0, 0, 0.1], radiance: [3, 3, 9]}], medium: {glints: 0}");
    if (writes) scene.render.samples = 8192;
    firn_picture_stats stats;
    firn_film film = trace(&scene, &b->snow, 2, &stats);
    firn_film_layers l;
    assert_int_equal(firn_film_develop(&film, &l, NULL), FIRN_OK);
    if (writes) {
        const firn_exr_channel c[] = {{"R", l.r, false}, {"G", l.g, false}, {"B", l.b, false}};
        assert_int_equal(firn_exr_write(path, l.width, l.height, c, 3, NULL, 0, NULL), FIRN_OK);
    }
    firn_exr_picture kept;
    assert_int_equal(firn_exr_read(path, &kept, NULL), FIRN_OK);
    assert_equal(kept.width, l.width);
    assert_equal(kept.height, l.height);
    double mean = 0, kept_mean = 0, chi = 0;
    const int pixels = l.width * l.height;
    for (int k = 0; k < pixels; k++) {
        const double d = (double)l.g[k] - (double)kept.rgb[3 * k + 1];
        mean += (double)l.g[k] / pixels;
        kept_mean += (double)kept.rgb[3 * k + 1] / pixels;
        chi += d * d / ((double)l.variance_g[k] * (1 + 1.0 / 128) + 1e-8) / pixels;
    }
    printf("mean %.5f, kept %.5f, scatter %.3f\n", mean, kept_mean, chi);
    assert_true(writes || (fabs(mean / kept_mean - 1) < 0.01 && chi > 0.5 && chi < 1.6));
    firn_exr_picture_destroy(&kept);
    firn_film_layers_destroy(&l);
    firn_film_destroy(&film);
    firn_scene_data_destroy(&scene);
    firn_free(b);
}

// A noise target ends pictures early, a progress function whenever it likes.
static bool stop_at_three(void* user, const firn_picture_progress* p)
{
    ++*(int*)user;
    return p->passes < 3;
}

static void pictures_end_when_they_should(void** state)
{
    (void)state;
    ball* b = make_ball();
    firn_scene_data scene = scene_of("{shape: {plane: {}}}", ", samples: 4096, noise: 0.2");
    firn_picture_stats stats;
    firn_film film = trace(&scene, &b->snow, 2, &stats);
    assert_in_range(stats.passes, 16, 1999);
    assert_less(stats.noise, 0.2);
    firn_film_destroy(&film);
    int calls = 0;
    const firn_picture_options options = {.progress = stop_at_three, .user = &calls};
    assert_int_equal(firn_picture_trace(&scene, &b->snow, &options, &film, &stats, NULL), FIRN_OK);
    assert_true(stats.stopped && stats.passes == 3);
    assert_equal(calls, 3);
    firn_film_destroy(&film);
    firn_scene_data_destroy(&scene);
    firn_free(b);
}

static void memory_runs_out(void** state)
{
    (void)state;
    ball* b = make_ball();
    firn_scene_data scene = scene_of("{shape: {plane: {}}}", ", samples: 1");
    const uint64_t before = firn_memory_read().bytes;
    for (uint64_t k = 1;; k++) {
        firn_film film;
        firn_picture_stats stats;
        firn_memory_fail_at(k, false);
        const firn_result r = firn_picture_trace(&scene, &b->snow, NULL, &film, &stats, NULL);
        firn_memory_fail_at(0, false);
        if (r == FIRN_OK) {
            firn_film_destroy(&film);
            break;
        }
        assert_int_equal(r, FIRN_BROKEN_MEMORY);
        assert_null(film.pixels);
        assert_equal(firn_memory_read().bytes, before);
    }
    assert_equal(firn_memory_read().bytes, before);
    firn_scene_data_destroy(&scene);
    firn_free(b);
}

int test_picture(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energy_balance_with_a_floor),
                                       cmocka_unit_test(transmittance_is_exact),
                                       cmocka_unit_test(threads_do_not_matter),
                                       cmocka_unit_test(shadows_fall_on_the_floor),
                                       cmocka_unit_test(shadows_are_caught),
                                       cmocka_unit_test(motion_blurs),
                                       cmocka_unit_test(golden_picture),
                                       cmocka_unit_test(odd_scenes),
                                       cmocka_unit_test(pictures_end_when_they_should),
                                       cmocka_unit_test(memory_runs_out)};
    return cmocka_run_group_tests_name("picture", tests, NULL, NULL);
}
