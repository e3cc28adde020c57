// SPDX-License-Identifier: MIT
// OBJ files: every form of vertex and face, polygons, and each mistake with its line.
#include <math.h>
#include <stdio.h>

#include "mesh/io/polygon.h"
#include "mesh/mesh_parse.h"

#define THREE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"

static void good(const char* text, firn_mesh* out)
{
    parse_good(firn_mesh_parse_obj, "wall.obj", text, strlen(text), out);
}

static void bad(const char* text, const char* words)
{
    parse_bad(firn_mesh_parse_obj, "wall.obj", text, strlen(text), words);
}

// A cube with everything a file can have: CR LF, comments, groups, textures, normals, both kinds of
// indices, continued lines, no newline at the end.
static const char cube[] = "# a cube\r\nmtllib cube.mtl\r\no Cube\r\n"
                           "v 0 0 0\r\nv 2 0 0 # one corner\r\nv 0 2.0e0 0 1\r\nv 2 2 0 1.0\r\n"
                           "\tv  0 0 2 \r\nv 2 0 \\\r\n2\r\nv 0 2 2 0.5 0.5 0.5\r\n"
                           "v +2 +2 +2 1 0 0 1\r\n\r\n"
                           "vt 0 0\r\nvn 0 0 1\r\ng side\r\nusemtl snow\r\ns off\r\n"
                           "f 1 3 4 2\r\nf 5/1 6/1 8/1 7/1\r\nf 1//1 2//1 6//1 5//1\r\n"
                           "f 3/1/1 7/1/1 8/1/1 4/1/1\r\nf -8 \\\r\n -4 -2\\\r\n -6\r\n"
                           "l 1 2\r\np 1\r\nfo 2 4 8 6";

static void a_cube(void** state)
{
    (void)state;
    firn_mesh mesh;
    parse_good(firn_mesh_parse_obj, "cube.obj", cube, strlen(cube), &mesh);
    assert_int_equal(mesh.vertex_count, 8);
    assert_int_equal(mesh.triangle_count, 12);
    assert_equal(firn_mesh_volume(&mesh), 8);
    assert_equal(mesh.vertices[2].y, 2);
    assert_equal(mesh.vertices[5].z, 2);
    assert_equal(mesh.vertices[7].x, 2);
    firn_mesh_destroy(&mesh);
}

static void a_weight_makes_coordinates_homogeneous(void** state)
{
    (void)state;
    firn_mesh mesh;
    good("v 2 4 6 2\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", &mesh);
    assert_equal(mesh.vertices[0].x, 1);
    assert_equal(mesh.vertices[0].y, 2);
    assert_equal(mesh.vertices[0].z, 3);
    firn_mesh_destroy(&mesh);
    bad("v 1 2 3 0\n", "wall.obj:1: a vertex with weight 0");
}

static void slashes_with_nothing_behind(void** state)
{
    (void)state;
    firn_mesh mesh;
    good(THREE "f 1/ 2// 3/1/\nf 3//1 2/1 1\n", &mesh);
    assert_int_equal(mesh.triangle_count, 2);
    assert_int_equal(mesh.triangles[0][2], 2);
    firn_mesh_destroy(&mesh);
}

// A comment ends at its line, even with a backslash; a # inside a word is none; a mark at the
// start.
static void comments_and_marks(void** state)
{
    (void)state;
    firn_mesh mesh;
    good(
        "\xef\xbb\xbfv 0 0 0\n# C:\\snow\\\nv 1 0 0 # here too \\\nv 0 1 0\no a#b\nf 1 2 3 # 9 9\n",
        &mesh);
    assert_int_equal(mesh.vertex_count, 3);
    assert_int_equal(mesh.triangle_count, 1);
    firn_mesh_destroy(&mesh);
}

// An L, in the plane x = 1 and seen from its front: cut without covering the notch.
static void a_concave_polygon(void** state)
{
    (void)state;
    firn_mesh mesh;
    good("v 1 0 0\nv 1 2 0\nv 1 2 1\nv 1 1 1\nv 1 1 2\nv 1 0 2\nf 1 2 3 4 5 6\n", &mesh);
    assert_int_equal(mesh.triangle_count, 4);
    double area = 0;
    for (firn_local k = 0; k < 4; k++) {
        const firn_vec3 a = mesh.vertices[mesh.triangles[k][0]];
        const firn_vec3 n = firn_v3_cross(firn_v3_sub(mesh.vertices[mesh.triangles[k][1]], a),
                                          firn_v3_sub(mesh.vertices[mesh.triangles[k][2]], a));
        assert_greater(n.x, 0);
        area += 0.5 * (double)n.x;
    }
    assert_equal(area, 3);
    firn_mesh_destroy(&mesh);
}

static void mistakes_are_named_with_their_line(void** state)
{
    (void)state;
    bad("", "wall.obj:1: the file ends without a face");
    bad(THREE, "wall.obj:3: the file ends without a face");
    bad("v 0 0 0\nv 1 0\n", "wall.obj:2: a vertex of 2 numbers");
    bad("v\n", "wall.obj:1: a vertex of 0 numbers");
    bad("v 1 2 3 4 5\n", "wall.obj:1: a vertex of 5 numbers");
    bad("v 1 2 3 4 5 6 7 8 9 10 11\n", "wall.obj:1: a vertex of 9 numbers");
    bad("v 0 0 0\nv 1 0x 0\n", "wall.obj:2: not a number: '0x'");
    bad("v 0 \\\n0 \\\n zero\n", "wall.obj:3: not a number: 'zero'");
    bad("v 0 0,5 0\n", "wall.obj:1: not a number: '0,5'");
    bad("v 0 nan 0\n", "wall.obj:1: y of the vertex is nan, must be between -1e+09 and 1e+09");
    bad("v 0 0 -inf\n", "wall.obj:1: z of the vertex is -inf");
    bad("v 2e9 0 0\n", "wall.obj:1: x of the vertex is 2e+09");
    bad("v 1 0 0 1e-10\n", "wall.obj:1: x of the vertex is 1e+10");
    bad(THREE "f 1 2\n", "wall.obj:4: a face of 2 corners: it needs at least 3");
    bad(THREE "f\n", "wall.obj:4: a face of 0 corners");
    bad(THREE "f 1 2 4\n", "wall.obj:4: face names vertex 4, but only 3 come before it");
    bad(THREE "f 1 2 -4\n", "wall.obj:4: face names vertex -4, but only 3 come before it");
    bad(THREE "f 1 2 99999999999\n", "wall.obj:4: face names vertex 99999999999");
    bad("v 0 0 0\nf 1 2 3\nv 1 0 0\nv 0 1 0\n", "wall.obj:2: face names vertex 2, but only 1");
    bad(THREE "f 0 1 2\n", "wall.obj:4: face names vertex 0, but vertices count from 1");
    bad(THREE "f 1 2 3.5\n", "wall.obj:4: not a corner of a face (7, 7/2, 7//3 or 7/2/3): '3.5'");
    bad(THREE "f 1/// 2 3\n", "wall.obj:4: not a corner of a face");
    bad(THREE "f /1 2 3\n", "wall.obj:4: not a corner of a face");
    bad(THREE "f 1/2/3/4 2 3\n", "wall.obj:4: not a corner of a face");
    bad(THREE "f 1/a 2 3\n", "wall.obj:4: not a corner of a face");
    bad(THREE "f 1 2 3 \\", "wall.obj:4: not a corner of a face");
    bad(THREE "1 2 3\n", "wall.obj:4: expected a statement (v, f, ...), not '1'");
    const char zeros[100] = {0};
    parse_bad(firn_mesh_parse_obj, "wall.obj", zeros, sizeof zeros,
              "wall.obj:1: expected a statement");
}

static void a_face_may_be_large_but_not_endless(void** state)
{
    (void)state;
    const size_t size = 1 << 20;
    char* text = malloc(size);
    assert_non_null(text);
    for (int more = 0; more < 2; more++) {
        size_t n = 0;
        const int corners = FIRN_POLYGON_CORNERS_MAX / 16;
        for (int k = 0; k < corners; k++)
            n += (size_t)snprintf(text + n, size - n, "v %.9f %.9f 0\n", cos(k * 6.28 / corners),
                                  sin(k * 6.28 / corners));
        n += (size_t)snprintf(text + n, size - n, "f");
        for (int k = 0; k < (more ? 16 * corners + 1 : corners); k++)
            n += (size_t)snprintf(text + n, size - n, " %d", k % corners + 1);
        if (more) {
            parse_bad(firn_mesh_parse_obj, "wall.obj", text, n,
                      "wall.obj:1025: a face of more than 16384 corners");
        } else {
            firn_mesh mesh;
            parse_good(firn_mesh_parse_obj, "wall.obj", text, n, &mesh);
            assert_int_equal(mesh.triangle_count, corners - 2);
            firn_mesh_destroy(&mesh);
        }
    }
    free(text);
}

static void damage_does_no_harm(void** state)
{
    (void)state;
    any_source r = any_start(201);
    firn_mesh mesh;
    for (size_t length = 0; length < strlen(cube); length++) {
        parse_block(firn_mesh_parse_obj, "cube.obj", cube, length, &mesh, NULL);
        firn_mesh_destroy(&mesh);
    }
    const int accepted = parse_damaged(firn_mesh_parse_obj, cube, strlen(cube), 5000, &r);
    assert_greater(accepted, 100);
    assert_less(accepted, 4900);  // some of both
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    // vertices, triangles, the polygon's two arrays
    assert_int_equal(parse_without_memory(firn_mesh_parse_obj, cube, strlen(cube)), 4);
}

// Each face is small enough, all together are not: cutting one takes the square of its corners.
static void too_many_large_faces(void** state)
{
    (void)state;
    const size_t size = 1 << 20;
    char* text = malloc(size);
    size_t n = (size_t)snprintf(text, size, THREE);
    for (int face = 0; face < 2; face++) {
        n += (size_t)snprintf(text + n, size - n, "f");
        for (int k = 0; k < FIRN_POLYGON_CORNERS_MAX; k++)
            n += (size_t)snprintf(text + n, size - n, " %d", k % 3 + 1);
        n += (size_t)snprintf(text + n, size - n, "\n");
    }
    bad(text, "wall.obj:5: faces of so many corners take too long");
    free(text);
}

int test_obj(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_cube),
                                       cmocka_unit_test(a_weight_makes_coordinates_homogeneous),
                                       cmocka_unit_test(slashes_with_nothing_behind),
                                       cmocka_unit_test(comments_and_marks),
                                       cmocka_unit_test(a_concave_polygon),
                                       cmocka_unit_test(mistakes_are_named_with_their_line),
                                       cmocka_unit_test(a_face_may_be_large_but_not_endless),
                                       cmocka_unit_test(too_many_large_faces),
                                       cmocka_unit_test(damage_does_no_harm),
                                       cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests_name("obj", tests, NULL, NULL);
}
