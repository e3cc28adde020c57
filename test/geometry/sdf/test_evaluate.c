// SPDX-License-Identifier: MIT
// Trees of shapes: booleans against the logic of their parts, transforms against moved points,
// blends against their formula, and the bound that everything else relies on.
#include "geometry/sdf/evaluate.h"

#include "geometry/gallery.h"

// Tolerances: normals are unit vectors to a dozen roundings of float (2e-6); see ROUNDING for
// distances.

#ifdef FIRN_DOUBLE
#define ROUNDING 1e-13
#else
#define ROUNDING 4e-6  // coordinates of 1.5, a handful of operations
#endif

// Every pair of specimens under one operation.
static firn_local pair(firn_shapes* shapes, int32_t kind, int a, int b, firn_real blend)
{
    const firn_local sa = gallery_add(shapes, gallery()[a].node);
    const firn_local sb = gallery_add(shapes, gallery()[b].node);
    return gallery_add(shapes, (firn_shape_node){.kind = kind, .a = sa, .b = sb, .p = {blend}});
}

static void booleans_follow_logic(void** state)
{
    (void)state;
    any_source r = any_start(21);
    for (int q = 0; q < 60; q++) {
        const int a = any_below(&r, GALLERY_COUNT), b = any_below(&r, GALLERY_COUNT);
        const int32_t kind = FIRN_SHAPE_UNION + any_below(&r, 3);
        firn_shapes shapes = {0};
        const firn_local shape = pair(&shapes, kind, a, b, 0);
        for (int k = 0; k < 500; k++) {
            const firn_vec3 v = any_vec3(&r, 1.5);
            const double x[3] = {(double)v.x, (double)v.y, (double)v.z};
            firn_vec3 n, n_a, n_b;
            const double phi = (double)firn_shape_sample(&shapes, shape, v, &n);
            firn_shape_sample(&shapes, 0, v, &n_a);
            firn_shape_sample(&shapes, 1, v, &n_b);
            if (kind == FIRN_SHAPE_DIFFERENCE) n_b = firn_v3_scale(n_b, -1);
            assert_equal(fmin((double)firn_v3_length(firn_v3_sub(n, n_a)),
                              (double)firn_v3_length(firn_v3_sub(n, n_b))),
                         0);
            if (fabs(phi) < 1e-5) continue;
            const bool in_a = gallery()[a].inside(&gallery()[a].node, x);
            const bool in_b = gallery()[b].inside(&gallery()[b].node, x);
            const bool inside = kind == FIRN_SHAPE_UNION          ? in_a || in_b
                                : kind == FIRN_SHAPE_INTERSECTION ? in_a && in_b
                                                                  : in_a && !in_b;
            assert_int_equal(phi < 0, inside);
        }
        firn_shapes_destroy(&shapes);
    }
}

static void transform_moves_the_shape(void** state)
{
    (void)state;
    any_source r = any_start(22);
    for (int q = 0; q < 50; q++) {
        const specimen* s = &gallery()[any_below(&r, GALLERY_COUNT)];
        const double scale = any_between(&r, 0.2, 5);
        const firn_vec3 move = any_vec3(&r, 2);
        const firn_quat turn = firn_q_from_vector(any_vec3(&r, 3));
        firn_shapes shapes = {0};
        const firn_local child = gallery_add(&shapes, s->node);
        const firn_local shape =
            gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_TRANSFORM,
                                                   .a = child,
                                                   .p = {move.x, move.y, move.z, (firn_real)scale},
                                                   .q = turn});
        const firn_mat3 Q = firn_q_to_m3(turn);
        for (int k = 0; k < 200; k++) {
            const firn_vec3 body = any_vec3(&r, 1.5);
            const firn_vec3 x = firn_v3_madd(move, (firn_real)scale, firn_m3_mul_v3(Q, body));
            firn_vec3 n, n_body;
            const double phi = (double)firn_shape_sample(&shapes, shape, x, &n);
            const double phi_body = (double)firn_shape_sample(&shapes, child, body, &n_body);
            assert_near(phi, scale * phi_body, 10 * scale * ROUNDING);
            assert_near(firn_v3_length(n), 1, 2e-6);
            // the nearest surface may flip by rounding where two are equally near
            const double off = (double)firn_v3_length(firn_v3_sub(n, firn_m3_mul_v3(Q, n_body)));
            assert_true(off < 1e-3 || fabs(phi_body) > 0.02);
        }
        firn_shapes_destroy(&shapes);
    }
}

static void blend_is_its_formula(void** state)
{
    (void)state;
    any_source r = any_start(23);
    const double k = 0.3;
    firn_shapes shapes = {0};
    const firn_local shape = pair(&shapes, FIRN_SHAPE_UNION, 0, 5, (firn_real)k);
    const firn_local sharp =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_UNION, .a = 0, .b = 1});
    int blended = 0;
    for (int q = 0; q < 20000; q++) {
        const firn_vec3 x = any_vec3(&r, 1.5);
        const double a = (double)firn_shape_distance(&shapes, 0, x);
        const double b = (double)firn_shape_distance(&shapes, 1, x);
        firn_vec3 n;
        const double phi = (double)firn_shape_sample(&shapes, shape, x, &n);
        const double gap = fmax(k - fabs(a - b), 0);
        assert_near(phi, fmin(a, b) - gap * gap / (4 * k), ROUNDING);
        assert_near(firn_v3_length(n), 1, 2e-6);
        if (gap == 0)
            assert_equal((firn_real)phi, firn_shape_distance(&shapes, sharp, x));
        else
            blended++;
    }
    assert_greater(blended, 1000);
    firn_shapes_destroy(&shapes);
}

// A tree with everything in it.
static firn_local thicket(firn_shapes* shapes)
{
    const firn_local a = pair(shapes, FIRN_SHAPE_UNION, 0, 2, (firn_real)0.2);
    const firn_local b = pair(shapes, FIRN_SHAPE_INTERSECTION, 4, 10, 0);
    const firn_local c = gallery_add(shapes, (firn_shape_node){.kind = FIRN_SHAPE_TRANSFORM,
                                                               .a = b,
                                                               .p = {(firn_real)0.4, 0, 0, 1},
                                                               .q = {1, 1, 0, 0}});
    const firn_local d =
        gallery_add(shapes, (firn_shape_node){.kind = FIRN_SHAPE_DIFFERENCE, .a = a, .b = c});
    return gallery_add(
        shapes, (firn_shape_node){.kind = FIRN_SHAPE_UNION, .a = d, .b = b, .p = {(firn_real)0.1}});
}

// |phi(x) - phi(y)| <= |x - y|: what filling and stepping through space rely on.
static void phi_never_changes_faster_than_distance(void** state)
{
    (void)state;
    any_source r = any_start(24);
    firn_shapes shapes = {0};
    const firn_local shape = thicket(&shapes);
    for (int q = 0; q < 50000; q++) {
        const firn_vec3 x = any_vec3(&r, 1.5);
        const firn_vec3 y = firn_v3_add(x, any_vec3(&r, q % 2 ? 0.05 : 1));
        const double change = fabs((double)firn_shape_distance(&shapes, shape, x) -
                                   (double)firn_shape_distance(&shapes, shape, y));
        assert_at_most(change, (double)firn_v3_length(firn_v3_sub(x, y)) + ROUNDING);
    }
    firn_shapes_destroy(&shapes);
}

// A chain of transforms as deep as allowed: the stack holds it, and each moves by its share.
static void deepest_tree(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_local shape =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, 1}});
    for (int k = 1; k < FIRN_SHAPE_DEPTH_MAX; k++)
        shape = gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_TRANSFORM,
                                                       .a = shape,
                                                       .p = {1, 0, 0, 1},
                                                       .q = {1, 0, 0, 0}});
    firn_vec3 n;
    assert_equal(firn_shape_sample(&shapes, shape, firn_v3(31, 3, 0), &n), 2);
    assert_equal(n.y, 1);
    const firn_shape_node more = {
        .kind = FIRN_SHAPE_TRANSFORM, .a = shape, .p = {1, 0, 0, 1}, .q = {1, 0, 0, 0}};
    firn_error error;
    const firn_local count = shapes.node_count;
    assert_int_equal(firn_shapes_add(&shapes, &more, &shape, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "32 deep");
    assert_int_equal(shapes.node_count, count);
    firn_shapes_destroy(&shapes);
}

// A shape united with itself again and again doubles what an evaluation visits.
static void widest_tree(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_local shape =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, 1}});
    firn_result result = FIRN_OK;
    firn_error error = {0};
    int doublings = 0;
    while (result == FIRN_OK) {
        const firn_shape_node twice = {.kind = FIRN_SHAPE_INTERSECTION, .a = shape, .b = shape};
        result = firn_shapes_add(&shapes, &twice, &shape, &error);
        doublings += result == FIRN_OK;
    }
    assert_int_equal(doublings, 15);  // 2^16 - 1 nodes
    assert_contains(error.text, "65536");
    assert_equal(firn_shape_distance(&shapes, shape, firn_v3(0, 3, 0)), 2);
    firn_shapes_destroy(&shapes);
}

int test_evaluate(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(booleans_follow_logic),
                                       cmocka_unit_test(transform_moves_the_shape),
                                       cmocka_unit_test(blend_is_its_formula),
                                       cmocka_unit_test(phi_never_changes_faster_than_distance),
                                       cmocka_unit_test(deepest_tree),
                                       cmocka_unit_test(widest_tree)};
    return cmocka_run_group_tests_name("evaluate", tests, NULL, NULL);
}
