// SPDX-License-Identifier: MIT
// Meshes of glTF files: strips, fans, no indices, parts of points, and mistakes by name.
#include "mesh/gltf_maker.h"

static firn_mesh read_primitives(const char* primitives)
{
    write_gltf(fill("\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"name\":\"M\",\"primitives\":[%s]}]",
                    primitives));
    firn_mesh mesh;
    firn_error error = {0};
    if (firn_mesh_read_gltf(GLTF_PATH, &mesh, &error) != FIRN_OK) fail_msg("%s", error.text);
    return mesh;
}

static void check_triangle(const firn_mesh* mesh, firn_local t, int a, int b, int c)
{
    const int32_t* k = mesh->triangles[t];
    if (k[0] != a || k[1] != b || k[2] != c)
        fail_msg("triangle %d is %d %d %d", (int)t, (int)k[0], (int)k[1], (int)k[2]);
}

static void strips_fans_and_plain_lists(void** state)
{
    (void)state;
    firn_mesh mesh = read_primitives("{\"attributes\":{\"POSITION\":0},\"mode\":5}");
    assert_int_equal(mesh.triangle_count, 4);
    check_triangle(&mesh, 0, 0, 1, 2);
    check_triangle(&mesh, 1, 1, 3, 2);  // winding reversed
    check_triangle(&mesh, 3, 3, 5, 4);
    firn_mesh_destroy(&mesh);
    mesh = read_primitives("{\"attributes\":{\"POSITION\":0},\"mode\":6}");
    assert_int_equal(mesh.triangle_count, 4);
    check_triangle(&mesh, 0, 1, 2, 0);
    check_triangle(&mesh, 3, 4, 5, 0);
    firn_mesh_destroy(&mesh);
    mesh = read_primitives("{\"attributes\":{\"POSITION\":0}}");
    assert_int_equal(mesh.triangle_count, 2);
    check_triangle(&mesh, 1, 3, 4, 5);
    firn_mesh_destroy(&mesh);
}

static void several_parts_follow_each_other(void** state)
{
    (void)state;
    firn_mesh mesh = read_primitives(fill("{\"attributes\":{\"POSITION\":0},\"indices\":1},"
                                          "{\"attributes\":{\"POSITION\":0},\"mode\":0},"
                                          "{\"attributes\":{\"POSITION\":%d},\"indices\":%d}",
                                          TET_POSITIONS, TET_INDICES));
    assert_int_equal(mesh.vertex_count, 10);  // points are left out
    assert_int_equal(mesh.triangle_count, 8);
    check_triangle(&mesh, 4, 6, 8, 7);
    check_vertex(&mesh, 9, 0, 0, 1);
    firn_mesh_destroy(&mesh);
}

static void bad(const char* primitives, const char* words)
{
    read_bad(fill("\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"name\":\"M\",\"primitives\":%s}]",
                  primitives),
             FIRN_REFUSED_SCENE, words);
}

static void mistakes_are_named(void** state)
{
    (void)state;
    bad("[{\"attributes\":{}}]", "meshes[0] ('M'), primitive 0 has no POSITION");
    bad("3", "meshes[0] has no primitives");
    bad(fill("[{\"attributes\":{\"POSITION\":0},\"indices\":%d}]", FAR_INDEX),
        "the indices of meshes[0] ('M'), primitive 0: element 2 is 6, must be below 6");
    bad(fill("[{\"attributes\":{\"POSITION\":%d}}]", TET_POSITIONS),
        "the indices of meshes[0] ('M'), primitive 0 are 4, which makes no triangles");
    bad("[{\"attributes\":{\"POSITION\":99}}]", "'POSITION' is 99, but there are 23 accessors");
    bad("[{\"attributes\":{\"POSITION\":0},\"mode\":7}]", "has mode 7, must be 0 to 6");
    bad(fill("[{\"attributes\":{\"POSITION\":%d}}]", NOT_A_NUMBER),
        "POSITION of meshes[0] ('M'), primitive 0: element 2 is not finite");
    bad(fill("[{\"attributes\":{\"POSITION\":%d},\"indices\":%d,\"targets\":[{\"POSITION\":%d}]}]",
             TET_POSITIONS, TET_INDICES, LIFT),
        "morph target 0 of meshes[0] ('M'), primitive 0: 6 elements for 4 vertices");
    bad(fill("[{\"attributes\":{\"POSITION\":%d,\"JOINTS_0\":%d,\"WEIGHTS_0\":%d},\"indices\":%d}]",
             TET_POSITIONS, STRIP_JOINTS, STRIP_SHARES, TET_INDICES),
        "6 elements for 4 vertices");
    read_bad(fill("\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"weights\":[1,2],\"primitives\":[{"
                  "\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":%d}]}]}]",
                  LIFT),
             FIRN_REFUSED_SCENE, "'weights' must be 1 numbers");
}

static void nothing_to_show_is_refused(void** state)
{
    (void)state;
    write_gltf("\"nodes\":[{\"mesh\":0}],\"meshes\":[{\"primitives\":[{\"attributes\":{"
               "\"POSITION\":0},\"mode\":1}]}]");
    firn_mesh mesh;
    firn_error error = {0};
    assert_int_equal(firn_mesh_read_gltf(GLTF_PATH, &mesh, &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "there are no triangles in its scene");
}

int test_gltf_mesh(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(strips_fans_and_plain_lists),
                                       cmocka_unit_test(several_parts_follow_each_other),
                                       cmocka_unit_test(mistakes_are_named),
                                       cmocka_unit_test(nothing_to_show_is_refused)};
    return cmocka_run_group_tests_name("gltf_mesh", tests, NULL, NULL);
}
