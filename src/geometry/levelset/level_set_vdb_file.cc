// SPDX-License-Identifier: MIT
// Level sets in .vdb files. Programs write narrow bands without an interior, rotated grids, and
// values that are not distances. A grid whose values are usable keeps them, and its interior is
// filled; of any other grid only the surface is used, and the distances are recomputed.
#include <openvdb/io/File.h>
#include <openvdb/tools/ChangeBackground.h>
#include <openvdb/tools/Prune.h>

#include <cmath>
#include <limits>

#include "geometry/levelset/level_set_vdb.hh"
#include "geometry/levelset/vdb_file.hh"

namespace firn_vdb {
namespace {

using openvdb::Coord;
using openvdb::FloatGrid;

// "'surface' (level set, float), 'v' (unknown, vec3s)"
std::string list_grids(const openvdb::GridPtrVec& grids)
{
    std::string text;
    for (size_t i = 0; i < grids.size() && i < 8; i++) {
        const openvdb::GridBase& grid = *grids[i];
        text += (i > 0 ? ", " : "") + quoted(grid.getName()) + " (" +
                openvdb::GridBase::gridClassToString(grid.getGridClass()) + ", " +
                grid.valueType() + ")";
    }
    if (grids.size() > 8) text += ", ...";
    return grids.empty() ? "none" : text;
}

// Number of the grid to read, by metadata alone.
size_t choose(const openvdb::GridPtrVec& grids, const char* name)
{
    for (size_t i = 0; i < grids.size(); i++) {
        const openvdb::GridBase& grid = *grids[i];
        const bool is_float = grid.isType<FloatGrid>();
        if (name == nullptr && grid.getGridClass() == openvdb::GRID_LEVEL_SET && is_float) return i;
        if (name == nullptr || grid.getName() != name) continue;
        if (!is_float)
            throw Refused("grid " + quoted(name) + " holds values of type " + grid.valueType() +
                          "; a level set has floats. The file has: " + list_grids(grids));
        if (grid.getGridClass() == openvdb::GRID_FOG_VOLUME)
            throw Refused("grid " + quoted(name) +
                          " is a fog volume, which has no distances; write the surface as a level "
                          "set (negative inside) or name another grid. The file has: " +
                          list_grids(grids));
        return i;
    }
    if (name != nullptr)
        throw Refused("there is no grid " + quoted(name) + "; the file has: " + list_grids(grids));
    throw Refused("no grid of class 'level set' with float values; name the one to use. "
                  "The file has: " +
                  list_grids(grids));
}

// Nodes along the axes, the same distance apart.
bool is_upright(const FloatGrid& grid)
{
    if (!grid.transform().isLinear()) return false;
    const openvdb::Mat4d m = grid.transform().baseMap()->getAffineMap()->getMat4();
    const double voxel = m(0, 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (std::abs(m(i, j) - (i == j ? voxel : 0)) > 1e-6 * std::abs(voxel)) return false;
    return voxel > 0;
}

// Do the values next to the surface rise by about one metre per metre?
bool has_distances(const FloatGrid& grid)
{
    const float voxel = float(grid.voxelSize()[0]);
    const auto access = grid.getConstAccessor();
    size_t all = 0, good = 0;
    for (auto it = grid.cbeginValueOn(); it; ++it) {
        if (!it.isVoxelValue() || !(std::abs(*it) < voxel)) continue;
        const Coord at = it.getCoord();
        float slope2 = 0;
        for (int i = 0; i < 3; i++) {
            Coord next = at, last = at;
            next[i]++;
            last[i]--;
            const float s = (access.getValue(next) - access.getValue(last)) / (2 * voxel);
            slope2 += s * s;
        }
        all++;
        good += slope2 > 0.25f && slope2 < 2.25f;
    }
    return all > 0 && double(good) > 0.9 * double(all);
}

void check_values(const FloatGrid& grid)
{
    bool inside = false;
    for (auto it = grid.cbeginValueAll(); it; ++it) {
        if (!std::isfinite(*it)) throw Refused("a value is no number");
        inside = inside || *it < 0;
    }
    if (!inside) throw Refused("no value is below 0: nothing is inside");
    const openvdb::Vec3d size = grid.voxelSize();
    if (!(size.x() > 0 && size.y() > 0 && size.z() > 0 && std::isfinite(size.length())))
        throw Refused("its transform has no voxel size");
}

// Most files hold a narrow band; where phi is just its end, inside, the distances come from the
// surface.
FloatGrid::Ptr fill(const FloatGrid& grid, const VdbFile& file)
{
    const auto distances = rebuild(grid, grid.transform(), &file);
    FloatGrid::Ptr filled = grid.deepCopy();
    const float band = grid.background();
    auto to = filled->getAccessor();
    for (auto it = distances->cbeginValueOn(); it; ++it)
        if (*it < -band && std::abs(to.getValue(it.getCoord()) + band) < 1e-4f * band)
            to.setValueOn(it.getCoord(), *it);
    return filled;
}

FloatGrid::Ptr read_grid(VdbFile& file, const char* name)
{
    const auto grid = openvdb::gridPtrCast<FloatGrid>(file.read(choose(file.grids(), name)));
    if (!grid) throw Refused("the grid is not what its description says");
    return grid;
}

FloatGrid::Ptr made_for(const FloatGrid& set, const firn_vdb_write_args& args)
{
    const float low =
        args.is_narrow ? -3 * float(set.voxelSize()[0]) : -std::numeric_limits<float>::max();
    FloatGrid::Ptr grid = set.deepCopy();
    for (auto it = grid->beginValueOn(); it; ++it)
        it.setValue(std::fmax(*it, low) * float(args.steepness));
    openvdb::tools::changeBackground(grid->tree(), grid->background() * float(args.steepness));
    if (args.is_narrow) openvdb::tools::pruneLevelSet(grid->tree(), grid->background(), low);
    auto transform = set.transform().copy();
    transform->postRotate(args.turn_deg * M_PI / 180, openvdb::math::Y_AXIS);
    transform->postScale(openvdb::Vec3d(args.stretch, 1, 1));
    grid->setTransform(transform);
    grid->setName(args.name);
    if (args.is_fog) grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    return grid;
}

}  // namespace
}  // namespace firn_vdb

using namespace firn_vdb;

extern "C" firn_result firn_vdb_read(const char* path, const char* grid, firn_level_set* out_parts,
                                     char* out_message, size_t message_size)
{
    return guard(out_message, message_size, [&] {
        VdbFile file(path);
        const openvdb::FloatGrid::Ptr read = read_grid(file, grid);
        check_values(*read);
        if (is_upright(*read) && read->background() > 0 && has_distances(*read)) {
            to_parts(*fill(*read, file), out_parts);
        } else {
            const openvdb::Vec3d size = read->voxelSize();
            const double voxel = std::fmin(size.x(), std::fmin(size.y(), size.z()));
            const auto nodes = openvdb::math::Transform::createLinearTransform(voxel);
            to_parts(*rebuild(*read, *nodes, &file), out_parts);
        }
    });
}

extern "C" firn_result firn_vdb_check_surface(const char* path, const char* grid, char* out_message,
                                              size_t message_size)
{
    return guard(out_message, message_size, [&] {
        VdbFile file(path);
        check_values(*read_grid(file, grid));
    });
}

extern "C" firn_result firn_vdb_write_sets(const char* path, const firn_level_set* set,
                                           const firn_vdb_write_args* grids, int count,
                                           char* out_message, size_t message_size)
{
    return guard(out_message, message_size, [&] {
        const auto base = to_grid(*set);
        openvdb::GridPtrVec all;
        for (int i = 0; i < count; i++) all.push_back(made_for(*base, grids[i]));
        openvdb::io::File file(path);
        file.write(all);
        file.close();
    });
}
