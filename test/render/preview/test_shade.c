// SPDX-License-Identifier: MIT
// Shading: snow is as bright and as blue as the path tracer says, and no medium breaks it.
#include "render/preview/shade.h"

#include "render/image/tone.h"
#include "render/path/picture.h"
#include "snow_scene.h"

// Mean light of a channel over a rectangle, the tone curve undone.
static double mean_light(const firn_image* image, double x0, double y0, double x1, double y1,
                         int channel)
{
    double sum = 0;
    int n = 0;
    for (int y = (int)(y0 * image->height); y < (int)(y1 * image->height); y++)
        for (int x = (int)(x0 * image->width); x < (int)(x1 * image->width); x++) {
            const uint8_t* rgb = image->rgb + ((size_t)y * (size_t)image->width + (size_t)x) * 3;
            const double s = (double)firn_tone_linear(rgb[channel]);
            sum += s / (1.35 * (1 - 0.52 * s));  // tone.h
            n++;
        }
    assert_greater(n, 0);
    return sum / n;
}

// The same ball by the path tracer, as light.
static void trace(const snow_scene* s, firn_film_layers* out_layers)
{
    const firn_picture_snow snow = {
        .x = s->x, .mass = s->mass, .count = s->count, .cell = s->cell, .frame_time = 1};
    firn_picture_stats stats;
    firn_film film;
    firn_error error = {0};
    if (firn_picture_trace(&s->data, &snow, NULL, &film, &stats, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    assert_int_equal(firn_film_develop(&film, out_layers, &error), FIRN_OK);
    firn_film_destroy(&film);
}

// Sunny side, shady side and underside of the ball agree with the truth. Single scattering,
// diffusion and a look around are an estimate: 25 % where light is strong.
static void near_the_path_tracer(void** state)
{
    (void)state;
    static const double albedos[2][3] = {{0.996, 0.998, 1}, {0.9, 0.95, 1}};
    static const double places[3][4] = {
        {0.42, 0.40, 0.48, 0.55}, {0.53, 0.46, 0.58, 0.58}, {0.47, 0.62, 0.53, 0.68}};
    snow_scene s;
    setup_scene(&s, 128, 72);
    add_ball(&s, 0.14);
    for (int k = 0; k < 2; k++) {
        memcpy(s.data.render.medium.albedo, albedos[k], sizeof albedos[k]);
        firn_image image = draw_read(&s, 2);
        firn_film_layers layers;
        trace(&s, &layers);
        const float* const light[3] = {layers.r, layers.g, layers.b};
        for (int p = 0; p < 3; p++)
            for (int c = 0; c < 3; c++) {
                const double* r = places[p];
                double sum = 0;
                int n = 0;
                for (int y = (int)(r[1] * 72); y < (int)(r[3] * 72); y++)
                    for (int x = (int)(r[0] * 128); x < (int)(r[2] * 128); x++, n++)
                        sum += (double)light[c][y * 128 + x];
                const double truth = sum / n, seen = mean_light(&image, r[0], r[1], r[2], r[3], c);
                if (!(fabs(seen - truth) < 0.25 * truth + 0.01))
                    fail_msg("albedo %d, place %d, band %d: %.3f, path-traced %.3f", k, p, c, seen,
                             truth);
            }
        firn_film_layers_destroy(&layers);
        firn_image_destroy(&image);
    }
    teardown_scene(&s);
}

// Whatever a scene may ask of the medium: a picture, and snow no brighter than light can make it.
static void odd_media(void** state)
{
    (void)state;
    static const firn_medium_block media[] = {
        {.extinction = 0, .density = 400, .albedo = {1, 1, 1}, .anisotropy = 0.5},
        {.extinction = 1e6, .density = 1, .albedo = {1, 1, 1}, .anisotropy = -0.99},
        {.extinction = 724, .density = 2000, .albedo = {0, 0, 0}, .anisotropy = 0.99},
        {.extinction = 724, .density = 400, .albedo = {0, 0.5, 1}, .anisotropy = 0},
    };
    snow_scene s;
    setup_scene(&s, 96, 54);
    add_ball(&s, 0.1);
    for (size_t k = 0; k < sizeof media / sizeof media[0]; k++) {
        s.data.render.medium = media[k];
        firn_image image = draw_read(&s, 2);
        const double red = mean_light(&image, 0.42, 0.40, 0.58, 0.60, 0);
        const double light = mean_light(&image, 0.42, 0.40, 0.58, 0.60, 2);
        assert_less(light, 1.6);
        assert_less(red, 1.6);
        if (media[k].albedo[0] == 0) assert_less(red, 0.1);  // glints are left
        if (media[k].albedo[2] == 1) assert_greater(light, 0.3);
        firn_image_destroy(&image);
    }
    teardown_scene(&s);
}

int test_shade(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_the_path_tracer),
        cmocka_unit_test(odd_media),
    };
    return cmocka_run_group_tests_name("shade", tests, NULL, NULL);
}
