// SPDX-License-Identifier: MIT
// Velocities in .vdb files.
#include "geometry/levelset/velocity_vdb.h"

#include <openvdb/io/File.h>
#include <openvdb/tools/Interpolation.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/levelset/level_set_vdb.hh"
#include "geometry/levelset/vdb_file.hh"

using namespace firn_vdb;

namespace {

using openvdb::Vec3SGrid;

// Number of the grid to read, by metadata alone; how many there are: none has a usual name.
size_t find_grid(const openvdb::GridPtrVec& grids, const char* name)
{
    std::vector<std::string> wanted = {"v", "vel", "velocity"};
    if (name != nullptr) wanted = {name};
    std::string there;
    for (const openvdb::GridBase::Ptr& grid : grids)
        there += (there.empty() ? "" : ", ") + quoted(grid->getName());
    for (const std::string& want : wanted)
        for (size_t i = 0; i < grids.size(); i++) {
            if (grids[i]->getName() != want) continue;
            if (grids[i]->isType<Vec3SGrid>()) return i;
            if (name != nullptr)
                throw Refused("grid " + quoted(want) + " holds values of type " +
                              grids[i]->valueType() + "; velocities are vectors of three floats");
        }
    if (name != nullptr)
        throw Refused("there is no grid " + quoted(name) + " of velocities; the file has " +
                      (there.empty() ? "none" : there));
    return grids.size();
}

Vec3SGrid::Ptr read_grid(VdbFile& file, size_t index)
{
    const std::string name = quoted(file.grids()[index]->getName());
    const auto read = openvdb::gridPtrCast<Vec3SGrid>(file.read(index));
    if (!read) throw Refused("grid " + name + " is not what its description says");
    for (auto it = read->cbeginValueOn(); it; ++it)
        for (int d = 0; d < 3; d++)
            if (!std::isfinite((*it)[d]))
                throw Refused("grid " + name + " has a value that is no number");
    return read;
}

// Is there a value at one of the eight nodes around a point?
bool is_known(const Vec3SGrid::ConstAccessor& access, const openvdb::Vec3d& at)
{
    const openvdb::Coord low = openvdb::Coord::floor(at);
    for (int i = 0; i < 8; i++)
        if (access.isValueOn(low.offsetBy(i & 1, i >> 1 & 1, i >> 2))) return true;
    return false;
}

// Trilinear over the nodes that have values: those without do not pull the result to zero.
openvdb::Vec3d mean_of_known(const Vec3SGrid::ConstAccessor& access, const openvdb::Vec3d& at)
{
    const openvdb::Coord low = openvdb::Coord::floor(at);
    const openvdb::Vec3d way = at - low.asVec3d();
    openvdb::Vec3d sum(0), nearest(0);
    double weight = 0, best = -1;
    for (int i = 0; i < 8; i++) {
        openvdb::Vec3s value;
        const int x = i & 1, y = i >> 1 & 1, z = i >> 2;
        if (!access.probeValue(low.offsetBy(x, y, z), value)) continue;
        const double w =
            (x ? way[0] : 1 - way[0]) * (y ? way[1] : 1 - way[1]) * (z ? way[2] : 1 - way[2]);
        sum += w * openvdb::Vec3d(value);
        weight += w;
        if (w > best) {
            best = w;
            nearest = openvdb::Vec3d(value);
        }
    }
    return weight > 1e-9 ? sum / weight : nearest;
}

}  // namespace

extern "C" firn_result firn_vdb_velocities(const char* path, const char* name,
                                           firn_velocity_grid* grid, uint8_t* out_known,
                                           bool* out_found, char* out_message, size_t message_size)
{
    return guard(out_message, message_size, [&] {
        VdbFile file(path);
        const size_t index = find_grid(file.grids(), name);
        *out_found = index < file.grids().size();
        if (!*out_found) return;
        const Vec3SGrid::Ptr read = read_grid(file, index);
        const Vec3SGrid::ConstAccessor access = read->getConstAccessor();
        const int64_t count = (int64_t)grid->size[0] * grid->size[1] * grid->size[2];
        for (int64_t n = 0; n < count; n++) {
            const int64_t i = n % grid->size[0], j = n / grid->size[0] % grid->size[1];
            const int64_t k = n / grid->size[0] / grid->size[1];
            const openvdb::Vec3d x(grid->origin.x + double(grid->voxel) * double(i),
                                   grid->origin.y + double(grid->voxel) * double(j),
                                   grid->origin.z + double(grid->voxel) * double(k));
            const openvdb::Vec3d at = read->worldToIndex(x);
            if (!(std::abs(at[0]) < 1e9 && std::abs(at[1]) < 1e9 && std::abs(at[2]) < 1e9))
                continue;
            out_known[n] = is_known(access, at) ? 1 : 0;
            if (out_known[n] == 0) continue;
            const openvdb::Vec3d v = mean_of_known(access, at);
            grid->value[n] = {firn_real(v[0]), firn_real(v[1]), firn_real(v[2])};
        }
    });
}

extern "C" firn_result firn_vdb_check_velocities(const char* path, const char* name,
                                                 char* out_message, size_t message_size)
{
    return guard(out_message, message_size, [&] {
        VdbFile file(path);
        const size_t index = find_grid(file.grids(), name);
        if (index < file.grids().size()) read_grid(file, index);
    });
}

extern "C" firn_result firn_vdb_velocity_box(const char* path, const char* name, firn_box3* out_box,
                                             firn_real* out_voxel, bool* out_found,
                                             char* out_message, size_t message_size)
{
    return guard(out_message, message_size, [&] {
        VdbFile file(path);
        const size_t index = find_grid(file.grids(), name);
        *out_found = index < file.grids().size();
        if (!*out_found) return;
        const auto read = file.read(index);
        const openvdb::CoordBBox voxels = read->evalActiveVoxelBoundingBox();
        if (voxels.empty())
            throw Refused("grid " + quoted(file.grids()[index]->getName()) + " has no values");
        const openvdb::BBoxd box = read->transform().indexToWorld(voxels);
        const openvdb::Vec3d edge = read->voxelSize();
        const double voxel = std::min(edge[0], std::min(edge[1], edge[2]));
        for (int d = 0; d < 3; d++)
            if (!(std::abs(box.min()[d]) < 1e6 && std::abs(box.max()[d]) < 1e6 && voxel > 1e-6))
                throw Refused("its values lie beyond 1000 km, or its voxels are smaller than 1 um");
        double nodes = 1;  // of the grid that the caller makes
        for (int d = 0; d < 3; d++) nodes *= (box.max()[d] - box.min()[d]) / voxel + 2;
        nodes = std::min(nodes, double(FIRN_VELOCITY_GRID_NODES_MAX));
        file.allowance().check(file.tree_bytes() + nodes * (sizeof(firn_vec3) + 1));
        *out_box = {{firn_real(box.min()[0]), firn_real(box.min()[1]), firn_real(box.min()[2])},
                    {firn_real(box.max()[0]), firn_real(box.max()[1]), firn_real(box.max()[2])}};
        *out_voxel = firn_real(voxel);
    });
}

extern "C" firn_result firn_vdb_add_velocities(const char* path, const char* name,
                                               const firn_velocity_grid* grid, char* out_message,
                                               size_t message_size)
{
    return guard(out_message, message_size, [&] {
        openvdb::io::File file(path);
        file.open(/*delayLoad=*/false);
        openvdb::GridPtrVec all = *file.getGrids();
        file.close();
        const auto made = Vec3SGrid::create();
        const auto transform = openvdb::math::Transform::createLinearTransform(grid->voxel);
        transform->postTranslate(openvdb::Vec3d(grid->origin.x, grid->origin.y, grid->origin.z));
        made->setTransform(transform);
        made->setName(name);
        auto access = made->getAccessor();
        size_t n = 0;
        for (int k = 0; k < grid->size[2]; k++)
            for (int j = 0; j < grid->size[1]; j++)
                for (int i = 0; i < grid->size[0]; i++, n++)
                    access.setValue({i, j, k},
                                    openvdb::Vec3s(float(grid->value[n].x), float(grid->value[n].y),
                                                   float(grid->value[n].z)));
        all.push_back(made);
        openvdb::io::File out(path);
        out.write(all);
        out.close();
    });
}
