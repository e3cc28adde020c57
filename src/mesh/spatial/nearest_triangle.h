// SPDX-License-Identifier: MIT
// The point of a triangle nearest to another point, in double; flat triangles are fine.
#pragma once
#include "math/vec3.h"

typedef struct firn_nearest {
    double distance2;  // [m^2]
    double weight[3];  // of the corners; sum 1, each in [0, 1]
} firn_nearest;

// On the edge from corner i to corner j. `to[c]`: from the point to corner c.
static inline void firn_nearest_on_edge(double to[3][3], int i, int j, firn_nearest* best)
{
    double along = 0, length2 = 0, d2 = 0;
    for (int d = 0; d < 3; d++) {
        const double edge = to[j][d] - to[i][d];
        along -= to[i][d] * edge;
        length2 += edge * edge;
    }
    double s = length2 > 0 ? along / length2 : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    for (int d = 0; d < 3; d++) {
        const double off = to[i][d] + s * (to[j][d] - to[i][d]);
        d2 += off * off;
    }
    if (!(d2 < best->distance2)) return;
    *best = (firn_nearest){.distance2 = d2};
    best->weight[i] = 1 - s;
    best->weight[j] = s;
}

static inline firn_nearest firn_nearest_on_triangle(firn_vec3 x, firn_vec3 a, firn_vec3 b,
                                                    firn_vec3 c)
{
    const firn_vec3 corner[3] = {a, b, c};
    double to[3][3], n[3], n2 = 0, height = 0, weight[3];
    for (int i = 0; i < 3; i++) {
        to[i][0] = (double)corner[i].x - (double)x.x;
        to[i][1] = (double)corner[i].y - (double)x.y;
        to[i][2] = (double)corner[i].z - (double)x.z;
    }
    for (int d = 0; d < 3; d++) {  // n = (b - a) x (c - a), twice the area long
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        n[d] = (to[1][e] - to[0][e]) * (to[2][f] - to[0][f]) -
               (to[1][f] - to[0][f]) * (to[2][e] - to[0][e]);
        n2 += n[d] * n[d];
        height += n[d] * to[0][d];
    }
    bool over = n2 > 0;  // the point's foot is inside the triangle
    for (int i = 0; i < 3 && over; i++) {
        const double *p = to[(i + 1) % 3], *q = to[(i + 2) % 3];
        double part = 0;  // area of the foot with the opposite edge, over the whole
        for (int d = 0; d < 3; d++)
            part += n[d] * (p[(d + 1) % 3] * q[(d + 2) % 3] - p[(d + 2) % 3] * q[(d + 1) % 3]);
        weight[i] = part / n2;
        over = weight[i] >= 0;
    }
    if (over) return (firn_nearest){height * height / n2, {weight[0], weight[1], weight[2]}};
    firn_nearest best = {.distance2 = INFINITY};
    for (int i = 0; i < 3; i++) firn_nearest_on_edge(to, i, (i + 1) % 3, &best);
    return best;
}
