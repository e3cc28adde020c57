// SPDX-License-Identifier: MIT
// Distances from the facets of the surface, signs by the triangles between a node and infinity.
#include "geometry/levelset/repair/level_set_union.h"

#include <math.h>

#include "core/memory.h"
#include "geometry/levelset/level_set_blocks.h"
#include "geometry/levelset/level_set_vdb.h"
#include "mesh/spatial/block_distance.h"
#include "mesh/spatial/line_winding.h"
#include "mesh/topology/union_surface.h"
#include "mesh/topology/weld.h"

#define FINEST 0.25  // [voxels] edges of fragments where the surface cuts itself
#define LARGEST 8    // [voxels] edges of facets: small ones are found sooner
#define EDGE FIRN_LEVEL_SET_EDGE

typedef struct solid {
    double voxel, sign;
    firn_mesh facets;                   // owned
    firn_line_winding* winding;         // owned
    firn_triangle_tree* tree;           // owned, of the facets
    firn_prepared_triangle* triangles;  // owned, of the facets
} solid;

static void find_inside(const solid* s, const double* x, int count, firn_real y, firn_real z,
                        bool* out_inside)
{
    int number[EDGE];
    firn_line_winding_number(s->winding, x, count, (double)y, (double)z, number);
    for (int i = 0; i < count; i++) out_inside[i] = s->sign * number[i] >= 1;
}

// At the centre of a block: is it needed? It is if its nodes may be inside or within the band.
static firn_real phi_at(const void* context, firn_vec3 x)
{
    const solid* s = context;
    const double along = (double)x.x, far = (FIRN_VDB_BAND + EDGE) * s->voxel;
    bool inside;
    find_inside(s, &along, 1, x.y, x.z, &inside);
    return inside || firn_triangle_tree_within(s->tree, x, far, 0, NULL) != 0 ? 0 : INFINITY;
}

static void fill_block(const void* context, const firn_vec3* x, firn_real* out_phi)
{
    const solid* s = context;
    bool inside[FIRN_LEVEL_SET_NODES];
    double along[EDGE], distance[FIRN_LEVEL_SET_NODES];
    for (int i = 0; i < EDGE; i++) along[i] = (double)x[i].x;
    for (int row = 0; row < EDGE * EDGE; row++)
        find_inside(s, along, EDGE, x[EDGE * row].y, x[EDGE * row].z, &inside[EDGE * row]);
    const firn_block_search search = {.tree = s->tree,
                                      .triangles = s->triangles,
                                      .x = x,
                                      .spacing = s->voxel,
                                      .limit = FIRN_VDB_BAND * s->voxel,
                                      .unlimited = inside};
    firn_block_distance(&search, distance);
    for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++)
        out_phi[n] = (firn_real)(inside[n] ? -distance[n] : distance[n]);
}

static firn_result open_solid(const firn_mesh* mesh, solid* s, firn_error* error)
{
    FIRN_TRY(firn_line_winding_create(mesh, &s->winding, error));
    const firn_union_surface_args args = {.winding = s->winding,
                                          .sign = s->sign,
                                          .finest = FINEST * s->voxel,
                                          .largest = LARGEST * s->voxel};
    FIRN_TRY(firn_union_surface(mesh, &args, &s->facets, error));
    if (s->facets.triangle_count == 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "the mesh encloses no volume, even after repair");
    s->triangles = firn_prepare_mesh(&s->facets);
    if (s->triangles == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a surface of %lld facets",
                         (long long)s->facets.triangle_count);
    return firn_triangle_tree_create(&s->facets, &s->tree, error);
}

static firn_result build(const firn_mesh* mesh, solid* s, const firn_level_set** out_set,
                         firn_error* error)
{
    FIRN_TRY(open_solid(mesh, s, error));
    const firn_level_set_source source = {phi_at, fill_block, s};
    return firn_level_set_build_blocks(firn_mesh_bounds(&s->facets), (firn_real)s->voxel,
                                       (firn_real)(FIRN_VDB_BAND * s->voxel), &source, out_set,
                                       error);
}

firn_result firn_level_set_from_union(const firn_mesh* mesh, double voxel, double sign,
                                      const firn_level_set** out_set, firn_error* error)
{
    firn_mesh welded;
    if (firn_mesh_weld(mesh, &welded) != FIRN_OK)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a mesh of %lld triangles",
                         (long long)mesh->triangle_count);
    solid s = {.voxel = voxel, .sign = sign};
    const firn_result result = build(&welded, &s, out_set, error);
    firn_triangle_tree_destroy(s.tree);
    firn_free(s.triangles);
    firn_line_winding_destroy(s.winding);
    firn_mesh_destroy(&s.facets);
    firn_mesh_destroy(&welded);
    return result;
}
