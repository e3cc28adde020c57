// SPDX-License-Identifier: MIT
// Triangle-triangle intersection from signs of determinants (Guigue and Devillers 2003, Fast and
// Robust Triangle-Triangle Overlap Test Using Orientation Predicates). Their test also reports
// triangles that only touch; ours does not, so its comparisons are strict, and a corner in the
// other's plane counts as outside. If an edge lies in the plane of another triangle and passes
// through it, one of the two triangles at that edge is found to intersect it.
#include "mesh/topology/triangle_pair.h"

#include "mesh/topology/exact_predicates.h"

// Projection along an axis.
static void project(firn_vec3 x, int axis, double out[2])
{
    const double all[3] = {(double)x.x, (double)x.y, (double)x.z};
    out[0] = all[(axis + 1) % 3];
    out[1] = all[(axis + 2) % 3];
}

// The sign of the projected area.
static int turn_along(firn_vec3 a, firn_vec3 b, firn_vec3 c, int axis)
{
    double p[3][2];
    project(a, axis, p[0]);
    project(b, axis, p[1]);
    project(c, axis, p[2]);
    return firn_orient2(p[0], p[1], p[2]);
}

bool firn_triangle_is_flat(firn_vec3 a, firn_vec3 b, firn_vec3 c)
{
    for (int axis = 0; axis < 3; axis++)
        if (turn_along(a, b, c, axis) != 0) return false;
    return true;
}

// Does the line through an edge of a separate it from b? Disjoint coplanar triangles have one.
static bool keeps_out(double a[3][2], int turn, double b[3][2])
{
    for (int i = 0; i < 3; i++) {
        bool out = true;
        for (int k = 0; k < 3 && out; k++)
            out = turn * firn_orient2(a[i], a[(i + 1) % 3], b[k]) <= 0;
        if (out) return true;
    }
    return false;
}

// Coplanar triangles: do they overlap? Any axis works along which they do not project to a line.
static bool overlap(const firn_vec3* vertices, const int32_t a[3], const int32_t b[3])
{
    int axis = 0;
    while (axis < 2 && turn_along(vertices[a[0]], vertices[a[1]], vertices[a[2]], axis) == 0)
        axis++;
    double p[3][2], q[3][2];
    for (int i = 0; i < 3; i++) {
        project(vertices[a[i]], axis, p[i]);
        project(vertices[b[i]], axis, q[i]);
    }
    return !keeps_out(p, firn_orient2(p[0], p[1], p[2]), q) &&
           !keeps_out(q, firn_orient2(q[0], q[1], q[2]), p);
}

static bool has_corner(const int32_t t[3], int32_t vertex)
{
    return t[0] == vertex || t[1] == vertex || t[2] == vertex;
}

// Sides of b's plane on which the corners of a lie. 1: outside, from where b is counter-clockwise.
typedef struct sides {
    int of[3];
    int outside, inside;  // corners strictly on that side
} sides;

static sides find_sides(const firn_vec3* vertices, const int32_t a[3], const int32_t b[3])
{
    sides s = {0};
    for (int i = 0; i < 3; i++) {
        if (!has_corner(b, a[i]))
            s.of[i] = firn_orient3(vertices[b[0]], vertices[b[1]], vertices[b[2]], vertices[a[i]]);
        s.outside += s.of[i] > 0;
        s.inside += s.of[i] < 0;
    }
    return s;
}

// Does the triangle intersect the plane in a segment, other than by an edge with the rest outside?
static bool crosses(const sides* s)
{
    return s->inside > 0 && (s->outside > 0 || s->inside == 1);
}

// Reorders the corners so that the one alone on its side is first; corners in the plane count as
// outside. Returns its side.
static int put_lone_first(const sides* s, const int32_t t[3], int32_t out[3])
{
    const int side = s->inside == 1 ? -1 : 1;
    int lone = 0;
    while (s->of[lone] != side) lone++;
    for (int i = 0; i < 3; i++) out[i] = t[(lone + i) % 3];
    return side;
}

static void swap_last(int32_t t[3])
{
    const int32_t swap = t[1];
    t[1] = t[2];
    t[2] = swap;
}

bool firn_triangles_cut(const firn_vec3* vertices, const int32_t a[3], const int32_t b[3])
{
    const sides of_a = find_sides(vertices, a, b);
    if (of_a.inside == 0 && of_a.outside == 0) return overlap(vertices, a, b);
    if (!crosses(&of_a)) return false;
    int shared = 0;
    for (int i = 0; i < 3; i++) shared += has_corner(b, a[i]);
    if (shared >= 2) return false;  // not coplanar: they meet only in the shared edge
    const sides of_b = find_sides(vertices, b, a);
    if (!crosses(&of_b)) return false;
    // They touch edge to edge, as faces of one solid do at a T-junction.
    if (of_a.outside == 0 && of_b.outside == 0) return false;
    // Each triangle meets the line common to both planes between the edges from its lone corner p:
    //     p1 q1 .. p1 r1  and  p2 q2 .. p2 r2
    // With each lone corner outside the other's plane, r1 .. q1 and q2 .. r2 have the same
    // direction.
    int32_t p[3], q[3];
    const int side_a = put_lone_first(&of_a, a, p);
    const int side_b = put_lone_first(&of_b, b, q);
    if (side_a < 0) swap_last(q);
    if (side_b < 0) swap_last(p);
    const firn_vec3* v = vertices;
    return firn_orient3(v[p[0]], v[p[1]], v[q[0]], v[q[1]]) < 0 &&
           firn_orient3(v[p[0]], v[p[2]], v[q[0]], v[q[2]]) > 0;
}
