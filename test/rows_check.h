// SPDX-License-Identifier: MIT
// The judge of the fast transfers: splines in a wider type, and what all levels must share.
#pragma once
#include <string.h>

#include "precise.h"
#include "rows_kernels.h"
#include "seed.h"
#include "splines.h"

#define ROWS_EPSILON ((precise)FIRN_REAL_EPSILON)

// N and N' of the quadratic spline, node by node.
static inline void judge_quadratic(precise t, precise inverse_cell, precise w[4], precise s[4])
{
    for (int k = 0; k < 4; k++) {
        // one rounding, and none at the node itself: small slopes must not lose their digits here
        const precise x = t - (precise)(k - 1), a = precise_abs(x),
                      b = a < (precise)1.5 ? (precise)1.5 - a : 0;
        const bool inner = a < (precise)0.5;
        w[k] = inner ? (precise)0.75 - a * a : b * b / 2;
        s[k] = (inner ? -2 * x : (x < 0 ? b : -b)) * inverse_cell;
    }
}

// N and N' of the four nodes, from the paper's formula; t in cells, N' per metre.
static inline void judge_axis(firn_spline kind, precise t, precise inverse_cell, precise w[4],
                              precise s[4])
{
    if (kind == FIRN_SPLINE_QUADRATIC) {
        judge_quadratic(t, inverse_cell, w, s);
        return;
    }
    const precise u = 1 - t;
    w[0] = u * u * u / 6;
    w[1] = t * t * t / 2 - t * t + (precise)2 / 3;
    w[2] = u * u * u / 2 - u * u + (precise)2 / 3;
    w[3] = t * t * t / 6;
    s[0] = -u * u / 2 * inverse_cell;
    s[1] = (3 * t * t / 2 - 2 * t) * inverse_cell;
    s[2] = (2 * u - 3 * u * u / 2) * inverse_cell;
    s[3] = t * t / 2 * inverse_cell;
}

// Positions within a cell: anywhere, at its ends and its middle, a hair from them.
static inline firn_real any_place(any_source* r)
{
    const firn_real list[] = {0,
                              (firn_real)0.5,
                              (firn_real)0.5 - FIRN_REAL_EPSILON / 4,
                              (firn_real)0.5 + FIRN_REAL_EPSILON / 2,
                              1 - FIRN_REAL_EPSILON / 2,
                              1 - (firn_real)1e-3,
                              (firn_real)1e-3,
                              (firn_real)1e-6,
                              (firn_real)1e-9};
    const int k = any_below(r, 4 * (int)(sizeof list / sizeof *list));
    return k < (int)(sizeof list / sizeof *list) ? list[k] : (firn_real)any_between(r, 0, 0.9999);
}

// Results of this level against those of the one before: both fused (3 and 4) means the same bits.
static inline void assert_rows_as_before(const rows_kernels* k, size_t size, void* before,
                                         const void* now)
{
    if (k->level == 4) assert_memory_equal(before, now, size);
    memcpy(before, now, size);
}
