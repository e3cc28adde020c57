// SPDX-License-Identifier: MIT
// Dual contouring. Nodes are sampled first, block by block: if |phi| at the centre of a block
// exceeds half its diagonal, the whole block is on one side and one sample is enough. Then cells
// get their vertices, then edges their faces:
//
//      o-----------o          o inside, x outside
//      | cell  .   | cell     A grid edge whose ends lie on different sides is crossed by the
//      |      . v  |          surface: the vertices of the four cells around it make a quad.
//      o-----x-----x          A cell's vertex comes from the crossings on its twelve edges.
#include "geometry/sdf/contour.h"

#include <math.h>

#include "core/memory.h"
#include "math/elementary.h"
#include "math/svd3.h"

#define BLOCK 8  // [nodes] edge of a block
#define CELLS_MAX (1 << 27)
#define PAD 1.37       // [cells] around the box; not 1, so that no face lies on nodes
#define FLAT 0.1       // singular values below this fraction are truncated
#define TIP 0.02       // [cells] largest distance of a tip from the surface
#define ROOT_STEPS 24  // iterations of the root search: far more than it needs

typedef struct grid {
    const firn_contour_def* def;
    int64_t n[3];      // nodes along each axis
    double origin[3];  // of node 0 [m]
    double cell;       // [m]
    float* value;      // owned; phi; far from the surface only its sign counts
    int32_t* vertex;   // owned; of the cell whose lowest corner is the node, plus 1; 0: none
    firn_mesh* mesh;
} grid;

static firn_vec3 node_position(const grid* g, double i, double j, double k)
{
    return firn_v3((firn_real)(g->origin[0] + i * g->cell), (firn_real)(g->origin[1] + j * g->cell),
                   (firn_real)(g->origin[2] + k * g->cell));
}

static int64_t index_of(const grid* g, int64_t i, int64_t j, int64_t k)
{
    return (k * g->n[1] + j) * g->n[0] + i;
}

static firn_phi phi_at(const grid* g, firn_vec3 x)
{
    return g->def->phi(g->def->user, x);
}

static bool is_inside(float value)
{
    return value < 0;
}

static double component(firn_vec3 v, int i)
{
    return (double)(i == 0 ? v.x : i == 1 ? v.y : v.z);
}

firn_real firn_contour_cell(firn_box3 box)
{
    const firn_vec3 size = firn_v3_sub(box.high, box.low);
    const double x = (double)size.x, y = (double)size.y, z = (double)size.z;
    const double longest = fmax(x, fmax(y, z));
    const double even = firn_cbrt_double(fmax(x, 0) * fmax(y, 0) * fmax(z, 0) / 1e6);
    return (firn_real)fmin(fmax(even, longest / 384), longest / 96);
}

static firn_result make_grid(grid* g, firn_error* error)
{
    const firn_contour_def* def = g->def;
    double nodes = 1;
    g->cell = (double)def->cell;
    for (int i = 0; i < 3; i++) {
        const double low = component(def->box.low, i), high = component(def->box.high, i);
        const double cells = ceil((high - low) / g->cell + 2 * PAD);
        if (!(g->cell > 0) || !(cells >= 2 && cells < CELLS_MAX))
            return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                             "a surface between %g and %g m cannot be found with cells of %g m",
                             low, high, g->cell);
        g->n[i] = (int64_t)cells + 1;
        g->origin[i] = 0.5 * (low + high) - 0.5 * cells * g->cell;
        nodes *= (double)g->n[i];
    }
    if (nodes > CELLS_MAX)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT,
                         "a surface on a grid of %g cells is too large: at most %d", nodes,
                         CELLS_MAX);
    g->value = firn_alloc((size_t)nodes, sizeof *g->value);
    g->vertex = firn_alloc((size_t)nodes, sizeof *g->vertex);
    if (g->value == NULL || g->vertex == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a surface on %g cells", nodes);
    return FIRN_OK;
}

// ---- samples ------------------------------------------------------------------------------------

static void sample_block(grid* g, const int64_t low[3], const int64_t high[3])
{
    double middle[3], half2 = 0;
    for (int i = 0; i < 3; i++) {
        middle[i] = 0.5 * (double)(low[i] + high[i] - 1);
        // Includes the edges that leave the block.
        const double half = (0.5 * (double)(high[i] - 1 - low[i]) + 1) * g->cell;
        half2 += half * half;
    }
    const double at_middle =
        (double)phi_at(g, node_position(g, middle[0], middle[1], middle[2])).distance;
    const bool one_side = fabs(at_middle) * (double)g->def->caution > 1.001 * sqrt(half2);
    for (int64_t k = low[2]; k < high[2]; k++)
        for (int64_t j = low[1]; j < high[1]; j++)
            for (int64_t i = low[0]; i < high[0]; i++)
                g->value[index_of(g, i, j, k)] =
                    one_side ? (float)at_middle
                             : (float)phi_at(g, node_position(g, (double)i, (double)j, (double)k))
                                   .distance;
}

static void sample_nodes(grid* g)
{
    int64_t low[3], high[3];
    for (low[2] = 0; low[2] < g->n[2]; low[2] += BLOCK)
        for (low[1] = 0; low[1] < g->n[1]; low[1] += BLOCK)
            for (low[0] = 0; low[0] < g->n[0]; low[0] += BLOCK) {
                for (int i = 0; i < 3; i++)
                    high[i] = low[i] + BLOCK < g->n[i] ? low[i] + BLOCK : g->n[i];
                sample_block(g, low, high);
            }
}

// ---- vertices -----------------------------------------------------------------------------------

// Root of phi between a node and the next along an axis: regula falsi with the Illinois rule
// (halves the value at the end that stays), so that neither end gets stuck.
static firn_vec3 find_crossing(const grid* g, const int64_t node[3], int axis, float fa, float fb)
{
    double a = 0, b = 1, va = (double)fa, vb = (double)fb, t = 0.5;
    double at[3] = {(double)node[0], (double)node[1], (double)node[2]};
    int stuck = 0;
    for (int step = 0; step < ROOT_STEPS && b - a > 1e-4; step++) {
        t = va != vb ? a + (b - a) * va / (va - vb) : 0.5 * (a + b);
        double where[3] = {at[0], at[1], at[2]};
        where[axis] += t;
        const double v = (double)phi_at(g, node_position(g, where[0], where[1], where[2])).distance;
        if (fabs(v) < 1e-5 * g->cell) break;
        if ((v < 0) == (va < 0)) {
            a = t, va = v;
            if (stuck < 0) vb *= 0.5;
            stuck = -1;
        } else {
            b = t, vb = v;
            if (stuck > 0) va *= 0.5;
            stuck = 1;
        }
    }
    at[axis] += t;
    return node_position(g, at[0], at[1], at[2]);
}

// Tangent planes of the surface and their quadric error.
typedef struct planes {
    firn_vec3 point[12], normal[12];
    int count;
} planes;

// Minimum of the quadric error near the mean of the crossings. Along directions of truncated
// singular values it stays at the mean.
static firn_vec3 meet(const planes* p)
{
    firn_vec3 middle = firn_v3(0, 0, 0), rhs = firn_v3(0, 0, 0);
    firn_mat3 A = {{{0}}};
    for (int k = 0; k < p->count; k++) middle = firn_v3_add(middle, p->point[k]);
    middle = firn_v3_scale(middle, 1 / (firn_real)p->count);
    for (int k = 0; k < p->count; k++) {
        const firn_vec3 n = p->normal[k];
        const firn_real d = firn_v3_dot(n, firn_v3_sub(p->point[k], middle));
        const firn_real c[3] = {n.x, n.y, n.z};
        rhs = firn_v3_madd(rhs, d, n);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) A.m[i][j] += c[i] * c[j];
    }
    const firn_svd3 s = firn_svd3_of(A);
    firn_vec3 along = firn_m3_transposed_mul_v3(s.U, rhs);
    const firn_real least = (firn_real)FLAT * s.s.x;
    along.x = s.s.x > 0 ? along.x / s.s.x : 0;
    along.y = s.s.y > least ? along.y / s.s.y : 0;
    along.z = firn_abs(s.s.z) > least ? along.z / s.s.z : 0;
    return firn_v3_add(middle, firn_m3_mul_v3(s.V, along));
}

// Projects the vertex to the surface: the tangent planes of a curved side intersect slightly off
// it. At edges and corners the intersection is already on the surface.
static firn_vec3 settle(const grid* g, firn_vec3 x)
{
    const firn_phi phi = phi_at(g, x);
    if (!(firn_abs(phi.distance) < (firn_real)(0.5 * g->cell))) return x;
    return firn_v3_madd(x, -phi.distance, phi.normal);
}

// A tip may extend into a cell without crossing any of its edges: then the adjacent cell, whose
// planes intersect there, has the vertex. Intersections off the surface are not tips.
static firn_vec3 keep_near_cell(const grid* g, const int64_t at[3], firn_vec3 x)
{
    const firn_vec3 low = node_position(g, (double)at[0], (double)at[1], (double)at[2]);
    const firn_vec3 high =
        node_position(g, (double)at[0] + 1, (double)at[1] + 1, (double)at[2] + 1);
    const firn_vec3 inside = firn_v3_min(firn_v3_max(x, low), high);
    const firn_vec3 out = firn_v3_abs(firn_v3_sub(x, inside));
    const firn_real most = firn_max(out.x, firn_max(out.y, out.z));
    if (!(most > 0)) return x;
    const bool on_surface =
        most < (firn_real)g->cell && firn_abs(phi_at(g, x).distance) < (firn_real)(TIP * g->cell);
    return on_surface ? x : inside;
}

static bool add_vertex(grid* g, const int64_t at[3])
{
    planes p;
    p.count = 0;
    for (int e = 0; e < 12; e++) {
        const int axis = e / 4;
        int64_t node[3] = {at[0], at[1], at[2]};
        node[(axis + 1) % 3] += e & 1;
        node[(axis + 2) % 3] += e >> 1 & 1;
        int64_t next[3] = {node[0], node[1], node[2]};
        next[axis]++;
        const float a = g->value[index_of(g, node[0], node[1], node[2])];
        const float b = g->value[index_of(g, next[0], next[1], next[2])];
        if (is_inside(a) == is_inside(b)) continue;
        p.point[p.count] = find_crossing(g, node, axis, a, b);
        p.normal[p.count] = phi_at(g, p.point[p.count]).normal;
        p.count++;
    }
    if (p.count == 0) return true;
    const firn_vec3 x = keep_near_cell(g, at, settle(g, meet(&p)));
    g->vertex[index_of(g, at[0], at[1], at[2])] = g->mesh->vertex_count + 1;
    return firn_mesh_add_vertex(g->mesh, x);
}

static bool add_vertices(grid* g)
{
    int64_t at[3];
    for (at[2] = 0; at[2] + 1 < g->n[2]; at[2]++)
        for (at[1] = 0; at[1] + 1 < g->n[1]; at[1]++)
            for (at[0] = 0; at[0] + 1 < g->n[0]; at[0]++) {
                const float* v = &g->value[index_of(g, at[0], at[1], at[2])];
                const int64_t j = g->n[0], k = g->n[0] * g->n[1];
                const int inside = is_inside(v[0]) + is_inside(v[1]) + is_inside(v[j]) +
                                   is_inside(v[j + 1]) + is_inside(v[k]) + is_inside(v[k + 1]) +
                                   is_inside(v[k + j]) + is_inside(v[k + j + 1]);
                if (inside != 0 && inside != 8 && !add_vertex(g, at)) return false;
            }
    return true;
}

// ---- faces --------------------------------------------------------------------------------------

// Distance of the midpoint of two vertices from the surface.
static firn_real miss(const grid* g, int32_t a, int32_t b)
{
    const firn_vec3 sum = firn_v3_add(g->mesh->vertices[a], g->mesh->vertices[b]);
    return firn_abs(phi_at(g, firn_v3_scale(sum, (firn_real)0.5)).distance);
}

// Splits the quad along the diagonal that is closer to the surface: along an edge, not across it.
static bool add_quad(grid* g, int32_t a, int32_t b, int32_t c, int32_t d)
{
    if (miss(g, a, c) <= miss(g, b, d))
        return firn_mesh_add_triangle(g->mesh, a, b, c) && firn_mesh_add_triangle(g->mesh, a, c, d);
    return firn_mesh_add_triangle(g->mesh, a, b, d) && firn_mesh_add_triangle(g->mesh, b, c, d);
}

// The face dual to the edge from a node along an axis; counter-clockwise seen from outside.
static bool add_face(grid* g, const int64_t node[3], int axis)
{
    int64_t next[3] = {node[0], node[1], node[2]};
    next[axis]++;
    const bool from = is_inside(g->value[index_of(g, node[0], node[1], node[2])]);
    if (from == is_inside(g->value[index_of(g, next[0], next[1], next[2])])) return true;
    static const int around[4][2] = {{1, 1}, {0, 1}, {0, 0}, {1, 0}};  // cells below the node
    int32_t v[4];
    for (int k = 0; k < 4; k++) {
        int64_t cell[3] = {node[0], node[1], node[2]};
        cell[(axis + 1) % 3] -= around[k][0];
        cell[(axis + 2) % 3] -= around[k][1];
        v[k] = g->vertex[index_of(g, cell[0], cell[1], cell[2])] - 1;
    }
    return from ? add_quad(g, v[0], v[1], v[2], v[3]) : add_quad(g, v[3], v[2], v[1], v[0]);
}

// The outermost nodes are outside, so that each crossed edge has four cells.
static bool add_faces(grid* g)
{
    int64_t at[3];
    for (at[2] = 0; at[2] + 1 < g->n[2]; at[2]++)
        for (at[1] = 0; at[1] + 1 < g->n[1]; at[1]++)
            for (at[0] = 0; at[0] + 1 < g->n[0]; at[0]++)
                for (int axis = 0; axis < 3; axis++)
                    if (!add_face(g, at, axis)) return false;
    return true;
}

// Sets the outermost nodes to outside, whatever phi is: a solid that exceeds its box is cut off.
static void close_rim(grid* g)
{
    for (int64_t k = 0; k < g->n[2]; k++)
        for (int64_t j = 0; j < g->n[1]; j++)
            for (int64_t i = 0; i < g->n[0]; i++) {
                const bool rim = i == 0 || j == 0 || k == 0 || i == g->n[0] - 1 ||
                                 j == g->n[1] - 1 || k == g->n[2] - 1;
                float* v = &g->value[index_of(g, i, j, k)];
                if (rim && !(*v > 0)) *v = (float)g->cell;
            }
}

firn_result firn_contour(const firn_contour_def* def, firn_mesh* out_mesh, firn_error* error)
{
    *out_mesh = (firn_mesh){0};
    grid g = {.def = def, .mesh = out_mesh};
    firn_result result = make_grid(&g, error);
    if (result == FIRN_OK) {
        sample_nodes(&g);
        close_rim(&g);
        if (!add_vertices(&g) || !add_faces(&g))
            result = firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the surface of a solid");
    }
    firn_free(g.value);
    firn_free(g.vertex);
    if (result != FIRN_OK) firn_mesh_destroy(out_mesh);
    return result;
}
