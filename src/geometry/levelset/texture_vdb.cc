// SPDX-License-Identifier: MIT
// A grid of a .vdb file as the plain arrays of a texture.
#include "geometry/levelset/texture_vdb.h"

#include <cmath>

#include "geometry/levelset/level_set_vdb.hh"
#include "geometry/levelset/vdb_file.hh"

using namespace firn_vdb;

namespace {

using openvdb::Coord;
using openvdb::CoordBBox;
using openvdb::FloatGrid;

const int64_t TABLE_MAX = int64_t(1) << 26;  // [blocks] 256 MB: 400 blocks a side

void* allocate(size_t count, size_t size)
{
    void* block = firn_alloc(count, size);
    if (block == nullptr) throw std::bad_alloc();
    return block;
}

// "density (float), v (vec3s)": what the file has instead.
std::string names_of(const openvdb::GridPtrVec& grids)
{
    std::string names;
    for (const auto& grid : grids)
        names += (names.empty() ? "" : ", ") + grid->getName() + " (" + grid->valueType() + ")";
    return names.empty() ? "none" : names;
}

// Number of the grid to read, by metadata alone.
size_t find_floats(const openvdb::GridPtrVec& grids, const char* wanted)
{
    for (size_t i = 0; i < grids.size(); i++) {
        if (wanted != nullptr && grids[i]->getName() != wanted) continue;
        if (grids[i]->isType<FloatGrid>()) return i;
        if (wanted != nullptr)
            throw Refused("grid '" + std::string(wanted) + "' holds " + grids[i]->valueType() +
                          "; a texture needs floats");
    }
    throw Refused(wanted != nullptr
                      ? "it has no grid '" + std::string(wanted) + "', but: " + names_of(grids)
                      : "it has no grid of floats, but: " + names_of(grids));
}

void set_transform(const FloatGrid& grid, firn_texture& t)
{
    if (!grid.transform().isLinear())
        throw Refused("the grid's transform is a frustum; a texture needs straight axes");
    const openvdb::Vec3d origin = grid.worldToIndex(openvdb::Vec3d(0.0));
    for (int axis = 0; axis < 3; axis++) {
        openvdb::Vec3d x(0.0);
        x[axis] = 1;
        const openvdb::Vec3d step = grid.worldToIndex(x) - origin;
        for (int d = 0; d < 3; d++) t.to_index[d][axis] = step[d];
    }
    for (int d = 0; d < 3; d++) t.to_index[d][3] = origin[d];
    for (const auto& row : t.to_index)
        for (const double m : row)
            if (!std::isfinite(m)) throw Refused("the grid's transform is not finite");
}

float checked(float value)
{
    if (!std::isfinite(value)) throw Refused("a value of the grid is not finite");
    return value;
}

// Calls body(box, value) for every tile, that is every larger cube of one value, that is not
// background.
template <typename Body> void for_tiles(const FloatGrid& grid, Body body)
{
    auto it = grid.cbeginValueAll();
    it.setMaxDepth(decltype(it)::LEAF_DEPTH - 1);
    for (; it; ++it) {
        if (*it == grid.background()) continue;
        CoordBBox box;
        it.getBoundingBox(box);
        body(box, *it);
    }
}

CoordBBox blocks_of(const CoordBBox& voxels)
{
    const Coord a = voxels.min(), b = voxels.max();
    return CoordBBox(a.x() >> 3, a.y() >> 3, a.z() >> 3, b.x() >> 3, b.y() >> 3, b.z() >> 3);
}

void make_table(const FloatGrid& grid, const VdbFile& file, firn_texture& t)
{
    CoordBBox all;
    size_t tiles = 0;
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf)
        all.expand(blocks_of(leaf->getNodeBoundingBox()));
    for_tiles(grid, [&](const CoordBBox& box, float) {
        all.expand(blocks_of(box));
        tiles++;
    });
    const Coord size = all.empty() ? Coord(0) : all.dim();
    const double table = double(size.x()) * size.y() * size.z();
    const auto leaves = double(grid.tree().leafCount());
    file.allowance().check(file.tree_bytes() + sizeof(float) * FIRN_TEXTURE_NODES * (leaves + 1) +
                           sizeof(float) * double(tiles + 1) + sizeof(int32_t) * table);
    if (table > double(TABLE_MAX)) throw Refused("its voxels lie too far apart: use larger ones");
    t.constant = static_cast<float*>(allocate(tiles + 1, sizeof *t.constant));
    t.constant[t.constant_count++] = checked(grid.background());
    t.block_count = static_cast<firn_local>(grid.tree().leafCount());
    t.value = static_cast<float*>(
        allocate(size_t(t.block_count) + 1, FIRN_TEXTURE_NODES * sizeof(float)));
    if (all.empty()) return;
    const size_t count = size_t(size.x()) * size_t(size.y()) * size_t(size.z());
    t.table = static_cast<int32_t*>(allocate(count, sizeof *t.table));
    for (size_t k = 0; k < count; k++) t.table[k] = -1;
    for (int d = 0; d < 3; d++) {
        t.first[d] = all.min()[d];
        t.size[d] = size[d];
    }
}

int32_t& entry(firn_texture& t, const Coord& block)
{
    const size_t x = size_t(block.x() - t.first[0]), y = size_t(block.y() - t.first[1]);
    const size_t z = size_t(block.z() - t.first[2]);
    return t.table[(x * size_t(t.size[1]) + y) * size_t(t.size[2]) + z];
}

void fill(const FloatGrid& grid, firn_texture& t)
{
    firn_local b = 0;
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf, ++b) {
        static_assert(FloatGrid::TreeType::LeafNodeType::SIZE == FIRN_TEXTURE_NODES, "leaf of 8^3");
        entry(t, blocks_of(leaf->getNodeBoundingBox()).min()) = b;
        const float* from = leaf->buffer().data();  // x slowest, as ours
        for (int k = 0; k < FIRN_TEXTURE_NODES; k++)
            t.value[size_t(b) * FIRN_TEXTURE_NODES + size_t(k)] = checked(from[k]);
    }
    for_tiles(grid, [&](const CoordBBox& box, float value) {
        t.constant[t.constant_count] = checked(value);
        const CoordBBox blocks = blocks_of(box);
        for (auto at = blocks.begin(); at; ++at) entry(t, *at) = -1 - t.constant_count;
        t.constant_count++;
    });
}

}  // namespace

extern "C" firn_result firn_texture_vdb_read(const char* path, const char* grid,
                                             firn_texture* out_texture, char* out_message,
                                             size_t message_size)
{
    return guard(out_message, message_size, [&] {
        VdbFile file(path);
        const auto read =
            openvdb::gridPtrCast<FloatGrid>(file.read(find_floats(file.grids(), grid)));
        if (!read) throw Refused("the grid is not what its description says");
        set_transform(*read, *out_texture);
        make_table(*read, file, *out_texture);
        fill(*read, *out_texture);
    });
}
