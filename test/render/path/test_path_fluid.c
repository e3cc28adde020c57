// SPDX-License-Identifier: MIT
// Transparent fluids: interfaces neither make nor lose light, reflect what Fresnel's equations say,
// and absorb by Beer and Lambert's law.
#include <stdio.h>
#include <string.h>

#include "fluid_box.h"
#include "geometry_fixture.h"
#include "render/dielectric.h"
#include "render/path/path.h"
#include "uniform_snow.h"

static firn_geometry* geometry_of(const firn_scene_data* scene, const firn_fluids* fluids)
{
    firn_geometry* g = NULL;
    firn_error error = {0};
    if (firn_geometry_create(scene, fluids, 0, firn_v3(0, 50, 0), firn_v3(-1, -1, -1),
                             firn_v3(1, 1, 1), &g, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return g;
}

static firn_material_look look_of(float ior, float absorption, float scattering)
{
    return (firn_material_look){.kind = FIRN_SHOWN_AS_WATER,
                                .ior = ior,
                                .absorption = {absorption, absorption, absorption},
                                .scattering = scattering};
}

// ---- one interface ------------------------------------------------------------------------------

static void fresnel_is_right(void** state)
{
    (void)state;
    // ((n - 1) / (n + 1))^2
    assert_near(firn_fresnel(1, 1.333f), 0.333 * 0.333 / (2.333 * 2.333), 1e-7);
    assert_near(firn_fresnel(1, 1 / 1.333f), 0.333 * 0.333 / (2.333 * 2.333), 1e-7);
    assert_near(firn_fresnel(1e-6f, 1.333f), 1, 1e-4);
    // 1.333 sin(48.61 degrees) = 1: total beyond
    assert_equal(firn_fresnel(cosf(0.849f), 1 / 1.333f), 1.0f);
    assert_true(firn_fresnel(cosf(0.847f), 1 / 1.333f) < 1);
    // the same from both sides; rounding of a cosine of 0.66 near the critical angle, 100 times
    for (int k = 1; k < 20; k++) {
        const float cosine = 0.05f * (float)k, sine = sqrtf(1 - cosine * cosine) / 1.333f;
        const float beyond = sqrtf(1 - sine * sine);
        assert_near(firn_fresnel(cosine, 1.333f), firn_fresnel(beyond, 1 / 1.333f), 2e-5);
    }
}

static void refraction_follows_snell(void** state)
{
    (void)state;
    firn_rng r = firn_rng_make(1, 2, 3);
    for (int k = 0; k < 100; k++) {
        firn_vec3 n = random_direction(&r), d = random_direction(&r);
        if (firn_v3_dot(n, d) > 0) n = firn_v3_scale(n, -1);
        const firn_vec3 t = firn_refract(d, n, (firn_real)1.333);
        const firn_vec3 in = firn_v3_cross(d, n), out = firn_v3_cross(t, n);
        assert_near((double)firn_v3_length(firn_v3_madd(in, (firn_real)-1.333, out)), 0, 1e-5);
        assert_true(firn_v3_dot(t, n) < 0);
        assert_near((double)firn_v3_length(t), 1, 1e-5);
        const firn_vec3 m = firn_reflect(d, n);
        assert_near((double)firn_v3_dot(m, n), -(double)firn_v3_dot(d, n), 1e-5);
    }
}

// ---- light is neither made nor lost -------------------------------------------------------------

// A white sky all around: every path brings exactly the sky, through water, water with ice in it
// that overlaps its surface, scattering, and white snow in the water.
static void furnace(void** state)
{
    (void)state;
    const float white[3] = {1, 1, 1};
    const firn_scene_data scene = {0};
    fluid_box boxes[2];
    firn_fluids fluids = {.count = 0};
    add_fluid_box(&fluids, &boxes[0], look_of(1.333f, 0, 0), (const double[3]){-1, -1, -1},
                  (const double[3]){1, 1, 1});
    add_fluid_box(&fluids, &boxes[1], look_of(1.31f, 0, 3), (const double[3]){-0.5, 0.5, -0.5},
                  (const double[3]){0.5, 1.5, 0.5});
    firn_medium snow = uniform_snow(30, 0.02, 2, 2, 2, white, 0.5f);
    memset(snow.cells, FIRN_CELL_NEAR_SURFACE, sizeof *snow.cells);
    firn_geometry* g = geometry_of(&scene, &fluids);
    const firn_lights lights = two_skies(1.7f, 1.7f, false);
    const firn_path_view view = {
        .medium = &snow, .geometry = g, .lights = &lights, .has_interfaces = true};
    int64_t events = 0, bounces = 0;
    for (uint64_t k = 0; k < 5000; k++) {
        firn_rng r = firn_rng_make(8, k, 0);
        const firn_ray ray = random_ray(&r, 6, 1.2);
        firn_path_count count = {0};
        const firn_film_sample s = firn_path_trace_fluid(&view, ray, r, &count);
        assert_equal(s.light.r, 1.7f);
        assert_equal(s.light.g, 1.7f);
        assert_equal(s.light.b, 1.7f);
        events += count.events;
        bounces += count.bounces;
    }
    assert_true(events > 5000);
    assert_true(bounces > 10000);
    assert_int_equal(firn_geometry_submerged(g, firn_v3(0, 0, 0)), 1);
    assert_int_equal(firn_geometry_submerged(g, firn_v3(0, (firn_real)0.7, 0)), 3);
    assert_int_equal(firn_geometry_submerged(g, firn_v3(0, (firn_real)1.2, 0)), 2);
    assert_int_equal(firn_geometry_submerged(g, firn_v3(0, 2, 0)), 0);
    firn_geometry_destroy(g);
    firn_environment_destroy((firn_environment*)&lights.environment);
    firn_medium_destroy(&snow);
}

// ---- a slab, seen along its normal --------------------------------------------------------------

typedef struct mean {
    double value[3], error[3];
} mean;

static mean look_down(const firn_path_view* view, int n)
{
    double sum[3] = {0}, square[3] = {0};
    for (int k = 0; k < n; k++) {
        firn_path_count count = {0};
        const firn_ray ray = {firn_v3(0, 9, 0), firn_v3(0, -1, 0)};
        const firn_film_sample s =
            firn_path_trace_fluid(view, ray, firn_rng_make(5, 0, (uint64_t)k), &count);
        const double light[3] = {(double)s.light.r, (double)s.light.g, (double)s.light.b};
        for (int c = 0; c < 3; c++) {
            sum[c] += light[c];
            square[c] += light[c] * light[c];
        }
    }
    mean m;
    for (int c = 0; c < 3; c++) {
        m.value[c] = sum[c] / n;
        m.error[c] = sqrt(fmax(square[c] / n - m.value[c] * m.value[c], 0) / n);
    }
    return m;
}

static void check_mean(const mean* m, int c, double expected, double bias)
{
    printf("colour %d: %.5f +- %.5f, expected %.5f\n", c, m->value[c], m->error[c], expected);
    assert_near(m->value[c], expected, 4 * m->error[c] + bias * expected);
}

// A slab of 0.5 m, with a sky above or below. R of one interface is 0.02037 for n = 1.333; with t =
// exp(-sigma d) the slab lets (1 - R)^2 t / (1 - R^2 t^2) through.
static void slab_reflects_and_absorbs(void** state)
{
    (void)state;
    const double thick = 0.5, sigma[3] = {0.5, 2, 6};
    const double R = 0.333 * 0.333 / (2.333 * 2.333);
    const firn_scene_data scene = {0};
    const firn_medium air = {.voxel = 0.1};
    for (int k = 0; k < 2; k++) {
        fluid_box box;
        firn_fluids fluids = {.count = 0};
        firn_material_look look = look_of(1.333f, 1e6f, 0);
        for (int c = 0; c < 3 && k == 1; c++) look.absorption[c] = (float)sigma[c];
        add_fluid_box(&fluids, &box, look, (const double[3]){-100, -thick, -100},
                      (const double[3]){100, 0, 100});
        firn_geometry* g = geometry_of(&scene, &fluids);
        firn_lights lights = two_skies(k == 0 ? 1 : 0, k == 0 ? 0 : 1, false);
        const firn_path_view view = {
            .medium = &air, .geometry = g, .lights = &lights, .has_interfaces = true};
        const mean m = look_down(&view, 100000);
        for (int c = 0; c < 3; c++) {
            const double t = exp(-sigma[c] * thick);
            check_mean(&m, c, k == 0 ? R : (1 - R) * (1 - R) * t / (1 - R * R * t * t), 1e-5);
        }
        firn_geometry_destroy(g);
        firn_environment_destroy(&lights.environment);
    }
}

// The sun above a level floor of albedo 1/2 below a metre of water. Light that the surface sends
// back to the floor adds less than 0.5 exp(-2 sigma): 1 %, 0.3 %, 0.1 %.
static void sun_reaches_the_floor(void** state)
{
    (void)state;
    const double sigma[3] = {2, 2.5, 3};
    const double R = 0.333 * 0.333 / (2.333 * 2.333);
    firn_scene_data scene = {
        .render = {.sun = {0.02, 1, 0}, .sun_strength = 1, .sky_strength = 0, .sun_size = 0.53}};
    firn_collider* floor = add_collider(&scene, add_plane_shape(&scene, 0, 1, 0));
    floor->look = (firn_look){.kind = FIRN_LOOK_DIFFUSE, .colour = {0.5f, 0.5f, 0.5f}};
    fluid_box box;
    firn_fluids fluids = {.count = 0};
    firn_material_look look = look_of(1.333f, 0, 0);
    for (int c = 0; c < 3; c++) look.absorption[c] = (float)sigma[c];
    add_fluid_box(&fluids, &box, look, (const double[3]){-100, -0.1, -100},
                  (const double[3]){100, 1, 100});
    firn_geometry* g = geometry_of(&scene, &fluids);
    firn_lights lights;
    assert_int_equal(firn_lights_create(&lights, &scene, NULL), FIRN_OK);
    const double direct[3] = {(double)lights.day.direct.r, (double)lights.day.direct.g,
                              (double)lights.day.direct.b};
    lights.day.direct = firn_rgb_of(0, 0, 0);  // no glow of the sky around the sun
    const firn_medium air = {.voxel = 0.1};
    const firn_path_view view = {
        .medium = &air, .geometry = g, .lights = &lights, .has_interfaces = true};
    const mean m = look_down(&view, 20000);
    for (int c = 0; c < 3; c++)
        check_mean(&m, c, 0.5 * direct[c] * (1 - R) * (1 - R) * exp(-2 * sigma[c]), 0.015);
    firn_geometry_destroy(g);
    firn_lights_destroy(&lights);
    firn_colliders_destroy(scene.colliders, scene.collider_count);
    firn_free(scene.colliders);
    firn_shapes_destroy(&scene.shapes);
}

int test_path_fluid(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresnel_is_right),
        cmocka_unit_test(refraction_follows_snell),
        cmocka_unit_test(furnace),
        cmocka_unit_test(slab_reflects_and_absorbs),
        cmocka_unit_test(sun_reaches_the_floor),
    };
    return cmocka_run_group_tests_name("path_fluid", tests, NULL, NULL);
}
