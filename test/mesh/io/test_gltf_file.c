// SPDX-License-Identifier: MIT
// The frame of glTF files: chunks, versions, extensions, buffers inside and beside.
#include "mesh/gltf_maker.h"

#define BODY "\"nodes\":[{\"name\":\"Body\",\"mesh\":0}]," STRIP_MESH

static void open_bad(const char* path, firn_result code, const char* words)
{
    firn_gltf_file file;
    firn_error error = {0};
    const firn_result result = firn_gltf_file_open(path, &file, &error);
    if (result != code || strstr(error.text, words) == NULL)
        fail_msg("expected %d '%s', got %d '%s'", code, words, result, error.text);
}

static void check_strip(const char* path)
{
    firn_mesh mesh;
    firn_error error = {0};
    if (firn_mesh_read_gltf(path, &mesh, &error) != FIRN_OK) fail_msg("%s", error.text);
    assert_int_equal(mesh.vertex_count, 6);
    assert_int_equal(mesh.triangle_count, 4);
    check_vertex(&mesh, 5, 1, 2, 0);
    assert_int_equal(mesh.triangles[1][2], 2);
    firn_mesh_destroy(&mesh);
}

static void both_kinds_hold_the_same(void** state)
{
    (void)state;
    size_t bytes;
    unsigned char* glb = make_glb(BODY, &bytes);
    write_bytes(GLB_PATH, glb, bytes);
    check_strip(GLB_PATH);
    free(glb);
    write_gltf(BODY);
    check_strip(GLTF_PATH);
}

static void a_buffer_beside_the_file(void** state)
{
    (void)state;
    static maker m;
    add_stock(&m);
    char* json = make_json(&m, BODY, "my%20strip%5b1%5D.bin");
    write_bytes(GLTF_PATH, json, strlen(json));
    free(json);
    open_bad(GLTF_PATH, FIRN_REFUSED_IO, "/my strip[1].bin'");
    write_bytes(FIRN_TEST_TMP "/my strip[1].bin", m.data, m.bytes);
    check_strip(GLTF_PATH);
    write_bytes(FIRN_TEST_TMP "/my strip[1].bin", m.data, m.bytes - 1);
    open_bad(GLTF_PATH, FIRN_REFUSED_SCENE, "buffers[0] has byteLength");
    json = make_json(&m, BODY, "https://example.com/strip.bin");
    write_bytes(GLTF_PATH, json, strlen(json));
    free(json);
    open_bad(GLTF_PATH, FIRN_REFUSED_SCENE, "is on the network");
}

// Every way to cut a .glb short is refused, and damage in its headers is named with its byte.
static void a_damaged_glb_is_named_with_its_byte(void** state)
{
    (void)state;
    size_t bytes;
    unsigned char* glb = make_glb(BODY, &bytes);
    for (size_t cut = 0; cut < bytes; cut += cut < 40 ? 1 : 97) {
        write_bytes(GLB_PATH, glb, cut);
        open_bad(GLB_PATH, FIRN_REFUSED_SCENE,
                 cut < 4    ? "byte"
                 : cut < 20 ? "only"
                            : "byte 8: the");
    }
    put_u32(glb + 8, bytes / 2);  // a shorter file in its header
    write_bytes(GLB_PATH, glb, bytes);
    open_bad(GLB_PATH, FIRN_REFUSED_SCENE, "byte 12: a chunk of");
    put_u32(glb + 8, bytes);
    put_u32(glb + 4, 1);
    write_bytes(GLB_PATH, glb, bytes);
    open_bad(GLB_PATH, FIRN_REFUSED_SCENE, "byte 4: glTF version 1");
    put_u32(glb + 4, 2);
    glb[16] = 'X';
    write_bytes(GLB_PATH, glb, bytes);
    open_bad(GLB_PATH, FIRN_REFUSED_SCENE, "byte 16: the first chunk");
    glb[16] = 'J';
    glb[20] = '?';
    write_bytes(GLB_PATH, glb, bytes);
    open_bad(GLB_PATH, FIRN_REFUSED_SCENE, "byte 20: expected a value");
    glb[20] = '{';
    put_u32(glb + 8, bytes - 4);  // the last chunk sticks out
    write_bytes(GLB_PATH, glb, bytes);
    open_bad(GLB_PATH, FIRN_REFUSED_SCENE, "a chunk of");
    free(glb);
    open_bad(FIRN_TEST_TMP "/none.glb", FIRN_REFUSED_IO, "none.glb");
}

static void open_bad_json(const char* json, const char* words)
{
    write_bytes(GLTF_PATH, json, strlen(json));
    open_bad(GLTF_PATH, FIRN_REFUSED_SCENE, words);
}

static void what_is_no_gltf_is_refused(void** state)
{
    (void)state;
    open_bad_json("[]", "not a glTF file");
    open_bad_json("{\"asset\":{}}", "not a glTF file");
    open_bad_json("{\"asset\":{\"version\":\"1.0\"}}", "byte 21: glTF version '1.0'");
    open_bad_json("{\"asset\":{\"version\":2}}", "glTF version '2'");
#define GOOD "{\"asset\":{\"version\":\"2.0\"},"
    open_bad_json(GOOD "\"nodes\":{}}", "'nodes' must be an array");
    open_bad_json(GOOD "\"nodes\":[1]}", "nodes[0] must be an object");
    open_bad_json(GOOD "\"buffers\":[{\"byteLength\":1}]}", "has no 'uri'");
    open_bad_json(GOOD "\"buffers\":[{\"uri\":\"data:;base64,AAAA\"}]}", "byteLength -1");
    open_bad_json(GOOD "\"buffers\":[{\"byteLength\":4,\"uri\":\"data:;base64,AAAA\"}]}",
                  "byteLength 4, but 3 bytes");
    open_bad_json(GOOD "\"buffers\":[{\"byteLength\":3,\"uri\":\"data:;base64,AA*A\"}]}",
                  "byte 76: not a letter of base64");
    open_bad_json(GOOD "\"buffers\":[{\"byteLength\":3,\"uri\":\"data:,AAAA\"}]}", ";base64,");
    open_bad_json(GOOD "\"buffers\":[{\"byteLength\":-3,\"uri\":\"data:;base64,AAAA\"}]}",
                  "'byteLength' must be a whole number");
    open_bad_json(GOOD "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}",
                  "needs the extension 'KHR_draco_mesh_compression'");
    firn_gltf_file file;
    static const char looks[] = GOOD "\"extensionsRequired\":[\"KHR_materials_unlit\"]}";
    write_bytes(GLTF_PATH, looks, strlen(looks));
    assert_int_equal(firn_gltf_file_open(GLTF_PATH, &file, NULL), FIRN_OK);
    firn_gltf_file_close(&file);
}

int test_gltf_file(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_kinds_hold_the_same),
                                       cmocka_unit_test(a_buffer_beside_the_file),
                                       cmocka_unit_test(a_damaged_glb_is_named_with_its_byte),
                                       cmocka_unit_test(what_is_no_gltf_is_refused)};
    return cmocka_run_group_tests_name("gltf_file", tests, NULL, NULL);
}
