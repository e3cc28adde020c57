// SPDX-License-Identifier: MIT
// OpenVDB behind a C interface: meshes to distances, distances from surfaces.
#include "geometry/levelset/level_set_vdb.hh"

#include <openvdb/tools/MeshToVolume.h>
#include <openvdb/tools/VolumeToMesh.h>

#include <cmath>
#include <limits>
#include <vector>

#include "geometry/levelset/vdb_file.hh"
#include "geometry/levelset/vdb_surface.hh"

namespace firn_vdb {

using openvdb::Coord;
using openvdb::CoordBBox;
using openvdb::FloatGrid;
using openvdb::FloatTree;

namespace {

constexpr int farthest = 1 << 30;  // [voxels] from the origin: sums with it do not overflow
constexpr float interior = std::numeric_limits<float>::max();  // [voxels] all of it

// Triangles in index space, for OpenVDB.
struct Triangles {
    const firn_vdb_mesh* mesh;
    double voxel;

    size_t polygonCount() const
    {
        return static_cast<size_t>(mesh->triangle_count);
    }
    size_t pointCount() const
    {
        return static_cast<size_t>(mesh->vertex_count);
    }
    size_t vertexCount(size_t) const
    {
        return 3;
    }
    void getIndexSpacePoint(size_t n, size_t v, openvdb::Vec3d& at) const
    {
        const firn_vec3& x = mesh->vertices[mesh->triangles[n][v]];
        at = openvdb::Vec3d(double(x.x), double(x.y), double(x.z)) / voxel;
    }
};

// A leaf's values, z fastest, into a block's, x fastest.
void copy_leaf(const FloatTree::LeafNodeType& leaf, firn_real* value)
{
    for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++)
        value[n] =
            firn_real(leaf.getValue(openvdb::Index((n & 7) << 6 | (n >> 3 & 7) << 3 | n >> 6)));
}

}  // namespace

// Everything that is not far outside.
CoordBBox extent(const FloatGrid& grid)
{
    CoordBBox box = grid.evalActiveVoxelBoundingBox();
    CoordBBox leaves;
    if (grid.tree().evalLeafBoundingBox(leaves)) box.expand(leaves);
    if (box.empty()) throw Refused("nothing is inside");
    for (int i = 0; i < 3; i++) {
        box.min()[i] &= ~7;
        box.max()[i] |= 7;
    }
    for (int i = 0; i < 3; i++)
        if (box.min()[i] < -farthest || box.max()[i] > farthest)
            throw Refused("its voxels lie too far from the origin of its grid");
    const openvdb::Vec3d size =  // as integers it may overflow
        box.max().asVec3d() - box.min().asVec3d() + openvdb::Vec3d(1);
    if (size[0] * size[1] * size[2] > FIRN_LEVEL_SET_VOXELS_MAX)
        throw Refused("its box holds " + std::to_string(size[0] * size[1] * size[2]) +
                      " voxels, more than 2^31; use larger voxels");
    return box;
}

// Fills table and values. The grid's transform is a scale and a move.
void to_parts(const FloatGrid& grid, firn_level_set* parts)
{
    const CoordBBox box = extent(grid);
    const Coord size = box.dim();
    *parts = {};
    for (int i = 0; i < 3; i++) parts->size[i] = size[i] / FIRN_LEVEL_SET_EDGE;
    const openvdb::Vec3d origin = grid.indexToWorld(box.min());
    parts->origin = {firn_real(origin[0]), firn_real(origin[1]), firn_real(origin[2])};
    parts->voxel = firn_real(grid.voxelSize()[0]);
    parts->band = firn_real(grid.background());
    const size_t entries = size_t(parts->size[0]) * size_t(parts->size[1]) * size_t(parts->size[2]);
    Block<int32_t> table(entries);
    std::vector<const FloatTree::LeafNodeType*> leaves;
    const auto access = grid.getConstAccessor();
    for (size_t t = 0; t < entries; t++) {
        const Coord at =
            box.min() + Coord(int(t % size_t(parts->size[0])) * 8,
                              int(t / size_t(parts->size[0]) % size_t(parts->size[1])) * 8,
                              int(t / size_t(parts->size[0]) / size_t(parts->size[1])) * 8);
        const auto* leaf = access.probeConstLeaf(at);
        bool needed = false;
        for (openvdb::Index n = 0; leaf != nullptr && n < 512 && !needed; n++)
            needed = leaf->getValue(n) < grid.background();
        if (needed) {
            table[t] = int32_t(leaves.size());
            leaves.push_back(leaf);
        } else {
            table[t] = leaf == nullptr && access.getValue(at) < 0 ? FIRN_LEVEL_SET_INSIDE
                                                                  : FIRN_LEVEL_SET_OUTSIDE;
        }
    }
    Block<firn_real> value(leaves.size() * FIRN_LEVEL_SET_NODES);
    for (size_t b = 0; b < leaves.size(); b++)
        copy_leaf(*leaves[b], &value[b * FIRN_LEVEL_SET_NODES]);
    parts->block_count = firn_local(leaves.size());
    parts->table = table.take();
    parts->value = value.take();
}

// Surfaces here do not cut themselves. Renormalising would smooth what is exact, and the removal of
// surfaces inside others would take away the walls of hollows.
constexpr int flags =
    openvdb::tools::DISABLE_RENORMALIZATION | openvdb::tools::DISABLE_INTERSECTING_VOXEL_REMOVAL;

FloatGrid::Ptr from_triangles(const firn_vdb_mesh& mesh, double voxel)
{
    const auto transform = openvdb::math::Transform::createLinearTransform(voxel);
    return openvdb::tools::meshToVolume<FloatGrid>(Triangles{&mesh, voxel}, *transform,
                                                   float(FIRN_VDB_BAND), interior, flags);
}

// Refuses a surface whose box, all of which may be inside, holds too many voxels.
void check_extent(const std::vector<openvdb::Vec3s>& points)
{
    openvdb::math::BBox<openvdb::Vec3d> box;
    for (const openvdb::Vec3s& x : points) {
        if (!(std::abs(x[0]) < farthest && std::abs(x[1]) < farthest && std::abs(x[2]) < farthest))
            throw Refused("its transform leads too far from the origin");
        box.expand(openvdb::Vec3d(x));
    }
    const openvdb::Vec3d size = box.extents() + openvdb::Vec3d(2 * FIRN_VDB_BAND);
    if (size[0] * size[1] * size[2] > FIRN_VDB_VOXELS_MAX)
        throw Refused("its box holds more than 5e8 of its smallest voxels");
}

// Bounds of what OpenVDB takes, by measurement.
constexpr double crossing_bytes = 120;  // for a quad and its share of what finds it
constexpr double leaf_bytes = 8000;     // for a leaf, from the first triangle to our own block

// What is held while the surface is found: the grid, a copy of it and the quads.
double surface_bytes(double quads, const VdbFile& file)
{
    return 2 * file.tree_bytes() + crossing_bytes * quads;
}

void check_crossings(const FloatGrid& grid, const VdbFile& file)
{
    extent(grid);  // refuses a box that is too large
    file.allowance().check(surface_bytes(count_crossings(grid), file));
}

void check_leaves(const std::vector<openvdb::Vec3s>& points,
                  const std::vector<openvdb::Vec4I>& quads, const VdbFile& file)
{
    const double leaves = count_blocks(points, quads, FIRN_VDB_BAND + 1);
    file.allowance().check(surface_bytes(double(quads.size()), file) + leaf_bytes * leaves);
}

// The surface phi = 0 as a mesh in index space, placed by the grid's own transform (of any kind),
// and distances from that at `nodes`, whose transform scales evenly.
FloatGrid::Ptr rebuild(const FloatGrid& grid, const openvdb::math::Transform& nodes,
                       const VdbFile* file)
{
    if (file != nullptr) check_crossings(grid, *file);
    std::vector<openvdb::Vec3s> points;
    std::vector<openvdb::Vec4I> quads;
    const FloatGrid::ConstPtr index_space =  // shares the tree
        grid.copyReplacingTransform(openvdb::math::Transform::createLinearTransform(1.0));
    openvdb::tools::volumeToMesh(*index_space, points, quads);
    if (quads.empty()) throw Refused("it has no surface: phi is nowhere 0");
    for (openvdb::Vec3s& x : points) x = nodes.worldToIndex(grid.indexToWorld(openvdb::Vec3d(x)));
    check_extent(points);
    if (file != nullptr) check_leaves(points, quads, *file);
    const openvdb::tools::QuadAndTriangleDataAdapter<openvdb::Vec3s, openvdb::Vec4I> mesh(points,
                                                                                          quads);
    return openvdb::tools::meshToVolume<FloatGrid>(mesh, nodes, float(FIRN_VDB_BAND), interior,
                                                   flags);
}

// The blocks as a grid, the nodes at whole multiples of the voxel around (0, 0, 0).
FloatGrid::Ptr to_grid(const firn_level_set& set)
{
    const float band = float(set.band);
    auto grid = FloatGrid::create(band);
    auto transform = openvdb::math::Transform::createLinearTransform(double(set.voxel));
    transform->postTranslate(
        openvdb::Vec3d(double(set.origin.x), double(set.origin.y), double(set.origin.z)));
    grid->setTransform(transform);
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    const size_t nx = size_t(set.size[0]), ny = size_t(set.size[1]);
    for (size_t t = 0; t < nx * ny * size_t(set.size[2]); t++) {
        const int32_t block = set.table[t];
        if (block == FIRN_LEVEL_SET_OUTSIDE) continue;
        const Coord at(int(t % nx) * 8, int(t / nx % ny) * 8, int(t / nx / ny) * 8);
        auto* leaf = grid->tree().touchLeaf(at);
        for (int n = 0; n < FIRN_LEVEL_SET_NODES; n++) {
            const auto to = openvdb::Index((n & 7) << 6 | (n >> 3 & 7) << 3 | n >> 6);
            if (block < 0)
                leaf->setValueOff(to, -band);
            else
                leaf->setValueOn(
                    to, float(set.value[size_t(block) * FIRN_LEVEL_SET_NODES + size_t(n)]));
        }
    }
    return grid;
}

}  // namespace firn_vdb

using namespace firn_vdb;

extern "C" firn_result firn_vdb_from_mesh(const firn_vdb_mesh* mesh, double voxel,
                                          firn_level_set* out_parts, char* out_message,
                                          size_t message_size)
{
    return guard(out_message, message_size,
                 [&] { to_parts(*from_triangles(*mesh, voxel), out_parts); });
}

extern "C" firn_result firn_vdb_rebuild(const firn_level_set* set, firn_level_set* out_parts,
                                        char* out_message, size_t message_size)
{
    return guard(out_message, message_size, [&] {
        const auto grid = to_grid(*set);
        to_parts(*rebuild(*grid, grid->transform(), nullptr), out_parts);
    });
}
