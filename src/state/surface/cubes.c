// SPDX-License-Identifier: MIT
#include "state/surface/cubes.h"

#include <string.h>

int firn_cube_edge_corner(int edge)
{
    const int axis = edge / 4, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    return (edge & 1 ? u : 0) | (edge & 2 ? v : 0);
}

// The edge between two corners that differ in one bit.
static int edge_between(int a, int b)
{
    const int axis = (a ^ b) >> 1, low = a & b;
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
    return 4 * axis + (low & u ? 1 : 0) + (low & v ? 2 : 0);
}

// Corners of face `axis`, `side`, counter-clockwise seen from outside the cell.
static void corners_of(int axis, int side, int out_corner[4])
{
    const int u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3, base = side << axis;
    const int turn[2][4] = {{0, v, u | v, u}, {0, u, u | v, v}};
    for (int k = 0; k < 4; k++) out_corner[k] = base | turn[side][k];
}

// next[e]: the crossing after that of edge e on its loop; -1: the edge is not crossed. On a face a
// run of inside corners begins behind an entering edge and ends before a leaving one.
static void join_faces(int inside, int next[FIRN_CUBE_EDGES])
{
    for (int e = 0; e < FIRN_CUBE_EDGES; e++) next[e] = -1;
    for (int face = 0; face < 6; face++) {
        int c[4];
        corners_of(face >> 1, face & 1, c);
        for (int k = 0; k < 4; k++) {
            const int after = (k + 1) & 3;
            if (!(inside >> c[k] & 1) || inside >> c[after] & 1) continue;
            int first = k;
            while (inside >> c[(first + 3) & 3] & 1) first = (first + 3) & 3;
            next[edge_between(c[(first + 3) & 3], c[first])] = edge_between(c[k], c[after]);
        }
    }
}

static bool share_face(int a, int b)
{
    for (int face = 0; face < 6; face++) {
        const int axis = face >> 1, side = face & 1;
        const bool on_a = a / 4 != axis && (firn_cube_edge_corner(a) >> axis & 1) == side;
        const bool on_b = b / 4 != axis && (firn_cube_edge_corner(b) >> axis & 1) == side;
        if (on_a && on_b) return true;
    }
    return false;
}

// Splits the polygon loop[from .. to] on its side `from`-`to`; false: every way has a diagonal in a
// face. Gives the number of triangles.
static bool split(const int* loop, int from, int to, uint8_t* out, int* count)
{
    if (to - from < 2) return true;
    const int before = *count;
    for (int k = from + 1; k < to; k++) {
        if ((k > from + 1 && share_face(loop[from], loop[k])) ||
            (k < to - 1 && share_face(loop[k], loop[to])))
            continue;
        uint8_t* t = out + 3 * (*count)++;
        t[0] = (uint8_t)loop[from];
        t[1] = (uint8_t)loop[k];
        t[2] = (uint8_t)loop[to];
        if (split(loop, from, k, out, count) && split(loop, k, to, out, count)) return true;
        *count = before;
    }
    return false;
}

void firn_cubes_make(firn_cubes* out_cubes)
{
    memset(out_cubes, 0, sizeof *out_cubes);
    for (int inside = 0; inside < 256; inside++) {
        int next[FIRN_CUBE_EDGES], count = 0;
        join_faces(inside, next);
        for (int e = 0; e < FIRN_CUBE_EDGES; e++) {
            int loop[FIRN_CUBE_EDGES], length = 0;
            for (int k = e; next[k] >= 0;) {
                const int after = next[k];
                loop[length++] = k;
                next[k] = -1;
                k = after;
            }
            if (length > 0) split(loop, 0, length - 1, out_cubes->edge[inside], &count);
        }
        out_cubes->count[inside] = (uint8_t)count;
    }
}
