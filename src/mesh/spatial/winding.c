// SPDX-License-Identifier: MIT
// Winding numbers from a tree of triangles: exact solid angles near the point; a dipole with its
// first two moments for nodes that are far away compared with their size (Barill et al. 2018, "Fast
// winding numbers for soups and clouds", the first three terms of their series).
//
// Triangles are in Morton order; a node is a range of them, split in the middle:
//
//     [ 0 .............................. n )
//     [ 0 .......... n/2 )[ n/2 ........ n )      left child: next in the array; right: `right`
#include "mesh/spatial/winding.h"

#include <math.h>

#include "core/memory.h"
#include "core/threads/team.h"
#include "math/elementary.h"
#include "mesh/spatial/triangle_order.h"

#define FAR_FACTOR 2  // a node is far beyond this many of its radii
#define LEAF 8        // triangles per leaf
#define STACK 64      // pending nodes: one per level of the tree, which has at most 28
#define FOUR_PI 12.566370614359172

typedef struct tree_node {
    double low[3], high[3];         // AABB
    double center[3];               // area-weighted centroid
    double dipole[3];               // sum of area times normal [m^2]
    double first_moment[3][3];      // [i][k]: of coordinate i from `center`, in dipole k [m^3]
    double second_moment[3][3][3];  // [i][j][k]: of coordinates i, j [m^4]
    double radius2;        // squared distance from `center` to the farthest corner of the box
    int32_t first, count;  // triangles
    int32_t right;         // index of the right child; 0: a leaf
} tree_node;

struct firn_winding {
    double (*triangles)[3][3];  // owned; corners in Morton order
    int32_t triangle_count;
    tree_node* nodes;  // owned
    int32_t node_count;
};

// ---- the tree -----------------------------------------------------------------------------------

static void subtract(const double a[3], const double b[3], double out[3])
{
    for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void normal_of(const double x[3][3], double out[3])
{
    double u[3], v[3];
    subtract(x[1], x[0], u);
    subtract(x[2], x[0], v);
    cross(u, v, out);
}

// The dipole's moments about the centre. The mean of x_i over a triangle is that of its centroid,
// c_i; the mean of x_i x_j is (sum over corners of x_i x_j + 9 c_i c_j) / 12.
static void measure_moments(const firn_winding* w, tree_node* b)
{
    for (int32_t t = b->first; t < b->first + b->count; t++) {
        double x[3][3], c[3], n[3];
        normal_of((const double(*)[3])w->triangles[t], n);
        for (int v = 0; v < 3; v++) subtract(w->triangles[t][v], b->center, x[v]);
        for (int i = 0; i < 3; i++) c[i] = (x[0][i] + x[1][i] + x[2][i]) / 3;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                b->first_moment[i][k] += c[i] * n[k] / 2;
                for (int j = 0; j < 3; j++) {
                    const double sum = x[0][i] * x[0][j] + x[1][i] * x[1][j] + x[2][i] * x[2][j];
                    b->second_moment[i][j][k] += (sum + 9 * c[i] * c[j]) / 12 * n[k] / 2;
                }
            }
    }
}

// AABB, area and dipole of the triangles of a node.
static void measure(const firn_winding* w, tree_node* b)
{
    double area = 0, moment[3] = {0};
    for (int i = 0; i < 3; i++) {
        b->low[i] = INFINITY;
        b->high[i] = -INFINITY;
        b->dipole[i] = 0;
    }
    for (int32_t t = b->first; t < b->first + b->count; t++) {
        const double(*x)[3] = (const double(*)[3])w->triangles[t];
        double n[3];
        normal_of(x, n);
        const double twice = sqrt(dot(n, n));
        area += twice;
        for (int i = 0; i < 3; i++) {
            moment[i] += twice * (x[0][i] + x[1][i] + x[2][i]) / 3;
            b->dipole[i] += n[i] / 2;
            b->low[i] = fmin(b->low[i], fmin(x[0][i], fmin(x[1][i], x[2][i])));
            b->high[i] = fmax(b->high[i], fmax(x[0][i], fmax(x[1][i], x[2][i])));
        }
    }
    b->radius2 = 0;
    for (int i = 0; i < 3; i++) {
        b->center[i] = area > 0 ? moment[i] / area : (b->low[i] + b->high[i]) / 2;
        const double far = fmax(b->center[i] - b->low[i], b->high[i] - b->center[i]);
        b->radius2 += far * far;
    }
    measure_moments(w, b);
}

static int32_t count_nodes(int32_t triangles)
{
    if (triangles <= LEAF) return 1;
    return 1 + count_nodes(triangles / 2) + count_nodes(triangles - triangles / 2);
}

// Depth is log2(triangles / LEAF).
static void plant(firn_winding* w, int32_t first, int32_t count)
{
    tree_node* b = &w->nodes[w->node_count++];
    *b = (tree_node){.first = first, .count = count};
    if (count <= LEAF) return;
    plant(w, first, count / 2);
    b->right = w->node_count;
    plant(w, first + count / 2, count - count / 2);
}

static void measure_nodes(const void* self, firn_local begin, firn_local end)
{
    const firn_winding* w = self;
    for (firn_local n = begin; n < end; n++) measure(w, &w->nodes[n]);
}

static firn_result order_triangles(const firn_mesh* mesh, firn_winding* w)
{
    const firn_local count = mesh->triangle_count;
    firn_local* order = firn_alloc((size_t)count + 1, sizeof *order);
    if (order == NULL) return FIRN_BROKEN_MEMORY;
    const firn_result result = firn_triangle_order(mesh, order);
    for (firn_local t = 0; t < count && result == FIRN_OK; t++)
        for (int k = 0; k < 3; k++) {
            const firn_vec3 x = mesh->vertices[mesh->triangles[order[t]][k]];
            w->triangles[t][k][0] = (double)x.x;
            w->triangles[t][k][1] = (double)x.y;
            w->triangles[t][k][2] = (double)x.z;
        }
    firn_free(order);
    return result;
}

firn_result firn_winding_create(const firn_mesh* mesh, firn_winding** out_winding,
                                firn_error* error)
{
    const firn_local count = mesh->triangle_count;
    firn_winding* w = firn_alloc(1, sizeof *w);
    if (w != NULL) {
        w->triangle_count = count;
        w->triangles = firn_alloc((size_t)count, sizeof *w->triangles);
        w->nodes = firn_alloc((size_t)count_nodes(count), sizeof *w->nodes);
    }
    if (w == NULL || (w->triangles == NULL && count > 0) || w->nodes == NULL ||
        order_triangles(mesh, w) != FIRN_OK) {
        firn_winding_destroy(w);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a tree of %d triangles",
                         (int)count);
    }
    plant(w, 0, count);
    firn_share(w->node_count, 1, measure_nodes, w);  // the root alone takes as long as a level
    *out_winding = w;
    return FIRN_OK;
}

void firn_winding_destroy(firn_winding* winding)
{
    if (winding == NULL) return;
    firn_free(winding->triangles);
    firn_free(winding->nodes);
    firn_free(winding);
}

// ---- winding number -----------------------------------------------------------------------------

// Solid angle of one triangle seen from x; positive from behind. Van Oosterom and Strackee 1983,
// eq. 8.
static double solid_angle(const double triangle[3][3], const double x[3])
{
    double a[3], b[3], c[3], bc[3];
    subtract(triangle[0], x, a);
    subtract(triangle[1], x, b);
    subtract(triangle[2], x, c);
    cross(b, c, bc);
    const double la = sqrt(dot(a, a)), lb = sqrt(dot(b, b)), lc = sqrt(dot(c, c));
    const double den = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    const double det = dot(a, bc);
    return det == 0 && den == 0 ? 0 : 2 * firn_atan2_double(det, den);
}

// Solid angle of a whole node at d: the dipole in the field G = d / |d|^3, and its moments in the
// first and second derivatives of G.
static double node_angle(const tree_node* b, const double d[3], double r2)
{
    double trace = 0, along = 0, traces = 0, cubic = 0;
    for (int i = 0; i < 3; i++) {
        trace += b->first_moment[i][i];
        for (int k = 0; k < 3; k++) {
            const double(*q)[3][3] = b->second_moment;
            along += d[i] * b->first_moment[i][k] * d[k];
            traces += d[i] * (2 * q[i][k][k] + q[k][k][i]);
            for (int j = 0; j < 3; j++) cubic += d[i] * d[j] * d[k] * q[i][j][k];
        }
    }
    return (dot(b->dipole, d) + trace - (3 * along + 1.5 * traces) / r2 + 7.5 * cubic / (r2 * r2)) /
           (r2 * sqrt(r2));
}

double firn_winding_number(const firn_winding* w, const double x[3])
{
    int32_t stack[STACK];
    int top = 0;
    double angle = 0;
    stack[top++] = 0;
    while (top > 0) {
        const int32_t at = stack[--top];
        const tree_node* b = &w->nodes[at];
        double d[3];
        subtract(b->center, x, d);
        const double r2 = dot(d, d);
        if (r2 > FAR_FACTOR * FAR_FACTOR * b->radius2) {
            angle += node_angle(b, d, r2);
        } else if (b->right == 0) {
            for (int32_t t = b->first; t < b->first + b->count; t++)
                angle += solid_angle((const double(*)[3])w->triangles[t], x);
        } else {
            stack[top++] = b->right;
            stack[top++] = at + 1;
        }
    }
    return angle / FOUR_PI;
}

// ---- distance -----------------------------------------------------------------------------------

static double clamp_unit(double t)
{
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

static double smaller(double a, double b)  // fmin is a call: this one compiles to an instruction
{
    return a < b ? a : b;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double segment_distance2(const double a[3], const double b[3], const double x[3])
{
    double u[3], v[3], d[3];
    subtract(b, a, u);
    subtract(x, a, v);
    const double uu = dot(u, u);
    const double t = uu > 0 ? clamp_unit(dot(u, v) / uu) : 0;
    for (int i = 0; i < 3; i++) d[i] = v[i] - t * u[i];
    return dot(d, d);
}

// A triangle, and what does not depend on the point.
typedef struct triangle_plane {
    const double (*corner)[3];
    double u[3], v[3], n[3], nn;  // two edges, their cross product and its square
} triangle_plane;

static triangle_plane plane_of(const double triangle[3][3])
{
    triangle_plane p = {.corner = triangle};
    subtract(triangle[1], triangle[0], p.u);
    subtract(triangle[2], triangle[0], p.v);
    cross(p.u, p.v, p.n);
    p.nn = dot(p.n, p.n);
    return p;
}

// Distance to the plane if x projects into the triangle, else to the nearest edge. `best`: where
// the plane alone is farther away, any value beyond it.
static double triangle_distance2(const triangle_plane* p, const double x[3], double best)
{
    double y[3];
    subtract(x, p->corner[0], y);
    const double height = dot(y, p->n);
    if (height * height > best * p->nn * (1 + 1e-9)) return INFINITY;
    if (p->nn > 0) {
        double yv[3], uy[3];
        cross(y, p->v, yv);
        cross(p->u, y, uy);
        const double s = dot(yv, p->n) / p->nn, t = dot(uy, p->n) / p->nn;
        if (s >= 0 && t >= 0 && s + t <= 1) return height * height / p->nn;
    }
    return smaller(segment_distance2(p->corner[0], p->corner[1], x),
                   smaller(segment_distance2(p->corner[1], p->corner[2], x),
                           segment_distance2(p->corner[2], p->corner[0], x)));
}

static double box_distance2(const tree_node* b, const double x[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        const double d = larger(0, larger(b->low[i] - x[i], x[i] - b->high[i]));
        sum += d * d;
    }
    return sum;
}

double firn_winding_distance(const firn_winding* w, const double x[3], double limit)
{
    int32_t stack[STACK];
    int top = 0;
    double best = limit * limit;
    stack[top++] = 0;
    while (top > 0) {
        const int32_t at = stack[--top];
        const tree_node* b = &w->nodes[at];
        if (box_distance2(b, x) >= best) continue;
        if (b->right == 0) {
            for (int32_t t = b->first; t < b->first + b->count; t++) {
                const triangle_plane p = plane_of((const double(*)[3])w->triangles[t]);
                best = smaller(best, triangle_distance2(&p, x, best));
            }
            continue;
        }
        // Visit the nearer one next.
        const bool left_first =
            box_distance2(&w->nodes[at + 1], x) <= box_distance2(&w->nodes[b->right], x);
        stack[top++] = left_first ? b->right : at + 1;
        stack[top++] = left_first ? at + 1 : b->right;
    }
    return sqrt(best);
}
