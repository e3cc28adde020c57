// SPDX-License-Identifier: MIT
// Sound meshes and every way of not being one, with the exact number of faults.
#include "mesh/topology/mesh_inspect.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "mesh/solids.h"
#include "mesh/topology/mesh_intersect.h"
#include "seed.h"
#include "team_use.h"

static firn_mesh_report inspect(const firn_mesh* mesh)
{
    firn_mesh_report report;
    firn_error error = {0};
    memset(&report, 0x55, sizeof report);
    if (firn_mesh_inspect(mesh, &report, &error) != FIRN_OK) fail_msg("%s", error.text);
    return report;
}

static void expect(const firn_mesh* mesh, firn_local open, firn_local crowded, firn_local flipped,
                   firn_local flat, firn_local cuts)
{
    const firn_mesh_report r = inspect(mesh);
    assert_int_equal(r.open_edges, open);
    assert_int_equal(r.crowded_edges, crowded);
    assert_int_equal(r.flipped_edges, flipped);
    assert_int_equal(r.flat_triangles, flat);
    assert_int_equal(r.intersections, cuts);
    assert_int_equal(firn_mesh_is_sound(&r), open + crowded + flipped + cuts == 0);
}

static void a_cube_is_sound(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    add_box(&mesh, 0, 0, 0, 1, 1, 1);
    expect(&mesh, 0, 0, 0, 0, 0);
    firn_mesh_report r = inspect(&mesh);
    assert_equal(r.volume, 1);
    assert_false(r.inside_out);
    for (firn_local k = 0; k < 12; k++) flip(&mesh, k);
    expect(&mesh, 0, 0, 0, 0, 0);  // inside out, but a solid all the same
    r = inspect(&mesh);
    assert_equal(r.volume, -1);
    assert_true(r.inside_out);
    firn_mesh_destroy(&mesh);
    r = inspect(&mesh);  // nothing at all
    assert_equal(r.volume, 0);
    assert_false(r.inside_out);
    assert_true(firn_mesh_is_sound(&r));
}

static void holes_have_a_rim(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    add_box(&mesh, 0, 0, 0, 1, 1, 1);
    mesh.triangle_count = 11;
    expect(&mesh, 3, 0, 0, 0, 0);
    mesh.triangle_count = 10;  // without its last face
    expect(&mesh, 4, 0, 0, 0, 0);
    mesh.triangle_count = 1;
    expect(&mesh, 3, 0, 0, 0, 0);
    firn_mesh_destroy(&mesh);
}

static void a_flipped_triangle_has_flipped_edges(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    add_box(&mesh, 0, 0, 0, 1, 1, 1);
    flip(&mesh, 5);
    expect(&mesh, 0, 0, 3, 0, 0);
    flip(&mesh, 4);  // its other half: the edge between them is right again
    expect(&mesh, 0, 0, 4, 0, 0);
    firn_mesh_destroy(&mesh);
}

// Separate vertices for every corner, zeros of both signs: equal positions are one vertex.
static void places_count_not_numbers(void** state)
{
    (void)state;
    firn_mesh cube = {0}, soup = {0};
    add_box(&cube, 0, 0, 0, 1, 1, 1);
    for (firn_local k = 0; k < 12; k++) {
        for (int i = 0; i < 3; i++) {
            firn_vec3 x = cube.vertices[cube.triangles[k][i]];
            if (k % 2 && x.x == 0) x.x = -x.x;
            assert_true(firn_mesh_add_vertex(&soup, x));
        }
        assert_true(firn_mesh_add_triangle(&soup, 3 * k, 3 * k + 1, 3 * k + 2));
    }
    expect(&soup, 0, 0, 0, 0, 0);
    firn_mesh_destroy(&cube);
    firn_mesh_destroy(&soup);
}

static void a_third_wall_crowds_an_edge(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    add_box(&mesh, 0, 0, 0, 1, 1, 1);
    add_vertex(&mesh, 2, 2, 0.5);
    assert_true(firn_mesh_add_triangle(&mesh, 3, 7, 8));  // a fin on the edge x = y = 1
    expect(&mesh, 2, 1, 0, 0, 0);
    firn_mesh_destroy(&mesh);
}

// Cubes that share an edge, a corner, or stand apart are solids; so is one inside the other's
// hollow.
static void solids_may_touch(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    add_box(&mesh, 0, 0, 0, 1, 1, 1);
    add_box(&mesh, 1, 1, 0, 2, 2, 1);
    expect(&mesh, 0, 0, 0, 0, 0);
    add_box(&mesh, 2, 2, 1, 3, 3, 2);
    expect(&mesh, 0, 0, 0, 0, 0);
    add_box(&mesh, 0.25, 0.25, 0.25, 0.75, 0.75, 0.75);
    for (firn_local k = 36; k < 48; k++) flip(&mesh, k);
    expect(&mesh, 0, 0, 0, 0, 0);
    assert_equal(inspect(&mesh).volume, 3 - 0.125);
    add_box(&mesh, 1, -2, -1, 2, 1, -0.5);    // along part of no one's edge
    add_box(&mesh, 1, -1, 0.25, 2, 0, 0.75);  // along part of an edge of the first
    expect(&mesh, 0, 0, 0, 0, 0);
    firn_mesh_destroy(&mesh);
}

static void solids_may_not_overlap(void** state)
{
    (void)state;
    const double boxes[][6] = {
        {0.5, 0.5, 0.5, 1.5, 1.5, 1.5},   // corner in corner
        {0.25, 0.25, -1, 0.75, 0.75, 2},  // a bar through two faces, edges meeting diagonals
        {0.3, 0.2, 0.1, 1.4, 0.9, 0.8},   // into one face
        {0, 0, 0, 1, 1, 1},               // the same again
        {0.5, 0, 0, 1.5, 1, 1},           // moved along an edge: faces in one plane
        {1, 0, 0, 2, 1, 1},               // face on face
        {0.25, 0.25, 1, 0.75, 0.75, 2},   // standing on it
        {0, 0, 0.5, 1, 1, 1.5},           // walls in one plane
        {0.25, 0.25, 0, 0.75, 0.75, 1}};  // inside, touching floor and ceiling
    for (size_t q = 0; q < sizeof boxes / sizeof boxes[0]; q++) {
        const double* b = boxes[q];
        firn_mesh mesh = {0};
        add_box(&mesh, 0, 0, 0, 1, 1, 1);
        add_box(&mesh, b[0], b[1], b[2], b[3], b[4], b[5]);
        const firn_mesh_report r = inspect(&mesh);
        if (r.intersections == 0) fail_msg("box %zu is not found", q);
        assert_false(firn_mesh_is_sound(&r));
        firn_mesh_destroy(&mesh);
    }
}

// A wall whose vertices lie exactly in the other's face passes through it along its edges only.
static void crossing_along_edges(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    add_box(&mesh, -2, -2, -1, 2, 2, 0);
    const double x[] = {-1, 1, 1, -1}, y[] = {-1, -1, 1, 1};
    for (int level = -1; level <= 1; level++)
        for (int i = 0; i < 4; i++) add_vertex(&mesh, x[i], y[i], level * 0.5);
    for (int level = 0; level < 2; level++)
        for (int i = 0; i < 4; i++) {
            const int32_t v = 8 + 4 * level;
            add_quad(&mesh, v + i, v + (i + 1) % 4, v + 4 + (i + 1) % 4, v + 4 + i);
        }
    add_quad(&mesh, 8, 11, 10, 9);
    add_quad(&mesh, 16, 17, 18, 19);
    const firn_mesh_report r = inspect(&mesh);
    assert_int_equal(r.open_edges + r.crowded_edges + r.flipped_edges, 0);
    assert_at_least(r.intersections, 4);  // each wall meets the face
    firn_mesh_destroy(&mesh);
}

static void flat_triangles_do_no_harm(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    add_box(&mesh, 0, 0, 0, 1, 1, 1);
    assert_true(firn_mesh_add_triangle(&mesh, 0, 0, 1));  // a corner twice
    assert_true(firn_mesh_add_triangle(&mesh, 2, 2, 2));
    expect(&mesh, 0, 0, 0, 2, 0);
    // a vertex in the middle of an edge, and a triangle without area that joins it to one side
    mesh.triangle_count = 12;
    add_vertex(&mesh, 0.5, 0, 0);
    for (firn_local k = 0; k < 12; k++) {
        int32_t* t = mesh.triangles[k];
        for (int i = 0; i < 3; i++) {
            const int32_t a = t[i], b = t[(i + 1) % 3], c = t[(i + 2) % 3];
            if (a != 0 || b != 1) continue;
            t[0] = 0, t[1] = 8, t[2] = c;
            assert_true(firn_mesh_add_triangle(&mesh, 8, 1, c));
            assert_true(firn_mesh_add_triangle(&mesh, 0, 1, 8));
            k = 12;
            break;
        }
    }
    expect(&mesh, 0, 0, 0, 1, 0);
    assert_equal(inspect(&mesh).volume, 1);
    firn_mesh_destroy(&mesh);
}

// A strip of n quadrilaterals, closed after half a turn: one edge between the two faces of the
// strip, and one rim that goes round twice.
static void a_moebius_strip(void** state)
{
    (void)state;
    const int n = 16;
    firn_mesh mesh = {0};
    for (int k = 0; k < n; k++) {
        const double a = 2 * 3.141592653589793 * k / n, h = 0.3;
        for (int s = -1; s <= 1; s += 2) {
            const double w = 1 + s * h * cos(a / 2);
            add_vertex(&mesh, w * cos(a), w * sin(a), s * h * sin(a / 2));
        }
    }
    for (int k = 0; k < n; k++) {
        const int32_t a = 2 * k, b = k + 1 < n ? a + 2 : 1, c = k + 1 < n ? a + 3 : 0;
        add_quad(&mesh, a, b, c, a + 1);
    }
    expect(&mesh, 2 * n, 0, 1, 0, 0);
    firn_mesh_destroy(&mesh);
}

// A sphere of 2 n^2 triangles, moved, rotated and scaled at random: sound, with a sphere's volume.
static void add_sphere(firn_mesh* mesh, int n, any_source* r)
{
    const firn_mat3 R = any_rotation(r);
    const firn_vec3 middle = any_vec3(r, 10);
    const int32_t first = mesh->vertex_count;
    for (int i = 1; i < n; i++)
        for (int k = 0; k < 2 * n; k++) {
            const double a = 3.141592653589793 * i / n, b = 3.141592653589793 * k / n;
            const firn_vec3 x = firn_v3((firn_real)(sin(a) * cos(b)), (firn_real)(sin(a) * sin(b)),
                                        (firn_real)cos(a));
            assert_true(firn_mesh_add_vertex(mesh, firn_v3_add(middle, firn_m3_mul_v3(R, x))));
        }
    const firn_vec3 pole = firn_m3_mul_v3(R, firn_v3(0, 0, 1));
    assert_true(firn_mesh_add_vertex(mesh, firn_v3_add(middle, pole)));
    assert_true(firn_mesh_add_vertex(mesh, firn_v3_sub(middle, pole)));
    const int32_t north = mesh->vertex_count - 2, south = north + 1;
    for (int k = 0; k < 2 * n; k++) {
        const int32_t a = first + k, b = first + (k + 1) % (2 * n);
        assert_true(firn_mesh_add_triangle(mesh, north, a, b));
        for (int i = 0; i < n - 2; i++)
            add_quad(mesh, a + 2 * n * i, a + 2 * n * (i + 1), b + 2 * n * (i + 1), b + 2 * n * i);
        assert_true(firn_mesh_add_triangle(mesh, south, b + 2 * n * (n - 2), a + 2 * n * (n - 2)));
    }
}

static void spheres_at_random(void** state)
{
    (void)state;
    any_source r = any_start(301);
    for (int q = 0; q < 20; q++) {
        firn_mesh mesh = {0};
        add_sphere(&mesh, 12, &r);
        expect(&mesh, 0, 0, 0, 0, 0);
        // inscribed in a sphere of radius 1, 15 degrees per edge: a few per cent less volume
        const double volume = inspect(&mesh).volume;
        assert_greater(volume, 0.95 * 4.18879);
        assert_less(volume, 4.18879);
        firn_mesh_destroy(&mesh);
    }
}

static void the_count_does_not_depend_on_threads(void** state)
{
    (void)state;
    any_source r = any_start(302);
    firn_mesh mesh = {0};
    for (int q = 0; q < 40; q++) add_sphere(&mesh, 6, &r);
    const firn_mesh_report one = inspect(&mesh);
    assert_greater(one.intersections, 10);
    for (int threads = 2; threads <= 7; threads += 5) {
        use_team(threads);
        assert_int_equal(inspect(&mesh).intersections, one.intersections);
    }
    use_team(0);
    firn_mesh_destroy(&mesh);
}

static void expect_text(const firn_mesh_report* report, const char* wanted)
{
    char text[300];
    firn_mesh_report_text(report, text, sizeof text);
    assert_string_equal(text, wanted);
}

static void reports_in_words(void** state)
{
    (void)state;
    firn_mesh_report r = {.flat_triangles = 7, .inside_out = true};
    expect_text(&r, "");
    r.open_edges = 12;
    expect_text(&r, "12 open edges");
    r.intersections = 3;
    expect_text(&r, "12 open edges, 3 pairs of triangles that cut each other");
    r = (firn_mesh_report){1, 1, 1, 1, 1, 0, false};
    expect_text(&r, "1 open edge, 1 edge of more than two triangles, 1 edge between triangles that "
                    "face opposite ways, 1 pair of triangles that cut each other");
    r = (firn_mesh_report){.crowded_edges = 2, .flipped_edges = 5, .intersections = 1000000};
    expect_text(&r, "2 edges of more than two triangles, 5 edges between triangles that face "
                    "opposite ways, at least 1000000 pairs of triangles that cut each other");
    char little[8];
    firn_mesh_report_text(&r, little, sizeof little);
    assert_string_equal(little, "2 edges");
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    add_box(&mesh, 0, 0, 0, 1, 1, 1);
    const uint64_t before = firn_memory_read().bytes;
    uint64_t k = 1;
    for (bool done = false; !done; k++) {
        firn_mesh_report report = {.open_edges = 5};
        firn_error error = {0};
        firn_memory_fail_at(k, false);
        const firn_result result = firn_mesh_inspect(&mesh, &report, &error);
        firn_memory_fail_at(0, false);
        done = result == FIRN_OK;
        if (!done) {
            assert_int_equal(result, FIRN_BROKEN_MEMORY);
            assert_string_equal(error.text, "no memory to inspect a mesh of 12 triangles");
            assert_int_equal(report.open_edges, 0);
        }
        assert_equal(firn_memory_read().bytes, before);
    }
    assert_greater(k, 10);
    firn_mesh_destroy(&mesh);
}

int test_mesh_inspect(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_cube_is_sound),
                                       cmocka_unit_test(holes_have_a_rim),
                                       cmocka_unit_test(a_flipped_triangle_has_flipped_edges),
                                       cmocka_unit_test(places_count_not_numbers),
                                       cmocka_unit_test(a_third_wall_crowds_an_edge),
                                       cmocka_unit_test(solids_may_touch),
                                       cmocka_unit_test(solids_may_not_overlap),
                                       cmocka_unit_test(crossing_along_edges),
                                       cmocka_unit_test(flat_triangles_do_no_harm),
                                       cmocka_unit_test(a_moebius_strip),
                                       cmocka_unit_test(spheres_at_random),
                                       cmocka_unit_test(the_count_does_not_depend_on_threads),
                                       cmocka_unit_test(reports_in_words),
                                       cmocka_unit_test(memory_may_run_out_anywhere)};
    return cmocka_run_group_tests_name("mesh_inspect", tests, NULL, NULL);
}
