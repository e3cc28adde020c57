// SPDX-License-Identifier: MIT
// STL files, text and binary: which is which, corners welded, and each mistake with its location.
#include <stdio.h>

#include "mesh/mesh_parse.h"
#include "mesh/solids.h"

typedef struct file {
    char data[8000];
    size_t length;
} file;

static void put_u32(file* f, uint32_t x)
{
    for (int k = 0; k < 4; k++) f->data[f->length++] = (char)(x >> (8 * k));
}

static void put_float(file* f, double x)
{
    const float value = (float)x;
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_u32(f, bits);
}

// A box of 2 x 3 x 4, with any text in the header's 80 bytes.
static file binary_box(const char* head)
{
    firn_mesh box = {0};
    add_box(&box, -1, 0, 0, 1, 3, 4);
    file f = {.length = 80};
    snprintf(f.data, 80, "%s", head);
    put_u32(&f, 12);
    for (firn_local k = 0; k < 12; k++) {
        for (int i = 0; i < 3; i++) put_float(&f, 0);
        for (int i = 0; i < 3; i++) {
            const firn_vec3 x = box.vertices[box.triangles[k][i]];
            put_float(&f, (double)x.x);
            put_float(&f, (double)x.y);
            put_float(&f, (double)x.z);
        }
        f.data[f.length++] = 'a';
        f.data[f.length++] = 'b';
    }
    firn_mesh_destroy(&box);
    return f;
}

static file text_box(void)
{
    firn_mesh box = {0};
    add_box(&box, -1, 0, 0, 1, 3, 4);
    file f = {.length = 0};
#define PUT(...) \
    f.length += (size_t)snprintf(f.data + f.length, sizeof f.data - f.length, __VA_ARGS__)
    PUT("solid a box of snow\r\n");
    for (firn_local k = 0; k < 12; k++) {
        PUT("  facet normal 0 0 %s\r\n    outer loop\r\n", k % 2 ? "-nan(ind)" : "1");
        for (int i = 0; i < 3; i++) {
            const firn_vec3 x = box.vertices[box.triangles[k][i]];
            PUT("      vertex %g %.3e %g\r\n", (double)x.x, (double)x.y, (double)x.z);
        }
        PUT("    endloop\r\n  endfacet\r\n");
    }
    PUT("endsolid a box of snow\r\n");
#undef PUT
    firn_mesh_destroy(&box);
    return f;
}

static void expect_box(const file* f, firn_local triangles)
{
    firn_mesh mesh;
    parse_good(firn_mesh_parse_stl, "box.stl", f->data, f->length, &mesh);
    assert_int_equal(mesh.vertex_count, 8);  // of 36 corners
    assert_int_equal(mesh.triangle_count, triangles);
    assert_equal(firn_mesh_volume(&mesh), 24 * triangles / 12);
    const firn_box3 b = firn_mesh_bounds(&mesh);
    assert_equal(b.low.x, -1);
    assert_equal(b.high.y, 3);
    assert_equal(b.high.z, 4);
    firn_mesh_destroy(&mesh);
}

static void both_kinds(void** state)
{
    (void)state;
    file f = text_box();
    expect_box(&f, 12);
    memcpy(f.data + f.length, f.data, f.length);  // a second solid
    f.length *= 2;
    expect_box(&f, 24);
    f = binary_box("made by hand");
    expect_box(&f, 12);
    f = binary_box(
        "solid but not text, and no zeros before the end of the line....................");
    expect_box(&f, 12);
}

// Words of any case, any lines, no names, nothing behind the last word, a mark at the start.
static void loose_text(void** state)
{
    (void)state;
    const char text[] =
        "\xef\xbb\xbf SOLID\nFacet Normal 0 0 1 Outer Loop\nVERTEX 0 0 0 vertex 1 0\n"
        "0 vertex 0 1 -0 EndLoop EndFacet EndSolid";
    firn_mesh mesh;
    parse_good(firn_mesh_parse_stl, "t.stl", text, strlen(text), &mesh);
    assert_int_equal(mesh.vertex_count, 3);
    assert_int_equal(mesh.triangle_count, 1);
    firn_mesh_destroy(&mesh);
}

static void bad(const char* text, const char* words)
{
    parse_bad(firn_mesh_parse_stl, "wall.stl", text, strlen(text), words);
}

#define FACET "facet normal 0 0 1\nouter loop\nvertex 0 0 0\n"

static void mistakes_in_text(void** state)
{
    (void)state;
    bad("", "wall.stl: not an STL file: it does not begin with 'solid', and its 0 bytes are fewer");
    bad("liquid\n", "wall.stl: not an STL file");
    bad("solid\n", "wall.stl:2: the file ends before 'facet'");
    bad("solid x\nendsolid x\n", "wall.stl: it holds no triangles");
    bad("solid\nfacete normal 0 0 1\n", "wall.stl:2: expected 'facet', not 'facete'");
    bad("solid\nfacet 0 0 1\n", "wall.stl:2: expected 'normal', not '0'");
    bad("solid\nfacet normal 0 1\nouter loop\n", "wall.stl:3: expected 'outer', not 'loop'");
    bad("solid\n" FACET "vertex 1 0\nvertex 0 1 0\n", "wall.stl:6: expected 'a number', not 'vert");
    bad("solid\n" FACET "vertex 1 0 0x0g\n", "wall.stl:5: expected 'a number', not '0x0g'");
    bad("solid\n" FACET "vertex 1 0 nan\n",
        "wall.stl:5: z of a corner is nan, must be between -1e+09 and 1e+09");
    bad("solid\n" FACET "vertex 1 -1e10 0\n", "wall.stl:5: y of a corner is -1e+10");
    bad("solid\n" FACET "vertex 1 0 0\nendloop\n", "wall.stl:6: expected 'vertex', not 'endloop'");
    bad("solid\n" FACET "vertex 1 0 0\nvertex 0 1 0\nvertex 0 2 0\n",
        "wall.stl:7: expected 'endloop', not 'vertex'");
    bad("solid\n" FACET "vertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n",
        "wall.stl:9: the file ends before 'facet'");
    bad("solid\n" FACET "vertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\nliquid\n",
        "wall.stl:10: expected 'solid', not 'liquid'");
}

static void mistakes_in_binary(void** state)
{
    (void)state;
    for (int solid = 0; solid < 2; solid++) {
        file f = binary_box(solid ? "solid rock" : "");
        parse_bad(firn_mesh_parse_stl, "wall.stl", f.data, f.length - 1,
                  "wall.stl: byte 80: 12 triangles would end at byte 684, but the file has 683");
        parse_bad(firn_mesh_parse_stl, "wall.stl", f.data, f.length + 50,
                  "wall.stl: byte 80: 12 triangles would end at byte 684, but the file has 734");
        f.data[83] = (char)0xff;
        parse_bad(firn_mesh_parse_stl, "wall.stl", f.data, f.length,
                  "wall.stl: byte 80: 4278190092 triangles would end at byte 213909504684");
        f.data[83] = 0;
        memcpy(f.data + 84 + 50 + 12 + 16, "\x00\x00\x80\x7f", 4);
        parse_bad(firn_mesh_parse_stl, "wall.stl", f.data, f.length,
                  "wall.stl: byte 162: y of a corner is inf, must be between");
        memset(f.data + 80, 0, 4);
        parse_bad(firn_mesh_parse_stl, "wall.stl", f.data, 84, "wall.stl: it holds no triangles");
    }
}

static void damage_does_no_harm(void** state)
{
    (void)state;
    any_source r = any_start(203);
    for (int q = 0; q < 2; q++) {
        const file f = q ? text_box() : binary_box("solid");
        firn_mesh mesh;
        const size_t end = f.length - (q ? strlen(" a box of snow\r\n") : 0);
        for (size_t length = 0; length < end; length++)
            assert_int_equal(parse_block(firn_mesh_parse_stl, "b.stl", f.data, length, &mesh, NULL),
                             FIRN_REFUSED_SCENE);
        const int accepted = parse_damaged(firn_mesh_parse_stl, f.data, f.length, 3000, &r);
        assert_greater(accepted, 30);
        assert_less(accepted, 2970);
    }
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    file f = text_box();
    // table, vertices, triangles
    assert_int_equal(parse_without_memory(firn_mesh_parse_stl, f.data, f.length), 3);
    f = binary_box("");
    assert_int_equal(parse_without_memory(firn_mesh_parse_stl, f.data, f.length), 3);
}

int test_stl(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_kinds),          cmocka_unit_test(loose_text),
        cmocka_unit_test(mistakes_in_text),    cmocka_unit_test(mistakes_in_binary),
        cmocka_unit_test(damage_does_no_harm), cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests_name("stl", tests, NULL, NULL);
}
