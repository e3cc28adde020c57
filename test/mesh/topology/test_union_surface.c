// SPDX-License-Identifier: MIT
// The surface of solids that cut, hold or touch each other, against areas by formula.
#include "mesh/topology/union_surface.h"

#include "core/memory.h"
#include "geometry/mesh_solids.h"
#include "team_use.h"

#define FINEST 0.01

static firn_result surface_of(const firn_mesh* mesh, double sign, firn_mesh* out)
{
    firn_line_winding* w = NULL;
    firn_result result = firn_line_winding_create(mesh, &w, NULL);
    const firn_union_surface_args args = {
        .winding = w, .sign = sign, .finest = FINEST, .largest = 0.3};
    if (result == FIRN_OK) result = firn_union_surface(mesh, &args, out, NULL);
    firn_line_winding_destroy(w);
    return result;
}

static double area_of(const firn_mesh* mesh, double* out_longest)
{
    double area = 0;
    *out_longest = 0;
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        const firn_vec3 a = mesh->vertices[mesh->triangles[t][0]],
                        b = mesh->vertices[mesh->triangles[t][1]],
                        c = mesh->vertices[mesh->triangles[t][2]];
        area += (double)firn_v3_length(firn_v3_cross(firn_v3_sub(b, a), firn_v3_sub(c, a))) / 2;
        *out_longest = fmax(*out_longest, (double)firn_v3_length(firn_v3_sub(b, a)));
        *out_longest = fmax(*out_longest, (double)firn_v3_length(firn_v3_sub(c, b)));
        *out_longest = fmax(*out_longest, (double)firn_v3_length(firn_v3_sub(a, c)));
    }
    return area;
}

static void check_area(firn_mesh* mesh, const firn_mesh* other, double sign, double expected,
                       double tolerance)
{
    if (other != NULL) assert_true(firn_mesh_append(mesh, other));
    firn_mesh facets;
    double longest;
    assert_int_equal(surface_of(mesh, sign, &facets), FIRN_OK);
    const double area = area_of(&facets, &longest);
    print_message("%d facets, area %g, expected %g\n", (int)facets.triangle_count, area, expected);
    assert_near(area, expected, tolerance);
    assert_at_most(longest, 0.3 * 1.000001);
    firn_mesh_destroy(&facets);
}

// A bar through a cube: both end where the other begins. Fragments along the cut have edges of at
// most FINEST, so that a strip of at most that width on each side of it is in doubt: 4 x 4 sides of
// 0.4 of the bar's and the cube's cuts, at both ends.
static void a_bar_through_a_cube(void** state)
{
    (void)state;
    const double cube = 6, bar = 2 * 0.4 * 0.4 + 4 * 0.4 * 2 - 4 * 0.4 * 1, holes = 2 * 0.4 * 0.4;
    const double in_doubt = 2 * 2 * 4 * 0.4 * FINEST;
    for (int turned = 0; turned < 2; turned++) {
        firn_mesh mesh = mesh_cuboid(mesh_point(-.5, -.5, -.5), mesh_point(.5, .5, .5));
        firn_mesh other = mesh_cuboid(mesh_point(-1, -.203, -.197), mesh_point(1, .197, .203));
        if (turned) {
            mesh_turn_all(&mesh);
            mesh_turn_all(&other);
        }
        check_area(&mesh, &other, turned ? -1 : 1, cube + bar - holes, in_doubt);
        firn_mesh_destroy(&mesh);
        firn_mesh_destroy(&other);
    }
}

// A solid inside another adds nothing; one that is inside out is a hollow.
static void one_in_another(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_cuboid(mesh_point(-.5, -.5, -.5), mesh_point(.5, .5, .5));
    firn_mesh other = mesh_cuboid(mesh_point(-.2, -.2, -.2), mesh_point(.3, .3, .3));
    check_area(&mesh, &other, 1, 6, 1e-5);
    mesh.triangle_count -= other.triangle_count;
    mesh_turn_all(&other);
    check_area(&mesh, &other, 1, 6 + 6 * 0.25, 1e-5);
    firn_mesh_destroy(&mesh);
    firn_mesh_destroy(&other);
}

// Cubes that share a face are one bar: the wall between them, there twice, is none.
static void side_by_side(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_cuboid(mesh_point(0, 0, 0), mesh_point(1, 1, 1));
    firn_mesh other = mesh_cuboid(mesh_point(1, 0, 0), mesh_point(2, 1, 1));
    check_area(&mesh, &other, 1, 10, 1e-5);
    firn_mesh_destroy(&mesh);
    firn_mesh_destroy(&other);
}

static void nothing_is_enclosed(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_cuboid(mesh_point(0, 0, 0), mesh_point(1, 1, 1));
    firn_mesh facets;
    assert_int_equal(surface_of(&mesh, -1, &facets), FIRN_OK);
    assert_int_equal(facets.triangle_count, 0);
    firn_mesh_destroy(&mesh);
}

static firn_mesh overlapping(void)
{
    firn_mesh mesh = mesh_ball(mesh_point(0, 0, 0), 0.5, 24, 12);
    firn_mesh other = mesh_ball(mesh_point(0.4, 0.05, 0.1), 0.4, 20, 10);
    assert_true(firn_mesh_append(&mesh, &other));
    firn_mesh_destroy(&other);
    return mesh;
}

static void threads_do_not_show(void** state)
{
    (void)state;
    firn_mesh mesh = overlapping();
    uint64_t first = 0;
    for (int threads = 1; threads <= 3; threads++) {
        firn_mesh facets;
        use_team(threads);
        assert_int_equal(surface_of(&mesh, 1, &facets), FIRN_OK);
        const uint64_t hash = firn_mesh_hash(&facets);
        if (threads == 1) first = hash;
        assert_equal(hash, first);
        firn_mesh_destroy(&facets);
    }
    use_team(0);
    firn_mesh_destroy(&mesh);
}

static void memory_runs_out(void** state)
{
    (void)state;
    firn_mesh mesh = overlapping();
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1;; k += 1 + k / 8, failures++) {
        firn_mesh facets = {0};
        firn_memory_fail_at(k, false);
        const firn_result result = surface_of(&mesh, 1, &facets);
        firn_memory_fail_at(0, false);
        firn_mesh_destroy(&facets);
        assert_int_equal(firn_memory_read().bytes, before);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
    }
    assert_at_least(failures, 10);
    firn_mesh_destroy(&mesh);
}

int test_union_surface(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_through_a_cube), cmocka_unit_test(one_in_another),
        cmocka_unit_test(side_by_side),         cmocka_unit_test(nothing_is_enclosed),
        cmocka_unit_test(threads_do_not_show),  cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("union_surface", tests, NULL, NULL);
}
