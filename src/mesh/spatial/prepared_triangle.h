// SPDX-License-Identifier: MIT
// Distances of many points from the same triangles: as nearest_triangle.h but for rounding, with
// what does not depend on the point computed once (Ericson 2005, "Real-Time Collision Detection",
// section 5.1.5). Never less than the distance; of slivers a million times as long as thick it may
// be more by a ten-thousandth of their length.
#pragma once
#include "mesh/mesh.h"

typedef struct firn_prepared_triangle {
    double a[3], ab[3], ac[3];   // [m] a corner and the edges from it
    double ab_ab, ab_ac, ac_ac;  // [m^2] their products
} firn_prepared_triangle;

// a, b, c: corners [m], in double from where the points are measured.
FIRN_FN firn_prepared_triangle firn_prepare_triangle(const double a[3], const double b[3],
                                                     const double c[3])
{
    firn_prepared_triangle t;
    t.ab_ab = t.ab_ac = t.ac_ac = 0;
    for (int i = 0; i < 3; i++) {
        t.a[i] = a[i];
        t.ab[i] = b[i] - a[i];
        t.ac[i] = c[i] - a[i];
        t.ab_ab += t.ab[i] * t.ab[i];
        t.ab_ac += t.ab[i] * t.ac[i];
        t.ac_ac += t.ac[i] * t.ac[i];
    }
    return t;
}

FIRN_FN double firn_between_0_and_1(double x)
{
    return x > 0 ? (x < 1 ? x : 1) : 0;
}

// The nearest point is a + v ab + w ac. Which corner, edge or face it lies on follows from the
// products of the edges with the way from each corner to x.
FIRN_FN void firn_nearest_weights(const firn_prepared_triangle* t, const double ax[3],
                                  double* out_v, double* out_w)
{
    const double d1 = t->ab[0] * ax[0] + t->ab[1] * ax[1] + t->ab[2] * ax[2];
    const double d2 = t->ac[0] * ax[0] + t->ac[1] * ax[1] + t->ac[2] * ax[2];
    const double d3 = d1 - t->ab_ab, d4 = d2 - t->ab_ac;  // from b
    const double d5 = d1 - t->ab_ac, d6 = d2 - t->ac_ac;  // from c
    const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    *out_v = *out_w = 0;
    if (d1 <= 0 && d2 <= 0) return;
    if (d3 >= 0 && d4 <= d3) {
        *out_v = 1;
    } else if (d6 >= 0 && d5 <= d6) {
        *out_w = 1;
    } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
        *out_v = firn_between_0_and_1(d1 / t->ab_ab);
    } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
        *out_w = firn_between_0_and_1(d2 / t->ac_ac);
    } else if (va <= 0 && d4 >= d3 && d5 >= d6) {
        *out_w = firn_between_0_and_1((d4 - d3) / (d4 - d3 + (d5 - d6)));
        *out_v = 1 - *out_w;
    } else {
        const double all = va + vb + vc;  // twice the area, squared
        *out_v = firn_between_0_and_1(vb / all);
        *out_w = firn_between_0_and_1(vc / all);
        if (*out_v + *out_w > 1) *out_w = 1 - *out_v;  // a sliver that rounding has made shapeless
    }
}

// The square of the distance of x. `out_from`: from the nearest point to x.
FIRN_FN double firn_prepared_distance2(const firn_prepared_triangle* t, const double x[3],
                                       double out_from[3])
{
    const double ax[3] = {x[0] - t->a[0], x[1] - t->a[1], x[2] - t->a[2]};
    double v, w;
    firn_nearest_weights(t, ax, &v, &w);
    for (int i = 0; i < 3; i++) out_from[i] = ax[i] - v * t->ab[i] - w * t->ac[i];
    return out_from[0] * out_from[0] + out_from[1] * out_from[1] + out_from[2] * out_from[2];
}

#ifdef __cplusplus
extern "C" {
#endif

// Those of all triangles of a mesh [triangle_count], measured from the world's origin; owned by the
// caller. Null: out of memory.
firn_prepared_triangle* firn_prepare_mesh(const firn_mesh* mesh);

#ifdef __cplusplus
}
#endif
