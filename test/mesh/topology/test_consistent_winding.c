// SPDX-License-Identifier: MIT
// Triangles wound against their neighbours are flipped; the rest stays.
#include "mesh/topology/consistent_winding.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "mesh/solids.h"
#include "mesh/topology/mesh_inspect.h"

static firn_mesh turned(const firn_mesh* mesh)
{
    firn_mesh out;
    assert_int_equal(firn_mesh_make_winding_consistent(mesh, &out, NULL), FIRN_OK);
    assert_int_equal(out.vertex_count, mesh->vertex_count);
    assert_int_equal(out.triangle_count, mesh->triangle_count);
    return out;
}

static firn_mesh two_boxes(void)
{
    firn_mesh mesh = {0};
    add_box(&mesh, 0, 0, 0, 1, 1, 1);
    add_box(&mesh, 2, 0, 0, 3, 1, 1);
    return mesh;
}

static void a_few_are_turned_back(void** state)
{
    (void)state;
    firn_mesh good = two_boxes(), bad = two_boxes();
    const int which[] = {0, 5, 11, 12, 17};
    for (size_t k = 0; k < sizeof which / sizeof *which; k++) flip(&bad, which[k]);
    firn_mesh_report report;
    assert_int_equal(firn_mesh_inspect(&bad, &report, NULL), FIRN_OK);
    assert_greater(report.flipped_edges, 0);
    firn_mesh out = turned(&bad);
    assert_int_equal(firn_mesh_inspect(&out, &report, NULL), FIRN_OK);
    assert_true(firn_mesh_is_sound(&report));
    assert_near(report.volume, 2, 1e-6);  // coordinates are small integers: no rounding
    firn_mesh_destroy(&out);
    // nothing to do: not a byte changes
    out = turned(&good);
    assert_memory_equal(out.triangles, good.triangles, 24 * sizeof *good.triangles);
    firn_mesh_destroy(&out);
    firn_mesh_destroy(&good);
    firn_mesh_destroy(&bad);
}

// Each connected component by itself: one that is inside out as a whole (a cavity) stays.
static void components_are_judged_separately(void** state)
{
    (void)state;
    firn_mesh mesh = two_boxes();
    for (firn_local t = 12; t < 24; t++) flip(&mesh, t);
    flip(&mesh, 14);  // the right way round, alone
    firn_mesh out = turned(&mesh);
    firn_mesh_report report;
    assert_int_equal(firn_mesh_inspect(&out, &report, NULL), FIRN_OK);
    assert_true(firn_mesh_is_sound(&report));
    assert_near(report.volume, 0, 1e-6);  // 1 - 1, no rounding
    firn_mesh_destroy(&out);
    firn_mesh_destroy(&mesh);
}

// Separate vertices for each triangle, as in STL; larger triangles outvote smaller ones.
static void places_count_not_numbers(void** state)
{
    (void)state;
    firn_mesh box = {0}, soup = {0};
    add_box(&box, 0, 0, 0, 10, 10, 0.1);
    for (firn_local t = 0; t < 12; t++) {
        for (int k = 0; k < 3; k++)
            assert_true(firn_mesh_add_vertex(&soup, box.vertices[box.triangles[t][k]]));
        assert_true(firn_mesh_add_triangle(&soup, 3 * t, 3 * t + 1, 3 * t + 2));
    }
    for (firn_local t = 4; t < 12; t++) flip(&soup, t);  // all eight small ones
    firn_mesh out = turned(&soup);
    firn_mesh_report report;
    assert_int_equal(firn_mesh_inspect(&out, &report, NULL), FIRN_OK);
    assert_true(firn_mesh_is_sound(&report));
    assert_near(report.volume, 10, 1e-4);  // 0.1 m as a float is off by 1e-9, on 100 m^2
    firn_mesh_destroy(&out);
    firn_mesh_destroy(&soup);
    firn_mesh_destroy(&box);
}

// A Moebius strip has no inside; it must only not hang or crash. Nor must triangles without area.
static void what_cannot_be_turned(void** state)
{
    (void)state;
    firn_mesh strip = {0};
    const int n = 9;
    for (int i = 0; i < n; i++) {
        const double a = 2 * 3.14159265358979 * i / n, c = cos(a / 2), s = sin(a / 2);
        add_vertex(&strip, (1 + .2 * c) * cos(a), (1 + .2 * c) * sin(a), .2 * s);
        add_vertex(&strip, (1 - .2 * c) * cos(a), (1 - .2 * c) * sin(a), -.2 * s);
    }
    for (int i = 0; i + 1 < n; i++) add_quad(&strip, 2 * i, 2 * i + 1, 2 * i + 3, 2 * i + 2);
    add_quad(&strip, 2 * n - 2, 2 * n - 1, 0, 1);
    assert_true(firn_mesh_add_triangle(&strip, 3, 3, 3));
    assert_true(firn_mesh_add_triangle(&strip, 3, 3, 4));
    firn_mesh out = turned(&strip);
    firn_mesh_report report;
    assert_int_equal(firn_mesh_inspect(&out, &report, NULL), FIRN_OK);
    assert_at_most(report.flipped_edges, 2);
    firn_mesh_destroy(&out);
    firn_mesh_destroy(&strip);
}

static void out_of_memory(void** state)
{
    (void)state;
    firn_mesh mesh = two_boxes();
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1;; k++) {
        firn_mesh out = {0};
        firn_error error = {0};
        firn_memory_fail_at(k, false);
        const firn_result result = firn_mesh_make_winding_consistent(&mesh, &out, &error);
        firn_memory_fail_at(0, false);
        if (result != FIRN_OK) assert_int_equal(out.triangle_count, 0);
        firn_mesh_destroy(&out);
        assert_int_equal(firn_memory_read().bytes, before);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_contains(error.text, "24 triangles");
        failures++;
    }
    assert_greater(failures, 6);
    firn_mesh_destroy(&mesh);
}

int test_consistent_winding(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_are_turned_back),
        cmocka_unit_test(components_are_judged_separately),
        cmocka_unit_test(places_count_not_numbers),
        cmocka_unit_test(what_cannot_be_turned),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("consistent_winding", tests, NULL, NULL);
}
