// SPDX-License-Identifier: MIT
// Round solids are surfaces of revolution:
//
//        axis
//          o--o        the profile goes from the lower end of the axis to the upper one; a point on
//          |   \       the axis gives one vertex
//          |    o
//          |    |      ring k has SIDES vertices, counter-clockwise seen from the upper end
//          o----o
#include "geometry/sdf/solid_mesh.h"

#include "geometry/sdf/primitives.h"
#include "math/elementary.h"

enum {
    SIDES = 96,           // of a circle
    QUARTER = SIDES / 4,  // of a quarter of one
    PROFILE_MAX = 2 * QUARTER + 4
};
#define HALF_PI 1.57079632679489661923

typedef struct point2 {
    double radius, along;  // [m] from the axis; along it
} point2;

typedef struct profile {
    point2 at[PROFILE_MAX];
    int count;
} profile;

// Sine and cosine of a fraction of the circle; exact at the quarters.
static void turn_of(int side, double* s, double* c)
{
    static const int quarter_s[4] = {0, 1, 0, -1}, quarter_c[4] = {1, 0, -1, 0};
    side = (side % SIDES + SIDES) % SIDES;
    if (side % QUARTER == 0) {
        *s = quarter_s[side / QUARTER];
        *c = quarter_c[side / QUARTER];
    } else {
        firn_sincos_double(4 * HALF_PI * side / SIDES, s, c);
    }
}

static void add_point(profile* p, double radius, double along)
{
    if (p->count > 0 && p->at[p->count - 1].radius == radius && p->at[p->count - 1].along == along)
        return;
    p->at[p->count++] = (point2){radius, along};
}

// A quarter circle about (radius, along), from side `first` (0: outwards, QUARTER: up).
static void add_arc(profile* p, double radius, double along, double rounding, int first)
{
    for (int k = 0; k <= (rounding > 0 ? QUARTER : 0); k++) {
        double s, c;
        turn_of(first + k, &s, &c);
        add_point(p, radius + rounding * c, along + rounding * s);
    }
}

typedef struct axis {
    firn_vec3 base, along, u, v;  // unit vectors, right-handed: u, v, along
} axis;

static axis axis_of(firn_vec3 a, firn_vec3 b, double* out_length)
{
    axis x = {.base = a};
    *out_length = (double)firn_phi_direction(firn_v3_sub(b, a), firn_v3(0, 1, 0), &x.along);
    x.u = firn_phi_across(x.along);
    x.v = firn_v3_cross(x.along, x.u);
    return x;
}

// The vertices of a profile point: one on the axis, else a ring. `out_first` is the first.
static bool add_ring(firn_mesh* mesh, const axis* x, point2 p, int32_t* out_first)
{
    *out_first = mesh->vertex_count;
    const firn_vec3 center = firn_v3_madd(x->base, (firn_real)p.along, x->along);
    if (!(p.radius > 0)) return firn_mesh_add_vertex(mesh, center);
    for (int k = 0; k < SIDES; k++) {
        double s, c;
        turn_of(k, &s, &c);
        const firn_vec3 at = firn_v3_madd(firn_v3_madd(center, (firn_real)(p.radius * c), x->u),
                                          (firn_real)(p.radius * s), x->v);
        if (!firn_mesh_add_vertex(mesh, at)) return false;
    }
    return true;
}

static bool revolve(firn_mesh* mesh, const axis* x, const profile* p)
{
    int32_t low = 0, high;
    for (int r = 0; r < p->count; r++, low = high) {
        if (!add_ring(mesh, x, p->at[r], &high)) return false;
        if (r == 0) continue;
        const bool from_axis = !(p->at[r - 1].radius > 0), to_axis = !(p->at[r].radius > 0);
        for (int k = 0; k < SIDES; k++) {
            const int32_t l = (k + 1) % SIDES;
            const int32_t a = from_axis ? low : low + k, b = from_axis ? low : low + l;
            const int32_t c = to_axis ? high : high + l, d = to_axis ? high : high + k;
            if (!from_axis && !firn_mesh_add_triangle(mesh, a, b, c)) return false;
            if (!to_axis && !firn_mesh_add_triangle(mesh, a, c, d)) return false;
        }
    }
    return true;
}

static bool add_capsule(firn_mesh* mesh, firn_vec3 a, firn_vec3 b, double radius)
{
    double length;
    const axis x = axis_of(a, b, &length);
    profile p = {.count = 0};
    add_arc(&p, 0, 0, radius, -QUARTER);
    add_arc(&p, 0, length, radius, 0);
    return revolve(mesh, &x, &p);
}

static bool add_cylinder(firn_mesh* mesh, const firn_shape_node* node)
{
    double length;
    const axis x = axis_of(firn_shape_vec3(node, 0), firn_shape_vec3(node, 3), &length);
    const double r = (double)node->p[7], inner = (double)node->p[6] - r;
    profile p = {.count = 0};
    add_point(&p, 0, 0);
    add_arc(&p, inner, r, r, -QUARTER);
    add_arc(&p, inner, length - r, r, 0);
    add_point(&p, 0, length);
    return revolve(mesh, &x, &p);
}

static bool add_cone(firn_mesh* mesh, const firn_shape_node* node)
{
    double length;
    const axis x = axis_of(firn_shape_vec3(node, 0), firn_shape_vec3(node, 3), &length);
    profile p = {.count = 0};
    add_point(&p, 0, 0);
    add_point(&p, (double)node->p[6], 0);
    add_point(&p, (double)node->p[7], length);
    add_point(&p, 0, length);
    return revolve(mesh, &x, &p);
}

// Corners of a node that has a centre and a rotation.
static bool add_corners(firn_mesh* mesh, const firn_shape_node* node, const double (*corners)[3],
                        int count)
{
    for (int k = 0; k < count; k++) {
        const firn_vec3 x =
            firn_v3((firn_real)corners[k][0], (firn_real)corners[k][1], (firn_real)corners[k][2]);
        if (!firn_mesh_add_vertex(mesh,
                                  firn_v3_add(firn_shape_vec3(node, 0), firn_q_rotate(node->q, x))))
            return false;
    }
    return true;
}

static bool add_list(firn_mesh* mesh, int32_t first, const uint8_t (*triangles)[3], int count)
{
    for (int k = 0; k < count; k++)
        if (!firn_mesh_add_triangle(mesh, first + triangles[k][0], first + triangles[k][1],
                                    first + triangles[k][2]))
            return false;
    return true;
}

static bool add_wedge(firn_mesh* mesh, const firn_shape_node* node)
{
    static const uint8_t triangles[8][3] = {{0, 2, 4}, {1, 5, 3}, {0, 1, 3}, {0, 3, 2},
                                            {2, 3, 5}, {2, 5, 4}, {0, 4, 5}, {0, 5, 1}};
    const double x = (double)node->p[3] / 2, y = (double)node->p[4], z = (double)node->p[5] / 2;
    const double corners[6][3] = {{-x, 0, z}, {-x, 0, -z}, {x, 0, z},
                                  {x, 0, -z}, {0, y, z},   {0, y, -z}};
    const int32_t first = mesh->vertex_count;
    return add_corners(mesh, node, corners, 6) && add_list(mesh, first, triangles, 8);
}

// ---- boxes --------------------------------------------------------------------------------------

static bool add_sharp_box(firn_mesh* mesh, const firn_shape_node* node)
{
    static const uint8_t triangles[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                             {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                             {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    double corners[8][3];
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < 3; i++) corners[k][i] = (k >> i & 1 ? 1 : -1) * (double)node->p[3 + i];
    const int32_t first = mesh->vertex_count;
    return add_corners(mesh, node, (const double(*)[3])corners, 8) &&
           add_list(mesh, first, triangles, 12);
}

enum { ARC = 12, ARC_STEP = QUARTER / ARC, ROUND = 4 * (ARC + 1), ROWS = 2 * (ARC + 1) };

// Row and column of a sphere whose octants have been moved apart: the equator is doubled, the poles
// are quadrupled, and every meridian between two quarters is doubled.
static void rounded_corner(const firn_shape_node* node, int row, int column, double out[3])
{
    const double r = (double)node->p[6];
    const bool upper = row > ARC;
    const int quadrant = column / (ARC + 1);
    double lat_s, lat_c, lon_s, lon_c;
    turn_of((upper ? row - ARC - 1 : row - ARC) * ARC_STEP, &lat_s, &lat_c);
    turn_of(quadrant * QUARTER + column % (ARC + 1) * ARC_STEP, &lon_s, &lon_c);
    const double sign[3] = {quadrant < 2 ? 1 : -1, upper ? 1 : -1,
                            quadrant == 0 || quadrant == 3 ? 1 : -1};
    const double dir[3] = {lat_c * lon_s, lat_s, lat_c * lon_c};
    for (int i = 0; i < 3; i++) out[i] = sign[i] * ((double)node->p[3 + i] - r) + r * dir[i];
}

// Adds a triangle unless two of its corners coincide.
static bool add_unless_flat(firn_mesh* mesh, int32_t a, int32_t b, int32_t c)
{
    const firn_vec3 *x = mesh->vertices + a, *y = mesh->vertices + b, *z = mesh->vertices + c;
    const bool flat = (x->x == y->x && x->y == y->y && x->z == y->z) ||
                      (y->x == z->x && y->y == z->y && y->z == z->z) ||
                      (z->x == x->x && z->y == x->y && z->z == x->z);
    return flat || firn_mesh_add_triangle(mesh, a, b, c);
}

static bool add_rounded_box(firn_mesh* mesh, const firn_shape_node* node)
{
    const int32_t first = mesh->vertex_count;
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < ROUND; column++) {
            double corner[1][3];
            rounded_corner(node, row, column, corner[0]);
            if (!add_corners(mesh, node, (const double(*)[3])corner, 1)) return false;
        }
    for (int row = 0; row + 1 < ROWS; row++)
        for (int column = 0; column < ROUND; column++) {
            const int32_t a = first + row * ROUND + column;
            const int32_t b = first + row * ROUND + (column + 1) % ROUND;
            if (!add_unless_flat(mesh, a, b, b + ROUND) ||
                !add_unless_flat(mesh, a, b + ROUND, a + ROUND))
                return false;
        }
    const int32_t q = ARC + 1, top = first + (ROWS - 1) * ROUND;
    return add_unless_flat(mesh, first, first + 2 * q, first + q) &&
           add_unless_flat(mesh, first, first + 3 * q, first + 2 * q) &&
           add_unless_flat(mesh, top, top + q, top + 2 * q) &&
           add_unless_flat(mesh, top, top + 2 * q, top + 3 * q);
}

// -------------------------------------------------------------------------------------------------

bool firn_solid_has_mesh(const firn_shape_node* node)
{
    return node->kind >= FIRN_SHAPE_SPHERE && node->kind <= FIRN_SHAPE_HEIGHT_FIELD;
}

bool firn_solid_add_mesh(const firn_shapes* shapes, const firn_shape_node* node, firn_mesh* mesh)
{
    const firn_vec3 a = firn_shape_vec3(node, 0);
    switch (node->kind) {
    case FIRN_SHAPE_SPHERE: return add_capsule(mesh, a, a, (double)node->p[3]);
    case FIRN_SHAPE_BOX:
        return node->p[6] > 0 ? add_rounded_box(mesh, node) : add_sharp_box(mesh, node);
    case FIRN_SHAPE_CAPSULE:
        return add_capsule(mesh, a, firn_shape_vec3(node, 3), (double)node->p[6]);
    case FIRN_SHAPE_CYLINDER: return add_cylinder(mesh, node);
    case FIRN_SHAPE_CONE: return add_cone(mesh, node);
    case FIRN_SHAPE_WEDGE: return add_wedge(mesh, node);
    case FIRN_SHAPE_HEIGHT_FIELD: return firn_ground_add_mesh(&shapes->fields[node->a], node, mesh);
    default: return true;
    }
}
