// SPDX-License-Identifier: MIT
// Meshes: growing, copying, measuring, hashing, and what happens when memory is out.
#include "mesh/mesh.h"

#include <string.h>

#include "core/memory.h"
#include "solids.h"

static void a_box_is_measured(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    firn_box3 b = firn_mesh_bounds(&mesh);
    assert_greater(b.low.x, b.high.x);
    assert_greater(b.low.y, b.high.y);
    assert_greater(b.low.z, b.high.z);
    assert_equal(firn_mesh_volume(&mesh), 0);
    add_box(&mesh, -1, 2, 3, 1, 5, 7);
    assert_int_equal(mesh.vertex_count, 8);
    assert_int_equal(mesh.triangle_count, 12);
    b = firn_mesh_bounds(&mesh);
    assert_equal(b.low.x, -1);
    assert_equal(b.low.y, 2);
    assert_equal(b.low.z, 3);
    assert_equal(b.high.x, 1);
    assert_equal(b.high.y, 5);
    assert_equal(b.high.z, 7);
    assert_equal(firn_mesh_volume(&mesh), 24);  // small whole numbers: no rounding
    for (firn_local k = 0; k < 12; k++) flip(&mesh, k);
    assert_equal(firn_mesh_volume(&mesh), -24);
    firn_mesh_destroy(&mesh);
    assert_null(mesh.vertices);
    assert_int_equal(mesh.triangle_capacity, 0);
}

// 4096 m from the origin a cube of 1/16 m still has its volume, whole in binary.
static void far_from_the_origin(void** state)
{
    (void)state;
    firn_mesh mesh = {0};
    add_box(&mesh, 4096, -4096, 4096, 4096.0625, -4095.9375, 4096.0625);
    assert_equal(firn_mesh_volume(&mesh), 1.0 / 4096);
    firn_mesh_destroy(&mesh);
}

static void copies_and_appends(void** state)
{
    (void)state;
    firn_mesh mesh = {0}, copy;
    add_box(&mesh, 0, 0, 0, 1, 1, 1);
    assert_int_equal(firn_mesh_copy(&mesh, &copy), FIRN_OK);
    assert_not_equal(copy.vertices, mesh.vertices);
    assert_equal(firn_mesh_hash(&copy), firn_mesh_hash(&mesh));
    assert_true(firn_mesh_append(&mesh, &copy));
    assert_int_equal(mesh.vertex_count, 16);
    assert_int_equal(mesh.triangle_count, 24);
    assert_int_equal(mesh.triangles[12][1], mesh.triangles[0][1] + 8);
    assert_true(firn_mesh_append(&mesh, &mesh));  // itself, while its arrays move
    assert_int_equal(mesh.vertex_count, 32);
    assert_int_equal(mesh.triangles[47][2], mesh.triangles[11][2] + 24);
    assert_equal(firn_mesh_volume(&mesh), 4);
    firn_mesh none = {0};
    assert_true(firn_mesh_append(&mesh, &none));
    assert_int_equal(mesh.vertex_count, 32);
    firn_mesh_destroy(&mesh);
    firn_mesh_destroy(&copy);
    assert_int_equal(firn_mesh_copy(&none, &copy), FIRN_OK);
    assert_int_equal(copy.vertex_count, 0);
    firn_mesh_destroy(&copy);
}

static void hashes_see_everything(void** state)
{
    (void)state;
    firn_mesh a = {0}, b = {0};
    add_box(&a, 0, 0, 0, 1, 1, 1);
    add_box(&b, 0, 0, 0, 1, 1, 1);
    assert_equal(firn_mesh_hash(&a), firn_mesh_hash(&b));
    flip(&b, 11);
    assert_not_equal(firn_mesh_hash(&a), firn_mesh_hash(&b));
    flip(&b, 11);
    b.vertices[7].z += 1;
    assert_not_equal(firn_mesh_hash(&a), firn_mesh_hash(&b));
    b.vertices[7].z -= 1;
    assert_equal(firn_mesh_hash(&a), firn_mesh_hash(&b));
    b.triangle_count--;
    assert_not_equal(firn_mesh_hash(&a), firn_mesh_hash(&b));
    firn_mesh_destroy(&a);
    firn_mesh_destroy(&b);
}

static void counts_have_limits(void** state)
{
    (void)state;
    // nothing of that size is allocated: only the counts are checked
    firn_mesh full = {.vertex_count = FIRN_MESH_COUNT_MAX, .vertex_capacity = FIRN_MESH_COUNT_MAX};
    firn_error error = {0};
    assert_false(firn_mesh_add_vertex(&full, firn_v3(0, 0, 0)));
    assert_int_equal(full.vertex_count, FIRN_MESH_COUNT_MAX);
    assert_int_equal(firn_mesh_cannot_grow(&full, "wall.obj", &error), FIRN_REFUSED_SCENE);
    assert_contains(error.text, "wall.obj: more than 268435456");
    firn_mesh other = {.triangle_count = FIRN_MESH_COUNT_MAX,
                       .triangle_capacity = FIRN_MESH_COUNT_MAX};
    assert_false(firn_mesh_add_triangle(&other, 0, 1, 2));
    assert_int_equal(firn_mesh_cannot_grow(&other, "wall.obj", NULL), FIRN_REFUSED_SCENE);
    firn_mesh small = {0};
    add_box(&small, 0, 0, 0, 1, 1, 1);
    assert_false(firn_mesh_append(&small, &full));
    assert_int_equal(small.vertex_count, 8);
    assert_int_equal(firn_mesh_cannot_grow(&small, "wall.obj", &error), FIRN_BROKEN_MEMORY);
    assert_string_equal(error.text,
                        "wall.obj: no memory for more than 8 vertices and 12 triangles");
    firn_mesh_destroy(&small);
}

static void memory_may_run_out(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    firn_mesh mesh = {0}, copy;
    firn_memory_fail_at(1, false);
    assert_false(firn_mesh_add_vertex(&mesh, firn_v3(0, 0, 0)));
    assert_int_equal(mesh.vertex_count, 0);
    firn_memory_fail_at(1, false);
    assert_false(firn_mesh_add_triangle(&mesh, 0, 0, 0));
    add_box(&mesh, 0, 0, 0, 1, 1, 1);
    for (uint64_t k = 1; k <= 2; k++) {
        memset(&copy, 0x55, sizeof copy);
        firn_memory_fail_at(k, false);
        assert_int_equal(firn_mesh_copy(&mesh, &copy), FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        assert_null(copy.vertices);
        assert_int_equal(copy.triangle_count, 0);
    }
    firn_mesh_destroy(&mesh);
    assert_equal(firn_memory_read().bytes, before);
}

int test_mesh(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_measured),  cmocka_unit_test(far_from_the_origin),
        cmocka_unit_test(copies_and_appends), cmocka_unit_test(hashes_see_everything),
        cmocka_unit_test(counts_have_limits), cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests_name("mesh", tests, NULL, NULL);
}
