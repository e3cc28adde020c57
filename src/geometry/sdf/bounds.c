// SPDX-License-Identifier: MIT
// Bounding boxes of shapes.
//
// A box is computed for the points where phi <= grow, not only for grow = 0: a smooth union extends
// beyond its children by a quarter of the blend radius, measured in *their* phi, which can be less
// than the distance. For an exact distance this is the box grown on all sides.
#include <math.h>

#include "geometry/sdf/evaluate.h"
#include "math/quat.h"

// In double and with infinities, so that unbounded shapes need no special cases.
typedef struct box {
    double low[3], high[3];
} box;

static const box everything = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};

static bool is_empty(const box* b)
{
    return b->low[0] > b->high[0] || b->low[1] > b->high[1] || b->low[2] > b->high[2];
}

static box intersect(box a, box b)
{
    for (int i = 0; i < 3; i++) {
        a.low[i] = fmax(a.low[i], b.low[i]);
        a.high[i] = fmin(a.high[i], b.high[i]);
    }
    return a;
}

static box unite(box a, box b)
{
    if (is_empty(&a)) return b;
    if (is_empty(&b)) return a;
    for (int i = 0; i < 3; i++) {
        a.low[i] = fmin(a.low[i], b.low[i]);
        a.high[i] = fmax(a.high[i], b.high[i]);
    }
    return a;
}

static box centred(const firn_real* center, const double half[3])
{
    box b;
    for (int i = 0; i < 3; i++) {
        b.low[i] = (double)center[i] - half[i];
        b.high[i] = (double)center[i] + half[i];
    }
    return b;
}

static void rotation_of(firn_quat q, double m[3][3])
{
    const double w = (double)q.w, x = (double)q.x, y = (double)q.y, z = (double)q.z;
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) m[i][j] = rows[i][j];
}

// The box around a rotated, scaled and translated box. Unbounded sides stay unbounded.
static box transformed(box b, firn_quat q, double scale, const firn_real* move)
{
    if (is_empty(&b)) return b;
    double m[3][3];
    rotation_of(q, m);
    box out;
    for (int i = 0; i < 3; i++) {
        out.low[i] = out.high[i] = (double)move[i];
        for (int j = 0; j < 3; j++) {
            const double s = scale * m[i][j];
            if (s == 0) continue;  // avoids 0 times infinity
            out.low[i] += s > 0 ? s * b.low[j] : s * b.high[j];
            out.high[i] += s > 0 ? s * b.high[j] : s * b.low[j];
        }
    }
    return out;
}

// A half space has a finite bound only if its normal is parallel to an axis.
static box plane_box(const firn_real* p)
{
    box b = everything;
    for (int i = 0; i < 3; i++) {
        if (p[3 + i] == 1) b.high[i] = (double)p[i];
        if (p[3 + i] == -1) b.low[i] = (double)p[i];
    }
    return b;
}

static box box_box(const firn_shape_node* node)
{
    const firn_real* p = node->p;
    const double r = (double)p[6];
    box inner;  // without the rounding radius, about the origin
    for (int i = 0; i < 3; i++) {
        inner.high[i] = (double)p[3 + i] - r;
        inner.low[i] = -inner.high[i];
    }
    box b = transformed(inner, node->q, 1, p);
    for (int i = 0; i < 3; i++) {
        b.low[i] -= r;
        b.high[i] += r;
    }
    return b;
}

// Two discs perpendicular to a-b, of radius_a and radius_b, shrunk and then grown by `rounding`.
static box discs_box(const firn_real* a, const firn_real* b, double radius_a, double radius_b,
                     double rounding)
{
    double u[3], l2 = 0;
    for (int i = 0; i < 3; i++) {
        u[i] = (double)b[i] - (double)a[i];
        l2 += u[i] * u[i];
    }
    const double length = sqrt(l2);
    box out[2];
    for (int i = 0; i < 3; i++) {
        const double along = u[i] / length, across = sqrt(fmax(0, 1 - along * along));
        const double end[2] = {(double)a[i] + rounding * along, (double)b[i] - rounding * along};
        const double radius[2] = {radius_a - rounding, radius_b - rounding};
        for (int k = 0; k < 2; k++) {
            out[k].low[i] = end[k] - radius[k] * across - rounding;
            out[k].high[i] = end[k] + radius[k] * across + rounding;
        }
    }
    return unite(out[0], out[1]);
}

static box capsule_box(const firn_real* p)
{
    const double r = (double)p[6];
    return unite(centred(p, (double[3]){r, r, r}), centred(p + 3, (double[3]){r, r, r}));
}

// The six corners, rotated.
static box wedge_box(const firn_shape_node* node)
{
    const double x = (double)node->p[3] / 2, y = (double)node->p[4], z = (double)node->p[5] / 2;
    const box base = {{-x, 0, -z}, {x, 0, z}}, ridge = {{0, y, -z}, {0, y, z}};
    return unite(transformed(base, node->q, 1, node->p), transformed(ridge, node->q, 1, node->p));
}

static box field_box(const firn_shape_node* node, const firn_height_field* field)
{
    const firn_real* p = node->p;
    const box b = {{(double)p[0], (double)p[1] - (double)p[6], (double)p[2]},
                   {(double)p[0] + (double)p[3],
                    (double)p[1] + (double)p[4] * (double)field->highest,
                    (double)p[2] + (double)p[5]}};
    return b;
}

static box level_set_box(const firn_level_set* set)
{
    const firn_vec3 low = set->bounds.low, high = set->bounds.high;
    const box b = {{(double)low.x, (double)low.y, (double)low.z},
                   {(double)high.x, (double)high.y, (double)high.z}};
    return b;
}

static box leaf_box(const firn_shapes* shapes, const firn_shape_node* node)
{
    const firn_real* p = node->p;
    switch (node->kind) {
    case FIRN_SHAPE_PLANE: return plane_box(p);
    case FIRN_SHAPE_SPHERE:
        return centred(p, (double[3]){(double)p[3], (double)p[3], (double)p[3]});
    case FIRN_SHAPE_BOX: return box_box(node);
    case FIRN_SHAPE_CAPSULE: return capsule_box(p);
    case FIRN_SHAPE_CYLINDER: return discs_box(p, p + 3, (double)p[6], (double)p[6], (double)p[7]);
    case FIRN_SHAPE_CONE: return discs_box(p, p + 3, (double)p[6], (double)p[7], 0);
    case FIRN_SHAPE_WEDGE: return wedge_box(node);
    case FIRN_SHAPE_HEIGHT_FIELD: return field_box(node, &shapes->fields[node->a]);
    default: return level_set_box(shapes->level_sets[node->a]);
    }
}

// All x with phi(x) <= grow. Depth is bounded by FIRN_SHAPE_DEPTH_MAX.
static box tree_box(const firn_shapes* shapes, firn_local shape, double grow)
{
    const firn_shape_node* node = &shapes->nodes[shape];
    switch (node->kind) {
    case FIRN_SHAPE_UNION: {
        const double more = grow + (double)node->p[0] / 4;
        return unite(tree_box(shapes, node->a, more), tree_box(shapes, node->b, more));
    }
    case FIRN_SHAPE_INTERSECTION:
        return intersect(tree_box(shapes, node->a, grow), tree_box(shapes, node->b, grow));
    case FIRN_SHAPE_DIFFERENCE: return tree_box(shapes, node->a, grow);
    case FIRN_SHAPE_TRANSFORM: {
        const double scale = (double)node->p[3];
        return transformed(tree_box(shapes, node->a, grow / scale), node->q, scale, node->p);
    }
    default: break;
    }
    box b = leaf_box(shapes, node);
    for (int i = 0; i < 3; i++) {
        b.low[i] -= grow;
        b.high[i] += grow;
    }
    return b;
}

firn_box3 firn_shape_bounds(const firn_shapes* shapes, firn_local shape)
{
    const box b = tree_box(shapes, shape, 0);
    const double max = (double)FIRN_REAL_MAX;
    if (is_empty(&b))
        return (firn_box3){firn_v3(FIRN_REAL_MAX, FIRN_REAL_MAX, FIRN_REAL_MAX),
                           firn_v3(-FIRN_REAL_MAX, -FIRN_REAL_MAX, -FIRN_REAL_MAX)};
    firn_real low[3], high[3];
    for (int i = 0; i < 3; i++) {
        // A small margin on both sides for the rounding of phi.
        const double at_low = isinf(b.low[i]) ? 0 : fabs(b.low[i]);
        const double at_high = isinf(b.high[i]) ? 0 : fabs(b.high[i]);
        const double hair = 8 * (double)FIRN_REAL_EPSILON * fmax(at_low, at_high);
        low[i] = b.low[i] < -max ? -FIRN_REAL_MAX : (firn_real)fmax(b.low[i] - hair, -max);
        high[i] = b.high[i] > max ? FIRN_REAL_MAX : (firn_real)fmin(b.high[i] + hair, max);
    }
    return (firn_box3){firn_v3(low[0], low[1], low[2]), firn_v3(high[0], high[1], high[2])};
}
