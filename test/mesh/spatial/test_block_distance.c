// SPDX-License-Identifier: MIT
// Distances of blocks against the plain loop over all nodes and triangles: near a surface, far
// away, inside, on triangles, among more triangles than a list holds; and the distance of one
// prepared triangle against the other formula.
#include "mesh/spatial/block_distance.h"

#include "core/memory.h"
#include "geometry/mesh_solids.h"
#include "mesh/spatial/nearest_triangle.h"
#include "mesh/spatial/prepared_triangle.h"
#include "seed.h"

// Two formulas in double, of lengths of about 1 between corners that are floats (or doubles).
#define ROUNDING 1e-11

static double plain_distance(const firn_mesh* mesh, firn_vec3 x)
{
    double least = INFINITY;
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        const int32_t* c = mesh->triangles[t];
        const firn_vec3* v = mesh->vertices;
        const firn_nearest at = firn_nearest_on_triangle(x, v[c[0]], v[c[1]], v[c[2]]);
        least = fmin(least, sqrt(at.distance2));
    }
    return least;
}

static void to_doubles(firn_vec3 x, double out[3])
{
    out[0] = (double)x.x, out[1] = (double)x.y, out[2] = (double)x.z;
}

// Over the face, beyond edges and corners, and of triangles that are lines or points.
static void one_triangle(void** state)
{
    (void)state;
    any_source r = any_start(11);
    int over[3] = {0};  // a corner, an edge, the face is nearest
    for (int k = 0; k < 20000; k++) {
        firn_vec3 v[3] = {any_vec3(&r, 1), any_vec3(&r, 1), any_vec3(&r, 1)};
        if (k % 10 == 0) v[2] = v[1];
        if (k % 40 == 0) v[0] = v[1];
        const firn_vec3 x = any_vec3(&r, 2);
        const firn_nearest at = firn_nearest_on_triangle(x, v[0], v[1], v[2]);
        double corner[3][3], p[3], from[3];
        for (int i = 0; i < 3; i++) to_doubles(v[i], corner[i]);
        to_doubles(x, p);
        const firn_prepared_triangle t = firn_prepare_triangle(corner[0], corner[1], corner[2]);
        const double d2 = firn_prepared_distance2(&t, p, from);
        assert_near(sqrt(d2), sqrt(at.distance2), ROUNDING);
        for (int i = 0; i < 3; i++) {
            const double nearest = at.weight[0] * corner[0][i] + at.weight[1] * corner[1][i] +
                                   at.weight[2] * corner[2][i];
            // where it is nearest is as sharp as the root of the rounding
            assert_near(p[i] - from[i], nearest, 1e-5);
        }
        over[(at.weight[0] > 0) + (at.weight[1] > 0) + (at.weight[2] > 0) - 1]++;
    }
    for (int i = 0; i < 3; i++) assert_greater(over[i], 500);
}

static void place_block(firn_vec3 x[FIRN_BLOCK_NODES], firn_vec3 origin, double spacing)
{
    for (int n = 0; n < FIRN_BLOCK_NODES; n++)
        x[n] = firn_v3(origin.x + (firn_real)((n & 7) * spacing),
                       origin.y + (firn_real)((n >> 3 & 7) * spacing),
                       origin.z + (firn_real)((n >> 6) * spacing));
}

// Of `blocks` blocks about the mesh, every 37th node.
static void compare(const firn_mesh* mesh, double spacing, int blocks, uint64_t seed)
{
    firn_triangle_tree* tree = NULL;
    assert_int_equal(firn_triangle_tree_create(mesh, &tree, NULL), FIRN_OK);
    firn_prepared_triangle* triangles = firn_prepare_mesh(mesh);
    assert_non_null(triangles);
    any_source r = any_start(seed);
    for (int block = 0; block < blocks; block++) {
        firn_vec3 x[FIRN_BLOCK_NODES];
        double out[FIRN_BLOCK_NODES], near[FIRN_BLOCK_NODES];
        bool unlimited[FIRN_BLOCK_NODES];
        const firn_vec3 corner = mesh->vertices[7 * block % mesh->vertex_count];
        place_block(x, block % 3 == 0 ? corner : any_vec3(&r, 1.2), spacing);
        firn_block_search search = {
            .tree = tree, .triangles = triangles, .x = x, .spacing = spacing, .limit = INFINITY};
        firn_block_distance(&search, out);
        search.limit = any_between(&r, 0, 0.5);
        for (int n = 0; n < FIRN_BLOCK_NODES; n++) unlimited[n] = n % 71 == 0 && block % 2 == 0;
        search.unlimited = unlimited;
        firn_block_distance(&search, near);
        for (int n = block % 37; n < FIRN_BLOCK_NODES; n += 37)
            assert_near(out[n], plain_distance(mesh, x[n]), ROUNDING);
        for (int n = 0; n < FIRN_BLOCK_NODES; n++)
            if (out[n] <= search.limit || unlimited[n])
                assert_near(near[n], out[n], ROUNDING);
            else
                assert_true(near[n] > search.limit && near[n] <= out[n] + ROUNDING);
    }
    firn_triangle_tree_destroy(tree);
    firn_free(triangles);
}

static void as_the_plain_loop(void** state)
{
    (void)state;
    firn_mesh ball = mesh_ball(mesh_point(0, 0, 0), 1, 30, 15);
    compare(&ball, 0.03, 30, 12);
    firn_mesh box = mesh_cuboid(mesh_point(-0.5, -0.4, -0.3), mesh_point(0.5, 0.4, 0.3));
    compare(&box, 0.1, 30, 13);
    // more triangles than a list holds in most blocks
    firn_mesh fine = mesh_ball(mesh_point(0, 0, 0), 1, 80, 40);
    compare(&fine, 0.2, FIRN_TEST_SANITIZED ? 2 : 6, 14);
    firn_mesh_destroy(&ball);
    firn_mesh_destroy(&box);
    firn_mesh_destroy(&fine);
}

// Triangles of all sizes, flat ones among them.
static void a_soup(void** state)
{
    (void)state;
    any_source r = any_start(15);
    firn_mesh soup = {0};
    for (int t = 0; t < 200; t++) {
        const firn_vec3 at = any_vec3(&r, 1);
        const double size = t % 10 == 0 ? 1 : 0.05;
        for (int k = 0; k < 3; k++)
            assert_true(firn_mesh_add_vertex(&soup, firn_v3_add(at, any_vec3(&r, size))));
        assert_true(
            firn_mesh_add_triangle(&soup, 3 * t, 3 * t + 1, t % 7 == 0 ? 3 * t : 3 * t + 2));
    }
    compare(&soup, 0.04, 40, 16);
    firn_mesh_destroy(&soup);
}

int test_block_distance(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_triangle),
        cmocka_unit_test(as_the_plain_loop),
        cmocka_unit_test(a_soup),
    };
    return cmocka_run_group_tests_name("block_distance", tests, NULL, NULL);
}
