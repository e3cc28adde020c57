// SPDX-License-Identifier: MIT
// Files: the ending of the name chooses the reader, and what cannot be read is named.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "core/file.h"
#include "core/memory.h"
#include "firn_test.h"
#include "mesh/mesh.h"

static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\n"
                          "property float y\nproperty float z\nelement face 1\n"
                          "property list uchar int vertex_indices\nend_header\n"
                          "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
static const char stl[] = "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n"
                          "vertex 0 1 0\nendloop\nendfacet\nendsolid\n";
static const char gltf[] =
    "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
    "\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
    "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
    "\"min\":[0,0,0],\"max\":[1,1,0]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
    "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}";

static void write_text(const char* path, const char* text)
{
    firn_error error = {0};
    if (firn_file_write(path, text, strlen(text), &error) != FIRN_OK) fail_msg("%s", error.text);
}

static void endings_choose_the_reader(void** state)
{
    (void)state;
    const struct {
        const char *path, *text;
        firn_local triangles;
    } files[] = {{FIRN_TEST_TMP "/a.obj", obj, 1},  {FIRN_TEST_TMP "/a.b.OBJ", obj, 1},
                 {FIRN_TEST_TMP "/a.ply", ply, 2},  {FIRN_TEST_TMP "/a.Ply", ply, 2},
                 {FIRN_TEST_TMP "/a.stl", stl, 1},  {FIRN_TEST_TMP "/a.STL", stl, 1},
                 {FIRN_TEST_TMP "/a.gltf", gltf, 1}};
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++) {
        const uint64_t before = firn_memory_read().bytes;
        firn_mesh mesh;
        firn_error error = {0};
        assert_true(firn_mesh_is_file(files[k].path));
        write_text(files[k].path, files[k].text);
        if (firn_mesh_read(files[k].path, &mesh, &error) != FIRN_OK) fail_msg("%s", error.text);
        assert_int_equal(mesh.triangle_count, files[k].triangles);
        firn_mesh_destroy(&mesh);
        assert_equal(firn_memory_read().bytes, before);
    }
}

static void refused(const char* path, firn_result wanted, const char* words)
{
    firn_mesh mesh;
    firn_error error = {0};
    const uint64_t before = firn_memory_read().bytes;
    memset(&mesh, 0x55, sizeof mesh);
    assert_int_equal(firn_mesh_read(path, &mesh, &error), wanted);
    assert_null(mesh.vertices);
    assert_int_equal(mesh.triangle_count, 0);
    assert_equal(firn_memory_read().bytes, before);
    if (strstr(error.text, words) == NULL) fail_msg("'%s' does not say '%s'", error.text, words);
    assert_contains(error.text, path);
}

static void what_is_no_mesh_file(void** state)
{
    (void)state;
    const char* const others[] = {"a.fbx", "obj", "a.", "", "a.obj.gz", "folder.obj/a", "a.objx"};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        assert_false(firn_mesh_is_file(others[k]));
    assert_true(firn_mesh_is_file("a.glb"));
    assert_true(firn_mesh_is_file(".obj"));
    refused("a.fbx", FIRN_REFUSED_SCENE,
            "a.fbx: its ending names no mesh format: expected .obj, .ply, .stl, .gltf or .glb");
    refused(FIRN_TEST_TMP "/none.obj", FIRN_REFUSED_IO, "No such file");
    assert_int_equal(mkdir(FIRN_TEST_TMP "/folder.stl", 0777), 0);
    refused(FIRN_TEST_TMP "/folder.stl", FIRN_REFUSED_IO, "not a regular file");
    write_text(FIRN_TEST_TMP "/mixed.ply", obj);
    refused(FIRN_TEST_TMP "/mixed.ply", FIRN_REFUSED_SCENE, "mixed.ply:1: not a PLY file");
    write_text(FIRN_TEST_TMP "/empty.obj", "");
    refused(FIRN_TEST_TMP "/empty.obj", FIRN_REFUSED_SCENE, "empty.obj:1: the file ends");
}

int test_mesh_read(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(endings_choose_the_reader),
                                       cmocka_unit_test(what_is_no_mesh_file)};
    return cmocka_run_group_tests_name("mesh_read", tests, NULL, NULL);
}
