// SPDX-License-Identifier: MIT
// Height fields: exact over flat and sloping ground, the right sign everywhere, never further than
// the surface really is, closed at the sides and at the base.
#include "geometry/sdf/height_field.h"

#include <stdlib.h>

#include "core/memory.h"
#include "geometry/gallery.h"
#include "geometry/sdf/field_build.h"

// Tolerances: normals are unit vectors to a dozen roundings of float (2e-6); see ROUNDING for
// distances.

#ifdef FIRN_DOUBLE
#define ROUNDING 1e-12
#else
#define ROUNDING 2e-5  // coordinates up to 10
#endif

// A field of nx x nz values given by a function of the value's indices.
static firn_local add_field(firn_shapes* shapes, firn_local nx, firn_local nz, firn_vec3 origin,
                            firn_vec3 size, double (*value)(firn_local i, firn_local j))
{
    firn_height_field field;
    firn_local shape = -1;
    assert_int_equal(firn_height_field_create(nx, nz, &field, NULL), FIRN_OK);
    for (firn_local j = 0; j < nz; j++)
        for (firn_local i = 0; i < nx; i++)
            field.value[(size_t)j * (size_t)nx + (size_t)i] = (firn_real)value(i, j);
    firn_height_field_finish(&field);
    assert_int_equal(firn_shapes_add_field(shapes, origin, size, &field, &shape, NULL), FIRN_OK);
    return shape;
}

static double half(firn_local i, firn_local j)
{
    (void)i, (void)j;
    return 0.5;
}

static double slope(firn_local i, firn_local j)
{
    return i * 0.01 + j * 0.02;
}

static double tower(firn_local i, firn_local j)
{
    return i >= 40 && i < 60 && j >= 40 && j < 60 ? 1 : 0.25;
}

static double rough(firn_local i, firn_local j)
{
    return firn_random_unit(5, (uint64_t)(i * 1000 + j));
}

static void flat_ground_is_exact(void** state)
{
    (void)state;
    any_source r = any_start(41);
    firn_shapes shapes = {0};
    // a slab from (1, 2, 3), 4 x 1 x 2, like a box of the same size
    const firn_local shape = add_field(&shapes, 65, 33, firn_v3(1, 2, 3), firn_v3(4, 2, 2), half);
    const firn_local box =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_BOX,
                                               .p = {3, (firn_real)2.5, 4, 2, (firn_real)0.5, 1, 0},
                                               .q = {1, 0, 0, 0}});
    for (int q = 0; q < 20000; q++) {
        const firn_vec3 x = firn_v3_add(firn_v3(3, (firn_real)2.5, 4), any_vec3(&r, 3));
        firn_vec3 n;
        const double phi = (double)firn_shape_sample(&shapes, shape, x, &n);
        const double expected = (double)firn_shape_distance(&shapes, box, x);
        assert_near(phi, expected, ROUNDING);
        assert_near(firn_v3_length(n), 1, 2e-6);
    }
    firn_shapes_destroy(&shapes);
}

static void sloping_ground_is_exact(void** state)
{
    (void)state;
    any_source r = any_start(42);
    firn_shapes shapes = {0};
    // value 0..1 over 50 x 25 cells of 0.1 m: slopes 0.2 in x and 0.4 in z, times 2 m
    const firn_local shape =
        add_field(&shapes, 51, 26, firn_v3(0, 0, 0), firn_v3(5, 2, (firn_real)2.5), slope);
    const double sx = 0.01 * 2 / 0.1, sz = 0.02 * 2 / 0.1, l = sqrt(1 + sx * sx + sz * sz);
    for (int q = 0; q < 5000; q++) {
        const double x = any_between(&r, 1.5, 3.5), z = any_between(&r, 1, 1.5);
        const double y = sx * x + sz * z + any_between(&r, -0.2, 0.5);
        const firn_vec3 at = firn_v3((firn_real)x, (firn_real)y, (firn_real)z);
        firn_vec3 n;
        const double phi = (double)firn_shape_sample(&shapes, shape, at, &n);
        assert_near(phi, (y - sx * x - sz * z) / l, ROUNDING);
        assert_less(gallery_length(n.x + sx / l, n.y - 1 / l, n.z + sz / l), 50 * ROUNDING);
    }
    firn_shapes_destroy(&shapes);
}

// Height by a bilinear formula of the test's own.
static double height_at(const firn_height_field* f, double u, double w)
{
    const int i = (int)fmin(u, f->nx - 2), j = (int)fmin(w, f->nz - 2);
    const double a = u - i, b = w - j;
    const firn_real* v = f->value + (size_t)j * (size_t)f->nx + i;
    return (1 - a) * (1 - b) * v[0] + a * (1 - b) * v[1] + (1 - a) * b * v[f->nx] +
           a * b * v[f->nx + 1];
}

// Distance to the ground of a field over (0,0,0)..(10,4,10), by trying points on it.
static double try_points(const firn_height_field* f, const double x[3])
{
    double nearest = 1e9;
    const int n = 250;
    for (int j = 0; j <= n; j++)
        for (int i = 0; i <= n; i++) {
            const double u = (double)i / n, w = (double)j / n;
            const double h = 4 * height_at(f, u * (f->nx - 1), w * (f->nz - 1));
            nearest = fmin(nearest, gallery_length(10 * u - x[0], h - x[1], 10 * w - x[2]));
        }
    return nearest;
}

static void bound_and_sign_hold_on_rough_ground(void** state)
{
    (void)state;
    any_source r = any_start(43);
    double (*const grounds[])(firn_local, firn_local) = {tower, rough};
    for (int g = 0; g < 2; g++) {
        firn_shapes shapes = {0};
        const firn_local side = g == 0 ? 101 : 14;
        const firn_local shape =
            add_field(&shapes, side, side, firn_v3(0, 0, 0), firn_v3(10, 4, 10), grounds[g]);
        const firn_height_field* field = &shapes.fields[0];
        double used = 0;
        int above = 0;
        for (int q = 0; q < 120; q++) {
            const firn_vec3 v = firn_v3_add(firn_v3(5, 3, 5), any_vec3(&r, 4.9));
            const double x[3] = {(double)v.x, (double)v.y, (double)v.z};
            firn_vec3 n;
            const double phi = (double)firn_shape_sample(&shapes, shape, v, &n);
            assert_near(firn_v3_length(n), 1, 2e-6);
            const double h = 4 * height_at(field, x[0] / 10 * (side - 1), x[2] / 10 * (side - 1));
            if (fabs(x[1] - h) > 1e-4 && x[1] > 1e-4) assert_int_equal(phi < 0, x[1] < h);
            if (x[1] < 0) assert_greater(phi, 0);
            const double nearest = try_points(field, x);
            if (x[1] > 0 && x[1] > h) {
                assert_at_most(phi, nearest + ROUNDING);
                used += phi / nearest;
                above++;
            }
            if (phi < 0) assert_at_most(-phi, nearest + ROUNDING);
        }
        print_message("%s: phi is %.2f of the distance in the mean\n", g ? "rough" : "tower",
                      used / above);
        firn_shapes_destroy(&shapes);
    }
}

// Next to a tower, the vertical distance would be far too large.
static void flat_ground_near_a_cliff(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local shape =
        add_field(&shapes, 101, 101, firn_v3(0, 0, 0), firn_v3(10, 4, 10), tower);
    // the tower's wall runs between x = 3.9 and 4.0; ground at y = 1
    firn_vec3 n;
    double phi = (double)firn_shape_sample(&shapes, shape, firn_v3(3, (firn_real)1.5, 5), &n);
    assert_near(phi, 0.5, ROUNDING);
    assert_greater(n.y, (firn_real)0.999);  // exact: the wall is 0.9 away
    phi = (double)firn_shape_distance(&shapes, shape, firn_v3(3, (firn_real)3.5, 5));
    assert_greater(phi, 0);
    assert_at_most(phi, 0.95);
    // inside the tower
    phi = (double)firn_shape_distance(&shapes, shape, firn_v3(5, (firn_real)3.9, 5));
    assert_near(phi, -0.1, ROUNDING);
    phi = (double)firn_shape_distance(&shapes, shape, firn_v3((firn_real)4.1, 2, 5));
    assert_less(phi, 0);
    assert_at_least(phi, -0.2);
    firn_shapes_destroy(&shapes);
}

static void depth_makes_ground_thick(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local shape = add_field(&shapes, 9, 9, firn_v3(0, 1, 0), firn_v3(4, 2, 4), half);
    const firn_vec3 below = firn_v3(2, (firn_real)0.5, 2);
    assert_greater(firn_shape_distance(&shapes, shape, below), 0);
    assert_int_equal(firn_shapes_set_depth(&shapes, shape, 3, NULL), FIRN_OK);
    firn_vec3 n;
    assert_near(firn_shape_sample(&shapes, shape, below, &n), -1.5, ROUNDING);
    assert_equal(n.y, 1);  // the way out is up: 1.5 m, against 2.5 m down
    const firn_box3 b = firn_shape_bounds(&shapes, shape);
    assert_near(b.low.y, -2, 1e-4);
    assert_near(b.high.y, 2, 1e-4);
    assert_near(firn_shape_volume(&shapes, shape, 100000), 4 * 4 * 4, 0.1);  // samples: 0.16 %
    firn_error error;
    assert_int_equal(firn_shapes_set_depth(&shapes, shape, -1, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "depth is -1");
    const firn_local ball = gallery_add(&shapes, gallery()[0].node);
    assert_int_equal(firn_shapes_set_depth(&shapes, ball, 1, &error), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_shapes_set_depth(&shapes, 99, 1, &error), FIRN_REFUSED_ARGUMENT);
    firn_shapes_destroy(&shapes);
}

static void noise_is_smooth_reproducible_and_seamless(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_vec3 size = {2, 1, 2};
    firn_local a, b, c;
    assert_int_equal(firn_shapes_add_noise_field(&shapes, firn_v3(0, 0, 0), size, (firn_real)0.5, 3,
                                                 9, &a, NULL),
                     FIRN_OK);
    assert_int_equal(firn_shapes_add_noise_field(&shapes, firn_v3(2, 0, 0), size, (firn_real)0.5, 3,
                                                 9, &b, NULL),
                     FIRN_OK);
    assert_int_equal(firn_shapes_add_noise_field(&shapes, firn_v3(0, 0, 0), size, (firn_real)0.5, 3,
                                                 10, &c, NULL),
                     FIRN_OK);
    const firn_height_field *fa = &shapes.fields[0], *fb = &shapes.fields[1],
                            *fc = &shapes.fields[2];
    assert_int_equal(fa->nx, 97);  // 2 m / (0.5 m / 4) * 6 + 1
    double mean = 0, low = 1, high = 0;
    bool same = true;
    for (int k = 0; k < fa->nx * fa->nz; k++) {
        mean += (double)fa->value[k] / (fa->nx * fa->nz);
        low = fmin(low, (double)fa->value[k]);
        high = fmax(high, (double)fa->value[k]);
        same = same && fa->value[k] == fc->value[k];
    }
    print_message("noise: mean %.3f, from %.3f to %.3f\n", mean, low, high);
    assert_near(mean, 0.5, 0.1);  // few eddies: 4 by 4
    assert_at_least(low, 0);
    assert_at_most(high, 1);
    assert_greater(high - low, 0.3);
    assert_false(same);
    for (firn_local j = 0; j < fa->nz; j++) {  // the right edge of one is the left edge of the next
        const double d = (double)fa->value[(j + 1) * fa->nx - 1] - (double)fb->value[j * fb->nx];
        assert_near(d, 0, 1e-5);  // places that are computed from either side, in float
    }
    firn_error error;
    const firn_vec3 zero = {0, 0, 0};
    assert_int_equal(firn_shapes_add_noise_field(&shapes, zero, size, 0, 3, 9, &a, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_shapes_add_noise_field(&shapes, zero, size, 1, 0, 9, &a, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_shapes_add_noise_field(&shapes, zero, size, 1, 17, 9, &a, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_shapes_add_noise_field(&shapes, zero, zero, 1, 1, 9, &a, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_int_equal(shapes.field_count, 3);
    firn_shapes_destroy(&shapes);
}

static void odd_places_do_no_harm(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    const firn_local shape = add_field(&shapes, 2, 77, firn_v3(0, 0, 0), firn_v3(1, 1, 1), slope);
    const double far[] = {0, -1e-30, 1, 1e6, -1e9, 1e18, -3e37};
    for (int q = 0; q < 7 * 7 * 7; q++) {
        const double x[3] = {far[q % 7], far[q / 7 % 7], far[q / 49]};
        firn_vec3 n;
        const firn_real phi = firn_shape_sample(&shapes, shape, gallery_vec3(x), &n);
        assert_finite(phi);
        assert_near(firn_v3_length(n), 1, 2e-6);
    }
    firn_height_field field;
    assert_int_equal(firn_height_field_create(1, 5, &field, NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_height_field_create(5, 16385, &field, NULL), FIRN_REFUSED_ARGUMENT);
    assert_int_equal(firn_height_field_create(16384, 16384, &field, NULL), FIRN_REFUSED_ARGUMENT);
    firn_shapes_destroy(&shapes);
}

int test_height_field(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flat_ground_is_exact),
                                       cmocka_unit_test(sloping_ground_is_exact),
                                       cmocka_unit_test(bound_and_sign_hold_on_rough_ground),
                                       cmocka_unit_test(flat_ground_near_a_cliff),
                                       cmocka_unit_test(depth_makes_ground_thick),
                                       cmocka_unit_test(noise_is_smooth_reproducible_and_seamless),
                                       cmocka_unit_test(odd_places_do_no_harm)};
    return cmocka_run_group_tests_name("height_field", tests, NULL, NULL);
}
