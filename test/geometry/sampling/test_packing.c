// SPDX-License-Identifier: MIT
// Random packings of spheres: as dense as promised, hardly overlapping, inside the shape.
#include "geometry/sampling/packing.h"

#include <math.h>

#include "core/memory.h"
#include "geometry/gallery.h"

static firn_local box(firn_shapes* shapes, double half)
{
    const firn_real h = (firn_real)half;
    return gallery_add(
        shapes,
        (firn_shape_node){.kind = FIRN_SHAPE_BOX, .p = {0, 0, 0, h, h, h, 0}, .q = {1, 0, 0, 0}});
}

static double apart(firn_vec3 a, firn_vec3 b)
{
    return sqrt(pow((double)(a.x - b.x), 2) + pow((double)(a.y - b.y), 2) +
                pow((double)(a.z - b.z), 2));
}

// In a box of 12 diameters: spheres of diameter 0.1 whose centres fill it but for 0.95 radii. Most
// touch six others or more, as jammed ones do (isostatic: six).
static void a_jammed_heap(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_points p = {0};
    firn_error error = {0};
    const firn_local shape = box(&shapes, 0.6);
    assert_int_equal(firn_pack_shape(&shapes, shape, (firn_real)0.1, &p, &error), FIRN_OK);
    const double inner = 0.6 - 0.0475, most = 1e-6;
    double nearest = 1, contacts = 0;
    int inside = 0;
    for (firn_local i = 0; i < p.count; i++) {
        const double far = fmax(fabs((double)p.position[i].x),
                                fmax(fabs((double)p.position[i].y), fabs((double)p.position[i].z)));
        assert_at_most(far, inner + most);
        inside += far < 0.45;
        for (firn_local j = 0; j < p.count; j++) {
            const double d = i != j ? apart(p.position[i], p.position[j]) : 1;
            nearest = fmin(nearest, d);
            contacts += far < 0.45 && d < 0.102;
        }
    }
    const double density = p.count / pow(2 * inner, 3) * 1e-3;  // of a cube of the diameter
    print_message("%d spheres, %.3f a cube, nearest %.4f, %.1f within 2 %%\n", (int)p.count,
                  density, nearest, contacts / inside);
    assert_near(density / FIRN_PACKING_DENSITY, 1, 0.05);  // the surface cuts at random
    assert_greater(nearest, 0.096);                        // pushes of a few weights
    assert_greater(contacts / inside, 6);
    firn_points_destroy(&p);
    firn_shapes_destroy(&shapes);
}

// The same every time; appended to what is there; scaled with the diameter.
static void the_same_again(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_points p = {0};
    const firn_local small = box(&shapes, 0.5), large = box(&shapes, 1);
    assert_int_equal(firn_pack_shape(&shapes, small, (firn_real)0.125, &p, NULL), FIRN_OK);
    const firn_local n = p.count;
    assert_int_equal(firn_pack_shape(&shapes, small, (firn_real)0.125, &p, NULL), FIRN_OK);
    assert_int_equal(p.count, 2 * n);
    assert_memory_equal(p.position, p.position + n, (size_t)n * sizeof *p.position);
    assert_int_equal(firn_pack_shape(&shapes, large, (firn_real)0.25, &p, NULL), FIRN_OK);
    assert_int_equal(p.count, 3 * n);
    for (firn_local k = 0; k < n; k++)
        assert_equal(p.position[2 * n + k].x, 2 * p.position[k].x);  // exact: powers of two
    firn_points_destroy(&p);
    firn_shapes_destroy(&shapes);
}

static void refusals(void** state)
{
    (void)state;
    firn_shapes shapes = {0};
    firn_points p = {0};
    firn_error error = {0};
    const firn_local shape = box(&shapes, 0.5);
    const firn_local plane =
        gallery_add(&shapes, (firn_shape_node){.kind = FIRN_SHAPE_PLANE, .p = {0, 0, 0, 0, 1, 0}});
    assert_int_equal(firn_pack_shape(&shapes, shape, 0, &p, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "above 0");
    assert_int_equal(firn_pack_shape(&shapes, shape, 5, &p, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "no grain of 5 m");
    assert_int_equal(firn_pack_shape(&shapes, plane, 1, &p, &error), FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "no end");
    assert_int_equal(firn_pack_shape(&shapes, shape, (firn_real)1e-5, &p, &error),
                     FIRN_REFUSED_ARGUMENT);
    assert_contains(error.text, "times as large");
    assert_int_equal(p.count, 0);
    for (uint64_t k = 1; k <= 3; k++) {
        firn_memory_fail_at(k, false);
        assert_int_equal(firn_pack_shape(&shapes, shape, (firn_real)0.25, &p, &error),
                         FIRN_BROKEN_MEMORY);
        firn_memory_fail_at(0, false);
        assert_int_equal(p.count, 0);
    }
    firn_points_destroy(&p);
    firn_shapes_destroy(&shapes);
}

int test_packing(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_jammed_heap),
                                       cmocka_unit_test(the_same_again),
                                       cmocka_unit_test(refusals)};
    return cmocka_run_group_tests_name("packing", tests, NULL, NULL);
}
