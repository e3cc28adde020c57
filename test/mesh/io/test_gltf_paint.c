// SPDX-License-Identifier: MIT
// Materials of glTF files: what they say of triangles and vertices, pictures beside the file and in
// it, and mistakes by name.
#include "mesh/gltf_maker.h"
#include "mesh/io/gltf_paint.h"

// The signature of a PNG file and a byte; the reader of materials does not look further.
#define FAKE_PNG "\x89PNG\r\n\x1a\nx"
#define FAKE_PNG_BASE64 "iVBORw0KGgp4"

#define PAINTED_STRIP \
    "{\"attributes\":{\"POSITION\":0,\"TEXCOORD_0\":%d},\"indices\":1,\"material\":1}"

static const char* parts(const char* primitives, const char* images)
{
    return fill("\"nodes\":[{\"name\":\"N\",\"mesh\":0},{\"name\":\"O\",\"mesh\":0}],"
                "\"meshes\":[{\"primitives\":[%s]}],"
                "\"materials\":[{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.25,2,1],"
                "\"metallicFactor\":0.75,\"roughnessFactor\":0.125}},"
                "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0},"
                "\"metallicFactor\":0}},{}],"
                "\"textures\":[{\"source\":0,\"sampler\":0}],"
                "\"samplers\":[{\"wrapS\":33071,\"wrapT\":33648}],\"images\":[%s]",
                primitives, images);
}

static firn_gltf_paint read_paint(const char* node)
{
    firn_gltf_paint paint;
    firn_error error = {0};
    if (firn_gltf_read_paint(GLTF_PATH, node, &paint, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return paint;
}

static void says_what_triangles_have(void** state)
{
    (void)state;
    write_bytes(FIRN_TEST_TMP "/look here.png", FAKE_PNG, 9);
    write_gltf(parts(fill(PAINTED_STRIP ",{\"attributes\":{\"POSITION\":%d},\"indices\":%d},"
                                        "{\"attributes\":{\"POSITION\":%d},\"indices\":%d,"
                                        "\"material\":0}",
                          STRIP_UV, TET_POSITIONS, TET_INDICES, TET_POSITIONS, TET_INDICES),
                     "{\"uri\":\"look%20here.png\"}"));
    firn_gltf_paint paint = read_paint(NULL);
    firn_gltf* gltf = read_good(false, NULL);
    firn_mesh mesh = pose_good(gltf, 0, -1);
    assert_int_equal(paint.triangle_count, mesh.triangle_count);
    assert_int_equal(paint.vertex_count, mesh.vertex_count);
    assert_int_equal(paint.material_count, 3);
    for (int n = 0; n < 2;
         n++)  // two nodes show the mesh: 4, 4 and 4 triangles, 6, 4 and 4 vertices
        for (int t = 0; t < 12; t++)
            assert_int_equal(paint.material[12 * n + t], t < 4 ? 1 : t < 8 ? -1 : 0);
    for (int n = 0; n < 2; n++)
        for (int v = 0; v < 6; v++) {
            const firn_vec3 x = mesh.vertices[14 * n + v];
            assert_true((firn_real)paint.uv[14 * n + v][0] == x.x);
            assert_true((firn_real)paint.uv[14 * n + v][1] == 1 - x.y / 2);
        }
    const firn_gltf_material *plain = &paint.materials[0], *seen = &paint.materials[1],
                             *other = &paint.materials[2];
    assert_true(plain->colour[0] == 0.5f && plain->colour[1] == 0.25f && plain->colour[2] == 1);
    assert_true(plain->metal == 0.75f && plain->roughness == 0.125f && plain->image == -1);
    assert_true(seen->colour[0] == 1 && seen->metal == 0 && seen->roughness == 1);
    assert_int_equal(seen->image, 0);
    assert_int_equal(seen->wrap[0], FIRN_GLTF_CLAMP);
    assert_int_equal(seen->wrap[1], FIRN_GLTF_MIRROR);
    assert_true(other->metal == 1 && other->roughness == 1 && other->image == -1);  // glTF's own
    assert_int_equal(paint.images[0].size, 9);
    assert_memory_equal(paint.images[0].bytes, FAKE_PNG, 9);
    firn_gltf_paint_destroy(&paint);
    paint = read_paint("O");
    assert_int_equal(paint.triangle_count, 12);
    firn_gltf_paint_destroy(&paint);
    firn_mesh_destroy(&mesh);
    firn_gltf_destroy(gltf);
}

static void pictures_inside(void** state)
{
    (void)state;
    write_gltf(parts(fill(PAINTED_STRIP, STRIP_UV),
                     "{\"uri\":\"data:image/png;base64," FAKE_PNG_BASE64 "\"}"));
    firn_gltf_paint paint = read_paint(NULL);
    assert_int_equal(paint.images[0].size, 9);
    assert_memory_equal(paint.images[0].bytes, FAKE_PNG, 9);
    firn_gltf_paint_destroy(&paint);
    // what is no PNG is left out, and needs no texture coordinates
    write_gltf(parts("{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":1}",
                     "{\"bufferView\":0}"));
    paint = read_paint(NULL);
    assert_int_equal(paint.materials[1].image, -1);
    assert_null(paint.uv);
    firn_gltf_paint_destroy(&paint);
}

static void files_without_materials(void** state)
{
    (void)state;
    write_gltf("\"nodes\":[{\"mesh\":0}]," STRIP_MESH);
    firn_gltf_paint paint = read_paint(NULL);
    assert_int_equal(paint.material_count, 0);
    assert_null(paint.material);
    firn_gltf_paint_destroy(&paint);
}

static void refuse(const char* body, const char* words)
{
    firn_gltf_paint paint;
    firn_error error = {0};
    write_gltf(body);
    const firn_result result = firn_gltf_read_paint(GLTF_PATH, NULL, &paint, &error);
    if (result == FIRN_OK || strstr(error.text, words) == NULL)
        fail_msg("expected '%s', got %d '%s'", words, result, error.text);
    assert_null(paint.materials);
}

static void mistakes_by_name(void** state)
{
    (void)state;
    const char* image = "{\"uri\":\"data:image/png;base64," FAKE_PNG_BASE64 "\"}";
    refuse(parts("{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":1}", image),
           "has a picture, but the mesh has no TEXCOORD_0");
    refuse(parts(fill(PAINTED_STRIP, TET_POSITIONS), image), "wrong number of components");
    refuse(parts("{\"attributes\":{\"POSITION\":0},\"material\":3}", image),
           "there are 3 materials");
    refuse(parts(fill(PAINTED_STRIP, STRIP_UV), "{\"bufferView\":99}"), "bufferView");
    refuse(parts(fill(PAINTED_STRIP, STRIP_UV), "{\"uri\":\"nowhere.png\"}"), "nowhere.png");
    refuse(parts(fill(PAINTED_STRIP, STRIP_UV), "{\"uri\":\"https://example.org/a.png\"}"),
           "its picture");
    refuse(parts(fill(PAINTED_STRIP, STRIP_UV), ""), "there are 0 images");
    refuse(
        "\"materials\":[{\"pbrMetallicRoughness\":{\"roughnessFactor\":1.5}}],\"nodes\":[{\"mesh\":"
        "0}]," STRIP_MESH,
        "'roughnessFactor' must be from 0 to 1");
    refuse("\"materials\":7,\"nodes\":[{\"mesh\":0}]," STRIP_MESH, "'materials' must be an array");
}

// Views into nothing and beyond the buffer.
static void views_are_checked(void** state)
{
    (void)state;
    static const char* const views[] = {"{\"byteLength\":0}", "{\"buffer\":0,\"byteLength\":99999}",
                                        "{\"buffer\":0,\"byteOffset\":99999,\"byteLength\":0}"};
    for (int k = 0; k < 3; k++) {
        char* json = malloc(9000);
        assert_non_null(json);
        sprintf(json,
                "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":3,\"uri\":"
                "\"data:;base64,AAAA\"}],\"bufferViews\":[%s],\"images\":[{\"bufferView\":0}],"
                "\"textures\":[{\"source\":0}],\"materials\":[{\"pbrMetallicRoughness\":"
                "{\"baseColorTexture\":{\"index\":0}}}]}",
                views[k]);
        write_bytes(GLTF_PATH, json, strlen(json));
        free(json);
        firn_gltf_paint paint;
        firn_error error = {0};
        assert_int_equal(firn_gltf_read_paint(GLTF_PATH, NULL, &paint, &error), FIRN_REFUSED_SCENE);
        assert_non_null(strstr(error.text, "bufferViews[0] reaches beyond its buffer"));
    }
}

static void no_memory(void** state)
{
    (void)state;
    write_gltf(parts(fill(PAINTED_STRIP, STRIP_UV),
                     "{\"uri\":\"data:image/png;base64," FAKE_PNG_BASE64 "\"}"));
    for (uint64_t k = 1; k < 1000; k++) {
        firn_gltf_paint paint;
        const uint64_t before = firn_memory_read().bytes;
        firn_memory_fail_at(k, false);
        const firn_result result = firn_gltf_read_paint(GLTF_PATH, NULL, &paint, NULL);
        firn_memory_fail_at(0, false);
        if (result == FIRN_OK) {
            firn_gltf_paint_destroy(&paint);
            assert_true(k > 10);
            return;
        }
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_int_equal(firn_memory_read().bytes, before);
    }
    fail_msg("never read");
}

int test_gltf_paint(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_triangles_have), cmocka_unit_test(pictures_inside),
        cmocka_unit_test(files_without_materials),  cmocka_unit_test(mistakes_by_name),
        cmocka_unit_test(views_are_checked),        cmocka_unit_test(no_memory)};
    return cmocka_run_group_tests_name("gltf_paint", tests, NULL, NULL);
}
