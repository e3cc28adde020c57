// SPDX-License-Identifier: MIT
// Weights and slopes four at a time: against the splines in a wider type and against
// math/bspline.h; T01's sums; where a particle's nodes begin.
#include "state/stencil.h"

#include "rows_check.h"

#define TRIALS 4000

// Each weight and slope is a product of at most four factors with one rounding each, times a few
// roundings of constants; 1 - t is exact or rounds once, and enters up to three times.
#define PRODUCT (8 * ROWS_EPSILON)

// Relative to each number's own size: a weight of 1e-28 has as many good digits as one of 2/3.
static void relative_accuracy(void** state)
{
    const firn_spline kind = spline_of(state);
    any_source r = any_start(521);
    static firn_stencil before[TRIALS], now[TRIALS];
    const rows_kernels* k;
    for (int n = 0; (k = rows_kernels_get(n)) != NULL; n++) {
        r.index = 0;
        for (int trial = 0; trial < TRIALS; trial++) {
            const firn_real t[3] = {any_place(&r), any_place(&r), any_place(&r)};
            const firn_real inverse = (firn_real)any_between(&r, 0.5, 200);
            firn_stencil plain, *at = &now[trial];
            k->stencil(kind, t, inverse, at);
            k->stencil_plain(kind, t, inverse, &plain);
            for (int d = 0; d < 3; d++) {
                precise w[4], s[4];
                judge_axis(kind, t[d], inverse, w, s);
                for (int c = 0; c < 4; c++) {
                    assert_at_least(at->w[d][c], 0);
                    assert_near(at->w[d][c], w[c], PRODUCT * w[c]);
                    assert_near(at->s[d][c], s[c], PRODUCT * precise_abs(s[c]));
                    assert_near(at->w[d][c], (precise)plain.w[d][c], PRODUCT * w[c]);
                    assert_near(at->s[d][c], (precise)plain.s[d][c], PRODUCT * precise_abs(s[c]));
                }
            }
        }
        assert_rows_as_before(k, sizeof now, before, now);
    }
}

// T01: sum N = 1, sum N' = 0, sum N (x_i - x) = 0, sum N' (x_i - x) = 1, second moment h^2/3 or
// h^2/4.
static void sums_of_splines(void** state)
{
    const firn_spline kind = spline_of(state);
    any_source r = any_start(522);
    const rows_kernels* k;
    for (int n = 0; (k = rows_kernels_get(n)) != NULL; n++) {
        for (int trial = 0; trial < TRIALS; trial++) {
            const firn_real t[3] = {any_place(&r), any_place(&r), any_place(&r)};
            firn_stencil at;
            k->stencil(kind, t, 1, &at);
            for (int d = 0; d < 3; d++) {
                precise one = 0, none = 0, first = 0, slope = 0, second = 0;
                for (int c = 0; c < 4; c++) {
                    const precise x = (precise)(c - 1) - (precise)t[d];
                    one += (precise)at.w[d][c];
                    none += (precise)at.s[d][c];
                    first += (precise)at.w[d][c] * x;
                    slope += (precise)at.s[d][c] * x;
                    second += (precise)at.w[d][c] * x * x;
                }
                // four terms of at most about 1, each good to a few roundings
                assert_near(one, 1, 4 * ROWS_EPSILON);
                assert_near(none, 0, 4 * ROWS_EPSILON);
                assert_near(first, 0, 4 * ROWS_EPSILON);
                assert_near(slope, 1, 8 * ROWS_EPSILON);
                assert_near(second, 1 / (precise)firn_spline_affine(kind), 4 * ROWS_EPSILON);
            }
        }
    }
}

// First moments N (x_i - x_p), and squares.
static void moments_and_squares(void** state)
{
    const firn_spline kind = spline_of(state);
    any_source r = any_start(523);
    const rows_kernels* k;
    for (int n = 0; (k = rows_kernels_get(n)) != NULL; n++) {
        for (int trial = 0; trial < 500; trial++) {
            const firn_real t[3] = {any_place(&r), any_place(&r), any_place(&r)};
            const firn_real cell = (firn_real)any_between(&r, 0.01, 2);
            firn_stencil at, moments, squared;
            k->stencil(kind, t, 1 / cell, &at);
            k->moments(kind, t, cell, &moments);
            squared = at;
            k->square(&squared);
            assert_memory_equal(moments.w, at.w, sizeof at.w);
            for (int d = 0; d < 3; d++) {
                precise w[4], s[4];
                judge_axis(kind, t[d], 1 / (precise)cell, w, s);
                for (int c = 0; c < 4; c++) {
                    const precise x = ((precise)(c - 1) - (precise)t[d]) * (precise)cell;
                    assert_near(moments.s[d][c], w[c] * x, PRODUCT * w[c] * precise_abs(x));
                    assert_equal(squared.w[d][c], at.w[d][c] * at.w[d][c]);
                    assert_equal(squared.s[d][c], at.s[d][c] * at.s[d][c]);
                }
            }
        }
    }
}

// The same cell and the same t as math/bspline.h, whatever the sign.
static void place_in_the_tile(void** state)
{
    (void)state;
    any_source r = any_start(524);
    const firn_real special[] = {0,
                                 -(firn_real)0.0,
                                 1,
                                 -1,
                                 4,
                                 -4,
                                 (firn_real)1e-30,
                                 -(firn_real)1e-30,
                                 -FIRN_REAL_EPSILON / 4,
                                 4 - 2 * FIRN_REAL_EPSILON,
                                 -4 - 4 * FIRN_REAL_EPSILON,
                                 (firn_real)1e6,
                                 -(firn_real)1e6};
    const int count = (int)(sizeof special / sizeof *special);
    const rows_kernels* k;
    for (int n = 0; (k = rows_kernels_get(n)) != NULL; n++) {
        for (int trial = 0; trial < TRIALS; trial++) {
            firn_vec3 x = any_vec3(&r, trial % 2 == 0 ? 10 : 10000);
            if (trial % 3 == 0) x.x = special[any_below(&r, count)];
            if (trial % 5 == 0) x.z = special[any_below(&r, count)];
            const firn_real inverse = trial % 4 == 0 ? 1 : (firn_real)any_between(&r, 0.3, 90);
            const firn_cell_offset offset = k->offset(x, inverse);
            const firn_weights w = k->offset_plain(x, inverse);
            for (int d = 0; d < 3; d++) assert_equal(offset.t[d], w.t[d]);  // -0 may be 0
            firn_tile tile;
            assert_equal(&tile.node[0][0][0] + offset.corner, firn_tile_corner(&tile, &w));
        }
    }
}

int test_stencil(void)
{
    const struct CMUnitTest tests[] = {EACH_SPLINE(relative_accuracy), EACH_SPLINE(sums_of_splines),
                                       EACH_SPLINE(moments_and_squares),
                                       cmocka_unit_test(place_in_the_tile)};
    return cmocka_run_group_tests_name("stencil", tests, NULL, NULL);
}
