// SPDX-License-Identifier: MIT
// Where a line along x crosses a triangle, and from which side. Neighbours that share an edge
// decide by the same numbers on which side of it a line passes, so that a line through a closed
// mesh meets as many fronts as backs, even along edges and through corners.
#pragma once
#include "math/vec3.h"

// Does the edge pass on the +y side of (y, z)? 1: upwards in z, -1: downwards, 0: it does not, or
// its ends are on the same side of z. An edge gives the opposite when it is reversed.
FIRN_FN int firn_edge_passes(const double p[3], const double q[3], double y, double z)
{
    const bool up = p[2] <= z;
    if (up == (q[2] <= z)) return 0;
    const double* low = up ? p : q;
    const double* high = up ? q : p;
    const double at = low[1] + (z - low[2]) / (high[2] - low[2]) * (high[1] - low[1]);
    if (!(at > y)) return 0;
    return up ? 1 : -1;
}

// The line (x, y, z), x from -infinity up: 1 where it enters through a face that is seen from
// outside, -1 where it leaves, 0 where it misses the triangle. `out_x`: where, unless 0.
FIRN_FN int firn_line_crosses(const double a[3], const double b[3], const double c[3], double y,
                              double z, double* out_x)
{
    const int around =
        firn_edge_passes(a, b, y, z) + firn_edge_passes(b, c, y, z) + firn_edge_passes(c, a, y, z);
    if (around == 0) return 0;
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    const double nx = u[1] * v[2] - u[2] * v[1], ny = u[2] * v[0] - u[0] * v[2],
                 nz = u[0] * v[1] - u[1] * v[0];
    double low = a[0] < b[0] ? a[0] : b[0], high = a[0] < b[0] ? b[0] : a[0];
    low = c[0] < low ? c[0] : low;
    high = c[0] > high ? c[0] : high;
    double x = nx != 0 ? a[0] - (ny * (y - a[1]) + nz * (z - a[2])) / nx : low;
    x = x > low ? x : low;  // a triangle seen edge-on
    *out_x = x < high ? x : high;
    return -around;
}
