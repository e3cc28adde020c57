// SPDX-License-Identifier: MIT
// Distances from a tree of triangles, signs from winding numbers. If the edge between two nodes
// crossed the surface, their distances to it would sum to at most the edge's length; so nodes whose
// distances sum to more lie on the same side, and the nodes of a block fall into few groups of
// which one node needs a winding number:
//
//      o---o---o . x---x      o inside, x outside
//      |   |   |   .   |      ---  on the same side
//      o---o . o . x---x      .    too close to the surface to tell
#include "geometry/levelset/level_set_triangles.h"

#include <math.h>

#include "geometry/levelset/level_set_blocks.h"
#include "geometry/levelset/level_set_sample.h"
#include "geometry/levelset/level_set_vdb.h"
#include "geometry/sdf/contour.h"
#include "mesh/spatial/triangle_tree.h"
#include "mesh/spatial/winding.h"

typedef firn_triangle_solid solid;

static bool is_inside(const solid* s, firn_vec3 x)
{
    const double at[3] = {(double)x.x, (double)x.y, (double)x.z};
    return s->sign * firn_winding_number(s->winding, at) > 0.5;
}

static firn_real phi_at(const void* context, firn_vec3 x)
{
    const solid* s = context;
    int32_t triangle;
    const double d = sqrt(firn_triangle_tree_nearest(s->tree, x, -1, &triangle).distance2);
    return (firn_real)(is_inside(s, x) ? -d : d);
}

// Makes the values of all nodes that hang together with `first` negative.
static void negate_group(const solid* s, int first, bool inside, const double* distance,
                         bool* known, firn_real* value)
{
    static const int step[3] = {1, 8, 64};
    int waiting[FIRN_LEVEL_SET_NODES], count = 0;
    waiting[count++] = first;
    known[first] = true;
    while (count > 0) {
        const int n = waiting[--count];
        if (inside) value[n] = -value[n];
        for (int axis = 0; axis < 3; axis++)
            for (int way = -1; way <= 1; way += 2) {
                const int place = n / step[axis] % FIRN_LEVEL_SET_EDGE + way;
                const int next = n + way * step[axis];
                if (place < 0 || place >= FIRN_LEVEL_SET_EDGE || known[next] ||
                    !(distance[n] + distance[next] > s->together))
                    continue;
                known[next] = true;
                waiting[count++] = next;
            }
    }
}

// A lower bound of the distance of node n by those of the nodes before it along each axis.
static double bound_of(const solid* s, const double* distance, int n)
{
    double most = 0;
    if ((n & 7) > 0) most = distance[n - 1];
    if ((n >> 3 & 7) > 0) most = fmax(most, distance[n - 8]);
    if (n >> 6 > 0) most = fmax(most, distance[n - 64]);
    return most - s->together;
}

// The triangle nearest to a node's neighbour is near, often nearest: a good guess.
void firn_triangle_solid_fill(const firn_triangle_solid* s, const firn_vec3* x, double limit,
                              firn_real* out_phi)
{
    double distance[FIRN_LEVEL_SET_NODES];
    int32_t nearest[FIRN_LEVEL_SET_NODES];
    for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++) {
        const int before = (n & 7) > 0 ? n - 1 : (n >> 3 & 7) > 0 ? n - 8 : n - 64;
        const int32_t guess = before >= 0 ? nearest[before] : -1;
        distance[n] = bound_of(s, distance, n);
        nearest[n] = guess;
        if (!(distance[n] > limit))
            distance[n] =
                sqrt(firn_triangle_tree_nearest(s->tree, x[n], guess, &nearest[n]).distance2);
        out_phi[n] = (firn_real)distance[n];
    }
    bool known[FIRN_LEVEL_SET_NODES] = {false};
    for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++)
        if (!known[n] && distance[n] > 0)
            negate_group(s, n, is_inside(s, x[n]), distance, known, out_phi);
}

static void fill_block(const void* context, const firn_vec3* x, firn_real* out_phi)
{
    firn_triangle_solid_fill(context, x, INFINITY, out_phi);
}

firn_result firn_triangle_solid_open(const firn_mesh* mesh, double voxel, double sign,
                                     firn_triangle_solid* out_solid, firn_error* error)
{
    // 1 %: nodes are rounded to reals
    *out_solid = (firn_triangle_solid){.sign = sign, .together = 1.01 * voxel};
    FIRN_TRY(firn_triangle_tree_create(mesh, &out_solid->tree, error));
    return firn_winding_create(mesh, &out_solid->winding, error);
}

void firn_triangle_solid_close(firn_triangle_solid* s)
{
    firn_winding_destroy(s->winding);
    firn_triangle_tree_destroy(s->tree);
    *s = (firn_triangle_solid){0};
}

firn_result firn_level_set_from_triangles(const firn_mesh* mesh, double voxel, double sign,
                                          const firn_level_set** out_set, firn_error* error)
{
    if (mesh->triangle_count < 1)
        return firn_fail(error, FIRN_REFUSED_ARGUMENT, "level set: a mesh without triangles");
    solid s;
    firn_result result = firn_triangle_solid_open(mesh, voxel, sign, &s, error);
    const firn_level_set_source source = {phi_at, fill_block, &s};
    if (result == FIRN_OK)
        result = firn_level_set_build_blocks(firn_mesh_bounds(mesh), (firn_real)voxel,
                                             (firn_real)(FIRN_VDB_BAND * voxel), &source, out_set,
                                             error);
    firn_triangle_solid_close(&s);
    return result;
}

static firn_phi phi_of_set(const void* set, firn_vec3 x)
{
    return firn_level_set_sample(set, x);
}

firn_result firn_level_set_from_surface(const firn_level_set* parts, const firn_level_set** out_set,
                                        firn_error* error)
{
    firn_level_set set = *parts;
    const firn_real edge = FIRN_LEVEL_SET_EDGE * set.voxel;
    const firn_vec3 size = firn_v3((firn_real)set.size[0] * edge, (firn_real)set.size[1] * edge,
                                   (firn_real)set.size[2] * edge);
    set.bounds = (firn_box3){set.origin, firn_v3_add(set.origin, size)};  // of all blocks
    const firn_contour_def def = {
        .phi = phi_of_set, .user = &set, .caution = 1, .box = set.bounds, .cell = set.voxel};
    firn_mesh surface;
    firn_error why = {0};
    firn_result result = firn_contour(&def, &surface, &why);
    if (result == FIRN_REFUSED_ARGUMENT)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "the mesh cannot be repaired: %s; use larger voxels", why.text);
    if (result != FIRN_OK) return firn_fail(error, result, "%s", why.text);
    result = surface.triangle_count > 0
                 ? firn_level_set_from_triangles(&surface, (double)set.voxel, 1, out_set, error)
                 : firn_fail(error, FIRN_REFUSED_SCENE,
                             "the mesh encloses no volume, even after repair");
    firn_mesh_destroy(&surface);
    return result;
}
