// SPDX-License-Identifier: MIT
// Pairs of triangles: constructed cases, and random triangles against segments that pierce.
#include "mesh/topology/triangle_pair.h"

#include "mesh/topology/exact_predicates.h"
#include "seed.h"

// The answer must not depend on which triangle comes first, nor where its list of corners begins.
static bool cut(const firn_vec3* v, const int32_t a[3], const int32_t b[3])
{
    const bool first = firn_triangles_cut(v, a, b);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int32_t p[3] = {a[i], a[(i + 1) % 3], a[(i + 2) % 3]};
            const int32_t q[3] = {b[k], b[(k + 1) % 3], b[(k + 2) % 3]};
            assert_equal(firn_triangles_cut(v, p, q), first);
            assert_equal(firn_triangles_cut(v, q, p), first);
        }
    return first;
}

// With every orientation of both: for what does not depend on inside and outside.
static bool cut_any(const firn_vec3* v, const int32_t a[3], const int32_t b[3])
{
    const bool first = cut(v, a, b);
    const int32_t a_back[3] = {a[0], a[2], a[1]}, b_back[3] = {b[0], b[2], b[1]};
    assert_equal(cut(v, a_back, b), first);
    assert_equal(cut(v, a, b_back), first);
    assert_equal(cut(v, a_back, b_back), first);
    return first;
}

// The triangle (0,0,0) (4,0,0) (0,4,0) against three corners.
static const int32_t floor_corners[3] = {0, 1, 2};
static void set(firn_vec3 v[6], const double c[9])
{
    v[0] = firn_v3(0, 0, 0), v[1] = firn_v3(4, 0, 0), v[2] = firn_v3(0, 4, 0);
    for (int i = 0; i < 3; i++)
        v[3 + i] = firn_v3((firn_real)c[3 * i], (firn_real)c[3 * i + 1], (firn_real)c[3 * i + 2]);
}

static void cases_by_hand(void** state)
{
    (void)state;
    const struct {
        double corners[9];
        bool cuts;
    } cases[] = {
        {{1, 1, -1, 1, 1, 1, 5, 5, 1}, true},       // through the middle
        {{1, 1, -1, 1, 1, 1, 1, 9, 0}, true},       // a corner in the plane, outside
        {{1, 1, 0, 1, 2, 1, 2, 1, -1}, true},       // a corner in the plane, inside
        {{1, 1, 1, 1, 2, 1, 2, 1, 2}, false},       // above
        {{1, 1, 0, 1, 2, 1, 2, 1, 1}, false},       // touches in a point, from either side
        {{5, 5, -1, 5, 5, 1, 6, 6, 1}, false},      // beside
        {{3, 3, -1, 3, 3, 1, 6, 6, 1}, false},      // beside the slanted edge
        {{2, 2, -1, 2, 2, 1, 6, 6, 0}, false},      // an edge touches the slanted edge in a point
        {{2, 2, -1, 2, 2, 1, 1, 1, 0}, true},       // the same, but reaching inward
        {{0, 2, -1, 0, 2, 1, -3, 2, 0}, false},     // touches an edge from beside
        {{0, 0, -1, 0, 0, 1, -3, -1, 0}, false},    // touches a corner
        {{0, 0, -1, 0, 0, 1, 1, 1, 0}, true},       // through that corner, inward
        {{1, 1, 0, 2, 1, 0, 1, 2, 0}, true},        // in the plane, inside
        {{-9, -9, 0, 30, -9, 0, -9, 30, 0}, true},  // in the plane, around
        {{0, 0, 0, 4, 0, 0, 0, 4, 0}, true},        // the same triangle
        {{0, 0, 0, 4, 0, 0, 2, -2, 0}, false},      // in the plane, along an edge
        {{4, 0, 0, 0, 4, 0, 4, 4, 0}, false},       // the other half of a square
        {{1, 0, 0, 3, 0, 0, 2, -2, 0}, false},      // along part of an edge
        {{1, 0, 0, 3, 0, 0, 2, 1, 0}, true},        // along part of an edge, inward
        {{-1, -1, 0, 5, -1, 0, -1, 5, 0}, true},    // around, larger
        {{3, 3, 0, 5, 3, 0, 3, 5, 0}, false},       // in the plane, beside
        {{-1, 2, 0, 5, 2, 0, -1, 3, 0}, true},      // in the plane, no corner in the other
        {{1, 1, -1, 1, 1, 1, 1, 1.5, 1}, true},     // smaller than the triangle
    };
    firn_vec3 v[6];
    const int32_t b[3] = {3, 4, 5};
    for (size_t q = 0; q < sizeof cases / sizeof cases[0]; q++) {
        set(v, cases[q].corners);
        if (cut_any(v, floor_corners, b) != cases[q].cuts)
            fail_msg("case %zu: %s", q, cases[q].cuts ? "cuts" : "does not cut");
    }
}

// An edge on the triangle: cuts from the inner side (below, where it runs clockwise) only.
static void edges_on_either_side(void** state)
{
    (void)state;
    firn_vec3 v[6];
    const int32_t b[3] = {3, 4, 5}, ceiling[3] = {0, 2, 1};
    set(v, (const double[9]){1, 1, 0, 2, 1, 0, 1, 1, 3});
    assert_false(cut(v, floor_corners, b));
    assert_true(cut(v, ceiling, b));
    set(v, (const double[9]){1, 1, 0, 2, 1, 0, 1, 1, -3});
    assert_true(cut(v, floor_corners, b));
    assert_false(cut(v, ceiling, b));
    // edge along edge touches, from all sides
    for (int s = -1; s <= 1; s += 2) {
        set(v, (const double[9]){1, 0, 0, 3, 0, 0, 2, 0, 2.0 * s});
        assert_false(cut_any(v, floor_corners, b));
        set(v, (const double[9]){1, 0, 0, 3, 0, 0, 2, 1, 2.0 * s});
        assert_false(cut_any(v, floor_corners, b));
    }
}

static void shared_corners(void** state)
{
    (void)state;
    firn_vec3 v[6];
    const int32_t one[3] = {0, 4, 5}, two[3] = {1, 0, 5}, all[3] = {2, 1, 0};
    set(v, (const double[9]){0, 0, 0, 1, 1, 5, 5, 1, 5});
    assert_false(cut_any(v, floor_corners, one));  // only the corner
    set(v, (const double[9]){0, 0, 0, 1, 2, 1, 1, 1, -1});
    assert_true(cut_any(v, floor_corners, one));  // back through it
    set(v, (const double[9]){0, 0, 0, -1, -2, 1, -1, -1, -1});
    assert_false(cut_any(v, floor_corners, one));  // away from it
    set(v, (const double[9]){0, 0, 0, -1, 1, 0, -1, 0, 0});
    assert_false(cut_any(v, floor_corners, one));  // beside it, in the plane
    set(v, (const double[9]){0, 0, 0, 1, 1, 0, -1, 0, 0});
    assert_true(cut_any(v, floor_corners, one));  // over it, in the plane
    for (int s = -1; s <= 1; s++) {
        set(v, (const double[9]){0, 0, 0, 0, 0, 0, 1, -1, (double)s});
        assert_false(cut_any(v, floor_corners, two));  // any angle at a common edge
    }
    set(v, (const double[9]){0, 0, 0, 0, 0, 0, 1, 1, 1});
    assert_false(cut_any(v, floor_corners, two));
    set(v, (const double[9]){0, 0, 0, 0, 0, 0, 1, 1, 0});
    assert_true(cut_any(v, floor_corners, two));  // folded over it
    assert_true(cut_any(v, floor_corners, all));
}

static bool pierces(const firn_vec3* v, int32_t p, int32_t q, const int32_t t[3])
{
    const firn_vec3 a = v[t[0]], b = v[t[1]], c = v[t[2]];
    if (firn_orient3(a, b, c, v[p]) == firn_orient3(a, b, c, v[q])) return false;
    const int s = firn_orient3(v[p], v[q], a, b);
    return firn_orient3(v[p], v[q], b, c) == s && firn_orient3(v[p], v[q], c, a) == s;
}

// In general position, triangles cut when an edge of one pierces the other.
static void at_random(void** state)
{
    (void)state;
    any_source r = any_start(403);
    const int32_t a[3] = {0, 1, 2}, b[3] = {3, 4, 5};
    int cuts = 0;
    for (int q = 0; q < 5000; q++) {
        firn_vec3 v[6];
        for (int i = 0; i < 6; i++) v[i] = any_vec3(&r, 1);
        bool wanted = false;
        for (int i = 0; i < 3; i++)
            wanted = wanted || pierces(v, a[i], a[(i + 1) % 3], b) ||
                     pierces(v, b[i], b[(i + 1) % 3], a);
        assert_equal(cut_any(v, a, b), wanted);
        cuts += wanted;
    }
    assert_greater(cuts, 250);
    assert_less(cuts, 4750);
}

// On a coarse lattice nearly everything is special; the answer keeps when space is turned by
// quarters.
static void on_a_lattice(void** state)
{
    (void)state;
    any_source r = any_start(404);
    for (int q = 0; q < 5000; q++) {
        firn_vec3 v[6], w[6];
        int32_t a[3], b[3];
        for (int i = 0; i < 6; i++) {
            v[i] = firn_v3((firn_real)any_below(&r, 3), (firn_real)any_below(&r, 3),
                           (firn_real)any_below(&r, 3));
            w[i] = firn_v3(v[i].y, -v[i].x, v[i].z);
        }
        // vertices with equal positions are one
        for (int i = 0; i < 6; i++) {
            int32_t k = 0;
            while (v[k].x != v[i].x || v[k].y != v[i].y || v[k].z != v[i].z) k++;
            (i < 3 ? a : b)[i % 3] = k;
        }
        if (firn_triangle_is_flat(v[a[0]], v[a[1]], v[a[2]]) ||
            firn_triangle_is_flat(v[b[0]], v[b[1]], v[b[2]]))
            continue;
        assert_equal(cut(v, a, b), cut(w, a, b));
    }
}

static void flat_or_not(void** state)
{
    (void)state;
    const firn_vec3 a = firn_v3(1, 2, 3), b = firn_v3(2, 4, 6);
    assert_true(firn_triangle_is_flat(a, a, a));
    assert_true(firn_triangle_is_flat(a, b, a));
    assert_true(firn_triangle_is_flat(a, b, firn_v3(-1, -2, -3)));
    const firn_real next = 3 + 8 * FIRN_REAL_EPSILON;
    assert_false(firn_triangle_is_flat(firn_v3(1, 2, next), b, firn_v3(-1, -2, -3)));
    assert_false(firn_triangle_is_flat(firn_v3(0, 0, 0), firn_v3(0, 1, 0), firn_v3(0, 0, 1)));
    assert_false(firn_triangle_is_flat(firn_v3(0, 0, 0), firn_v3(1, 0, 0), firn_v3(0, 0, 1)));
}

int test_triangle_pair(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cases_by_hand),  cmocka_unit_test(edges_on_either_side),
        cmocka_unit_test(shared_corners), cmocka_unit_test(at_random),
        cmocka_unit_test(on_a_lattice),   cmocka_unit_test(flat_or_not)};
    return cmocka_run_group_tests_name("triangle_pair", tests, NULL, NULL);
}
