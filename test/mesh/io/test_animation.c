// SPDX-License-Identifier: MIT
// Meshes over time from all three sources: keys, times, hashes, mistakes.
#include "mesh/io/animation.h"

#include <math.h>

#include "mesh/gltf_maker.h"

#define FRAMES FIRN_TEST_TMP "/frame.%d.obj"
#define CACHE FIRN_TEST_TMP "/cache.pc2"
#define REST FIRN_TEST_TMP "/rest.obj"

static firn_animation* open_good(const firn_animation_def* def)
{
    firn_animation* animation = NULL;
    firn_error error = {0};
    if (firn_animation_open(def, &animation, &error) != FIRN_OK) fail_msg("%s", error.text);
    return animation;
}

static void open_bad(const firn_animation_def* def, firn_result code, const char* words)
{
    firn_animation* animation = NULL;
    firn_error error = {0};
    const firn_result result = firn_animation_open(def, &animation, &error);
    if (result != code || strstr(error.text, words) == NULL)
        fail_msg("expected %d '%s', got %d '%s'", code, words, result, error.text);
    assert_null(animation);
}

static firn_mesh key_good(const firn_animation* animation, int64_t k)
{
    firn_mesh mesh;
    firn_error error = {0};
    if (firn_animation_key(animation, k, &mesh, &error) != FIRN_OK) fail_msg("%s", error.text);
    return mesh;
}

// A triangle at height y, and one vertex more.
static void write_obj(const char* path, double y)
{
    FILE* file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "v 0 %g 0\nv 1 %g 0\nv 0 %g 1\nv 9 9 9\nf 1 2 3\n", y, y, y);
    fclose(file);
}

static void numbered_files(void** state)
{
    (void)state;
    write_obj(FIRN_TEST_TMP "/frame.5.obj", 0);
    write_obj(FIRN_TEST_TMP "/frame.6.obj", 1);
    write_obj(FIRN_TEST_TMP "/frame.7.obj", 1);
    firn_animation_def def = {.file = FRAMES, .first = 5, .last = 7, .fps = 25};
    firn_animation* a = open_good(&def);
    assert_int_equal(firn_animation_key_count(a), 3);
    assert_equal(firn_animation_key_time(a, 0), 0);
    assert_near(firn_animation_key_time(a, 2), 0.08, 1e-15);  // 2 / 25 in double
    firn_mesh mesh = key_good(a, 1);
    check_vertex(&mesh, 1, 1, 1, 0);
    firn_mesh_destroy(&mesh);
    // hashes are of what is in the files
    assert_int_not_equal(firn_animation_key_hash(a, 0), firn_animation_key_hash(a, 1));
    assert_int_equal(firn_animation_key_hash(a, 1), firn_animation_key_hash(a, 2));
    const uint64_t before = firn_animation_key_hash(a, 1);
    write_obj(FIRN_TEST_TMP "/frame.6.obj", 2);
    assert_int_not_equal(firn_animation_key_hash(a, 1), before);
    // a frame lost while it runs is an error with its name
    remove(FIRN_TEST_TMP "/frame.6.obj");
    firn_error error = {0};
    assert_int_equal(firn_animation_key(a, 1, &mesh, &error), FIRN_REFUSED_IO);
    assert_contains(error.text, "frame.6.obj");
    assert_null(mesh.vertices);
    assert_int_equal(firn_animation_key(a, 3, &mesh, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_animation_key(a, -1, &mesh, &error), FIRN_REFUSED_ARGUMENT);
    firn_animation_close(a);
    open_bad(&def, FIRN_REFUSED_IO, "frame.6.obj");
    def.file = FIRN_TEST_TMP "/frame.%d.txt";
    open_bad(&def, FIRN_REFUSED_SCENE, "names no mesh format");
}

static void write_cache(int points, int samples, float rate)
{
    unsigned char header[32] = "POINTCACHE2";
    put_u32(header + 12, 1);
    put_u32(header + 16, (size_t)points);
    memcpy(header + 24, &rate, 4);
    put_u32(header + 28, (size_t)samples);
    FILE* file = fopen(CACHE, "wb");
    assert_non_null(file);
    fwrite(header, 1, 32, file);
    for (int k = 0; k < samples; k++)
        for (int p = 0; p < points; p++) {
            const float x[3] = {(float)p, (float)k, 0};
            fwrite(x, 4, 3, file);
        }
    fclose(file);
}

static void a_point_cache(void** state)
{
    (void)state;
    write_obj(REST, 0);
    write_cache(4, 3, 2);
    firn_animation_def def = {.file = CACHE, .mesh = REST, .fps = 50};
    firn_animation* a = open_good(&def);
    assert_int_equal(firn_animation_key_count(a), 3);
    assert_near(firn_animation_key_time(a, 1), 0.04, 1e-12);  // 2 / 50 in double
    firn_mesh mesh = key_good(a, 2);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.triangle_count, 1);
    assert_int_equal(mesh.triangles[0][2], 2);
    check_vertex(&mesh, 3, 3, 2, 0);
    firn_mesh_destroy(&mesh);
    const uint64_t before = firn_animation_key_hash(a, 1);
    assert_int_not_equal(before, firn_animation_key_hash(a, 2));
    assert_int_equal(before, firn_animation_key_hash(a, 1));
    firn_animation_close(a);
    write_cache(5, 3, 2);
    open_bad(&def, FIRN_REFUSED_SCENE, "byte 16: 5 points, but the mesh '" REST "' has 4 vertices");
    def.mesh = NULL;
    open_bad(&def, FIRN_REFUSED_SCENE, "'mesh' must name the mesh");
    def.mesh = FIRN_TEST_TMP "/none.obj";
    open_bad(&def, FIRN_REFUSED_IO, "none.obj");
}

static void a_gltf_clip(void** state)
{
    (void)state;
    write_gltf(skinned_strip(STRIP_SHARES, fill(",\"inverseBindMatrices\":%d", INVERSES)));
    firn_animation_def def = {.file = GLTF_PATH, .clip = "bend", .fps = 4};
    firn_animation* a = open_good(&def);
    assert_int_equal(firn_animation_key_count(a), 7);  // 0 to 1.5 s
    assert_equal(firn_animation_key_time(a, 6), 1.5);
    firn_mesh mesh = key_good(a, 2);  // 0.5 s: 45 degrees
    const double c = sqrt(0.5);
    check_vertex(&mesh, 5, 0, 1 + 2 * c, 0);
    firn_mesh_destroy(&mesh);
    assert_int_not_equal(firn_animation_key_hash(a, 1), firn_animation_key_hash(a, 2));
    const uint64_t hash = firn_animation_key_hash(a, 4);  // at 1 s
    firn_animation_close(a);
    def.fps = 10;
    a = open_good(&def);
    assert_int_equal(firn_animation_key_count(a), 16);
    assert_int_equal(firn_animation_key_hash(a, 10), hash);  // at 1 s too
    firn_animation_close(a);
    def.fps = 1;  // the end is a key of its own
    a = open_good(&def);
    assert_int_equal(firn_animation_key_count(a), 3);
    assert_equal(firn_animation_key_time(a, 2), 1.5);
    firn_animation_close(a);
    def.node = "Strip";
    a = open_good(&def);
    assert_int_not_equal(firn_animation_key_hash(a, 1), hash);
    firn_animation_close(a);
    def.node = "Upper";
    open_bad(&def, FIRN_REFUSED_SCENE, "no triangles at or below node 'Upper'");
    def.node = "Foot";
    open_bad(&def, FIRN_REFUSED_NAME, "there are: Strip, Lower, Upper");
    def.clip = "walk";
    open_bad(&def, FIRN_REFUSED_NAME, "no animation is called 'walk'; there are: bend");
}

// Files in centimetres with z up: the same keys in metres, and other hashes.
static void other_units(void** state)
{
    (void)state;
    write_obj(FIRN_TEST_TMP "/frame.5.obj", 50);
    firn_animation_def def = {.file = FRAMES, .first = 5, .last = 5, .fps = 25};
    firn_animation* plain = open_good(&def);
    def.scale = 0.01;
    firn_animation* small = open_good(&def);
    def.z_up = true;
    firn_animation* turned = open_good(&def);
    firn_mesh mesh = key_good(small, 0);
    check_vertex(&mesh, 2, 0, 0.5, 0.01);
    firn_mesh_destroy(&mesh);
    mesh = key_good(turned, 0);
    check_vertex(&mesh, 2, 0, 0.01, -0.5);
    firn_mesh_destroy(&mesh);
    const uint64_t hash = firn_animation_key_hash(small, 0);
    assert_int_not_equal(firn_animation_key_hash(plain, 0), hash);
    assert_int_not_equal(firn_animation_key_hash(turned, 0), hash);
    firn_animation_close(plain);
    firn_animation_close(small);
    firn_animation_close(turned);
}

static void what_is_no_animation(void** state)
{
    (void)state;
    firn_animation_def def = {.file = "walk.obj", .fps = 24};
    open_bad(&def, FIRN_REFUSED_SCENE, "walk.obj: not an animation: expected numbered files");
    def.file = GLTF_PATH;
    const double fps[] = {0, -1, NAN, INFINITY};
    for (int k = 0; k < 4; k++) {
        def.fps = fps[k];
        open_bad(&def, FIRN_REFUSED_ARGUMENT, "frames a second, must be above 0");
    }
    firn_animation_close(NULL);
}

int test_animation(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbered_files),
                                       cmocka_unit_test(a_point_cache),
                                       cmocka_unit_test(a_gltf_clip), cmocka_unit_test(other_units),
                                       cmocka_unit_test(what_is_no_animation)};
    return cmocka_run_group_tests_name("animation", tests, NULL, NULL);
}
