// SPDX-License-Identifier: MIT
// Rays through snow: depth maps never hide any of it, surfaces are where they are, light fades.
#include "render/preview/snow/snow_rays.h"

#include "render/preview/snow_scene.h"

typedef struct fixture {
    snow_scene s;
    firn_camera camera;
    firn_snow_volume volume;
    firn_depth_map eye, sun;
} fixture;

static void setup_ball(fixture* f)
{
    setup_scene(&f->s, 160, 90);
    add_ball(&f->s, 0.1);
    for (firn_local p = 0; p < f->s.count; p += 11) f->s.x[p].x += 0.17f;  // a looser second ball
    const firn_render_block* r = &f->s.data.render;
    f->camera =
        firn_camera_make(firn_v3((firn_real)r->eye[0], (firn_real)r->eye[1], (firn_real)r->eye[2]),
                         firn_v3(0, 0.1f, 0), r->fov_deg, 160, 90);
    const firn_snow_points points = {.x = f->s.x,
                                     .mass = f->s.mass,
                                     .density = f->s.density,
                                     .id = f->s.id,
                                     .count = f->s.count};
    assert_int_equal(firn_snow_volume_build(&f->volume, &points, f->s.cell, NULL), FIRN_OK);
    assert_int_equal(firn_depth_map_camera(&f->eye, &f->volume, &f->camera, NULL), FIRN_OK);
    const firn_vec3 sun = firn_v3_normalize(firn_v3(-0.9f, 0.6f, 0.25f), firn_v3(0, 1, 0));
    assert_int_equal(firn_depth_map_sun(&f->sun, &f->volume, sun, NULL), FIRN_OK);
}

static void teardown_ball(fixture* f)
{
    firn_depth_map_destroy(&f->eye);
    firn_depth_map_destroy(&f->sun);
    firn_snow_volume_destroy(&f->volume);
    teardown_scene(&f->s);
}

static void depth_map_hides_nothing(void** state)
{
    (void)state;
    fixture f;
    setup_ball(&f);
    int seen = 0;
    for (int y = 0; y < 90; y++)
        for (int x = 0; x < 160; x++) {
            const firn_ray ray =
                firn_camera_ray(&f.camera, (firn_real)x + 0.5f, (firn_real)y + 0.5f);
            const firn_snow_hit all = firn_snow_trace(&f.volume, ray, 0, 3);
            const firn_depth_span span = firn_depth_map_pixel(&f.eye, x, y);
            firn_snow_hit some = {0, 0};
            if (span.near < span.far) some = firn_snow_trace(&f.volume, ray, span.near, span.far);
            // the same samples: only their places round differently
            assert_near(all.cover, some.cover, 1e-3f);
            if (all.cover > 0.1f) assert_near(all.t, some.t, 0.02f * f.volume.voxel);
            seen += all.cover > 0.9f;
        }
    assert_greater(seen, 500);  // of 14400: the ball covers 6 %
    teardown_ball(&f);
}

static void surface_of_a_ball(void** state)
{
    (void)state;
    fixture f;
    setup_ball(&f);
    const firn_vec3 center = firn_v3(0, 0.1f, 0);
    double off = 0, facing = 0;
    int n = 0;
    for (uint64_t k = 0; k < 300; k++) {
        // towards points near the centre, from the left: away from the loose ball on the right
        const firn_vec3 from = firn_v3(-0.5f, (firn_real)(0.5 * firn_random_unit(2, k)),
                                       (firn_real)(firn_random_unit(3, k) - 0.5));
        const firn_ray ray = {from, firn_v3_normalize(firn_v3_sub(center, from), from)};
        const firn_snow_hit hit = firn_snow_trace(&f.volume, ray, 0, 2);
        assert_equal(hit.cover, 1);
        const firn_vec3 x = firn_v3_madd(from, hit.t, ray.direction);
        const firn_vec3 out = firn_v3_normalize(firn_v3_sub(x, center), from);
        off += (double)(firn_v3_length(firn_v3_sub(x, center)) - 0.1f) / (double)f.volume.voxel;
        facing += (double)firn_v3_dot(out, firn_snow_normal(&f.volume, x, firn_v3(0, 1, 0)));
        n++;
    }
    assert_near(off / n, 0, 0.5);      // within half a voxel of the sphere
    assert_greater(facing / n, 0.93);  // bumpy, but outward
    // nothing there: nothing seen
    const firn_ray away = {firn_v3(-0.5f, 0.1f, 0), firn_v3(-1, 0, 0)};
    assert_equal(firn_snow_trace(&f.volume, away, 0, 100).cover, 0);
    assert_equal(firn_snow_trace(&f.volume, away, 1, 0).cover, 0);
    teardown_ball(&f);
}

static void sun_through_snow(void** state)
{
    (void)state;
    fixture f;
    setup_ball(&f);
    const firn_vec3 sun = f.sun.to, center = firn_v3(0, 0.1f, 0);
    const firn_vec3 lit = firn_v3_madd(center, 0.12f, sun),
                    dark = firn_v3_madd(center, -0.12f, sun);
    assert_equal(firn_snow_sun_depth(&f.volume, &f.sun, lit, 1), 0);
    const float behind = firn_snow_sun_depth(&f.volume, &f.sun, dark, 1);
    assert_at_least(behind, 20);  // 27 voxels of snow at 1.6 each, capped
    // exact to the cap from very far, too
    assert_at_least(firn_snow_sun_depth(&f.volume, &f.sun, firn_v3_madd(center, -90, sun), 1), 20);
    // half-way in, less
    const firn_vec3 in = firn_v3_madd(center, 0.07f, sun);
    const float part = firn_snow_sun_depth(&f.volume, &f.sun, in, 0);
    // 0.03 m are 4 voxels
    assert_greater(part, 3);
    assert_less(part, 10);
    const firn_grid_point top = firn_snow_to_grid(&f.volume, firn_v3(0, 0.22f, 0));
    assert_true(firn_snow_near(&f.volume, top));
    assert_false(firn_snow_near(&f.volume, firn_snow_to_grid(&f.volume, firn_v3(50, 0, 0))));
    teardown_ball(&f);
}

int test_snow_rays(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_map_hides_nothing),
        cmocka_unit_test(surface_of_a_ball),
        cmocka_unit_test(sun_through_snow),
    };
    return cmocka_run_group_tests_name("snow_rays", tests, NULL, NULL);
}
