// SPDX-License-Identifier: MIT
// Polygons cut into triangles: they cover it once and run the way it does, in any position.
#include "mesh/io/polygon.h"

#include <math.h>

#include "core/memory.h"
#include "mesh/solids.h"
#include "seed.h"

// Cuts all vertices of the mesh as one polygon. Returns the area along `normal`; every triangle
// must run the right way, so that equal areas mean equal cover.
static double cut_all(firn_mesh* mesh, firn_vec3 normal)
{
    firn_polygon polygon = {0};
    for (int32_t i = 0; i < mesh->vertex_count; i++) assert_true(firn_polygon_add(&polygon, i));
    assert_true(firn_polygon_cut(&polygon, mesh));
    assert_int_equal(polygon.count, 0);
    firn_polygon_destroy(&polygon);
    assert_int_equal(mesh->triangle_count, mesh->vertex_count - 2);
    double sum = 0;
    for (firn_local k = 0; k < mesh->triangle_count; k++) {
        const firn_vec3 a = mesh->vertices[mesh->triangles[k][0]];
        const firn_vec3 n = firn_v3_cross(firn_v3_sub(mesh->vertices[mesh->triangles[k][1]], a),
                                          firn_v3_sub(mesh->vertices[mesh->triangles[k][2]], a));
        const double area = 0.5 * (double)firn_v3_dot(n, normal);
        assert_at_least(area, 0);
        sum += area;
    }
    return sum;
}

// The same polygon in the three planes of the axes, seen from both sides.
static void expect_area(const double (*at)[2], int count, double area)
{
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            firn_mesh mesh = {0};
            for (int i = 0; i < count; i++) {
                const double* p = at[side > 0 ? i : count - 1 - i];
                double x[3];
                x[axis] = 7;
                x[(axis + 1) % 3] = p[0];
                x[(axis + 2) % 3] = p[1];
                add_vertex(&mesh, x[0], x[1], x[2]);
            }
            firn_real n[3] = {0};
            n[axis] = (firn_real)side;
            assert_equal(cut_all(&mesh, firn_v3(n[0], n[1], n[2])), area);
            firn_mesh_destroy(&mesh);
        }
}

static void shapes_of_known_area(void** state)
{
    (void)state;
    const double arrow[][2] = {{0, 0}, {4, 0}, {1, 1}, {0, 4}};
    expect_area(arrow, 4, 4);
    const double l[][2] = {{0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}, {0, 3}};
    expect_area(l, 6, 5);
    const double comb[][2] = {{0, 0}, {7, 0}, {7, 3}, {6, 3}, {6, 1}, {5, 1},
                              {5, 3}, {4, 3}, {4, 1}, {3, 1}, {3, 3}, {0, 3}};
    expect_area(comb, 12, 17);
    // corners along straight edges
    const double square[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    expect_area(square, 8, 4);
    const double triangle[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {0, 4}};
    expect_area(triangle, 6, 8);
    // a hole, joined to the outline by an edge that is walked twice
    const double hole[][2] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0},
                              {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    expect_area(hole, 10, 12);
}

// In a square no triangle is flat, though four corners are straight.
static void straight_corners_make_no_flat_triangles(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    const double at[][2] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    for (int i = 0; i < 8; i++) add_vertex(&mesh, at[i][0], at[i][1], 0);
    assert_equal(cut_all(&mesh, firn_v3(0, 0, 1)), 4);
    for (firn_local k = 0; k < mesh.triangle_count; k++) {
        const firn_vec3 a = mesh.vertices[mesh.triangles[k][0]];
        const firn_vec3 n = firn_v3_cross(firn_v3_sub(mesh.vertices[mesh.triangles[k][1]], a),
                                          firn_v3_sub(mesh.vertices[mesh.triangles[k][2]], a));
        assert_greater(n.z, 0);
    }
    firn_mesh_destroy(&mesh);
}

static void quadrilaterals_take_the_shorter_diagonal(void** state)
{
    (void)state;
    for (int turn = 0; turn < 4; turn++) {
        const double at[][2] = {{0, 0}, {9, -1}, {10, 0}, {9, 1}};  // 1 - 3 is shorter than 0 - 2
        firn_mesh mesh = {0};
        for (int i = 0; i < 4; i++)
            add_vertex(&mesh, at[(i + turn) % 4][0], at[(i + turn) % 4][1], 0);
        assert_equal(cut_all(&mesh, firn_v3(0, 0, 1)), 10);
        for (firn_local k = 0; k < 2; k++) {
            int tips = 0;  // the ends of the long diagonal must not be in one triangle
            for (int i = 0; i < 3; i++) tips += mesh.vertices[mesh.triangles[k][i]].y == 0;
            assert_int_equal(tips, 1);
        }
        firn_mesh_destroy(&mesh);
    }
}

// Stars with many spikes, rotated at random.
static void stars_at_random(void** state)
{
    (void)state;
    any_source r = any_start(405);
    for (int q = 0; q < 300; q++) {
        const int n = 4 + any_below(&r, 60);
        const firn_mat3 R = any_rotation(&r);
        const firn_vec3 normal = firn_m3_mul_v3(R, firn_v3(0, 0, 1));
        firn_mesh mesh = {0};
        double wanted = 0, before[2] = {0}, first[2] = {0};
        for (int i = 0; i < n; i++) {
            const double size = any_between(&r, 0.2, 1);
            const double angle = 2 * 3.141592653589793 * (i + any_between(&r, 0, 0.9)) / n;
            const double p[2] = {size * cos(angle), size * sin(angle)};
            const firn_vec3 x = firn_v3((firn_real)p[0], (firn_real)p[1], 3);
            assert_true(firn_mesh_add_vertex(&mesh, firn_m3_mul_v3(R, x)));
            if (i > 0) wanted += 0.5 * (before[0] * p[1] - before[1] * p[0]);
            if (i == 0) first[0] = p[0], first[1] = p[1];
            before[0] = p[0], before[1] = p[1];
        }
        wanted += 0.5 * (before[0] * first[1] - before[1] * first[0]);
        // triangles with an area below rounding may seem to run backwards: count areas, not signs
        firn_polygon polygon = {0};
        for (int32_t i = 0; i < n; i++) assert_true(firn_polygon_add(&polygon, i));
        assert_true(firn_polygon_cut(&polygon, &mesh));
        firn_polygon_destroy(&polygon);
        double sum = 0;
        for (firn_local k = 0; k < mesh.triangle_count; k++) {
            const firn_vec3 a = mesh.vertices[mesh.triangles[k][0]];
            sum += 0.5 * fabs((double)firn_v3_dot(
                             firn_v3_cross(firn_v3_sub(mesh.vertices[mesh.triangles[k][1]], a),
                                           firn_v3_sub(mesh.vertices[mesh.triangles[k][2]], a)),
                             normal));
        }
        assert_near(sum, wanted, 1e-5 * n);  // [m^2] n triangles with vertices in float
        firn_mesh_destroy(&mesh);
    }
}

// Whatever the corners are, there are two triangles fewer, of corners of the polygon.
static void impossible_polygons(void** state)
{
    (void)state;
    any_source r = any_start(406);
    for (int q = 0; q < 2000; q++) {
        firn_mesh mesh = {0};
        firn_polygon polygon = {0};
        const int n = 3 + any_below(&r, 12), kinds = 1 + any_below(&r, 8);
        for (int i = 0; i < kinds; i++)
            add_vertex(&mesh, any_below(&r, 3), any_below(&r, 3), any_below(&r, 2));
        for (int i = 0; i < n; i++) assert_true(firn_polygon_add(&polygon, any_below(&r, kinds)));
        assert_true(firn_polygon_cut(&polygon, &mesh));
        assert_int_equal(mesh.triangle_count, n - 2);
        for (firn_local k = 0; k < n - 2; k++)
            for (int i = 0; i < 3; i++) {
                assert_at_least(mesh.triangles[k][i], 0);
                assert_less(mesh.triangles[k][i], kinds);
            }
        firn_polygon_destroy(&polygon);
        firn_mesh_destroy(&mesh);
    }
    firn_polygon two = {0};
    firn_mesh none = {0};
    assert_true(firn_polygon_add(&two, 0));
    assert_true(firn_polygon_add(&two, 1));
    assert_true(firn_polygon_cut(&two, &none));
    assert_int_equal(none.triangle_count, 0);
    assert_int_equal(two.count, 0);
    firn_polygon_destroy(&two);
}

static void memory_may_run_out(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_mesh mesh = {0};
    firn_polygon polygon = {0};
    for (int i = 0; i < 4; i++) add_vertex(&mesh, i & 1, i & 2, 0);
    firn_memory_fail_at(1, false);
    assert_false(firn_polygon_add(&polygon, 0));
    for (int k = 1; k <= 2; k++) {  // the ring, the triangles
        for (int32_t i = 0; i < 4; i++) assert_true(firn_polygon_add(&polygon, i));
        firn_memory_fail_at(1, false);
        assert_false(firn_polygon_cut(&polygon, &mesh));
        firn_memory_fail_at(0, false);
        assert_int_equal(polygon.count, 0);
    }
    firn_polygon_destroy(&polygon);
    firn_mesh_destroy(&mesh);
    assert_equal(firn_memory_read().bytes, before);
}

int test_polygon(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shapes_of_known_area),
                                       cmocka_unit_test(straight_corners_make_no_flat_triangles),
                                       cmocka_unit_test(quadrilaterals_take_the_shorter_diagonal),
                                       cmocka_unit_test(stars_at_random),
                                       cmocka_unit_test(impossible_polygons),
                                       cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests_name("polygon", tests, NULL, NULL);
}
