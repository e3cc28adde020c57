// SPDX-License-Identifier: MIT
// Counts crossings by the signs of whole leaves, 64 voxels to a word; counts blocks by filling
// from outside up to the blocks that the surface touches.
#include "geometry/levelset/vdb_surface.hh"

#include <array>
#include <bitset>
#include <cmath>
#include <cstdint>

namespace firn_vdb {
namespace {

using openvdb::Coord;
using openvdb::CoordBBox;
using openvdb::FloatGrid;
using Leaf = FloatGrid::TreeType::LeafNodeType;

// Bit 8 y + z of word x: the value of voxel (x, y, z) is below 0.
using Signs = std::array<uint64_t, 8>;

int count_bits(uint64_t bits)
{
    return int(std::bitset<64>(bits).count());
}

Signs signs_of(const Leaf& leaf)
{
    Signs signs = {};
    const float* value = leaf.buffer().data();
    for (size_t x = 0; x < 8; x++)
        for (size_t k = 0; k < 64; k++) signs[x] |= uint64_t(value[64 * x + k] < 0) << k;
    return signs;
}

Signs signs_at(const FloatGrid::ConstAccessor& access, const Coord& block)
{
    const Leaf* leaf = access.probeConstLeaf(block);
    if (leaf != nullptr) return signs_of(*leaf);
    Signs same;
    same.fill(access.getValue(block) < 0 ? ~uint64_t(0) : 0);
    return same;
}

int crossings_inside(const Signs& s)
{
    int n = 0;
    for (size_t x = 0; x < 8; x++) {
        if (x < 7) n += count_bits(s[x] ^ s[x + 1]);
        n += count_bits((s[x] ^ s[x] >> 8) & 0x00ffffffffffffff);
        n += count_bits((s[x] ^ s[x] >> 1) & 0x7f7f7f7f7f7f7f7f);
    }
    return n;
}

// Between a block and the next one along an axis.
int crossings_between(const Signs& low, const Signs& high, int axis)
{
    if (axis == 0) return count_bits(low[7] ^ high[0]);
    int n = 0;
    for (size_t x = 0; x < 8; x++)
        n += axis == 1 ? count_bits((low[x] >> 56 ^ high[x]) & 0xff)
                       : count_bits((low[x] >> 7 ^ high[x]) & 0x0101010101010101);
    return n;
}

// Around a leaf or a tile that begins at `box.min()`.
double crossings_around(const FloatGrid::ConstAccessor& access, const CoordBBox& box)
{
    double n = 0;
    for (int axis = 0; axis < 3; axis++) {
        const int u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (int i = box.min()[u]; i < box.max()[u]; i += 8)
            for (int j = box.min()[v]; j < box.max()[v]; j += 8) {
                Coord low = box.min(), high = low, before, after;
                low[u] = high[u] = i;
                low[v] = high[v] = j;
                high[axis] = box.max()[axis] - 7;
                before = low;
                before[axis] -= 8;
                after = high;
                after[axis] += 8;
                n += crossings_between(signs_at(access, before), signs_at(access, low), axis);
                n += crossings_between(signs_at(access, high), signs_at(access, after), axis);
            }
    }
    return n;
}

// The blocks of a box, one byte each.
struct Blocks {
    Coord first, size;
    std::vector<uint8_t> kind;  // 0: unknown, 1: near the surface, 2: outside

    size_t index(const Coord& at) const
    {
        return (size_t(at[0]) * size_t(size[1]) + size_t(at[1])) * size_t(size[2]) + size_t(at[2]);
    }
};

// Fills from a corner, which is outside, and returns the number of blocks that are reached.
size_t fill_outside(Blocks& blocks)
{
    std::vector<Coord> open = {Coord(0)};
    blocks.kind[0] = 2;
    size_t reached = 1;
    while (!open.empty()) {
        const Coord at = open.back();
        open.pop_back();
        for (int k = 0; k < 6; k++) {
            Coord next = at;
            next[k / 2] += k % 2 == 0 ? 1 : -1;
            if (next[k / 2] < 0 || next[k / 2] >= blocks.size[k / 2]) continue;
            uint8_t& kind = blocks.kind[blocks.index(next)];
            if (kind != 0) continue;
            kind = 2;
            reached++;
            open.push_back(next);
        }
    }
    return reached;
}

CoordBBox blocks_near(const openvdb::Vec3s* points, const openvdb::Vec4I& quad, double band)
{
    openvdb::BBoxd box;
    for (int k = 0; k < 4; k++) box.expand(openvdb::Vec3d(points[quad[k]]));
    const openvdb::Vec3d low = (box.min() - openvdb::Vec3d(band)) / 8;
    const openvdb::Vec3d high = (box.max() + openvdb::Vec3d(band)) / 8;
    return CoordBBox(Coord::floor(low), Coord::floor(high));
}

}  // namespace

double count_crossings(const FloatGrid& grid)
{
    const FloatGrid::ConstAccessor access = grid.getConstAccessor();
    double n = 0;
    for (auto leaf = grid.tree().cbeginLeaf(); leaf; ++leaf)
        n += crossings_inside(signs_of(*leaf)) +
             crossings_around(access, leaf->getNodeBoundingBox());
    auto tile = grid.cbeginValueOn();
    tile.setMaxDepth(decltype(tile)::LEAF_DEPTH - 1);
    for (; tile; ++tile) {
        CoordBBox box;
        tile.getBoundingBox(box);
        n += crossings_around(access, box);
    }
    return n;
}

double count_blocks(const std::vector<openvdb::Vec3s>& points,
                    const std::vector<openvdb::Vec4I>& quads, double band)
{
    CoordBBox all;
    double work = 0;  // [blocks] to mark; voxels that are stretched a thousandfold make it large
    for (const openvdb::Vec4I& quad : quads) {
        const CoordBBox box = blocks_near(points.data(), quad, band);
        all.expand(box);
        work += double(box.dim().x()) * box.dim().y() * box.dim().z();
    }
    const double total = double(all.dim().x()) * all.dim().y() * all.dim().z();
    if (work > 64 * double(quads.size()) + 1e6) return total;
    Blocks blocks;
    blocks.first = all.min() - Coord(1);
    blocks.size = all.dim() + Coord(2);
    blocks.kind.resize(size_t(blocks.size[0]) * size_t(blocks.size[1]) * size_t(blocks.size[2]));
    for (const openvdb::Vec4I& quad : quads) {
        const CoordBBox box = blocks_near(points.data(), quad, band);
        for (auto at = box.begin(); at; ++at) blocks.kind[blocks.index(*at - blocks.first)] = 1;
    }
    return double(blocks.kind.size() - fill_outside(blocks));
}

}  // namespace firn_vdb
