// SPDX-License-Identifier: MIT
// Triangles of shapes that have a formula: closed, turned outwards, on the surface, of its volume.
#include "geometry/sdf/solid_mesh.h"

#include "firn_test.h"
#include "geometry/closed_mesh.h"
#include "geometry/gallery.h"

static void solids(void** state)
{
    (void)state;
    const specimen* g = gallery();
    for (int k = 0; k < GALLERY_COUNT; k++) {
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, g[k].node);
        const firn_shape_node* node = &shapes.nodes[shape];
        firn_mesh mesh = {0};
        assert_true(firn_solid_has_mesh(node));
        assert_true(firn_solid_add_mesh(&shapes, node, &mesh));
        if (closed_mesh_open_sides(&mesh) != 0) fail_msg("%s is open", g[k].name);
        for (firn_local v = 0; v < mesh.vertex_count; v++) {
            const double off = fabs((double)firn_shape_distance(&shapes, shape, mesh.vertices[v]));
            if (!(off < 2e-6)) fail_msg("%s: a vertex is %g m off", g[k].name, off);
        }
        // a polygon of 96 sides has 0.07 % less than its circle; arcs of 12 to a quarter 0.3 %
        const double volume = firn_mesh_volume(&mesh);
        const bool flat = g[k].node.kind == FIRN_SHAPE_WEDGE ||
                          (g[k].node.kind == FIRN_SHAPE_BOX && g[k].node.p[6] == 0);
        if (!(fabs(volume / g[k].volume - 1) < (flat ? 1e-5 : 0.004)))
            fail_msg("%s: %g m^3 instead of %g", g[k].name, volume, g[k].volume);
        if (flat) assert_at_most(mesh.triangle_count, 12);
        firn_mesh_destroy(&mesh);
        firn_shapes_destroy(&shapes);
    }
}

// Rounded until nothing flat is left: no triangle without area, nothing missing.
static void all_round(void** state)
{
    (void)state;
    const firn_shape_node nodes[] = {
        {.kind = FIRN_SHAPE_BOX, .a = -1, .b = -1, .p = {0, 0, 0, 1, 1, 1, 1}, .q = {1, 0, 0, 0}},
        {.kind = FIRN_SHAPE_CYLINDER, .a = -1, .b = -1, .p = {0, 0, 0, 0, 2, 0, 1, 1}}};
    for (int k = 0; k < 2; k++) {
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, nodes[k]);
        firn_mesh mesh = {0};
        assert_true(firn_solid_add_mesh(&shapes, &shapes.nodes[shape], &mesh));
        assert_int_equal(closed_mesh_open_sides(&mesh), 0);
        assert_near(firn_mesh_volume(&mesh) / (4 * PI / 3), 1, 0.01);
        firn_mesh_destroy(&mesh);
        firn_shapes_destroy(&shapes);
    }
}

static void grounds(void** state)
{
    (void)state;
    // octaves ask for more values than a mesh has
    for (int octaves = 1; octaves <= 8; octaves += 7) {
        firn_shapes shapes = {0};
        firn_local shape;
        firn_error error = {0};
        assert_int_equal(firn_shapes_add_noise_field(&shapes, firn_v3(-1, 2, 0), firn_v3(4, 1, 6),
                                                     1, octaves, 7, &shape, &error),
                         FIRN_OK);
        assert_int_equal(firn_shapes_set_depth(&shapes, shape, (firn_real)0.5, &error), FIRN_OK);
        firn_mesh mesh = {0};
        assert_true(firn_solid_add_mesh(&shapes, &shapes.nodes[shape], &mesh));
        assert_int_equal(closed_mesh_open_sides(&mesh), 0);
        assert_less(mesh.vertex_count, 514 * 514 + 4 * 514);
        const firn_box3 box = firn_mesh_bounds(&mesh);
        assert_equal(box.low.x, -1);
        assert_equal(box.high.x, 3);
        assert_equal(box.high.z, 6);
        assert_equal(box.low.y, (firn_real)1.5);
        const double volume = firn_mesh_volume(&mesh);
        const double sampled = firn_shape_volume(&shapes, shape, 100000);
        if (!(fabs(volume / sampled - 1) < 0.01)) fail_msg("%g m^3, not %g", volume, sampled);
        firn_mesh_destroy(&mesh);
        firn_shapes_destroy(&shapes);
    }
}

static void memory_runs_out(void** state)
{
    (void)state;
    const specimen* g = gallery();
    const uint64_t in_use = firn_memory_read().bytes;
    for (int k = 0; k < GALLERY_COUNT; k++) {
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, g[k].node);
        for (uint64_t at = 1; at < 4; at++) {
            firn_mesh mesh = {0};
            firn_memory_fail_at(at, true);
            const bool done = firn_solid_add_mesh(&shapes, &shapes.nodes[shape], &mesh);
            firn_memory_fail_at(0, false);
            if (at < 3) assert_false(done);
            firn_mesh_destroy(&mesh);
        }
        firn_shapes_destroy(&shapes);
    }
    assert_int_equal(firn_memory_read().bytes, in_use);
}

int test_solid_mesh(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solids),
        cmocka_unit_test(all_round),
        cmocka_unit_test(grounds),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
