// SPDX-License-Identifier: MIT
// Bounds contain the shape, and for primitives touch it on all six sides.
#include "geometry/gallery.h"

// Tolerances: bounds are widened by roundings of float at coordinates of up to 3.

// Surface points of the gallery are found to 1e-14.
static bool contains(firn_box3 b, firn_vec3 x)
{
    const firn_real e = (firn_real)1e-13;
    return x.x >= b.low.x - e && x.y >= b.low.y - e && x.z >= b.low.z - e && x.x <= b.high.x + e &&
           x.y <= b.high.y + e && x.z <= b.high.z + e;
}

static void primitives_fit_tightly(void** state)
{
    (void)state;
    any_source r = any_start(31);
    for (int k = 0; k < GALLERY_COUNT; k++) {
        const specimen* s = &gallery()[k];
        firn_shapes shapes = {0};
        const firn_box3 b = firn_shape_bounds(&shapes, gallery_add(&shapes, s->node));
        double low[3] = {9, 9, 9}, high[3] = {-9, -9, -9};
        for (int q = 0; q < 40000; q++) {
            double x[3];
            gallery_surface_point(s, &r, x);
            assert_true(contains(b, gallery_vec3(x)));
            for (int i = 0; i < 3; i++) {
                low[i] = fmin(low[i], x[i]);
                high[i] = fmax(high[i], x[i]);
            }
        }
        // the cloud comes within 0.02 of every extreme point, corners included
        const double slack[6] = {low[0] - b.low.x,   low[1] - b.low.y,   low[2] - b.low.z,
                                 b.high.x - high[0], b.high.y - high[1], b.high.z - high[2]};
        for (int i = 0; i < 6; i++)
            if (!(slack[i] < 0.02)) fail_msg("%s: side %d is %g too far out", s->name, i, slack[i]);
        firn_shapes_destroy(&shapes);
    }
}

static firn_shape_node plane(double nx, double ny, double nz)
{
    return (firn_shape_node){.kind = FIRN_SHAPE_PLANE,
                             .p = {1, 2, 3, (firn_real)nx, (firn_real)ny, (firn_real)nz}};
}

static void planes_are_bounded_where_they_can(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_box3 b = firn_shape_bounds(&shapes, gallery_add(&shapes, plane(0, 5, 0)));
    assert_near(b.high.y, 2, 1e-5);
    assert_equal(b.low.y, -FIRN_REAL_MAX);
    assert_equal(b.low.x, -FIRN_REAL_MAX);
    assert_equal(b.high.x, FIRN_REAL_MAX);
    b = firn_shape_bounds(&shapes, gallery_add(&shapes, plane(0, 0, -1)));
    assert_near(b.low.z, 3, 1e-5);
    assert_equal(b.high.z, FIRN_REAL_MAX);
    b = firn_shape_bounds(&shapes, gallery_add(&shapes, plane(1, 1, 0)));
    assert_equal(b.high.x, FIRN_REAL_MAX);
    assert_equal(b.high.y, FIRN_REAL_MAX);
    // six planes make a box
    const double n[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    firn_local all = -1;
    for (int k = 0; k < 6; k++) {
        firn_shape_node node = plane(n[k][0], n[k][1], n[k][2]);
        if (k >= 3)
            for (int i = 0; i < 3; i++) node.p[i] -= 2;
        const firn_local side = gallery_add(&shapes, node);
        all = k == 0
                  ? side
                  : gallery_add(&shapes, (firn_shape_node){
                                             .kind = FIRN_SHAPE_INTERSECTION, .a = all, .b = side});
    }
    b = firn_shape_bounds(&shapes, all);
    assert_near(b.low.x, -1, 1e-5);
    assert_near(b.high.z, 3, 1e-5);
    firn_shapes_destroy(&shapes);
}

static void trees_are_contained(void** state)
{
    (void)state;
    any_source r = any_start(32);
    int inside = 0, empty = 0;
    for (int q = 0; q < 200; q++) {
        firn_shapes shapes = {0};
        firn_local shape = gallery_add(&shapes, gallery()[any_below(&r, GALLERY_COUNT)].node);
        for (int k = 0; k < 4; k++) {
            const firn_vec3 move = any_vec3(&r, 0.5);
            const firn_local other = gallery_add(
                &shapes,
                (firn_shape_node){
                    .kind = FIRN_SHAPE_TRANSFORM,
                    .a = gallery_add(&shapes, gallery()[any_below(&r, GALLERY_COUNT)].node),
                    .p = {move.x, move.y, move.z, (firn_real)any_between(&r, 0.3, 1.5)},
                    .q = firn_q_from_vector(any_vec3(&r, 2))});
            const int32_t kind = FIRN_SHAPE_UNION + any_below(&r, 3);
            shape =
                gallery_add(&shapes, (firn_shape_node){.kind = kind,
                                                       .a = shape,
                                                       .b = other,
                                                       .p = {(firn_real)any_between(&r, 0, 0.8)}});
        }
        const firn_box3 b = firn_shape_bounds(&shapes, shape);
        empty += b.low.x > b.high.x;
        for (int k = 0; k < 2000; k++) {
            const firn_vec3 x = any_vec3(&r, 2);
            if (firn_shape_distance(&shapes, shape, x) > 0) continue;
            inside++;
            assert_true(contains(b, x));
        }
        firn_shapes_destroy(&shapes);
    }
    print_message("%d points inside, %d trees empty\n", inside, empty);
    assert_greater(inside, 3000);
    assert_less(empty, 100);
}

static void nothing_in_common_is_empty(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local a =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, 1}});
    const firn_local b =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 5, 0, 1}});
    const firn_local none =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_INTERSECTION, .a = a, .b = b});
    firn_box3 box = firn_shape_bounds(&shapes, none);
    assert_greater(box.low.x, box.high.x);
    assert_greater(box.low.y, box.high.y);
    assert_greater(box.low.z, box.high.z);
    // emptiness survives a move and vanishes in a union
    const firn_local moved = gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_TRANSFORM,
                                                                    .a = none,
                                                                    .p = {1, 1, 1, 2},
                                                                    .q = {1, 1, 0, 0}});
    box = firn_shape_bounds(&shapes, moved);
    assert_greater(box.low.y, box.high.y);
    const firn_local both =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_UNION, .a = moved, .b = a});
    box = firn_shape_bounds(&shapes, both);
    assert_near(box.low.x, -1, 1e-5);
    assert_near(box.high.x, 1, 1e-5);
    firn_shapes_destroy(&shapes);
}

int test_bounds(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(primitives_fit_tightly),
                                       cmocka_unit_test(planes_are_bounded_where_they_can),
                                       cmocka_unit_test(trees_are_contained),
                                       cmocka_unit_test(nothing_in_common_is_empty)};
    return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
