// SPDX-License-Identifier: MIT
// Closed forms against two other ways: the divergence theorem on their meshes, which knows nothing
// of level sets, and sums over cells of the same shape in disguise.
#include "geometry/collider/moments.h"

#include "geometry/collider/inertia.h"
#include "geometry/gallery.h"
#include "geometry/sdf/solid_mesh.h"

static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

// Of the tetrahedron of the origin and a triangle: volume V = det / 6, first V (a + b + c) / 4,
// second V / 20 (sum of all products of a vertex with a vertex or with the sum of them).
static firn_moments mesh_moments(const firn_mesh* mesh)
{
    firn_moments m = {0};
    for (firn_local k = 0; k < mesh->triangle_count; k++) {
        double x[3][3], sum[3];
        for (int v = 0; v < 3; v++) {
            const firn_vec3 p = mesh->vertices[mesh->triangles[k][v]];
            x[v][0] = (double)p.x;
            x[v][1] = (double)p.y;
            x[v][2] = (double)p.z;
        }
        const double volume = (x[0][0] * (x[1][1] * x[2][2] - x[1][2] * x[2][1]) -
                               x[0][1] * (x[1][0] * x[2][2] - x[1][2] * x[2][0]) +
                               x[0][2] * (x[1][0] * x[2][1] - x[1][1] * x[2][0])) /
                              6;
        for (int d = 0; d < 3; d++) {
            sum[d] = x[0][d] + x[1][d] + x[2][d];
            m.first[d] += volume * sum[d] / 4;
        }
        m.volume += volume;
        for (int p = 0; p < 6; p++) {
            const int i = pairs[p][0], j = pairs[p][1];
            double products = sum[i] * sum[j];
            for (int v = 0; v < 3; v++) products += x[v][i] * x[v][j];
            m.second[p] += volume * products / 20;
        }
    }
    return m;
}

// Largest difference of volumes, first and second moments, over those of a body of that size.
static double difference(const firn_moments* a, const firn_moments* b)
{
    double worst = fabs(a->volume / b->volume - 1);
    for (int d = 0; d < 3; d++) worst = fmax(worst, fabs(a->first[d] - b->first[d]) / b->volume);
    for (int k = 0; k < 6; k++) worst = fmax(worst, fabs(a->second[k] - b->second[k]) / b->volume);
    return worst;
}

// 96 sides for a circle: its area is 7e-4 less than it should be, twice that for second moments.
static void as_by_the_divergence_theorem(void** state)
{
    (void)state;
    int formulas = 0;
    for (int k = 0; k < GALLERY_COUNT; k++) {
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, gallery()[k].node);
        firn_moments exact;
        if (firn_shape_moments(&shapes, shape, &exact)) {
            firn_mesh mesh = {0};
            assert_true(firn_solid_add_mesh(&shapes, &shapes.nodes[shape], &mesh));
            const firn_moments other = mesh_moments(&mesh);
            const double off = difference(&other, &exact);
            print_message("%s: %.2e\n", gallery()[k].name, off);
            assert_near(exact.volume, gallery()[k].volume, 1e-5 * gallery()[k].volume);
            assert_less(off, 3e-3);
            firn_mesh_destroy(&mesh);
            formulas++;
        }
        firn_shapes_destroy(&shapes);
    }
    assert_equal(formulas, GALLERY_COUNT - 2);  // rounded edges have none
}

// Moved by transforms, and as an intersection with a ball around it, which has no formula.
static void as_by_cells(void** state)
{
    (void)state;
    for (int k = 0; k < GALLERY_COUNT; k++) {
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, gallery()[k].node);
        const firn_shape_node moved = {
            .kind = FIRN_SHAPE_TRANSFORM,
            .a = shape,
            .b = -1,
            .p = {1, (firn_real)-0.5, 2, (firn_real)1.5},
            .q = firn_q_from_vector(firn_v3((firn_real)0.3, 1, (firn_real)-0.2))};
        const firn_local a = gallery_add(&shapes, moved);
        const firn_local ball =
            gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, 30}});
        const firn_local b = gallery_add(
            &shapes, (firn_shape_node){.kind = FIRN_SHAPE_INTERSECTION, .a = a, .b = ball});
        firn_rigid x = {0}, y = {0};
        assert_int_equal(firn_shape_inertia(&shapes, a, 3, &x), FIRN_OK);
        assert_int_equal(firn_shape_inertia(&shapes, b, 3, &y), FIRN_OK);
        const double off = (double)firn_m3_norm(firn_m3_sub(x.inertia, y.inertia)) /
                           (double)firn_m3_norm(x.inertia);
        print_message("%s: %.2e, centre %.2e m\n", gallery()[k].name, off,
                      (double)firn_v3_length(firn_v3_sub(x.center, y.center)));
        assert_less(off, 1e-2);  // what inertia.h says
        assert_less(firn_v3_length(firn_v3_sub(x.center, y.center)), 5e-3);
        firn_shapes_destroy(&shapes);
    }
}

int test_moments(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_by_the_divergence_theorem),
                                       cmocka_unit_test(as_by_cells)};
    return cmocka_run_group_tests_name("moments", tests, NULL, NULL);
}
