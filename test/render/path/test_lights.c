// SPDX-License-Identifier: MIT
// Lights: what they give a surface against exact answers; densities that agree whichever way a
// direction was found.
#include "render/path/lights.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "render/image/exr.h"
#include "scene/data/scene.h"

#define PI 3.14159265358979323846

static firn_scene_data dark_scene(void)
{
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    scene.render.sun_strength = scene.render.sky_strength = 0;
    return scene;
}

static firn_lamp lamp_above(double x, double y, double z, bool two_sided)
{
    // u x v looks down
    return (firn_lamp){.center = {x, y, z},
                       .edge_u = {1.4, 0, 0},
                       .edge_v = {0.2, 0, 0.8},
                       .radiance = {3, 2, 1},
                       .two_sided = two_sided};
}

static firn_lights made(const firn_scene_data* scene)
{
    firn_lights lights;
    firn_error error = {0};
    if (firn_lights_create(&lights, scene, &error) != FIRN_OK) fail_msg("%s", error.text);
    return lights;
}

// Irradiance [red] of a surface at x by sampling.
static double lit_by_samples(const firn_lights* lights, firn_vec3 x, firn_vec3 n, int count)
{
    firn_rng r = firn_rng_make(11, 0, 0);
    double sum = 0;
    for (int k = 0; k < count; k++) {
        firn_light_sample s;
        assert_true(firn_lights_sample(lights, x, &r, &s));
        const double cosine = (double)firn_v3_dot(s.to, n);
        if (s.pdf > 0 && cosine > 0) sum += (double)s.radiance.r * cosine / (double)s.pdf;
    }
    return sum / count;
}

static void the_sun_gives_what_daylight_says(void** state)
{
    (void)state;
    static const double sizes[] = {0.05, 0.53, 5};
    for (int k = 0; k < 3; k++) {
        firn_scene_data scene = dark_scene();
        scene.render.sun_strength = 0.7;
        scene.render.sun_size = sizes[k];
        const firn_lights lights = made(&scene);
        const double exact = PI * (double)lights.day.direct.r;
        const double found = lit_by_samples(&lights, firn_v3(1, 2, 3), lights.day.sun, 2000);
        // the glow of the sky around the sun shines through the disc: 0.03 % at 5 degrees
        if (fabs(found / exact - 1) > 1e-3) fail_msg("size %g: %g, not %g", sizes[k], found, exact);
        firn_scene_data_destroy(&scene);
    }
}

// Lambert's formula: E = L / 2 sum over edges of angle times (normal of the edge's plane . n).
static double lit_by_polygon(double corners[4][3], const double* x, const double* n, double L)
{
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        double a[3], b[3], la = 0, lb = 0, ab = 0;
        for (int i = 0; i < 3; i++) {
            a[i] = corners[k][i] - x[i];
            b[i] = corners[(k + 1) % 4][i] - x[i];
            la += a[i] * a[i];
            lb += b[i] * b[i];
            ab += a[i] * b[i];
        }
        const double g[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                             a[0] * b[1] - a[1] * b[0]};
        const double lg = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
        sum += acos(ab / sqrt(la * lb)) * (g[0] * n[0] + g[1] * n[1] + g[2] * n[2]) / lg;
    }
    return fabs(0.5 * L * sum);
}

static void a_lamp_gives_its_form_factor(void** state)
{
    (void)state;
    firn_scene_data scene = dark_scene();
    scene.render.lights[scene.render.light_count++] = lamp_above(0.3, 1, -0.2, false);
    const firn_lamp* lamp = &scene.render.lights[0];
    const firn_lights lights = made(&scene);
    assert_equal(lights.area_count, 1);
    assert_greater(lights.probability[2], 0.999f);
    assert_near(lights.area[0].area, 1.4 * 0.8, 1e-5);
    assert_less(lights.area[0].normal.y, (firn_real)-0.999);
    double corners[4][3];
    static const int side[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 3; i++)
            corners[k][i] = lamp->center[i] + 0.5 * side[k][0] * lamp->edge_u[i] +
                            0.5 * side[k][1] * lamp->edge_v[i];
    static const double at[][3] = {{0, 0, 0}, {1.5, 0.2, 0.7}, {0.3, 0.9, -0.2}};
    for (int k = 0; k < 3; k++) {
        const double up[3] = {0, 1, 0};
        const double exact = lit_by_polygon(corners, at[k], up, 3);
        const firn_vec3 x = firn_v3((firn_real)at[k][0], (firn_real)at[k][1], (firn_real)at[k][2]);
        const double found = lit_by_samples(&lights, x, firn_v3(0, 1, 0), 400000);
        // the nearest point sees most of it by few samples: 4 standard errors are 2 %
        if (fabs(found / exact - 1) > 0.02) fail_msg("%d: %g, not %g", k, found, exact);
    }
    // behind it there is no light
    assert_equal(lit_by_samples(&lights, firn_v3(0, 2, 0), firn_v3(0, -1, 0), 1000), 0);
    float pdf;
    assert_equal(firn_lights_hit(&lights, 0, firn_v3(0, -1, 0), 1, &pdf).r, 0);
    assert_equal(pdf, 0);
    firn_scene_data_destroy(&scene);
}

static firn_vec3 any_direction(firn_rng* r)
{
    const double z = 2 * (double)firn_rng_unit(r) - 1, t = 2 * PI * (double)firn_rng_unit(r);
    const double s = sqrt(1 - z * z);
    return firn_v3((firn_real)(s * cos(t)), (firn_real)(s * sin(t)), (firn_real)z);
}

// Where a ray from x meets the lamp; 0: nowhere.
static float meet(const firn_area_light* a, firn_vec3 x, firn_vec3 d)
{
    const double along = (double)firn_v3_dot(a->normal, d);
    const double t = (double)firn_v3_dot(a->normal, firn_v3_sub(a->center, x)) / along;
    if (!(t > 0)) return 0;
    const firn_vec3 off = firn_v3_sub(firn_v3_madd(x, (firn_real)t, d), a->center);
    // coordinates along the edges, which are no right angle
    const double uu = (double)firn_v3_dot(a->u, a->u), vv = (double)firn_v3_dot(a->v, a->v);
    const double uv = (double)firn_v3_dot(a->u, a->v), pu = (double)firn_v3_dot(off, a->u);
    const double pv = (double)firn_v3_dot(off, a->v), det = uu * vv - uv * uv;
    const double i = (pu * vv - pv * uv) / det, j = (pv * uu - pu * uv) / det;
    return fabs(i) < 1 && fabs(j) < 1 ? (float)t : 0;
}

static firn_scene_data full_scene(void)
{
    firn_scene_data scene = dark_scene();
    scene.render.sun_strength = scene.render.sky_strength = 1;
    scene.render.sun_size = 12;
    scene.render.lights[scene.render.light_count++] = lamp_above(0, 1.5, 0, false);
    scene.render.lights[scene.render.light_count++] = lamp_above(0.5, -1, 0, true);
    return scene;
}

// The densities that paths are told, summed over all directions, are the chances of the lights.
static void densities_sum_to_one(void** state)
{
    (void)state;
    firn_scene_data scene = full_scene();
    const firn_lights lights = made(&scene);
    const firn_vec3 x = firn_v3((firn_real)0.1, (firn_real)0.2, (firn_real)-0.1);
    firn_rng r = firn_rng_make(8, 8, 8);
    const int n = 2000000;
    double far = 0, lamp[2] = {0, 0};
    for (int k = 0; k < n; k++) {
        const firn_vec3 d = any_direction(&r);
        float pdf;
        firn_lights_escape(&lights, d, &pdf);
        far += (double)pdf;
        for (int a = 0; a < 2; a++) {
            const float t = meet(&lights.area[a], x, d);
            if (!(t > 0)) continue;
            firn_lights_hit(&lights, a, d, t, &pdf);
            lamp[a] += (double)pdf;
        }
    }
    const double scale = 4 * PI / n;  // 1 % of a share: 4 standard errors
    assert_near(far * scale / (double)lights.probability[0], 1, 0.05);
    assert_near(lamp[0] * scale / (double)lights.probability[2], 1, 0.02);
    assert_near(lamp[1] * scale / (double)lights.probability[3], 1, 0.02);
    assert_equal(lights.probability[1], 0);
    assert_near(lights.probability[0] + lights.probability[2] + lights.probability[3], 1, 1e-6f);
    firn_scene_data_destroy(&scene);
}

static void samples_know_what_paths_would_find(void** state)
{
    (void)state;
    firn_scene_data scene = full_scene();
    const firn_lights lights = made(&scene);
    firn_rng r = firn_rng_make(9, 9, 9);
    int far = 0, lamp = 0;
    for (int k = 0; k < 20000; k++) {
        const firn_vec3 x = firn_v3_scale(any_direction(&r), (firn_real)0.4);
        firn_light_sample s;
        float pdf;
        assert_true(firn_lights_sample(&lights, x, &r, &s));
        assert_greater(s.pdf, 0);
        assert_near(firn_v3_length(s.to), 1, 1e-5);
        if (s.distance == FLT_MAX) {
            const firn_rgb L = firn_lights_escape(&lights, s.to, &pdf);
            assert_equal(pdf, s.pdf);
            assert_equal(L.r, s.radiance.r);
            assert_greater(L.r, 10);  // in the disc, always
            far++;
            continue;
        }
        const int a = s.to.y > 0 ? 0 : 1;
        const float t = meet(&lights.area[a], x, s.to);
        assert_less(s.distance, t);
        assert_greater(s.distance, 0.999f * t);
        firn_lights_hit(&lights, a, s.to, t, &pdf);
        assert_near(pdf / s.pdf, 1, 1e-3f);  // s.distance is 0.1 % short of the lamp
        assert_equal(s.radiance.r, 3);
        lamp++;
    }
    assert_near((double)far / 20000, lights.probability[0], 0.02);  // sd at most 0.0035
    assert_greater(lamp, 500);
    // the rim: just outside the disc the sky has no sun and no density
    float pdf;
    const firn_vec3 rim = firn_v3_cross(lights.day.sun, firn_v3(0, 1, 0));
    const double radius = tan(6 * PI / 180) / (double)firn_v3_length(rim);
    const firn_vec3 in = firn_v3_madd(lights.day.sun, (firn_real)(0.999 * radius), rim);
    const firn_vec3 out = firn_v3_madd(lights.day.sun, (firn_real)(1.001 * radius), rim);
    assert_greater(firn_lights_escape(&lights, firn_v3_normalize(in, rim), &pdf).r, 10);
    assert_greater(pdf, 0);
    assert_less(firn_lights_escape(&lights, firn_v3_normalize(out, rim), &pdf).r, 2);
    assert_equal(pdf, 0);
    firn_scene_data_destroy(&scene);
}

static void no_lights_at_all(void** state)
{
    (void)state;
    firn_scene_data scene = dark_scene();
    scene.render.lights[scene.render.light_count++] = lamp_above(0, 1, 0, false);
    memset(scene.render.lights[0].radiance, 0, sizeof scene.render.lights[0].radiance);
    const firn_lights lights = made(&scene);
    firn_rng r = firn_rng_make(1, 2, 3);
    firn_light_sample s;
    assert_false(firn_lights_sample(&lights, firn_v3(0, 0, 0), &r, &s));
    for (int k = 0; k < 1000; k++) {
        float pdf;
        const firn_rgb L = firn_lights_escape(&lights, any_direction(&r), &pdf);
        assert_equal(L.r, 0);
        assert_equal(L.g, 0);
        assert_equal(L.b, 0);
        assert_equal(pdf, 0);
    }
    scene.render.sun[1] = -3;  // a sun that has set
    scene.render.sun_strength = 1;
    const firn_lights night = made(&scene);
    assert_false(night.has_sun || firn_lights_sample(&night, firn_v3(0, 0, 0), &r, &s));
    firn_scene_data_destroy(&scene);
}

// A sky with a cap of 22.5 degrees about the zenith, written as a file.
static void write_sky(const char* path, float cap, float rest)
{
    float plane[8 * 16];
    for (int k = 0; k < 8 * 16; k++) plane[k] = k < 16 ? cap : rest;
    const firn_exr_channel channels[] = {
        {"R", plane, false}, {"G", plane, false}, {"B", plane, false}};
    assert_int_equal(firn_exr_write(path, 16, 8, channels, 3, NULL, 0, NULL), FIRN_OK);
}

static void a_picture_lights_from_all_sides(void** state)
{
    (void)state;
    static char path[] = FIRN_TEST_TMP "/sky.exr";
    write_sky(path, 50, 0.125f);
    firn_scene_data scene = dark_scene();
    scene.render.sky_picture = path;
    scene.render.sky_strength = 2;
    firn_lights lights = made(&scene);
    assert_near(lights.probability[1], 1, 1e-6f);
    const double up = lit_by_samples(&lights, firn_v3(0, 0, 0), firn_v3(0, 1, 0), 20000);
    const double down = lit_by_samples(&lights, firn_v3(0, 0, 0), firn_v3(0, -1, 0), 100000);
    const double cap = 0.146447;  // sin^2 22.5 degrees
    // scatter of the samples, and the picture's pixels across the cap's rim
    assert_near(up / (PI * (100 * cap + 0.25 * (1 - cap))), 1, 0.03);
    assert_near(down / (PI * 0.25), 1, 0.1);
    // sun and picture: the density of a direction counts both, and samples find it so
    scene.render.sun_strength = 1;
    firn_lights_destroy(&lights);
    lights = made(&scene);
    firn_rng r = firn_rng_make(4, 4, 4);
    double sum = 0;
    for (int k = 0; k < 20000; k++) {
        firn_light_sample s;
        float pdf;
        assert_true(firn_lights_sample(&lights, firn_v3(0, 0, 0), &r, &s));
        const firn_rgb L = firn_lights_escape(&lights, s.to, &pdf);
        assert_equal(pdf, s.pdf);
        assert_equal(L.g, s.radiance.g);
        const double cosine = (double)firn_v3_dot(s.to, lights.day.sun);
        if (cosine > 0) sum += (double)L.r * cosine / (double)pdf / 20000;
    }
    assert_greater(sum, PI * ((double)lights.day.direct.r + 0.25));
    firn_lights_destroy(&lights);
    // an even picture is left to the paths, like the gradient
    write_sky(path, 0.5f, 0.125f);
    lights = made(&scene);
    assert_true(lights.only_sun);
    assert_equal(lights.probability[1], 0);
    firn_lights_destroy(&lights);
    // black pictures are fine and never chosen
    write_sky(path, 0, 0);
    scene.render.sun_strength = 0;
    lights = made(&scene);
    firn_light_sample s;
    assert_false(firn_lights_sample(&lights, firn_v3(0, 0, 0), &r, &s));
    firn_lights_destroy(&lights);
    scene.render.sky_picture = NULL;
    firn_scene_data_destroy(&scene);
}

static void a_picture_that_fails(void** state)
{
    (void)state;
    static char path[] = FIRN_TEST_TMP "/bad.exr", missing[] = FIRN_TEST_TMP "/missing.exr";
    firn_scene_data scene = dark_scene();
    firn_lights lights;
    firn_error error = {0};
    scene.render.sky_picture = missing;
    assert_greater(firn_lights_create(&lights, &scene, &error), 0);
    assert_contains(error.text, "missing.exr");
    write_sky(path, 1, -1);
    scene.render.sky_picture = path;
    assert_greater(firn_lights_create(&lights, &scene, &error), 0);
    assert_contains(error.text, "bad.exr");
    write_sky(path, 1, 1);
    const int64_t before = (int64_t)firn_memory_read().bytes;
    for (uint64_t k = 1;; k++) {
        firn_memory_fail_at(k, false);
        const firn_result result = firn_lights_create(&lights, &scene, &error);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_equal((int64_t)firn_memory_read().bytes, before);
        assert_less(k, 100);
    }
    firn_lights_destroy(&lights);
    assert_equal((int64_t)firn_memory_read().bytes, before);
    scene.render.sky_picture = NULL;
    firn_scene_data_destroy(&scene);
}

int test_lights(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_sun_gives_what_daylight_says),
                                       cmocka_unit_test(a_lamp_gives_its_form_factor),
                                       cmocka_unit_test(densities_sum_to_one),
                                       cmocka_unit_test(samples_know_what_paths_would_find),
                                       cmocka_unit_test(no_lights_at_all),
                                       cmocka_unit_test(a_picture_lights_from_all_sides),
                                       cmocka_unit_test(a_picture_that_fails)};
    return cmocka_run_group_tests_name("lights", tests, NULL, NULL);
}
