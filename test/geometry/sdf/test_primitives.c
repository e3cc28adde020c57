// SPDX-License-Identifier: MIT
// Closed-form distances against brute force: a cloud of surface points found without phi, the sign
// against an inside test written on its own, gradients against differences, and the points where a
// gradient does not exist.
#include "geometry/sdf/primitives.h"

#include <stdlib.h>

#include "geometry/gallery.h"

// Tolerances: normals are unit vectors to a dozen roundings of float (2e-6); see ROUNDING for
// distances.

// Rounding of phi for coordinates around 1.
#define ROUNDING FIGURE_REAL(1e-14, 4e-6)
#ifdef FIRN_DOUBLE
#define FIGURE_REAL(in_double, in_single) (in_double)
#else
#define FIGURE_REAL(in_double, in_single) (in_single)
#endif

enum { CLOUD = 20000, QUERIES = 150 };

static void distance_is_that_to_the_nearest_surface_point(void** state)
{
    (void)state;
    any_source r = any_start(11);
    double(*cloud)[3] = malloc(CLOUD * sizeof *cloud);
    for (int k = 0; k < GALLERY_COUNT; k++) {
        const specimen* s = &gallery()[k];
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, s->node);
        for (int c = 0; c < CLOUD; c++) gallery_surface_point(s, &r, cloud[c]);
        for (int q = 0; q < QUERIES; q++) {
            // the firn_real that phi sees, so that both sides mean the same point
            firn_vec3 v = any_vec3(&r, 1.5);
            const double x[3] = {(double)v.x, (double)v.y, (double)v.z};
            double nearest = 1e9;
            for (int c = 0; c < CLOUD; c++)
                nearest = fmin(nearest, gallery_length(x[0] - cloud[c][0], x[1] - cloud[c][1],
                                                       x[2] - cloud[c][2]));
            const double phi = (double)firn_shape_distance(&shapes, shape, v);
            // never further than a point of the surface; nearly as far, as the cloud is 0.03 dense
            if (fabs(phi) > nearest + ROUNDING || fabs(phi) < nearest - 0.06)
                fail_msg("%s at (%g, %g, %g): phi %g, nearest surface point %g", s->name, x[0],
                         x[1], x[2], phi, nearest);
        }
        firn_shapes_destroy(&shapes);
    }
    free(cloud);
}

static void sign_says_inside_or_outside(void** state)
{
    (void)state;
    any_source r = any_start(12);
    for (int k = 0; k < GALLERY_COUNT; k++) {
        const specimen* s = &gallery()[k];
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, s->node);
        int inside = 0;
        for (int q = 0; q < 20000; q++) {
            const firn_vec3 v = any_vec3(&r, 1.5);
            const double x[3] = {(double)v.x, (double)v.y, (double)v.z};
            const double phi = (double)firn_shape_distance(&shapes, shape, v);
            if (fabs(phi) < 1e-5) continue;  // rounding decides
            inside += phi < 0;
            assert_int_equal(phi < 0, s->inside(&s->node, x));
        }
        assert_in_range(inside, 200, 10000);
        // and phi is 0 on the surface
        for (int q = 0; q < 2000; q++) {
            double x[3];
            gallery_surface_point(s, &r, x);
            const double phi = (double)firn_shape_distance(&shapes, shape, gallery_vec3(x));
            if (!(fabs(phi) < FIGURE_REAL(1e-12, 2e-6))) fail_msg("%s: %g", s->name, phi);
        }
        firn_shapes_destroy(&shapes);
    }
}

static void gradient_is_the_derivative(void** state)
{
    (void)state;
    any_source r = any_start(13);
    const double h = FIGURE_REAL(1e-6, 2e-3);
    for (int k = 0; k < GALLERY_COUNT; k++) {
        const specimen* s = &gallery()[k];
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, s->node);
        int wrong = 0;
        for (int q = 0; q < 3000; q++) {
            const firn_vec3 x = any_vec3(&r, 1.5);
            firn_vec3 n;
            const double phi = (double)firn_shape_sample(&shapes, shape, x, &n);
            assert_equal(phi, firn_shape_distance(&shapes, shape, x));
            assert_near(firn_v3_length(n), 1, FIGURE_REAL(1e-14, 1e-6));
            // going along n changes phi at rate 1
            const firn_vec3 ahead = firn_v3_madd(x, (firn_real)h, n);
            const firn_vec3 behind = firn_v3_madd(x, (firn_real)-h, n);
            const double rate = ((double)firn_shape_distance(&shapes, shape, ahead) -
                                 (double)firn_shape_distance(&shapes, shape, behind)) /
                                (2 * h);
            wrong += fabs(rate - 1) > FIGURE_REAL(1e-6, 2e-3);
        }
        // only where the nearest surface point jumps (inside, between faces) may it differ
        if (wrong > 3000 * FIGURE_REAL(0.001, 0.02)) fail_msg("%s: %d of 3000", s->name, wrong);
        firn_shapes_destroy(&shapes);
    }
}

static void gradient_exists_where_it_does_not(void** state)
{
    (void)state;
    any_source r = any_start(14);
    for (int k = 0; k < GALLERY_COUNT; k++) {
        const specimen* s = &gallery()[k];
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, s->node);
        // parameters as points: centres, ends of axes; points on axes and on planes of symmetry
        for (int q = 0; q < 3000; q++) {
            const double t = any_between(&r, -1, 2);
            double x[3];
            for (int i = 0; i < 3; i++) {
                const double a = (double)s->node.p[i], b = (double)s->node.p[3 + i];
                x[i] = q == 0 ? a : q == 1 ? b : q < 1000 ? a + t * (b - a) : a;
            }
            if (q >= 1000) {
                const double tiny[] = {0, 1e-45, 1e-38, 1e-30, 1e-20, 1e-12, 1e-6, 1e18, 3e30};
                for (int i = 0; i < 3; i++) x[i] += tiny[any_below(&r, 9)] * any_between(&r, -1, 1);
            }
            firn_vec3 n;
            const firn_real phi = firn_shape_sample(&shapes, shape, gallery_vec3(x), &n);
            if (!firn_is_finite(phi) || !(fabs((double)firn_v3_length(n) - 1) < 2e-6))
                fail_msg("%s at (%g, %g, %g): phi %g, |n| %g", s->name, x[0], x[1], x[2],
                         (double)phi, (double)firn_v3_length(n));
        }
        firn_shapes_destroy(&shapes);
    }
}

static void known_distances(void** state)
{
    (void)state;
    const struct {
        firn_shape_node node;
        double x[3], phi, n[3];
    } cases[] = {
        {{.kind = FIRN_SHAPE_PLANE, .p = {0, 1, 0, 0, 2, 0}}, {7, 3, 9}, 2, {0, 1, 0}},
        {{.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 3, 4, 0}}, {-1, -2, 5}, -2.2, {.6, .8, 0}},
        {{.kind = FIRN_SHAPE_SPHERE, .p = {1, 0, 0, 2}}, {1, 3, 4}, 3, {0, .6, .8}},
        {{.kind = FIRN_SHAPE_BOX, .p = {0, 0, 0, 1, 2, 3, 0}, .q = {1, 0, 0, 0}},
         {2, 4, 5},
         3,
         {1. / 3, 2. / 3, 2. / 3}},
        {{.kind = FIRN_SHAPE_BOX, .p = {0, 0, 0, 1, 2, 3, 0}, .q = {1, 0, 0, 0}},
         {-.5, 1, 1},
         -.5,
         {-1, 0, 0}},
        {{.kind = FIRN_SHAPE_BOX, .p = {0, 0, 0, 2, 2, 2, 1}, .q = {1, 0, 0, 0}},
         {4, 5, 0},
         4,
         {.6, .8, 0}},
        {{.kind = FIRN_SHAPE_CAPSULE, .p = {0, 0, 0, 0, 2, 0, .5f}}, {3, 6, 0}, 4.5, {.6, .8, 0}},
        {{.kind = FIRN_SHAPE_CYLINDER, .p = {0, 0, 0, 0, 2, 0, 1, 0}}, {4, 6, 0}, 5, {.6, .8, 0}},
        {{.kind = FIRN_SHAPE_CYLINDER, .p = {0, 0, 0, 0, 2, 0, 1, 0}},
         {0, .25, .5},
         -.25,
         {0, -1, 0}},
        // half angle of 3:4: the side's normal is (.8, .6)
        {{.kind = FIRN_SHAPE_CONE, .p = {0, 0, 0, 0, 4, 0, 3, 0}}, {2.3, 2.6, 0}, 1, {.8, .6, 0}},
        {{.kind = FIRN_SHAPE_CONE, .p = {0, 0, 0, 0, 4, 0, 3, 0}}, {0, 6, 0}, 2, {0, 1, 0}},
        {{.kind = FIRN_SHAPE_CONE, .p = {0, 0, 0, 0, 4, 0, 3, 0}}, {6, -4, 0}, 5, {.6, -.8, 0}},
        {{.kind = FIRN_SHAPE_WEDGE, .p = {0, 0, 0, 6, 4, 2}, .q = {1, 0, 0, 0}},
         {2.3, 2.6, 0},
         1,
         {.8, .6, 0}},
        {{.kind = FIRN_SHAPE_WEDGE, .p = {0, 0, 0, 6, 4, 2}, .q = {1, 0, 0, 0}},
         {0, .5, .75},
         -.25,
         {0, 0, 1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        firn_shapes shapes = {0};
        const firn_local shape = gallery_add(&shapes, cases[k].node);
        firn_vec3 n;
        const double phi = (double)firn_shape_sample(&shapes, shape, gallery_vec3(cases[k].x), &n);
        const double off = gallery_length((double)n.x - cases[k].n[0], (double)n.y - cases[k].n[1],
                                          (double)n.z - cases[k].n[2]);
        if (!(fabs(phi - cases[k].phi) < 2e-6) || !(off < 1e-6))
            fail_msg("case %zu: phi %.9g, n (%g, %g, %g)", k, phi, (double)n.x, (double)n.y,
                     (double)n.z);
        firn_shapes_destroy(&shapes);
    }
}

int test_primitives(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_is_that_to_the_nearest_surface_point),
        cmocka_unit_test(sign_says_inside_or_outside), cmocka_unit_test(gradient_is_the_derivative),
        cmocka_unit_test(gradient_exists_where_it_does_not), cmocka_unit_test(known_distances)};
    return cmocka_run_group_tests_name("primitives", tests, NULL, NULL);
}
