// SPDX-License-Identifier: MIT
// Centre of mass and inertia, against the formulas of mechanics. Simple solids have them by formula
// (test_moments.c); all others by sampling, as these do inside a ball that does not change them.
#include "geometry/collider/inertia.h"

#include "geometry/gallery.h"

static firn_rigid weigh(firn_shape_node node, double mass)
{
    firn_shapes shapes = {0};
    const firn_local bare = gallery_add(&shapes, node);
    const firn_local ball =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, 30}});
    const firn_local shape = gallery_add(
        &shapes, (firn_shape_node){.kind = FIRN_SHAPE_INTERSECTION, .a = bare, .b = ball});
    firn_rigid body = {0};
    assert_int_equal(firn_shape_inertia(&shapes, shape, (firn_real)mass, &body), FIRN_OK);
    assert_equal(body.mass, (firn_real)mass);
    firn_shapes_destroy(&shapes);
    return body;
}

// Moments within `share` of the largest expected one; off-diagonal ones are 0.
static void expect_moments(const firn_rigid* b, const double I[3], double share)
{
    const double most = fmax(I[0], fmax(I[1], I[2]));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const double want = i == j ? I[i] : 0, got = (double)b->inertia.m[i][j];
            if (!(fabs(got - want) < share * most))
                fail_msg("I[%d][%d] = %.6g, must be %.6g", i, j, got, want);
        }
}

static void expect_center(const firn_rigid* b, double x, double y, double z, double within)
{
    assert_near(b->center.x, x, within);
    assert_near(b->center.y, y, within);
    assert_near(b->center.z, z, within);
}

static void boxes(void** state)
{
    (void)state;
    // m/3 of the squares of half sizes; faces along the axes are exact
    const double m = 5, a = 0.5, b = 0.2, c = 0.3;
    firn_shape_node box = {.kind = FIRN_SHAPE_BOX,
                           .p = {1, 2, -3, (firn_real)a, (firn_real)b, (firn_real)c, 0},
                           .q = {1, 0, 0, 0}};
    const double I[3] = {m / 3 * (b * b + c * c), m / 3 * (a * a + c * c), m / 3 * (a * a + b * b)};
    firn_rigid body = weigh(box, m);
    expect_moments(&body, I, 1e-4);
    expect_center(&body, 1, 2, -3, 1e-5);
    // a plate a thousandth as thick as wide: cells are as flat as it is
    box.p[4] = (firn_real)5e-4;
    body = weigh(box, m);
    const double plate[3] = {m / 3 * c * c, m / 3 * (a * a + c * c), m / 3 * a * a};
    expect_moments(&body, plate, 1e-3);
}

// Turned by any rotation: the moments are those of the turned tensor.
static void turned_box(void** state)
{
    (void)state;
    const double h[3] = {0.5, 0.2, 0.3}, m = 2;
    const firn_quat q = firn_q_from_vector(firn_v3((firn_real)0.7, (firn_real)-0.4, 1));
    const firn_rigid body =
        weigh((firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                .p = {0, 0, 0, (firn_real)h[0], (firn_real)h[1], (firn_real)h[2]},
                                .q = q},
              m);
    const firn_mat3 R = firn_q_to_m3(q);
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double want = 0;
            for (int k = 0; k < 3; k++) {
                const double I_k =
                    m / 3 * (h[(k + 1) % 3] * h[(k + 1) % 3] + h[(k + 2) % 3] * h[(k + 2) % 3]);
                want += (double)R.m[i][k] * I_k * (double)R.m[j][k];
            }
            worst = fmax(worst, fabs((double)body.inertia.m[i][j] - want));
        }
    print_message("turned box: off by %.2e\n", worst);
    // cells that an edge or a corner cuts are taken for flat
    assert_less(worst, 5e-3 * m / 3 * 0.34);
}

// Cells that the surface cuts are taken for flat: an error of second order in the cell, 2e-3 here,
// and more at the tip of a cone.
static void round_shapes(void** state)
{
    (void)state;
    const double m = 3, r = 0.4;
    firn_rigid body =
        weigh((firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 1, 0, (firn_real)r}}, m);
    const double I = 0.4 * m * r * r;
    expect_moments(&body, (const double[3]){I, I, I}, 2e-3);
    expect_center(&body, 0, 1, 0, 1e-4);
    // m r^2 / 2 about the axis, m (3 r^2 + h^2) / 12 across
    const double h = 1;
    body = weigh((firn_shape_node){.kind = FIRN_SHAPE_CYLINDER,
                                   .p = {0, 0, 0, 0, (firn_real)h, 0, (firn_real)r, 0}},
                 m);
    const double across = m * (3 * r * r + h * h) / 12;
    expect_moments(&body, (const double[3]){across, m * r * r / 2, across}, 2e-3);
    expect_center(&body, 0, 0.5, 0, 1e-3);
    // a cone's centre is a quarter up
    body = weigh((firn_shape_node){.kind = FIRN_SHAPE_CONE,
                                   .p = {0, 0, 0, 0, (firn_real)h, 0, (firn_real)r, 0}},
                 m);
    expect_center(&body, 0, 0.25, 0, 3e-3);
    assert_near((double)body.inertia.m[1][1] / (0.3 * m * r * r), 1, 5e-3);
}

static void refused(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local plane =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
    const firn_local ball =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 0, 0, 1}});
    const firn_local above =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_SPHERE, .p = {0, 5, 0, 1}});
    const firn_local none = gallery_add(
        &shapes, (firn_shape_node){.kind = FIRN_SHAPE_INTERSECTION, .a = ball, .b = above});
    firn_rigid body = {.mass = 7};
    assert_int_equal(firn_shape_inertia(&shapes, plane, 1, &body), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_shape_inertia(&shapes, none, 1, &body), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_shape_inertia(&shapes, ball, 0, &body), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_shape_inertia(&shapes, ball, (firn_real)INFINITY, &body),
                     FIRN_REFUSED_ARGUMENT);
    assert_equal(body.mass, 7);
    firn_shapes_destroy(&shapes);
}

int test_inertia(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(boxes), cmocka_unit_test(turned_box),
                                       cmocka_unit_test(round_shapes), cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("inertia", tests, NULL, NULL);
}
