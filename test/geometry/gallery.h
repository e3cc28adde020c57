// SPDX-License-Identifier: MIT
// One shape of every closed-form kind, with what is known about it without looking at phi: whether
// a point is inside, and its volume.
#pragma once
#include <math.h>
#include <string.h>

#include "geometry/sdf/shape.h"
#include "seed.h"

#define PI 3.14159265358979323846

typedef struct specimen {
    const char* name;
    firn_shape_node node;
    bool (*inside)(const firn_shape_node* node, const double x[3]);
    double middle[3];  // a point well inside
    double volume;     // [m^3]
} specimen;

static inline double gallery_length(double x, double y, double z)
{
    return sqrt(x * x + y * y + z * z);
}

// x relative to the node's first point, turned back by its rotation (rows of the matrix in double).
static inline void gallery_local(const firn_shape_node* node, const double x[3], double y[3])
{
    const double q[4] = {node->q.w, node->q.x, node->q.y, node->q.z};
    const double l = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    const double w = q[0], a = q[1], b = q[2], c = q[3];
    const double R[3][3] = {
        {w * w + a * a - b * b - c * c, 2 * (a * b - w * c), 2 * (a * c + w * b)},
        {2 * (a * b + w * c), w * w - a * a + b * b - c * c, 2 * (b * c - w * a)},
        {2 * (a * c - w * b), 2 * (b * c + w * a), w * w - a * a - b * b + c * c}};
    for (int j = 0; j < 3; j++) {
        y[j] = 0;
        for (int i = 0; i < 3; i++) y[j] += R[i][j] * (x[i] - (double)node->p[i]) / l;
    }
}

// Along and across the axis of a node whose p begins with two points.
static inline void gallery_axial(const firn_shape_node* node, const double x[3], double* along,
                                 double* across, double* length)
{
    double u[3], l2 = 0, t = 0, r2 = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = (double)node->p[3 + i] - (double)node->p[i];
        l2 += u[i] * u[i];
        t += u[i] * (x[i] - (double)node->p[i]);
    }
    for (int i = 0; i < 3; i++) {
        const double d = x[i] - (double)node->p[i] - t / l2 * u[i];
        r2 += d * d;
    }
    *length = sqrt(l2);
    *along = t / *length;
    *across = sqrt(r2);
}

static inline bool gallery_in_sphere(const firn_shape_node* n, const double x[3])
{
    return gallery_length(x[0] - n->p[0], x[1] - n->p[1], x[2] - n->p[2]) <= (double)n->p[3];
}

static inline bool gallery_in_box(const firn_shape_node* n, const double x[3])
{
    double y[3], out[3];
    gallery_local(n, x, y);
    const double r = (double)n->p[6];
    for (int i = 0; i < 3; i++) out[i] = fmax(fabs(y[i]) - ((double)n->p[3 + i] - r), 0);
    return gallery_length(out[0], out[1], out[2]) <= r;
}

static inline bool gallery_in_capsule(const firn_shape_node* n, const double x[3])
{
    double along, across, length;
    gallery_axial(n, x, &along, &across, &length);
    const double beyond = along < 0 ? along : along > length ? along - length : 0;
    return gallery_length(beyond, across, 0) <= (double)n->p[6];
}

static inline bool gallery_in_cylinder(const firn_shape_node* n, const double x[3])
{
    double along, across, length;
    gallery_axial(n, x, &along, &across, &length);
    const double e = (double)n->p[7];
    const double out = fmax(across - ((double)n->p[6] - e), 0);
    const double end = fmax(fabs(along - length / 2) - (length / 2 - e), 0);
    return gallery_length(out, end, 0) <= e;
}

static inline bool gallery_in_cone(const firn_shape_node* n, const double x[3])
{
    double along, across, length;
    gallery_axial(n, x, &along, &across, &length);
    const double s = along / length;
    return s >= 0 && s <= 1 && across <= (1 - s) * (double)n->p[6] + s * (double)n->p[7];
}

static inline bool gallery_in_wedge(const firn_shape_node* n, const double x[3])
{
    double y[3];
    gallery_local(n, x, y);
    const double w = (double)n->p[3], h = (double)n->p[4], d = (double)n->p[5];
    return y[1] >= 0 && fabs(y[2]) <= d / 2 && fabs(y[0]) <= w / 2 * (1 - y[1] / h);
}

enum { GALLERY_COUNT = 11 };

// clang-format off
static inline const specimen* gallery(void)
{
    static specimen g[GALLERY_COUNT];
    const firn_quat turned = firn_q_from_vector(firn_v3((firn_real)0.4, (firn_real)-0.7,
        (firn_real)0.9));
    int k = 0;
    g[k++] = (specimen){"sphere", {.kind = FIRN_SHAPE_SPHERE, .p = {.1f, .2f, -.3f, .8f}},
        gallery_in_sphere, {.1, .2, -.3}, 4 * PI / 3 * .512};
    g[k++] = (specimen){"box", {.kind = FIRN_SHAPE_BOX, .p = {.1f, -.2f, .3f, .5f, .7f, .4f, 0},
        .q = turned},
        gallery_in_box, {.1, -.2, .3}, 8 * .5 * .7 * .4};
    const double a = .7, b = 1.1, c = .5, r = .15;
    g[k++] = (specimen){"rounded box", {.kind = FIRN_SHAPE_BOX, .p = {0, .5f, 0, .5f, .7f, .4f,
        .15f}, .q = turned},
        gallery_in_box, {0, .5, 0},
        a * b * c + 2 * r * (a * b + b * c + c * a) + PI * r * r * (a + b + c) +
            4 * PI / 3 * r * r * r};
    g[k++] = (specimen){"upright box", {.kind = FIRN_SHAPE_BOX, .p = {1, 1, 1, .25f, .5f, .75f, 0},
        .q = {1, 0, 0, 0}},
        gallery_in_box, {1, 1, 1}, 8 * .25 * .5 * .75};
    g[k++] = (specimen){"capsule", {.kind = FIRN_SHAPE_CAPSULE, .p = {-.5f, 0, .25f, .5f, .5f,
        -.25f, .4f}},
        gallery_in_capsule, {0, .25, 0}, PI * .16 * sqrt(1.5) + 4 * PI / 3 * .064};
    g[k++] = (specimen){"cylinder", {.kind = FIRN_SHAPE_CYLINDER, .p = {-.5f, 0, .25f, .5f, .5f,
        -.25f, .6f, 0}},
        gallery_in_cylinder, {0, .25, 0}, PI * .36 * sqrt(1.5)};
    const double R = .45, e = .15, L = sqrt(1.5) - 2 * e;
    g[k++] = (specimen){"rounded cylinder", {.kind = FIRN_SHAPE_CYLINDER, .p = {-.5f, 0, .25f, .5f,
        .5f, -.25f, .6f, .15f}},
        gallery_in_cylinder, {0, .25, 0},
        PI * R * R * L + (2 * PI * R * L + 2 * PI * R * R) * e + (PI * L + PI * PI * R) * e * e +
            4 * PI / 3 * e * e * e};
    g[k++] = (specimen){"cone", {.kind = FIRN_SHAPE_CONE, .p = {0, -.5f, 0, .25f, .5f, .5f, .7f,
        .3f}},
        gallery_in_cone, {.1, -.1, .2}, PI * sqrt(1.3125) / 3 * (.49 + .21 + .09)};
    g[k++] = (specimen){"cone with tip", {.kind = FIRN_SHAPE_CONE, .p = {0, 0, 0, 0, 1, 0, .6f, 0}},
        gallery_in_cone, {0, .25, 0}, PI * .36 / 3};
    g[k++] = (specimen){"cone on its tip", {.kind = FIRN_SHAPE_CONE, .p = {.5f, 0, 0, 0, 1, .5f, 0,
        .6f}},
        gallery_in_cone, {.15, .7, .35}, PI * sqrt(1.5) * .36 / 3};
    g[k++] = (specimen){"wedge", {.kind = FIRN_SHAPE_WEDGE, .p = {.2f, 0, -.1f, 1.2f, .8f, 1.5f},
        .q = turned},
        gallery_in_wedge, {0, 0, 0}, 1.2 * .8 * 1.5 / 2};
    // a point inside the wedge: a third up from its base
    const firn_vec3 up = firn_q_rotate(turned, firn_v3(0, (firn_real)0.27, 0));
    g[k - 1].middle[0] = .2 + up.x, g[k - 1].middle[1] = up.y, g[k - 1].middle[2] = -.1 + up.z;
    return g;
}
// clang-format on

// Adds a node; the test fails when it is refused.
static inline firn_local gallery_add(firn_shapes* shapes, firn_shape_node node)
{
    firn_local shape = -1;
    firn_error error = {0};
    if (firn_shapes_add(shapes, &node, &shape, &error) != FIRN_OK) fail_msg("%s", error.text);
    return shape;
}

// The surface from `middle` in a random direction, by bisection with nothing but `inside`.
static inline void gallery_surface_point(const specimen* s, any_source* r, double out[3])
{
    double d[3], l;
    do {
        for (int i = 0; i < 3; i++) d[i] = any_between(r, -1, 1);
        l = gallery_length(d[0], d[1], d[2]);
    } while (l > 1 || l < 0.01);
    double in = 0, far = 10;
    for (int k = 0; k < 50; k++) {
        const double t = (in + far) / 2;
        for (int i = 0; i < 3; i++) out[i] = s->middle[i] + t * d[i] / l;
        if (s->inside(&s->node, out)) {
            in = t;
        } else {
            far = t;
        }
    }
}

static inline firn_vec3 gallery_vec3(const double x[3])
{
    return firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
}
