// SPDX-License-Identifier: MIT
// Meshes from PLY files: every format and type of index, what is to be passed over, and each
// mistake with its line or byte. (Headers: test_ply_header.c; numbers: test_ply_points.c)
#include "geometry/ply_text.h"
#include "mesh/io/polygon.h"
#include "mesh/mesh_parse.h"

#define FACES "element face 1\nproperty list uchar int vertex_indices\nend_header\n"
#define THREE "element vertex 3\n" XYZ FACES "0 0 0\n1 0 0\n0 1 0\n"

static void bad(const char* words_of_file, const char* words)
{
    parse_bad(firn_mesh_parse_ply, "wall.ply", words_of_file, strlen(words_of_file), words);
}

// A tetrahedron with faces of `count` and `index` types; faces may come before the vertices.
static text tetrahedron(const char* format, const char* count, const char* index, bool faces_first)
{
    static const int corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    static const double at[4][3] = {{0, 0, 0}, {6, 0, 0}, {0, 2, 0}, {0, 0, 1}};
    const bool ascii = strcmp(format, "ascii") == 0;
    const bool big = strcmp(format, "binary_big_endian") == 0;
    text t = {.length = 0};
    char line[300];
    snprintf(line, sizeof line, "ply\nformat %s 1.0\ncomment four faces\n", format);
    add(&t, line);
    for (int e = 0; e < 2; e++) {
        if ((e == 0) == faces_first)
            snprintf(line, sizeof line,
                     "element face 4\nproperty uchar red\nproperty list %s %s vertex_ind%s\n"
                     "property list uchar float uv\n",
                     count, index, e ? "ices" : "ex");
        else
            snprintf(line, sizeof line,
                     "element vertex 4\nproperty float nx\nproperty double x\nproperty short y\n"
                     "property float z\n");
        add(&t, line);
    }
    add(&t, "element edge 1\nproperty int a\nproperty int b\nend_header\n");
    for (int e = 0; e < 2; e++)
        for (int i = 0; i < 4; i++) {
            const bool face = (e == 0) == faces_first;
            const int* c = corners[i];
            const double* x = at[i];
            if (ascii) {
                if (face)
                    snprintf(line, sizeof line, "255 3 %d %d %d 2 0.5 0.5\n", c[0], c[1], c[2]);
                else
                    snprintf(line, sizeof line, "1 %g %g %g\n", x[0], x[1], x[2]);
                add(&t, line);
            } else if (face) {
                add_binary(&t, "uchar", 255, big);
                add_binary(&t, count, 3, big);
                for (int k = 0; k < 3; k++) add_binary(&t, index, c[k], big);
                add_binary(&t, "uchar", 1, big);
                add_binary(&t, "float", 0.5, big);
            } else {
                add_binary(&t, "float", 1, big);
                add_binary(&t, "double", x[0], big);
                add_binary(&t, "short", x[1], big);
                add_binary(&t, "float", x[2], big);
            }
        }
    if (ascii) {
        add(&t, "0 1\n");
    } else {
        add_binary(&t, "int", 0, big);
        add_binary(&t, "int", 1, big);
    }
    return t;
}

static const char* const formats[] = {"ascii", "binary_little_endian", "binary_big_endian"};

static void every_format_and_type(void** state)
{
    (void)state;
    const char* const types[] = {"char", "uchar", "short", "ushort", "int", "uint"};
    for (int q = 0; q < 3 * 6 * 6 * 2; q++) {
        const text t = tetrahedron(formats[q % 3], types[q / 3 % 6], types[q / 18 % 6], q / 108);
        firn_mesh mesh;
        parse_good(firn_mesh_parse_ply, "t.ply", t.data, t.length, &mesh);
        assert_int_equal(mesh.vertex_count, 4);
        assert_int_equal(mesh.triangle_count, 4);
        assert_equal(mesh.vertices[1].x, 6);
        assert_equal(mesh.vertices[2].y, 2);
        assert_equal(firn_mesh_volume(&mesh), 2);
        firn_mesh_destroy(&mesh);
    }
}

static void polygons_are_cut(void** state)
{
    (void)state;
    const char l[] = HEAD "element vertex 6\n" XYZ FACES
                          "0 0 0\n2 0 0\n2 1 0\n1 1 0\n1 2 0\n0 2 0\n6 0 1 2 3 4 5\n";
    firn_mesh mesh;
    parse_good(firn_mesh_parse_ply, "l.ply", l, strlen(l), &mesh);
    assert_int_equal(mesh.triangle_count, 4);
    double area = 0;
    for (firn_local k = 0; k < 4; k++) {
        const firn_vec3 a = mesh.vertices[mesh.triangles[k][0]];
        const firn_vec3 n = firn_v3_cross(firn_v3_sub(mesh.vertices[mesh.triangles[k][1]], a),
                                          firn_v3_sub(mesh.vertices[mesh.triangles[k][2]], a));
        assert_greater(n.z, 0);
        area += 0.5 * (double)n.z;
    }
    assert_equal(area, 3);
    firn_mesh_destroy(&mesh);
}

static void mistakes_are_named_with_their_place(void** state)
{
    (void)state;
    bad("", "wall.ply:1: not a PLY file");
    bad(HEAD FACES "3 0 1 2\n", "wall.ply: there is no element 'vertex'");
    bad(HEAD "element vertex 1\n" XYZ "end_header\n0 0 0\n",
        "wall.ply: there is no element 'face', or it is empty: points alone have no inside");
    bad(HEAD "element vertex 1\n" XYZ "element face 0\nproperty list uchar int vertex_indices\n"
             "end_header\n0 0 0\n",
        "wall.ply: there is no element 'face', or it is empty");
    bad(HEAD "element vertex 1\nproperty float x\nproperty float y\n" FACES "0 0\n3 0 0 0\n",
        "wall.ply: element 'vertex' has no property 'z'");
    bad(HEAD "element vertex 1\n" XYZ "element face 1\nproperty int vertex_indices\nend_header\n"
             "0 0 0\n0\n",
        "wall.ply: property 'vertex_indices' of 'face' must be a list of whole numbers");
    bad(HEAD "element vertex 1\n" XYZ "element face 1\nproperty list uchar float vertex_index\n"
             "end_header\n0 0 0\n3 0 0 0\n",
        "wall.ply: property 'vertex_index' of 'face' must be a list of whole numbers");
    bad(HEAD "element vertex 1\n" XYZ "element face 1\nproperty list uchar int corners\n"
             "end_header\n0 0 0\n3 0 0 0\n",
        "wall.ply: element 'face' has no list 'vertex_indices'");
    bad(HEAD THREE "3 0 1 3\n",
        "wall.ply:13: face names vertex 3, but there are 3, counted from 0");
    bad(HEAD THREE "3 0 -1 2\n", "wall.ply:13: face names vertex -1, but there are 3");
    bad(HEAD THREE "3 0 0.5 2\n", "wall.ply:13: face names vertex 0.5, but there are 3");
    bad(HEAD THREE "3 0 nan 2\n", "wall.ply:13: face names vertex nan, but there are 3");
    bad(HEAD THREE "3 0 1e300 2\n", "wall.ply:13: face names vertex 1e+300");
    bad(HEAD THREE "2 0 1\n",
        "wall.ply:13: the number of a face's corners is 2, must be at least 3");
    bad(HEAD THREE "3 0 1\n", "wall.ply:13: the line ends before 'vertex_indices'");
    bad(HEAD THREE "3 0 1 x\n", "wall.ply:13: not a number for 'vertex_indices'");
    bad(HEAD THREE "3 0 1 2 2\n", "wall.ply:13: more numbers than properties in element 'face'");
    bad(HEAD THREE "-3 0 1 2\n", "wall.ply:13: impossible length of list 'vertex_indices'");
    bad(HEAD THREE "\n \n", "wall.ply:15: the file ends before the last element 'face'");
    bad(HEAD "element vertex 1\n" XYZ FACES "0 inf 0\n3 0 0 0\n",
        "wall.ply:10: y of vertex 0 is inf, must be between -1e+09 and 1e+09");
    bad(HEAD "element vertex 2\n" XYZ FACES "0 0 0\n0 0 -2e9\n3 0 0 0\n",
        "wall.ply:11: z of vertex 1 is -2e+09");
}

static void mistakes_in_binary_files(void** state)
{
    (void)state;
    text t = tetrahedron(formats[1], "uchar", "int", false);
    const size_t data = t.length - 8 - 4 * 19 - 4 * 18;  // edge, faces, vertices
    parse_bad(firn_mesh_parse_ply, "wall.ply", t.data, t.length - 4,
              "wall.ply: the header promises 1 of element 'edge', at least 8 bytes each");
    char words[200];
    const size_t second_face = data + 4 * 18 + 19;
    t.data[second_face + 2] = 9;
    snprintf(words, sizeof words, "wall.ply: byte %zu: face names vertex 9, but there are 4",
             second_face);
    parse_bad(firn_mesh_parse_ply, "wall.ply", t.data, t.length, words);
    t.data[second_face + 1] = 1;
    snprintf(words, sizeof words, "wall.ply: byte %zu: ", second_face);
    parse_bad(firn_mesh_parse_ply, "wall.ply", t.data, t.length, words);
    t = tetrahedron(formats[2], "int", "uint", false);
    t.data[t.length - 8 - 4 * 22 + 1] = 1;  // 16 million corners in the first face
    parse_bad(firn_mesh_parse_ply, "wall.ply", t.data, t.length, "wall.ply: byte ");
    t.data[t.length - 8 - 4 * 22 + 1] = (char)0x80;
    parse_bad(firn_mesh_parse_ply, "wall.ply", t.data, t.length, "wall.ply: byte ");
}

static void absurd_counts_are_refused_first(void** state)
{
    (void)state;
    firn_memory_budget* budget = firn_memory_budget_create(1 << 20);
    firn_memory_use(budget);
    bad(HEAD "element vertex 99999999\n" XYZ FACES "0 0 0\n",
        "wall.ply: the header promises 99999999 of element 'vertex'");
    bad(HEAD "element vertex 1\n" XYZ
             "element face 99999999\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n",
        "wall.ply: the header promises 99999999 of element 'face'");
    bad(HEAD THREE "999999999 0 1 2\n", "wall.ply:13: impossible length of list");
    firn_memory_use(NULL);
    firn_memory_budget_release(budget);
    // a face that the file does hold, of more corners than can be cut
    const size_t many = FIRN_POLYGON_CORNERS_MAX + 1, size = 3 * many + 1000;
    char* long_face = malloc(size);
    assert_non_null(long_face);
    size_t n = (size_t)snprintf(long_face, size,
                                HEAD "element vertex 1\n" XYZ
                                     "element face 1\nproperty list int int vertex_indices\n"
                                     "end_header\n0 0 0\n%zu",
                                many);
    for (size_t k = 0; k < many; k++) n += (size_t)snprintf(long_face + n, size - n, " 0");
    parse_bad(firn_mesh_parse_ply, "wall.ply", long_face, n,
              "wall.ply:11: too many numbers in list 'vertex_indices'");
    free(long_face);
}

static void damage_does_no_harm(void** state)
{
    (void)state;
    any_source r = any_start(202);
    for (int q = 0; q < 6; q++) {
        const text t = tetrahedron(formats[q % 3], "uchar", q < 3 ? "int" : "ushort", q < 3);
        firn_mesh mesh;
        for (size_t length = 0; length + 4 < t.length; length++) {
            assert_int_equal(parse_block(firn_mesh_parse_ply, "t.ply", t.data, length, &mesh, NULL),
                             FIRN_REFUSED_SCENE);
        }
        const int accepted = parse_damaged(firn_mesh_parse_ply, t.data, t.length, 1500, &r);
        assert_greater(accepted, 10);
        assert_less(accepted, 1490);
    }
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    for (int q = 0; q < 6; q++) {
        const text t = tetrahedron(formats[q % 3], "uchar", "int", q < 3);
        // header, vertices, list, polygon, triangles
        assert_int_equal(parse_without_memory(firn_mesh_parse_ply, t.data, t.length), 5);
    }
}

int test_ply_mesh(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_format_and_type),
                                       cmocka_unit_test(polygons_are_cut),
                                       cmocka_unit_test(mistakes_are_named_with_their_place),
                                       cmocka_unit_test(mistakes_in_binary_files),
                                       cmocka_unit_test(absurd_counts_are_refused_first),
                                       cmocka_unit_test(damage_does_no_harm),
                                       cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests_name("ply_mesh", tests, NULL, NULL);
}
