// SPDX-License-Identifier: MIT
// Pictures on surfaces: samples by hand; and a strip with a picture from a glTF file as the path
// tracer on the CPU, its BVH for a GPU and the preview see it.
#include "geometry/level_set_ball.h"
#include "mesh/gltf_maker.h"
#include "render/image/image.h"
#include "render/paint/paint.h"
#include "render/path/bvh/bvh.h"
#include "render/path/geometry_fixture.h"
#include "render/preview/preview_paint.h"
#include "scene/data/scene_shapes.h"

#define EPS 1e-5f  // a texel has 16 bits

// Two by two: red, green, blue, white.
static const firn_rgb16 colours[] = {
    {65535, 0, 0, 0}, {0, 65535, 0, 0}, {0, 0, 65535, 0}, {65535, 65535, 65535, 0}};

static void check_colour(firn_rgb c, float r, float g, float b)
{
    if (!(fabsf(c.r - r) < EPS && fabsf(c.g - g) < EPS && fabsf(c.b - b) < EPS))
        fail_msg("(%.6f, %.6f, %.6f), not (%.6f, %.6f, %.6f)", (double)c.r, (double)c.g,
                 (double)c.b, (double)r, (double)g, (double)b);
}

static firn_rgb sample(int wrap, float u, float v)
{
    const firn_paint_picture p = {0, 2, 2, {wrap, wrap}};
    return firn_paint_sample(&p, colours, u, v);
}

static void samples_by_hand(void** state)
{
    (void)state;
    for (int wrap = FIRN_PAINT_REPEAT; wrap <= FIRN_PAINT_MIRROR; wrap++) {
        check_colour(sample(wrap, 0.25f, 0.25f), 1, 0, 0);  // centres of texels
        check_colour(sample(wrap, 0.75f, 0.25f), 0, 1, 0);
        check_colour(sample(wrap, 0.25f, 0.75f), 0, 0, 1);
        check_colour(sample(wrap, 0.5f, 0.5f), 0.5f, 0.5f, 0.5f);
        check_colour(sample(wrap, 0.375f, 0.25f), 0.75f, 0.25f, 0);
    }
    check_colour(sample(FIRN_PAINT_REPEAT, 1.25f, -0.75f), 1, 0, 0);
    check_colour(sample(FIRN_PAINT_REPEAT, 0, 0.25f), 0.5f, 0.5f, 0);
    check_colour(sample(FIRN_PAINT_CLAMP, -3, 0.25f), 1, 0, 0);
    check_colour(sample(FIRN_PAINT_CLAMP, 7, 9), 1, 1, 1);
    check_colour(sample(FIRN_PAINT_MIRROR, 1.25f, 0.25f), 0, 1, 0);
    check_colour(sample(FIRN_PAINT_MIRROR, -0.25f, 0.25f), 1, 0, 0);
    const float odd[] = {INFINITY, -INFINITY, NAN, 1e30f, -1e30f};
    for (int k = 0; k < 5; k++) {
        const firn_rgb c = sample(FIRN_PAINT_REPEAT, odd[k], odd[4 - k]);
        assert_true(c.r >= 0 && c.r <= 1 && c.b >= 0 && c.b <= 1);
    }
}

// ---- a strip ------------------------------------------------------------------------------------

static void write_picture(const char* path)
{
    static const uint8_t rgb[] = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 188};
    firn_image image;
    assert_int_equal(firn_image_create(&image, 2, 2, NULL), FIRN_OK);
    memcpy(image.rgb, rgb, sizeof rgb);
    assert_int_equal(firn_png_write(path, &image, 1, NULL), FIRN_OK);
    firn_image_destroy(&image);
}

// The strip with the picture, and a tetrahedron of metal in front of it.
static void write_strip(void)
{
    write_picture(FIRN_TEST_TMP "/look.png");
    write_gltf(fill(
        "\"nodes\":[{\"mesh\":0},{\"mesh\":1,\"translation\":[0,0,2],\"scale\":[0.1,0.1,0.1]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":%d},"
        "\"indices\":1,\"material\":0}]},{\"primitives\":[{\"attributes\":{\"POSITION\":%d},"
        "\"indices\":%d,\"material\":1}]}],"
        "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0},"
        "\"baseColorFactor\":[1,0.5,1,1],\"metallicFactor\":0,\"roughnessFactor\":0.5}},"
        "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.9,0.6,0.3,1]}}],"
        "\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"look.png\"}]",
        STRIP_UV, TET_POSITIONS, TET_INDICES));
}

static void add_strip(firn_scene_data* scene)
{
    const firn_level_set* set = build_ball(ball, 0.05);
    firn_local shape = -1;
    firn_error error = {0};
    if (firn_scene_add_level_set(
            scene, set, firn_strdup("mesh: {file: \"" GLTF_PATH "\", if_broken: refuse, scale: 2}"),
            &shape, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    firn_level_set_release(set);
    add_collider(scene, shape);
}

static firn_ray towards(double x, double y, double z)
{
    return (firn_ray){firn_v3((firn_real)(2 * x), (firn_real)(2 * y), (firn_real)z),
                      firn_v3(0, 0, -1)};
}

typedef firn_surface_hit trace_fn(const void* from, firn_ray ray);

static firn_surface_hit by_geometry(const void* from, firn_ray ray)
{
    return firn_geometry_trace(from, ray, FLT_MAX);
}

static firn_surface_hit by_bvh(const void* from, firn_ray ray)
{
    return firn_bvh_trace(from, ray, FLT_MAX);
}

static void check_hits(trace_fn* trace, const void* from)
{
    static const float places[][5] = {// x, y in the file, and the texture's colour
                                      {0.25f, 0.5f, 0, 0, 1},
                                      {0.25f, 1.5f, 1, 0, 0},
                                      {0.75f, 1.5f, 0, 1, 0}};
    for (int k = 0; k < 3; k++) {
        const float* p = places[k];
        const firn_surface_hit hit = trace(from, towards((double)p[0], (double)p[1], 1));
        assert_non_null(hit.surface);
        assert_int_equal(hit.surface->kind, FIRN_SURFACE_ROUGH);
        assert_int_equal(hit.surface->painted, 2);
        assert_true(hit.surface->colour.g == 0.5f && hit.surface->roughness == 0.5f);
        check_colour(hit.tint, p[2], p[3], p[4]);
    }
    // 188 of 255 in sRGB is 0.5029 (IEC 61966-2-1)
    const firn_surface_hit white = trace(from, towards(0.75, 0.5, 1));
    check_colour(white.tint, 1, 1, 0.502886f);
    const firn_surface_hit metal = trace(from, towards(0.02, 0.02, 9));
    assert_int_equal(metal.surface->kind, FIRN_SURFACE_METAL);
    assert_true(metal.surface->colour.b == 0.3f);
    check_colour(metal.tint, 1, 1, 1);
}

static void as_both_path_tracers_see_it(void** state)
{
    (void)state;
    write_strip();
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    add_collider(&scene, add_sphere(&scene, 30, 30, 30, 1));
    add_strip(&scene);
    firn_geometry* g = make_geometry(&scene, 0, firn_v3(9, 9, 9));
    firn_bvh bvh;
    assert_int_equal(firn_bvh_create(g, &bvh, NULL), FIRN_OK);
    check_hits(by_geometry, g);
    check_hits(by_bvh, &bvh);
    const firn_surface_hit hit = firn_geometry_trace(g, towards(0.25, 0.5, 1), FLT_MAX);
    assert_int_equal(firn_geometry_number(g, hit.surface), 1);
    firn_bvh_destroy(&bvh);
    firn_geometry_destroy(g);
    // the scene's own surface comes first
    scene.colliders[1].look = (firn_look){.kind = FIRN_LOOK_DIFFUSE, .colour = {0.1f, 0.2f, 0.3f}};
    g = make_geometry(&scene, 0, firn_v3(9, 9, 9));
    const firn_surface_hit own = firn_geometry_trace(g, towards(0.25, 0.5, 1), FLT_MAX);
    assert_int_equal(own.surface->kind, FIRN_SURFACE_DIFFUSE);
    assert_true(own.surface->colour.b == 0.3f && own.surface->painted == 0);
    firn_geometry_destroy(g);
    firn_scene_data_destroy(&scene);
}

static void as_the_preview_sees_it(void** state)
{
    (void)state;
    write_strip();
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    add_strip(&scene);
    firn_collider* c = &scene.colliders[0];
    assert_int_equal(firn_collider_move(c, &scene.shapes, 0, NULL), FIRN_OK);
    firn_preview_paints* paints = NULL;
    assert_int_equal(firn_preview_paints_create(&scene, c, 0, &paints, NULL), FIRN_OK);
    assert_non_null(paints);
    const firn_rgb other = {0.7f, 0.7f, 0.7f};
    check_colour(firn_preview_paints_colour(paints, firn_v3((firn_real)0.5, 1, 0), other), 0, 0, 1);
    check_colour(firn_preview_paints_colour(paints, firn_v3((firn_real)1.5, 3, 0), other), 0, 0.5f,
                 0);
    check_colour(firn_preview_paints_colour(paints, firn_v3(0, 0, (firn_real)4.01), other), 0.9f,
                 0.6f, 0.3f);
    check_colour(firn_preview_paints_colour(paints, firn_v3(7, 7, 7), other), 0.7f, 0.7f, 0.7f);
    firn_preview_paints_destroy(paints);
    c->look.kind = FIRN_LOOK_METAL;
    assert_int_equal(firn_preview_paints_create(&scene, c, 0, &paints, NULL), FIRN_OK);
    assert_null(paints);
    firn_scene_data_destroy(&scene);
}

static void damaged_pictures_are_refused(void** state)
{
    (void)state;
    write_strip();
    firn_scene_data scene;
    firn_scene_data_init(&scene);
    add_strip(&scene);
    firn_mesh mesh;
    firn_paint paint;
    firn_error error = {0};
    assert_int_equal(firn_scene_read_mesh(&scene, 0, &mesh, NULL), FIRN_OK);
    write_bytes(FIRN_TEST_TMP "/look.png", "\x89PNG\r\n\x1a\nshort", 13);
    assert_int_equal(firn_paint_read(&scene, &scene.colliders[0], 0, &mesh, &paint, &error),
                     FIRN_REFUSED_DAMAGED);
    assert_non_null(strstr(error.text, "scene.gltf: images[0]"));
    write_picture(FIRN_TEST_TMP "/look.png");
    for (uint64_t k = 1; k < 1000; k++) {
        const uint64_t before = firn_memory_read().bytes;
        firn_memory_fail_at(k, false);
        const firn_result result =
            firn_paint_read(&scene, &scene.colliders[0], 0, &mesh, &paint, NULL);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) {
            assert_true(k > 10);
            break;
        }
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_int_equal(firn_memory_read().bytes, before);
    }
    assert_int_equal(paint.texel_count, 4);
    firn_paint_destroy(&paint);
    firn_mesh_destroy(&mesh);
    firn_scene_data_destroy(&scene);
}

int test_paint(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_by_hand), cmocka_unit_test(as_both_path_tracers_see_it),
        cmocka_unit_test(as_the_preview_sees_it), cmocka_unit_test(damaged_pictures_are_refused)};
    return cmocka_run_group_tests_name("paint", tests, NULL, NULL);
}
