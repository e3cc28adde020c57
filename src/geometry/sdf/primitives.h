// SPDX-License-Identifier: MIT
// Signed distance and unit gradient of the closed-form shapes, one function each, for C and CUDA.
// Exact inside and outside: each is a convex body whose nearest surface point is known. Where the
// gradient jumps (edges, axes, centres) one of its one-sided values is given, never NaN.
#pragma once
#include "geometry/sdf/phi.h"
#include "geometry/sdf/shape.h"
#include "math/quat.h"

// Three parameters of a node from index i on.
FIRN_FN firn_vec3 firn_shape_vec3(const firn_shape_node* node, int i)
{
    return firn_v3(node->p[i], node->p[i + 1], node->p[i + 2]);
}

// Length and direction of v; `fallback` is the direction of zero. Squares of very small and very
// large numbers leave the range of float, hence the second try with v scaled to about 1.
FIRN_FN firn_real firn_phi_direction(firn_vec3 v, firn_vec3 fallback, firn_vec3* out_unit)
{
    firn_real scale = 1;
    firn_real l2 = firn_v3_dot(v, v);
    if (!(l2 > (firn_real)1e-25 && l2 < (firn_real)1e30)) {
        const firn_vec3 a = firn_v3_abs(v);
        scale = firn_max(a.x, firn_max(a.y, a.z));
        if (!(scale > (firn_real)1e-30)) {
            *out_unit = fallback;
            return 0;
        }
        v = firn_v3(v.x / scale, v.y / scale, v.z / scale);
        l2 = firn_v3_dot(v, v);
    }
    const firn_real l = firn_sqrt(l2);
    *out_unit = firn_v3_scale(v, 1 / l);
    return scale * l;
}

// Some unit vector across the unit vector u.
FIRN_FN firn_vec3 firn_phi_across(firn_vec3 u)
{
    const firn_vec3 a = firn_v3_abs(u);
    const firn_vec3 least = a.x <= a.y && a.x <= a.z ? firn_v3(1, 0, 0)
                            : a.y <= a.z             ? firn_v3(0, 1, 0)
                                                     : firn_v3(0, 0, 1);
    return firn_v3_normalize(firn_v3_cross(u, least), firn_v3(0, 1, 0));
}

FIRN_FN firn_real firn_phi_sign(firn_real x)
{
    return x < 0 ? (firn_real)-1 : (firn_real)1;
}

// The intersection of a <= 0 and b <= 0, for distances with perpendicular gradients, grown by
// `rounding`: nearest point on a face, or on the edge where both are positive.
FIRN_FN firn_phi firn_phi_corner(firn_phi a, firn_phi b, firn_real rounding)
{
    firn_phi phi = a.distance >= b.distance ? a : b;
    if (a.distance > 0 && b.distance > 0) {
        firn_vec3 weight;
        phi.distance =
            firn_phi_direction(firn_v3(a.distance, b.distance, 0), firn_v3(1, 0, 0), &weight);
        phi.normal = firn_v3_madd(firn_v3_scale(a.normal, weight.x), weight.y, b.normal);
    }
    phi.distance -= rounding;
    return phi;
}

FIRN_FN firn_phi firn_phi_plane(const firn_shape_node* node, firn_vec3 x)
{
    firn_phi phi;
    phi.normal = firn_shape_vec3(node, 3);
    phi.distance = firn_v3_dot(phi.normal, firn_v3_sub(x, firn_shape_vec3(node, 0)));
    return phi;
}

FIRN_FN firn_phi firn_phi_sphere(const firn_shape_node* node, firn_vec3 x)
{
    firn_phi phi;
    phi.distance = firn_phi_direction(firn_v3_sub(x, firn_shape_vec3(node, 0)), firn_v3(0, 1, 0),
                                      &phi.normal) -
                   node->p[3];
    return phi;
}

// Box about the origin along the axes: the inner box without its rounding, grown by it.
FIRN_FN firn_phi firn_phi_box_centred(firn_vec3 x, firn_vec3 half, firn_real rounding)
{
    const firn_vec3 d =
        firn_v3(firn_abs(x.x) - (half.x - rounding), firn_abs(x.y) - (half.y - rounding),
                firn_abs(x.z) - (half.z - rounding));
    const firn_vec3 face = d.x >= d.y && d.x >= d.z ? firn_v3(1, 0, 0)
                           : d.y >= d.z             ? firn_v3(0, 1, 0)
                                                    : firn_v3(0, 0, 1);
    const firn_real largest = firn_max(d.x, firn_max(d.y, d.z));
    firn_phi phi;
    phi.normal = face;
    phi.distance = largest;
    if (largest > 0)
        phi.distance = firn_phi_direction(firn_v3_max(d, firn_v3(0, 0, 0)), face, &phi.normal);
    phi.distance -= rounding;
    phi.normal = firn_v3_mul(phi.normal,
                             firn_v3(firn_phi_sign(x.x), firn_phi_sign(x.y), firn_phi_sign(x.z)));
    return phi;
}

FIRN_FN firn_phi firn_phi_box(const firn_shape_node* node, firn_vec3 x)
{
    const firn_vec3 y =
        firn_q_rotate(firn_q_conjugate(node->q), firn_v3_sub(x, firn_shape_vec3(node, 0)));
    firn_phi phi = firn_phi_box_centred(y, firn_shape_vec3(node, 3), node->p[6]);
    phi.normal = firn_q_rotate(node->q, phi.normal);
    return phi;
}

FIRN_FN firn_phi firn_phi_capsule(const firn_shape_node* node, firn_vec3 x)
{
    const firn_vec3 a = firn_shape_vec3(node, 0);
    firn_vec3 u;  // axis
    const firn_real length =
        firn_phi_direction(firn_v3_sub(firn_shape_vec3(node, 3), a), firn_v3(0, 1, 0), &u);
    const firn_vec3 y = firn_v3_sub(x, a);
    const firn_real t = firn_clamp(firn_v3_dot(y, u), 0, length);
    firn_phi phi;
    phi.distance =
        firn_phi_direction(firn_v3_madd(y, -t, u), firn_phi_across(u), &phi.normal) - node->p[6];
    return phi;
}

// A point in cylinder coordinates about the axis from a towards b.
typedef struct firn_phi_axial {
    firn_vec3 axis, radial;           // unit
    firn_real length, along, radius;  // of the axis; from a; from the axis [m]
} firn_phi_axial;

FIRN_FN firn_phi_axial firn_phi_about_axis(firn_vec3 a, firn_vec3 b, firn_vec3 x)
{
    firn_phi_axial c;
    c.length = firn_phi_direction(firn_v3_sub(b, a), firn_v3(0, 1, 0), &c.axis);
    const firn_vec3 y = firn_v3_sub(x, a);
    c.along = firn_v3_dot(y, c.axis);
    const firn_vec3 across = firn_phi_across(c.axis);
    c.radius = firn_phi_direction(firn_v3_madd(y, -c.along, c.axis), across, &c.radial);
    // on the axis what is left is rounding, in any direction: take out the axis once more
    c.radial = firn_v3_madd(c.radial, -firn_v3_dot(c.radial, c.axis), c.axis);
    const firn_real l = firn_v3_length(c.radial);
    c.radial = l > (firn_real)0.5 ? firn_v3_scale(c.radial, 1 / l) : across;
    return c;
}

FIRN_FN firn_phi firn_phi_cylinder(const firn_shape_node* node, firn_vec3 x)
{
    const firn_phi_axial c =
        firn_phi_about_axis(firn_shape_vec3(node, 0), firn_shape_vec3(node, 3), x);
    const firn_real rounding = node->p[7];
    const firn_real from_middle = c.along - c.length / 2;
    firn_phi side, cap;
    side.distance = c.radius - (node->p[6] - rounding);
    side.normal = c.radial;
    cap.distance = firn_abs(from_middle) - (c.length / 2 - rounding);
    cap.normal = firn_v3_scale(c.axis, firn_phi_sign(from_middle));
    return firn_phi_corner(side, cap, rounding);
}

// Distance to a convex region of the plane left of the line through corners[0], [1], ... The region
// may be open (a body of revolution ends at its axis) or closed (last corner = first). Edges of no
// length are skipped. z of points and normals is 0.
FIRN_FN firn_phi firn_phi_section(const firn_vec3* corners, int corner_count, firn_vec3 x)
{
    firn_phi inside, outside;  // nearest edge line, from within; nearest edge, from without
    inside.distance = -FIRN_REAL_MAX;
    outside.distance = FIRN_REAL_MAX;
    inside.normal = outside.normal = firn_v3(0, 1, 0);
    for (int i = 0; i + 1 < corner_count; i++) {
        firn_vec3 e;
        const firn_real length =
            firn_phi_direction(firn_v3_sub(corners[i + 1], corners[i]), firn_v3(0, 0, 1), &e);
        if (!(length > 0)) continue;
        const firn_vec3 n = firn_v3(e.y, -e.x, 0);
        const firn_vec3 y = firn_v3_sub(x, corners[i]);
        const firn_real line = firn_v3_dot(y, n), along = firn_v3_dot(y, e);
        if (line > inside.distance) {
            inside.distance = line;
            inside.normal = n;
        }
        if (!(line > 0)) continue;  // the nearest edge of a convex region faces the point
        firn_phi edge;
        edge.distance = line;
        edge.normal = n;
        if (along < 0) edge.distance = firn_phi_direction(y, n, &edge.normal);
        if (along > length)
            edge.distance = firn_phi_direction(firn_v3_sub(x, corners[i + 1]), n, &edge.normal);
        if (edge.distance < outside.distance) outside = edge;
    }
    return inside.distance > 0 ? outside : inside;
}

FIRN_FN firn_phi firn_phi_cone(const firn_shape_node* node, firn_vec3 x)
{
    const firn_phi_axial c =
        firn_phi_about_axis(firn_shape_vec3(node, 0), firn_shape_vec3(node, 3), x);
    firn_vec3 corners[4];  // half the section: x = distance from the axis, y = along it
    corners[0] = firn_v3(0, 0, 0);
    corners[1] = firn_v3(node->p[6], 0, 0);
    corners[2] = firn_v3(node->p[7], c.length, 0);
    corners[3] = firn_v3(0, c.length, 0);
    firn_phi phi = firn_phi_section(corners, 4, firn_v3(c.radius, c.along, 0));
    phi.normal = firn_v3_madd(firn_v3_scale(c.radial, phi.normal.x), phi.normal.y, c.axis);
    return phi;
}

FIRN_FN firn_phi firn_phi_wedge(const firn_shape_node* node, firn_vec3 x)
{
    const firn_vec3 y =
        firn_q_rotate(firn_q_conjugate(node->q), firn_v3_sub(x, firn_shape_vec3(node, 0)));
    const firn_real half = node->p[3] / 2;
    firn_vec3 corners[4];
    corners[0] = corners[3] = firn_v3(-half, 0, 0);
    corners[1] = firn_v3(half, 0, 0);
    corners[2] = firn_v3(0, node->p[4], 0);
    const firn_phi roof = firn_phi_section(corners, 4, firn_v3(y.x, y.y, 0));
    firn_phi end;
    end.distance = firn_abs(y.z) - node->p[5] / 2;
    end.normal = firn_v3(0, 0, firn_phi_sign(y.z));
    firn_phi phi = firn_phi_corner(roof, end, 0);
    phi.normal = firn_q_rotate(node->q, phi.normal);
    return phi;
}
