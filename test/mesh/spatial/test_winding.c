// SPDX-License-Identifier: MIT
// Winding numbers against closed forms and against the plain sum over all triangles; distances
// against the nearest of all triangles.
#include "mesh/spatial/winding.h"

#include <string.h>

#include "core/memory.h"
#include "geometry/mesh_solids.h"
#include "seed.h"

// Sums in double of up to 60 terms of about 1: some roundings of 1e-16 each, and cancellation.
#define DOUBLE_SUM 1e-12

static firn_winding* tree_of(const firn_mesh* mesh)
{
    firn_winding* w = NULL;
    assert_int_equal(firn_winding_create(mesh, &w, NULL), FIRN_OK);
    return w;
}

static void corner(const firn_mesh* mesh, firn_local t, int k, double out[3])
{
    const firn_vec3 v = mesh->vertices[mesh->triangles[t][k]];
    out[0] = (double)v.x, out[1] = (double)v.y, out[2] = (double)v.z;
}

// The solid angle as the excess of a spherical triangle's angles over pi, its sign from the volume:
// another formula than the one under test.
static double plain_angle(double x[3][3], const double p[3])
{
    double u[3][3];
    for (int k = 0; k < 3; k++) {
        double l = 0;
        for (int i = 0; i < 3; i++) u[k][i] = x[k][i] - p[i];
        for (int i = 0; i < 3; i++) l += u[k][i] * u[k][i];
        for (int i = 0; i < 3; i++) u[k][i] /= sqrt(l);
    }
    double excess = -3.14159265358979323846;
    for (int k = 0; k < 3; k++) {
        const double *a = u[k], *b = u[(k + 1) % 3], *c = u[(k + 2) % 3];
        double ab = 0, ac = 0, bc = 0;
        for (int i = 0; i < 3; i++) ab += a[i] * b[i], ac += a[i] * c[i], bc += b[i] * c[i];
        const double cosine = (bc - ab * ac) / sqrt((1 - ab * ab) * (1 - ac * ac));
        excess += acos(fmax(-1, fmin(1, cosine)));
    }
    const double det = u[0][0] * (u[1][1] * u[2][2] - u[1][2] * u[2][1]) +
                       u[0][1] * (u[1][2] * u[2][0] - u[1][0] * u[2][2]) +
                       u[0][2] * (u[1][0] * u[2][1] - u[1][1] * u[2][0]);
    return det < 0 ? -excess : excess;
}

static double plain_number(const firn_mesh* mesh, const double p[3])
{
    double sum = 0;
    for (firn_local t = 0; t < mesh->triangle_count; t++) {
        double x[3][3];
        for (int k = 0; k < 3; k++) corner(mesh, t, k, x[k]);
        sum += plain_angle(x, p);
    }
    return sum / (4 * 3.14159265358979323846);
}

static void closed_forms(void** state)
{
    (void)state;
    firn_mesh octant = {0};
    for (int i = 0; i < 3; i++)
        assert_true(firn_mesh_add_vertex(&octant, mesh_point(i == 0, i == 1, i == 2)));
    assert_true(firn_mesh_add_triangle(&octant, 0, 1, 2));
    firn_winding* w = tree_of(&octant);
    assert_near(firn_winding_number(w, (const double[3]){0, 0, 0}), 0.125, 1e-14);  // one triangle
    // distances are used in single precision
    assert_near(firn_winding_distance(w, (const double[3]){0, 0, 0}, 9), sqrt(1. / 3), 1e-7);
    assert_equal(firn_winding_distance(w, (const double[3]){0, 0, 0}, 0.25), 0.25);
    firn_winding_destroy(w);
    firn_mesh_destroy(&octant);

    firn_mesh box = mesh_cuboid(mesh_point(-1, -1, -1), mesh_point(1, 1, 1));
    w = tree_of(&box);
    assert_near(firn_winding_number(w, (const double[3]){.9, .3, -.7}), 1, DOUBLE_SUM);
    assert_near(firn_winding_number(w, (const double[3]){1.1, .3, -.7}), 0, DOUBLE_SUM);
    // Far away the box is one branch. The expansion leaves out terms of the order of
    // area / (4 pi r^2) (radius / r)^3 = 2e-9.
    assert_near(firn_winding_number(w, (const double[3]){90, 0, 0}), 0, 1e-6);
    firn_winding_destroy(w);
    box.triangle_count -= 2;  // one face open: a sixth is missing at the centre
    w = tree_of(&box);
    assert_near(firn_winding_number(w, (const double[3]){0, 0, 0}), 5. / 6, DOUBLE_SUM);
    // in the middle of the hole exactly half is left
    assert_near(firn_winding_number(w, (const double[3]){1, 0, 0}), 0.5, DOUBLE_SUM);
    firn_winding_destroy(w);
    firn_winding_destroy(NULL);
    firn_mesh_destroy(&box);
}

static void the_tree_agrees_with_the_plain_sum(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_ball(mesh_point(.1, .2, .3), 0.7, 40, 24);
    firn_mesh other = mesh_ball(mesh_point(.6, .3, .1), 0.4, 17, 11);
    assert_true(firn_mesh_append(&mesh, &other));
    // holes, a flat triangle, and one that is inside out
    mesh.triangle_count -= 40;
    mesh.triangles[100][1] = mesh.triangles[100][0];
    mesh_turn(&mesh, 7);
    firn_winding* w = tree_of(&mesh);
    mesh.triangles[100][1] = mesh.triangles[100][2];  // no area either, and a corner less to divide
    any_source r = any_start(1);
    double worst = 0;
    for (int k = 0; k < (FIRN_TEST_SANITIZED ? 300 : 3000); k++) {
        const double reach = k % 2 ? 1.2 : 6;
        const double p[3] = {any_between(&r, -reach, reach), any_between(&r, -reach, reach),
                             any_between(&r, -reach, reach)};
        double sum = 0;
        for (firn_local t = 0; t < mesh.triangle_count; t++) {
            double x[3][3];
            if (t == 100) continue;
            for (int i = 0; i < 3; i++) corner(&mesh, t, i, x[i]);
            sum += plain_angle(x, p);
        }
        worst = fmax(worst, fabs(firn_winding_number(w, p) - sum / (4 * 3.14159265358979323846)));
    }
    print_message("largest difference %g\n", worst);
    assert_less(worst, 0.005);    // as winding.h promises
    assert_greater(worst, 1e-9);  // else no branch was ever expanded
    const double inside[3] = {.1, .3, .2};
    // inside a closed surface: 1; with holes in the other ball a little less
    assert_greater(plain_number(&other, (const double[3]){.6, .3, .1}), 0.99);
    assert_greater(firn_winding_number(w, inside), 0.9);
    firn_winding_destroy(w);
    firn_mesh_destroy(&mesh);
    firn_mesh_destroy(&other);
}

// Distance to a lattice of points on a triangle: at least the distance to the triangle, and at most
// the lattice spacing more.
static double sampled_distance(const firn_mesh* mesh, firn_local t, const double p[3], int steps)
{
    double x[3][3], best = INFINITY;
    for (int k = 0; k < 3; k++) corner(mesh, t, k, x[k]);
    for (int i = 0; i <= steps; i++)
        for (int j = 0; i + j <= steps; j++) {
            double d2 = 0;
            for (int a = 0; a < 3; a++) {
                const double at =
                    x[0][a] + (x[1][a] - x[0][a]) * i / steps + (x[2][a] - x[0][a]) * j / steps;
                d2 += (at - p[a]) * (at - p[a]);
            }
            best = fmin(best, sqrt(d2));
        }
    return best;
}

static void distances_to_the_nearest_triangle(void** state)
{
    (void)state;
    any_source r = any_start(2);
    firn_mesh soup = {0};
    for (int t = 0; t < 60; t++) {
        const firn_vec3 at = any_vec3(&r, 1);
        for (int k = 0; k < 3; k++)
            assert_true(firn_mesh_add_vertex(&soup, firn_v3_add(at, any_vec3(&r, 0.1))));
        assert_true(firn_mesh_add_triangle(&soup, 3 * t, 3 * t + 1, 3 * t + 2));
    }
    for (int i = 0; i < 3; i++) soup.triangles[5][i] = soup.triangles[5][0];  // a point
    firn_winding* w = tree_of(&soup);
    for (int k = 0; k < 300; k++) {
        const double p[3] = {any_between(&r, -1.5, 1.5), any_between(&r, -1.5, 1.5),
                             any_between(&r, -1.5, 1.5)};
        double best = INFINITY;
        for (firn_local t = 0; t < soup.triangle_count; t++)
            best = fmin(best, sampled_distance(&soup, t, p, 40));
        const double found = firn_winding_distance(w, p, 100);
        // Vertices are within 0.1 of `at` on each axis: no edge is longer than 0.2 sqrt(3) = 0.35.
        assert_at_most(found, best + DOUBLE_SUM);
        assert_greater(found, best - 0.35 / 40);
        assert_equal(firn_winding_distance(w, p, found / 2), found / 2);
    }
    firn_winding_destroy(w);
    firn_mesh_destroy(&soup);
}

static void out_of_memory(void** state)
{
    (void)state;
    firn_mesh mesh = mesh_ball(mesh_point(0, 0, 0), 1, 20, 10);
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1;; k++) {
        firn_winding* w = NULL;
        firn_error error = {0};
        firn_memory_fail_at(k, false);
        const firn_result result = firn_winding_create(&mesh, &w, &error);
        firn_memory_fail_at(0, false);
        firn_winding_destroy(w);
        assert_int_equal(firn_memory_read().bytes, before);
        if (result == FIRN_OK) break;
        assert_int_equal(result, FIRN_BROKEN_MEMORY);
        assert_contains(error.text, "triangles");
        failures++;
    }
    assert_at_least(failures, 4);
    firn_mesh_destroy(&mesh);
}

int test_winding(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(the_tree_agrees_with_the_plain_sum),
        cmocka_unit_test(distances_to_the_nearest_triangle),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("winding", tests, NULL, NULL);
}
