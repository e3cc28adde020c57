// SPDX-License-Identifier: MIT
// Fluids in the preview: where rays enter and leave them, what is seen through water, and pictures
// that do not depend on the number of threads.
#include "render/preview/preview_fluids.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "render/path/fluid_box.h"
#include "render/path/geometry_fixture.h"
#include "render/preview/preview.h"
#include "scene/data/snow.h"
#include "team_use.h"

// A box of 2 x 1 x 2 m seen from above, off its axis so that both diagonals of its sides are drawn.
static void rays_enter_and_leave(void** state)
{
    (void)state;
    static firn_fluids fluids;
    fluid_box box;
    add_fluid_box(&fluids, &box, firn_material_look_make(FIRN_SHOWN_AS_WATER),
                  (const double[3]){-1, 0, -1}, (const double[3]){1, 1, 1});
    const firn_camera camera =
        firn_camera_make(firn_v3((firn_real)0.1, 5, (firn_real)0.2),
                         firn_v3((firn_real)0.1, 0, (firn_real)0.2), 40, 64, 48);
    firn_fluid_layer layer;
    firn_error error = {0};
    assert_int_equal(firn_fluid_layer_create(&layer, &fluids, &camera, &error), FIRN_OK);
    int inside = 0;
    for (int32_t py = 0; py < 48; py++)
        for (int32_t px = 0; px < 64; px++) {
            const firn_ray ray = firn_camera_ray(&camera, (firn_real)px + (firn_real)0.5,
                                                 (firn_real)py + (firn_real)0.5);
            const firn_fluid_span s = firn_fluid_layer_at(&layer, &camera, 0, px, py, ray);
            const double down = -(double)ray.direction.y;
            const double x = 0.1 + 4 * (double)ray.direction.x / down,
                         z = 0.2 + 4 * (double)ray.direction.z / down;
            const double from_rim = fmin(1 - fabs(x), 1 - fabs(z));
            if (from_rim > 0.15) {  // a pixel is 0.06 m wide there; sides slant by less than 0.1
                assert_near(s.cover, 1, 0);
                assert_near(s.t, 4 / down, 1e-3);
                assert_near(s.normal.y, 1, 1e-5);
                if (from_rim > 0.4) assert_near(s.out, 5 / down, 1e-3);
                inside++;
            } else if (from_rim < -0.15) {
                assert_near(s.cover, 0, 0);
            }
        }
    assert_true(inside > 300);
    firn_fluid_layer_destroy(&layer);
}

// A pool on a bright floor, with snow in it, or of snow throughout.
typedef struct pool {
    firn_vec3 x[12 * 12 * 6];
    firn_real mass[12 * 12 * 6];
    uint8_t material[12 * 12 * 6];
    firn_local count;
} pool;

static void fill(pool* p)
{
    p->count = 12 * 12 * 6;
    for (int k = 0; k < p->count; k++) {
        const int at[3] = {k % 12, k / 144, k / 12 % 12};
        p->x[k] = firn_v3((firn_real)(0.1 * (at[0] - 5.5)), (firn_real)(0.1 * (at[1] + 0.5)),
                          (firn_real)(0.1 * (at[2] - 5.5)));
        p->mass[k] = 1;
        p->material[k] = at[1] < 2 && at[0] < 4;
    }
}

static firn_image draw(const firn_scene_data* scene, const pool* p, int threads)
{
    const firn_snow_points points = {
        .x = p->x, .mass = p->mass, .count = p->count, .material = p->material};
    firn_image image;
    firn_error error = {0};
    use_team(threads);
    if (firn_preview_draw(scene, 0.2, 0, &points, NULL, &image, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    use_team(0);
    return image;
}

static void mean_of(const firn_image* image, int x0, int x1, double out[3])
{
    for (int c = 0; c < 3; c++) {
        out[c] = 0;
        for (int y = 26; y < 34; y++)
            for (int x = x0; x < x1; x++)
                out[c] += image->rgb[(y * image->width + x) * 3 + c] / (8.0 * (x1 - x0));
    }
}

static void water_is_seen_through(void** state)
{
    (void)state;
    static pool p;
    fill(&p);
    firn_material materials[2] = {{.snow = {.density = 1000, .phase = FIRN_PHASE_WATER}},
                                  {.snow = {.density = 1000, .phase = FIRN_PHASE_SNOW}}};
    firn_scene_data scene = {.materials = materials, .material_count = 2};
    scene.render = (firn_render_block){
        .eye = {0, 3, 0.3},
        .fov_deg = 40,
        .width = 80,
        .height = 60,
        .sun = {0.3, 1, 0.2},
        .sun_strength = 1,
        .sky_strength = 1,
        .medium = {
            .extinction = 724, .density = 400, .albedo = {0.996, 0.998, 1}, .anisotropy = 0.5}};
    firn_collider* floor = add_collider(&scene, add_plane_shape(&scene, 0, 1, 0));
    floor->look = (firn_look){.kind = FIRN_LOOK_DIFFUSE, .colour = {0.8f, 0.1f, 0.1f}};
    materials[0].look = firn_material_look_make(FIRN_SHOWN_AS_WATER);
    firn_image clear = draw(&scene, &p, 1);
    const int threads[] = {2, 7};
    for (int k = 0; k < 2; k++) {
        firn_image again = draw(&scene, &p, threads[k]);
        assert_memory_equal(clear.rgb, again.rgb, (size_t)80 * 60 * 3);
        firn_image_destroy(&again);
    }
    // 0.6 m of water hardly absorb: the red floor shows, and the white snow to the left
    double floor_seen[3], snow_seen[3], dark[3];
    mean_of(&clear, 50, 58, floor_seen);
    mean_of(&clear, 24, 30, snow_seen);
    print_message("floor %.0f %.0f %.0f, snow %.0f %.0f %.0f\n", floor_seen[0], floor_seen[1],
                  floor_seen[2], snow_seen[0], snow_seen[1], snow_seen[2]);
    assert_greater(floor_seen[0], 1.5 * floor_seen[1]);
    assert_greater(snow_seen[1], 1.5 * floor_seen[1]);
    // a fluid that absorbs red hides the floor
    materials[0].look.absorption[0] = 20;
    firn_image deep = draw(&scene, &p, 2);
    mean_of(&deep, 50, 58, dark);
    assert_less(dark[0], 0.5 * floor_seen[0]);
    firn_image_destroy(&deep);
    // chocolate is opaque
    materials[0].look = firn_material_look_make(FIRN_SHOWN_AS_CHOCOLATE);
    firn_image sauce = draw(&scene, &p, 2);
    mean_of(&sauce, 50, 58, dark);
    assert_less(dark[0], 0.6 * floor_seen[0]);
    firn_image_destroy(&sauce);
    firn_image_destroy(&clear);
    firn_colliders_destroy(scene.colliders, scene.collider_count);
    firn_free(scene.colliders);
    firn_shapes_destroy(&scene.shapes);
}

int test_preview_fluids(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_enter_and_leave),
        cmocka_unit_test(water_is_seen_through),
    };
    return cmocka_run_group_tests_name("preview_fluids", tests, NULL, NULL);
}
