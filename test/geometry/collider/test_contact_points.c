// SPDX-License-Identifier: MIT
// Contact points lie on the surface, cover it, and a box has its corners among them.
#include "geometry/collider/contact_points.h"

#include "core/memory.h"
#include "geometry/gallery.h"

static double gap_to(const firn_vec3* points, firn_local count, firn_vec3 x)
{
    double gap = INFINITY;
    for (firn_local k = 0; k < count; k++)
        gap = fmin(gap, (double)firn_v3_length(firn_v3_sub(points[k], x)));
    return gap;
}

static void corners_of_a_box(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const double h[3] = {0.5, 0.1, 0.3};
    const firn_local box = gallery_add(
        &shapes,
        (firn_shape_node){.kind = FIRN_SHAPE_BOX,
                          .p = {2, 0, 0, (firn_real)h[0], (firn_real)h[1], (firn_real)h[2], 0},
                          .q = {1, 0, 0, 0}});
    firn_vec3 points[FIRN_CONTACT_POINTS_MAX];
    firn_local count = 0;
    assert_int_equal(firn_shape_contact_points(&shapes, box, points, &count), FIRN_OK);
    assert_int_equal(count, FIRN_CONTACT_POINTS_MAX);
    for (int k = 0; k < 8; k++) {
        const firn_vec3 corner = {(firn_real)(2 + (k & 1 ? h[0] : -h[0])),
                                  (firn_real)(k & 2 ? h[1] : -h[1]),
                                  (firn_real)(k & 4 ? h[2] : -h[2])};
        assert_less(gap_to(points, count, corner), 1e-4);  // walked onto it, in float
    }
    // the middles of the large faces as well, to the distance of points there
    assert_less(gap_to(points, count, firn_v3(2, (firn_real)h[1], 0)), 0.25);
    assert_less(gap_to(points, count, firn_v3(2, (firn_real)-h[1], 0)), 0.25);
    firn_shapes_destroy(&shapes);
}

static void every_shape_is_covered(void** state)
{
    (void)state;
    any_source r = any_start(4711);
    for (int k = 0; k < GALLERY_COUNT; k++) {
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, gallery()[k].node);
        firn_vec3 points[FIRN_CONTACT_POINTS_MAX], again[FIRN_CONTACT_POINTS_MAX];
        firn_local count = 0, twice = 0;
        assert_int_equal(firn_shape_contact_points(&shapes, shape, points, &count), FIRN_OK);
        assert_int_equal(firn_shape_contact_points(&shapes, shape, again, &twice), FIRN_OK);
        assert_int_equal(count, twice);
        assert_memory_equal(points, again, (size_t)count * sizeof *points);
        const firn_box3 b = firn_shape_bounds(&shapes, shape);
        const double size = (double)firn_v3_length(firn_v3_sub(b.high, b.low));
        assert_greater(count, 20);
        assert_at_most(count, FIRN_CONTACT_POINTS_MAX);
        for (firn_local p = 0; p < count; p++)
            // what the walk onto the surface may leave (contact_points.c)
            assert_near(firn_shape_distance(&shapes, shape, points[p]), 0, 1e-3 * size);
        double worst = 0;
        for (int q = 0; q < 2000; q++) {  // points near the surface
            const firn_vec3 x = {(firn_real)any_between(&r, (double)b.low.x, (double)b.high.x),
                                 (firn_real)any_between(&r, (double)b.low.y, (double)b.high.y),
                                 (firn_real)any_between(&r, (double)b.low.z, (double)b.high.z)};
            if (fabs((double)firn_shape_distance(&shapes, shape, x)) > 0.01 * size) continue;
            worst = fmax(worst, gap_to(points, count, x));
        }
        print_message("%-16s %2d points, nothing farther than %.3f of its size\n",
                      gallery()[k].name, (int)count, worst / size);
        assert_less(worst, 0.25 * size);
        firn_shapes_destroy(&shapes);
    }
}

static void refused(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local plane =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
    const firn_local ball =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, 1}});
    firn_vec3 points[FIRN_CONTACT_POINTS_MAX];
    firn_local count = -1;
    assert_int_equal(firn_shape_contact_points(&shapes, plane, points, &count),
                     FIRN_REFUSED_ARGUMENT);
    const uint64_t before = firn_memory_read().bytes;
    for (uint64_t k = 1; k <= 2; k++) {
        firn_memory_fail_at(k, false);
        assert_int_equal(firn_shape_contact_points(&shapes, ball, points, &count),
                         FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        assert_equal(firn_memory_read().bytes, before);
    }
    assert_int_equal(count, -1);
    firn_shapes_destroy(&shapes);
}

int test_contact_points(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(corners_of_a_box),
                                       cmocka_unit_test(every_shape_is_covered),
                                       cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("contact_points", tests, NULL, NULL);
}
