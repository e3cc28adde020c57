// SPDX-License-Identifier: MIT
// Signs of areas and volumes against whole numbers wide enough never to round.
#include "mesh/topology/exact_predicates.h"

#include "firn_test.h"
#include "seed.h"

// Coordinates that firn_real holds exactly, and 128-bit integers multiply three times.
#ifdef FIRN_DOUBLE
#define LARGE (1LL << 38)
#else
#define LARGE (1LL << 23)
#endif

__extension__ typedef __int128 int128;

static int sign_of(int128 x)
{
    return (x > 0) - (x < 0);
}

static int exact2(const int64_t p[3][2])
{
    const int128 ax = p[1][0] - p[0][0], ay = p[1][1] - p[0][1];
    return sign_of(ax * (p[2][1] - p[0][1]) - ay * (p[2][0] - p[0][0]));
}

static int exact3(const int64_t p[4][3])
{
    int128 e[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) e[i][k] = p[i + 1][k] - p[0][k];
    return sign_of(e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                   e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                   e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]));
}

static firn_vec3 real3(const int64_t p[3])
{
    return firn_v3((firn_real)p[0], (firn_real)p[1], (firn_real)p[2]);
}

static int tested3(const int64_t p[4][3])
{
    return firn_orient3(real3(p[0]), real3(p[1]), real3(p[2]), real3(p[3]));
}

static void directions(void** state)
{
    (void)state;
    const double a[2] = {0, 0}, b[2] = {1, 0}, c[2] = {0, 1};
    assert_int_equal(firn_orient2(a, b, c), 1);
    assert_int_equal(firn_orient2(a, c, b), -1);
    assert_int_equal(firn_orient2(a, b, b), 0);
    const firn_vec3 o = firn_v3(0, 0, 0), x = firn_v3(1, 0, 0), y = firn_v3(0, 1, 0);
    assert_int_equal(firn_orient3(o, x, y, firn_v3(5, 5, 1)), 1);  // seen counter-clockwise
    assert_int_equal(firn_orient3(o, x, y, firn_v3(5, 5, -1)), -1);
    assert_int_equal(firn_orient3(o, x, y, firn_v3(5, 5, 0)), 0);
}

static int64_t any_whole(any_source* r, int64_t size)
{
    return (int64_t)any_between(r, -(double)size, (double)size);
}

// Points on a line, one of them moved by a unit or not: plain arithmetic cannot tell.
static void nearly_on_a_line(void** state)
{
    (void)state;
    any_source r = any_start(401);
    int zeros = 0;
    for (int q = 0; q < 20000; q++) {
        const int64_t step[2] = {any_whole(&r, LARGE / 4096), any_whole(&r, LARGE / 4096)};
        const int64_t start[2] = {any_whole(&r, LARGE / 2), any_whole(&r, LARGE / 2)};
        int64_t p[3][2];
        double d[3][2];
        for (int i = 0; i < 3; i++) {
            const int64_t t = any_below(&r, 1024);
            for (int k = 0; k < 2; k++) p[i][k] = start[k] + t * step[k];
        }
        p[2][any_below(&r, 2)] += any_below(&r, 3) - 1;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 2; k++) d[i][k] = (double)p[i][k];
        const int wanted = exact2((const int64_t(*)[2])p);
        assert_int_equal(firn_orient2(d[0], d[1], d[2]), wanted);
        zeros += wanted == 0;
    }
    assert_greater(zeros, 2000);
    assert_less(zeros, 18000);
}

static void nearly_in_a_plane(void** state)
{
    (void)state;
    any_source r = any_start(402);
    int zeros = 0;
    for (int q = 0; q < 20000; q++) {
        int64_t u[3], v[3], start[3], p[4][3];
        for (int k = 0; k < 3; k++) {
            u[k] = any_whole(&r, LARGE / 4096);
            v[k] = any_whole(&r, LARGE / 4096);
            start[k] = any_whole(&r, LARGE / 2);
        }
        for (int i = 0; i < 4; i++) {
            const int64_t s = any_below(&r, 512), t = any_below(&r, 512);
            for (int k = 0; k < 3; k++) p[i][k] = start[k] + s * u[k] + t * v[k];
        }
        p[any_below(&r, 4)][any_below(&r, 3)] += any_below(&r, 3) - 1;
        const int wanted = exact3((const int64_t(*)[3])p);
        assert_int_equal(tested3((const int64_t(*)[3])p), wanted);
        zeros += wanted == 0;
    }
    assert_greater(zeros, 2000);
    assert_less(zeros, 18000);
}

// Differences that no double holds: a tiny coordinate beside a large one.
static void far_apart_in_size(void** state)
{
    (void)state;
    const double a[2] = {1e-30, 1e-30}, b[2] = {1e9, 1e9}, c[2] = {-1e9, -1e9};
    assert_int_equal(firn_orient2(a, b, c), 0);
    const double d[2] = {1e-30, 2e-30};
    assert_int_equal(firn_orient2(b, d, c), 1);  // above the diagonal by 1e-30
    assert_int_equal(firn_orient2(d, b, c), -1);
    const firn_real t = (firn_real)1e-30, l = (firn_real)1e9;
    const firn_vec3 p = firn_v3(l, l, 0), q = firn_v3(-l, -l, 0), z = firn_v3(0, 0, l);
    assert_int_equal(firn_orient3(p, q, z, firn_v3(t, t, 7)), 0);
    const int side = firn_orient3(p, q, z, firn_v3(1, 2, 7));
    assert_int_equal(firn_orient3(p, q, z, firn_v3(t, 2 * t, 7)), side);
    assert_int_equal(firn_orient3(p, q, z, firn_v3(2 * t, t, 7)), -side);
}

int test_exact_predicates(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(directions), cmocka_unit_test(nearly_on_a_line),
        cmocka_unit_test(nearly_in_a_plane), cmocka_unit_test(far_apart_in_size)};
    return cmocka_run_group_tests_name("exact_predicates", tests, NULL, NULL);
}
