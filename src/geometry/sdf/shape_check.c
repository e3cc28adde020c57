// SPDX-License-Identifier: MIT
// Validates shape nodes. Messages name shape, parameter, value and range.
#include "geometry/sdf/shape_check.h"

#include <string.h>

#include "geometry/sdf/evaluate.h"

static const char* const kind_names[] = {
    "plane",        "sphere",    "box",   "capsule",      "cylinder",   "cone",     "wedge",
    "height field", "level set", "union", "intersection", "difference", "transform"};
enum { KIND_COUNT = sizeof kind_names / sizeof kind_names[0] };

// Context for messages.
typedef struct check {
    const char* shape;
    firn_error* error;
} check;

// The negated comparison also catches NaN.
static firn_result check_range(check c, const char* what, double value, double low, double high)
{
    if (value >= low && value <= high) return FIRN_OK;
    return firn_fail(c.error, FIRN_REFUSED_ARGUMENT, "%s: %s is %g, must be between %g and %g",
                     c.shape, what, value, low, high);
}

static firn_result check_length(check c, const char* what, firn_real value)
{
    return check_range(c, what, (double)value, FIRN_SHAPE_LENGTH_MIN, FIRN_SHAPE_LENGTH_MAX);
}

// A coordinate triple: finite and small enough for float.
static firn_result check_point(check c, const char* what, const firn_real* p)
{
    for (int i = 0; i < 3; i++)
        FIRN_TRY(check_range(c, what, (double)p[i], -FIRN_SHAPE_LENGTH_MAX, FIRN_SHAPE_LENGTH_MAX));
    return FIRN_OK;
}

static firn_result check_size(check c, const firn_real* p)
{
    FIRN_TRY(check_length(c, "size in x", p[0]));
    FIRN_TRY(check_length(c, "size in y", p[1]));
    return check_length(c, "size in z", p[2]);
}

// The two ends of an axis.
static firn_result check_axis(check c, const firn_real* p)
{
    FIRN_TRY(check_point(c, "end a", p));
    FIRN_TRY(check_point(c, "end b", p + 3));
    const firn_vec3 axis = firn_v3(p[3] - p[0], p[4] - p[1], p[5] - p[2]);
    const firn_real length = firn_v3_length(axis);
    if ((double)length >= FIRN_SHAPE_LENGTH_MIN) return FIRN_OK;
    return firn_fail(c.error, FIRN_REFUSED_ARGUMENT,
                     "%s: its ends a and b are %g m apart, must be at least %g m", c.shape,
                     (double)length, FIRN_SHAPE_LENGTH_MIN);
}

static firn_result check_rotation(check c, firn_quat* q)
{
    const double n2 =
        (double)q->w * q->w + (double)q->x * q->x + (double)q->y * q->y + (double)q->z * q->z;
    if (!(n2 > 1e-12 && n2 < 1e12))
        return firn_fail(c.error, FIRN_REFUSED_ARGUMENT,
                         "%s: the rotation (w %g, x %g, y %g, z %g) is no unit quaternion; "
                         "no rotation is (1, 0, 0, 0)",
                         c.shape, (double)q->w, (double)q->x, (double)q->y, (double)q->z);
    const double s = 1 / sqrt(n2);
    *q = (firn_quat){(firn_real)(q->w * s), (firn_real)(q->x * s), (firn_real)(q->y * s),
                     (firn_real)(q->z * s)};
    return FIRN_OK;
}

static firn_result check_plane(check c, firn_shape_node* node)
{
    FIRN_TRY(check_point(c, "point", node->p));
    FIRN_TRY(check_point(c, "normal", node->p + 3));
    firn_vec3 n;
    if (firn_phi_direction(firn_shape_vec3(node, 3), firn_v3(0, 0, 0), &n) == 0)
        return firn_fail(c.error, FIRN_REFUSED_ARGUMENT, "%s: the normal is zero", c.shape);
    node->p[3] = n.x;
    node->p[4] = n.y;
    node->p[5] = n.z;
    return FIRN_OK;
}

static firn_result check_box(check c, firn_shape_node* node)
{
    const firn_real* p = node->p;
    FIRN_TRY(check_point(c, "center", p));
    for (int i = 0; i < 3; i++)
        FIRN_TRY(check_range(c, "half of its size", (double)p[3 + i], FIRN_SHAPE_LENGTH_MIN / 2,
                             FIRN_SHAPE_LENGTH_MAX));
    const firn_real least = firn_min(p[3], firn_min(p[4], p[5]));
    FIRN_TRY(check_range(c, "corner radius", (double)p[6], 0, (double)least));
    return check_rotation(c, &node->q);
}

static firn_result check_cylinder(check c, const firn_shape_node* node)
{
    const firn_real* p = node->p;
    FIRN_TRY(check_axis(c, p));
    FIRN_TRY(check_length(c, "radius", p[6]));
    const firn_real half =
        firn_v3_length(firn_v3_sub(firn_shape_vec3(node, 3), firn_shape_vec3(node, 0))) / 2;
    return check_range(c, "edge radius", (double)p[7], 0, (double)firn_min(p[6], half));
}

static firn_result check_cone(check c, const firn_shape_node* node)
{
    const firn_real* p = node->p;
    FIRN_TRY(check_axis(c, p));
    FIRN_TRY(check_range(c, "radius at a", (double)p[6], 0, FIRN_SHAPE_LENGTH_MAX));
    FIRN_TRY(check_range(c, "radius at b", (double)p[7], 0, FIRN_SHAPE_LENGTH_MAX));
    return check_length(c, "larger radius", firn_max(p[6], p[7]));
}

static firn_result check_wedge(check c, firn_shape_node* node)
{
    FIRN_TRY(check_point(c, "center of its base", node->p));
    FIRN_TRY(check_size(c, node->p + 3));
    return check_rotation(c, &node->q);
}

firn_result firn_height_field_check(firn_vec3 origin, firn_vec3 size, firn_error* error)
{
    const check c = {kind_names[FIRN_SHAPE_HEIGHT_FIELD], error};
    FIRN_TRY(check_point(c, "origin", (const firn_real[3]){origin.x, origin.y, origin.z}));
    return check_size(c, (const firn_real[3]){size.x, size.y, size.z});
}

static firn_result check_field(check c, const firn_shapes* shapes, const firn_shape_node* node)
{
    const firn_real* p = node->p;
    if (node->a < 0 || node->a >= shapes->field_count)
        return firn_fail(c.error, FIRN_REFUSED_ARGUMENT, "%s: there is no field %d, only %d",
                         c.shape, (int)node->a, (int)shapes->field_count);
    FIRN_TRY(
        firn_height_field_check(firn_v3(p[0], p[1], p[2]), firn_v3(p[3], p[4], p[5]), c.error));
    return check_range(c, "depth", (double)p[6], 0, FIRN_SHAPE_LENGTH_MAX);
}

static firn_result check_level_set(check c, const firn_shapes* shapes, const firn_shape_node* node)
{
    if (node->a >= 0 && node->a < shapes->level_set_count) return FIRN_OK;
    return firn_fail(c.error, FIRN_REFUSED_ARGUMENT, "%s: there is no level set %d, only %d",
                     c.shape, (int)node->a, (int)shapes->level_set_count);
}

// Number of nodes that an evaluation of `shape` visits; stops beyond the limit. -1: too deep.
static int64_t tree_size(const firn_shapes* shapes, firn_local shape, int depth, int64_t limit)
{
    if (depth > FIRN_SHAPE_DEPTH_MAX) return -1;
    const firn_shape_node* node = &shapes->nodes[shape];
    if (firn_shape_is_leaf(node->kind)) return 1;
    const int64_t a = tree_size(shapes, node->a, depth + 1, limit);
    if (a < 0 || a > limit || node->kind == FIRN_SHAPE_TRANSFORM) return a < 0 ? a : a + 1;
    const int64_t b = tree_size(shapes, node->b, depth + 1, limit - a);
    return b < 0 ? b : a + b + 1;
}

static firn_result check_children(check c, const firn_shapes* shapes, const firn_shape_node* node)
{
    const firn_local child[2] = {node->a, node->b};
    const int count = node->kind == FIRN_SHAPE_TRANSFORM ? 1 : 2;
    int64_t total = 1;
    for (int i = 0; i < count; i++) {
        if (child[i] < 0 || child[i] >= shapes->node_count)
            return firn_fail(c.error, FIRN_REFUSED_ARGUMENT, "%s: there is no shape %d, only %d",
                             c.shape, (int)child[i], (int)shapes->node_count);
        const int64_t size = tree_size(shapes, child[i], 2, FIRN_SHAPE_TREE_MAX);
        if (size < 0)
            return firn_fail(c.error, FIRN_REFUSED_ARGUMENT,
                             "%s: shapes are nested more than %d deep; combine many shapes in "
                             "pairs of pairs, not one after the other",
                             c.shape, FIRN_SHAPE_DEPTH_MAX);
        total += size;
    }
    if (total > FIRN_SHAPE_TREE_MAX)
        return firn_fail(c.error, FIRN_REFUSED_ARGUMENT,
                         "%s: made of more than %d shapes, counting repeated ones each time",
                         c.shape, FIRN_SHAPE_TREE_MAX);
    return FIRN_OK;
}

static firn_result check_transform(check c, const firn_shapes* shapes, firn_shape_node* node)
{
    FIRN_TRY(check_children(c, shapes, node));
    FIRN_TRY(check_point(c, "translation", node->p));
    FIRN_TRY(check_range(c, "scale", (double)node->p[3], 1e-6, 1e6));
    return check_rotation(c, &node->q);
}

static firn_result check_kind(check c, const firn_shapes* shapes, firn_shape_node* node)
{
    switch (node->kind) {
    case FIRN_SHAPE_PLANE: return check_plane(c, node);
    case FIRN_SHAPE_SPHERE:
        FIRN_TRY(check_point(c, "center", node->p));
        return check_length(c, "radius", node->p[3]);
    case FIRN_SHAPE_BOX: return check_box(c, node);
    case FIRN_SHAPE_CAPSULE:
        FIRN_TRY(check_axis(c, node->p));
        return check_length(c, "radius", node->p[6]);
    case FIRN_SHAPE_CYLINDER: return check_cylinder(c, node);
    case FIRN_SHAPE_CONE: return check_cone(c, node);
    case FIRN_SHAPE_WEDGE: return check_wedge(c, node);
    case FIRN_SHAPE_HEIGHT_FIELD: return check_field(c, shapes, node);
    case FIRN_SHAPE_LEVEL_SET: return check_level_set(c, shapes, node);
    case FIRN_SHAPE_TRANSFORM: return check_transform(c, shapes, node);
    case FIRN_SHAPE_UNION:
        FIRN_TRY(check_range(c, "blend radius", (double)node->p[0], 0, FIRN_SHAPE_LENGTH_MAX));
        return check_children(c, shapes, node);
    default: return check_children(c, shapes, node);
    }
}

firn_result firn_shape_check(const firn_shapes* shapes, const firn_shape_node* node,
                             firn_shape_node* out_node, firn_error* error)
{
    // How many entries of p[], and whether a, b and q, each kind uses.
    static const struct {
        int8_t p, children, rotates;
    } uses[KIND_COUNT] = {{6, 0, 0}, {4, 0, 0}, {7, 0, 1}, {7, 0, 0}, {8, 0, 0},
                          {8, 0, 0}, {6, 0, 1}, {7, 1, 0}, {0, 1, 0}, {1, 2, 0},
                          {0, 2, 0}, {0, 2, 0}, {4, 1, 1}};
    if (node->kind < 0 || node->kind >= KIND_COUNT)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "there is no kind of shape %d",
                         (int)node->kind);
    firn_shape_node stored;
    memset(&stored, 0, sizeof stored);
    stored.kind = node->kind;
    stored.a = uses[node->kind].children > 0 ? node->a : -1;
    stored.b = uses[node->kind].children > 1 ? node->b : -1;
    for (int i = 0; i < uses[node->kind].p; i++) stored.p[i] = node->p[i];
    stored.q = uses[node->kind].rotates ? node->q : firn_q_identity();
    FIRN_TRY(check_kind((check){kind_names[node->kind], error}, shapes, &stored));
    memcpy(out_node, &stored, sizeof stored);
    return FIRN_OK;
}
