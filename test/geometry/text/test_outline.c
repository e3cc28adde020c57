// SPDX-License-Identifier: MIT
// Flat outlines: curves within their tolerance, crossing contours, exact distances on a grid.
#include "geometry/text/outline.h"

#include <math.h>

#include "core/memory.h"
#include "firn_test.h"
#include "math/random.h"

// Tolerances: areas and distances of polygons are in double: 1e-15 and 1e-14 are a few
// roundings of numbers of order 1 and 10.

static void add_box(firn_outline* o, double x0, double y0, double x1, double y1)
{
    firn_outline_move(o, x0, y0);
    firn_outline_line(o, x1, y0);
    firn_outline_line(o, x1, y1);
    firn_outline_line(o, x0, y1);
}

static void finish(firn_outline* o)
{
    assert_int_equal(firn_outline_finish(o, NULL), FIRN_OK);
}

static void a_box_is_exact(void** state)
{
    (void)state;
    firn_outline o = {.tolerance = 0.01};
    add_box(&o, 1, 2, 4, 4);
    finish(&o);
    assert_int_equal(o.edge_count, 4);
    assert_equal(firn_outline_area(&o), 6);
    assert_equal(firn_outline_distance(&o, 2, 3.5), -0.5);
    assert_equal(firn_outline_distance(&o, 7, 8), 5);
    assert_equal(firn_outline_distance(&o, 1, 3), 0);
    double low[2], high[2];
    firn_outline_bounds(&o, low, high);
    assert_equal(low[0], 1);
    assert_equal(low[1], 2);
    assert_equal(high[0], 4);
    assert_equal(high[1], 4);
    firn_outline_destroy(&o);
}

// The same box run the other way round is the same solid.
static void direction_does_not_matter(void** state)
{
    (void)state;
    firn_outline o = {.tolerance = 0.01};
    firn_outline_move(&o, 0, 0);
    firn_outline_line(&o, 0, 1);
    firn_outline_line(&o, 2, 1);
    firn_outline_line(&o, 2, 0);
    firn_outline_line(&o, 0, 0);  // closed by hand: no second closing segment
    finish(&o);
    assert_int_equal(o.count, 4);
    assert_equal(firn_outline_area(&o), 2);
    assert_equal(firn_outline_distance(&o, 1, 0.25), -0.25);
    firn_outline_destroy(&o);
}

// A parabola y = x^2 as a conic, y = x^3 as a cubic: every corner on it, every chord near it.
static void curves_stay_within_their_tolerance(void** state)
{
    (void)state;
    const double tolerance = 1e-4;
    firn_outline o = {.tolerance = tolerance};
    firn_outline_move(&o, -1, 1);
    firn_outline_conic(&o, (double[]){0, -1}, (double[]){1, 1});
    const firn_local conic = o.count;
    double worst = 0;
    for (firn_local k = 0; k < conic; k++) {
        const double *a = o.segments[k].a, *b = o.segments[k].b;
        assert_near(b[1], b[0] * b[0], 1e-15);
        for (double t = 0.1; t < 1; t += 0.1) {
            const double x = a[0] + t * (b[0] - a[0]), y = a[1] + t * (b[1] - a[1]);
            worst = fmax(worst, fabs(y - x * x));  // never less than the distance
        }
    }
    assert_less(worst, tolerance * (1 + 1e-9));
    assert_greater(worst, tolerance / 4);  // no more pieces than it takes
    firn_outline_move(&o, 0, 0);
    firn_outline_cubic(&o, (double[]){1.0 / 3, 0}, (double[]){2.0 / 3, 0}, (double[]){1, 1});
    for (firn_local k = conic + 1; k < o.count; k++) {
        const double *a = o.segments[k].a, *b = o.segments[k].b;
        assert_near(b[1], b[0] * b[0] * b[0], 1e-15);
        const double x = (a[0] + b[0]) / 2, y = (a[1] + b[1]) / 2;
        assert_near(y, x * x * x, tolerance);
    }
    firn_outline_destroy(&o);
}

// A ring: the inner contour runs against the outer one.
static void holes_are_outside(void** state)
{
    (void)state;
    firn_outline o = {.tolerance = 0.01};
    add_box(&o, 0, 0, 3, 3);
    firn_outline_move(&o, 1, 1);
    firn_outline_line(&o, 1, 2);
    firn_outline_line(&o, 2, 2);
    firn_outline_line(&o, 2, 1);
    finish(&o);
    assert_near(firn_outline_area(&o), 8, 1e-15);
    assert_equal(firn_outline_distance(&o, 1.5, 1.5), 0.5);
    assert_equal(firn_outline_distance(&o, 0.5, 1.5), -0.5);
    firn_outline_destroy(&o);
}

// Inside the other one, nothing of a contour that runs the same way is surface.
static void covered_contours_are_no_surface(void** state)
{
    (void)state;
    firn_outline o = {.tolerance = 0.01};
    add_box(&o, 0, 0, 4, 4);
    add_box(&o, 1, 1, 3, 3);
    finish(&o);
    assert_int_equal(o.edge_count, 4);
    assert_equal(firn_outline_area(&o), 16);
    assert_equal(firn_outline_distance(&o, 2, 1), -1);
    firn_outline_destroy(&o);
}

// Two boxes that overlap make a cross: area and depth of the union.
static void crossing_contours_join(void** state)
{
    (void)state;
    firn_outline o = {.tolerance = 0.01};
    add_box(&o, -3, -1, 3, 1);
    add_box(&o, -1, -3, 1, 3);
    finish(&o);
    assert_int_equal(o.edge_count, 12);
    assert_near(firn_outline_area(&o), 20, 1e-14);
    assert_near(firn_outline_distance(&o, 0, 0) + sqrt(2), 0, 1e-15);  // the inner corners
    assert_equal(firn_outline_distance(&o, 2, 0.75), -0.25);
    firn_outline_destroy(&o);
}

// A contour that crosses itself: a bow tie has two triangles, both inside.
static void a_bow_tie_is_two_triangles(void** state)
{
    (void)state;
    firn_outline o = {.tolerance = 0.01};
    firn_outline_move(&o, -1, -1);
    firn_outline_line(&o, 1, 1);
    firn_outline_line(&o, 1, -1);
    firn_outline_line(&o, -1, 1);
    finish(&o);
    assert_int_equal(o.edge_count, 6);
    assert_near(firn_outline_area(&o), 2, 1e-15);
    assert_less(firn_outline_distance(&o, 0.5, 0), 0);
    assert_less(firn_outline_distance(&o, -0.5, 0), 0);
    assert_greater(firn_outline_distance(&o, 0, 0.5), 0);
    firn_outline_destroy(&o);
}

// A box that stands on another: the corners of one lie on an edge of the other.
static void touching_boxes_join(void** state)
{
    (void)state;
    firn_outline o = {.tolerance = 0.01};
    add_box(&o, 0, 0, 6, 1);
    add_box(&o, 2, 1, 4, 3);
    finish(&o);
    assert_near(firn_outline_area(&o), 10, 1e-14);
    assert_equal(firn_outline_distance(&o, 5, 0.75), -0.25);
    assert_equal(firn_outline_distance(&o, 3, 2.5), -0.5);
    firn_outline_destroy(&o);
}

// Random polygons over each other: the grid says what the plain loop over all edges says, and the
// area is that of the nodes inside.
// Two boxes that share a line and part of it doubly, in both directions of running.
static void shared_lines_count_once(void** state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        firn_outline o = {.tolerance = 0.01};
        for (int k = 0; k < 2; k++) {
            const double x0 = 2 * k, x1 = x0 + 3;
            firn_outline_move(&o, x0, 0);
            firn_outline_line(&o, way == 0 ? x1 : x0, way == 0 ? 0 : 1);
            firn_outline_line(&o, x1, 1);
            firn_outline_line(&o, way == 0 ? x0 : x1, way == 0 ? 1 : 0);
        }
        finish(&o);
        assert_near(firn_outline_area(&o), 5, 1e-14);
        assert_equal(firn_outline_distance(&o, 2.5, 0.5), -0.5);
        firn_outline_destroy(&o);
    }
}

// The same box drawn twice is that box.
static void a_double_box_is_a_box(void** state)
{
    (void)state;
    firn_outline o = {.tolerance = 0.01};
    add_box(&o, 0, 0, 2, 1);
    add_box(&o, 0, 0, 2, 1);
    finish(&o);
    assert_int_equal(o.edge_count, 4);
    assert_equal(firn_outline_area(&o), 2);
    firn_outline_destroy(&o);
}

static void the_grid_agrees_with_every_point(void** state)
{
    (void)state;
    enum { NX = 130, NY = 101 };
    static firn_real grid[NX * NY];
    firn_outline o = {.tolerance = 0.01};
    for (int polygon = 0; polygon < 6; polygon++)
        for (int corner = 0; corner < 7; corner++) {
            const uint64_t k = (uint64_t)(polygon * 7 + corner);
            const double x = 1.2 * firn_random_unit(1, k), y = firn_random_unit(2, k);
            if (corner == 0)
                firn_outline_move(&o, x, y);
            else
                firn_outline_line(&o, x, y);
        }
    finish(&o);
    const double origin[2] = {-0.0401, 0.0003}, step = 0.01;
    assert_int_equal(firn_outline_grid(&o, origin, step, NX, NY, grid, NULL), FIRN_OK);
    int inside = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const double d = firn_outline_distance(&o, origin[0] + i * step, origin[1] + j * step);
            assert_near(d, grid[j * NX + i], 1e-6);  // the grid holds floats
            inside += d < 0;
        }
    const double area = firn_outline_area(&o);
    assert_greater(inside, 1000);
    // an edge of length L passes nodes at random: about sqrt(L / step) of them fall wrong
    assert_near(inside * step * step, area, 0.01 * area);
    firn_outline_destroy(&o);
}

static void nothing_drawn_is_nothing(void** state)
{
    (void)state;
    firn_outline o = {.tolerance = 0.01};
    finish(&o);
    assert_equal(firn_outline_area(&o), 0);
    assert_true(isinf(firn_outline_distance(&o, 0, 0)));
    firn_outline_destroy(&o);
}

static firn_result draw_and_fill(void)
{
    firn_real grid[64];
    firn_outline o = {.tolerance = 1e-3};
    add_box(&o, 0, 0, 4, 4);
    add_box(&o, 2, 2, 6, 6);
    firn_outline_move(&o, 7, 0);
    firn_outline_conic(&o, (double[]){9, 1}, (double[]){7, 4});
    firn_result r = firn_outline_finish(&o, NULL);
    if (r == FIRN_OK) r = firn_outline_grid(&o, (double[]){0, 0}, 1, 8, 8, grid, NULL);
    firn_outline_destroy(&o);
    return r;
}

static void memory_may_run_out_anywhere(void** state)
{
    (void)state;
    const uint64_t before = firn_memory_read().bytes;
    int failures = 0;
    for (uint64_t k = 1;; k++) {
        firn_memory_fail_at(k, false);
        const firn_result r = draw_and_fill();
        firn_memory_fail_at(0, false);
        assert_int_equal(firn_memory_read().bytes, before);
        if (r == FIRN_OK) break;
        assert_int_equal(r, FIRN_BROKEN_MEMORY);
        failures++;
    }
    assert_at_least(failures, 5);
}

int test_outline(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_is_exact),
        cmocka_unit_test(direction_does_not_matter),
        cmocka_unit_test(curves_stay_within_their_tolerance),
        cmocka_unit_test(holes_are_outside),
        cmocka_unit_test(covered_contours_are_no_surface),
        cmocka_unit_test(crossing_contours_join),
        cmocka_unit_test(a_bow_tie_is_two_triangles),
        cmocka_unit_test(touching_boxes_join),
        cmocka_unit_test(shared_lines_count_once),
        cmocka_unit_test(a_double_box_is_a_box),
        cmocka_unit_test(the_grid_agrees_with_every_point),
        cmocka_unit_test(nothing_drawn_is_nothing),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests_name("outline", tests, NULL, NULL);
}
