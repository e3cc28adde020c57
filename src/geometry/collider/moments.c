// SPDX-License-Identifier: MIT
#include "geometry/collider/moments.h"

#include <math.h>

#define PI 3.14159265358979323846

// A solid in its own axes: volume, centre, and means of squares about the centre.
typedef struct solid {
    double volume;
    firn_vec3 center;       // in the coordinates of the node
    firn_mat3 axes;         // columns: its own axes there
    double mean_square[3];  // <x_d^2> along them
} solid;

static firn_vec3 point(const firn_shape_node* node, int first)
{
    return firn_v3(node->p[first], node->p[first + 1], node->p[first + 2]);
}

// Turns the y axis to the direction from a to b.
static firn_mat3 axes_along(firn_vec3 a, firn_vec3 b)
{
    const firn_vec3 up = firn_v3(0, 1, 0);
    return firn_q_to_m3(firn_q_between(up, firn_v3_normalize(firn_v3_sub(b, a), up)));
}

static solid box_of(const firn_shape_node* node)
{
    const double a = (double)node->p[3], b = (double)node->p[4], c = (double)node->p[5];
    return (solid){
        8 * a * b * c, point(node, 0), firn_q_to_m3(node->q), {a * a / 3, b * b / 3, c * c / 3}};
}

static solid wedge_of(const firn_shape_node* node)
{
    const double w = (double)node->p[3], h = (double)node->p[4], d = (double)node->p[5];
    const firn_vec3 up = firn_q_rotate(node->q, firn_v3(0, (firn_real)(h / 3), 0));
    return (solid){w * h * d / 2,
                   firn_v3_add(point(node, 0), up),
                   firn_q_to_m3(node->q),
                   {w * w / 24, h * h / 18, d * d / 12}};
}

// A cylinder and the two halves of a sphere: <z^2> of these about the middle is L^2/4 + 3 L r/8 +
// r^2/5.
static solid capsule_of(const firn_shape_node* node)
{
    const firn_vec3 a = point(node, 0), b = point(node, 3);
    const double l = (double)firn_v3_length(firn_v3_sub(b, a)), r = (double)node->p[6];
    const double rod = PI * r * r * l, ends = 4.0 / 3 * PI * r * r * r, all = rod + ends;
    const double across = (rod * r * r / 4 + ends * r * r / 5) / all;
    const double along = (rod * l * l / 12 + ends * (l * l / 4 + 3 * l * r / 8 + r * r / 5)) / all;
    return (solid){all,
                   firn_v3_scale(firn_v3_add(a, b), (firn_real)0.5),
                   axes_along(a, b),
                   {across, along, across}};
}

// Of radius r at a and s at b; a cylinder has the same at both.
static solid cone_of(const firn_shape_node* node, double r, double s)
{
    const firn_vec3 a = point(node, 0), b = point(node, 3);
    const double l = (double)firn_v3_length(firn_v3_sub(b, a)), k = s - r;
    double area[3];  // integral of t^n (r + k t)^2 over t in [0, 1]
    for (int n = 0; n < 3; n++) area[n] = r * r / (n + 1) + 2 * r * k / (n + 2) + k * k / (n + 3);
    const double fourth =
        (r * r * r * r + r * r * r * s + r * r * s * s + r * s * s * s + s * s * s * s) /
        5;  // of (r + k t)^4
    const double middle = area[1] / area[0];
    const double across = fourth / (4 * area[0]);
    const double along = l * l * (area[2] / area[0] - middle * middle);
    return (solid){PI * l * area[0],
                   firn_v3_madd(a, (firn_real)middle, firn_v3_sub(b, a)),
                   axes_along(a, b),
                   {across, along, across}};
}

static bool solid_of(const firn_shape_node* node, solid* out)
{
    const double r = (double)node->p[3];
    switch (node->kind) {
    case FIRN_SHAPE_SPHERE:
        *out = (solid){4.0 / 3 * PI * r * r * r,
                       point(node, 0),
                       firn_m3_identity(),
                       {r * r / 5, r * r / 5, r * r / 5}};
        return true;
    case FIRN_SHAPE_BOX: *out = box_of(node); return node->p[6] == 0;
    case FIRN_SHAPE_CAPSULE: *out = capsule_of(node); return true;
    case FIRN_SHAPE_CYLINDER:
        *out = cone_of(node, (double)node->p[6], (double)node->p[6]);
        return node->p[7] == 0;
    case FIRN_SHAPE_CONE: *out = cone_of(node, (double)node->p[6], (double)node->p[7]); return true;
    case FIRN_SHAPE_WEDGE: *out = wedge_of(node); return true;
    default: return false;
    }
}

// Pairs of axes in the order of second moments.
static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static firn_moments moments_of(const solid* s)
{
    const double c[3] = {(double)s->center.x, (double)s->center.y, (double)s->center.z};
    firn_moments m = {.volume = s->volume};
    for (int d = 0; d < 3; d++) m.first[d] = s->volume * c[d];
    for (int k = 0; k < 6; k++) {
        const int i = pairs[k][0], j = pairs[k][1];
        double sum = c[i] * c[j];
        for (int d = 0; d < 3; d++)
            sum += (double)s->axes.m[i][d] * s->mean_square[d] * (double)s->axes.m[j][d];
        m.second[k] = s->volume * sum;
    }
    return m;
}

bool firn_shape_moments(const firn_shapes* shapes, firn_local shape, firn_moments* out_moments)
{
    firn_quat q = firn_q_identity();
    firn_vec3 t = firn_v3(0, 0, 0);
    firn_real scale = 1;
    const firn_shape_node* node = &shapes->nodes[shape];
    for (; node->kind == FIRN_SHAPE_TRANSFORM; node = &shapes->nodes[node->a]) {
        t = firn_v3_madd(t, scale, firn_q_rotate(q, point(node, 0)));
        q = firn_q_mul(q, node->q);
        scale *= node->p[3];
    }
    solid s;
    if (!solid_of(node, &s)) return false;
    const double by = (double)scale;
    s.volume *= by * by * by;
    s.center = firn_v3_madd(t, scale, firn_q_rotate(q, s.center));
    s.axes = firn_m3_mul(firn_q_to_m3(q), s.axes);
    for (int d = 0; d < 3; d++) s.mean_square[d] *= by * by;
    *out_moments = moments_of(&s);
    return true;
}
