// SPDX-License-Identifier: MIT
// Volumes written with OpenVDB.
#include "output/export/vdb_shim.h"

#include <openvdb/io/Archive.h>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/SignedFloodFill.h>

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <new>

#include "state/field_table.h"

namespace {

using openvdb::Coord;

// openvdb::io::File ignores a full disk. This archive writes to a stream that throws.
class CheckedArchive : public openvdb::io::Archive {
  public:
    Ptr copy() const override
    {
        return Ptr(new CheckedArchive(*this));
    }
    void writeTo(std::ostream& stream, const openvdb::GridCPtrVec& grids,
                 const openvdb::MetaMap& meta) const
    {
        write(stream, grids, /*seekable=*/true, meta);
    }
};

// Runs `body` and turns exceptions into a result and a message.
template <typename Body> firn_result guard_io(char* message, size_t size, Body body)
{
    try {
        openvdb::initialize();
        body();
        return FIRN_OK;
    } catch (const std::bad_alloc&) {
        std::snprintf(message, size, "out of memory");
        return FIRN_BROKEN_MEMORY;
    } catch (const std::ios_base::failure& e) {
        const int reason = errno;
        std::snprintf(message, size, "%s", reason != 0 ? std::strerror(reason) : e.what());
    } catch (const std::exception& e) {
        std::snprintf(message, size, "%s", e.what());
    } catch (...) {
        std::snprintf(message, size, "unknown exception");
    }
    return FIRN_REFUSED_IO;
}

// (x, y, z) -> (x, -z, y): exact for indices, because voxel centres are multiples of the voxel
// size.
Coord rotate(const Coord& c, bool z_up)
{
    return z_up ? Coord(c.x(), -c.z(), c.y()) : c;
}

openvdb::Vec3f rotate(const float* v, bool z_up)
{
    return z_up ? openvdb::Vec3f(v[0], -v[2], v[1]) : openvdb::Vec3f(v[0], v[1], v[2]);
}

Coord voxel_at(const int32_t o[3], int k)
{
    return Coord(o[0] + (k >> 6), o[1] + (k >> 3 & 7), o[2] + (k & 7));
}

// Index space is centred: voxel (i, j, k) has its centre at (i, j, k) * voxel.
template <typename Grid> void describe(Grid& grid, const char* name, const char* unit, double voxel)
{
    grid.setName(name);
    grid.insertMeta("unit", openvdb::StringMetadata(unit));
    grid.setTransform(openvdb::math::Transform::createLinearTransform(voxel));
    grid.setSaveFloatAsHalf(false);
}

openvdb::FloatGrid::Ptr density_grid(const firn_density_volume& volume, bool z_up)
{
    auto grid = openvdb::FloatGrid::create(0.0f);
    const firn_field_info& field = firn_field_table[FIRN_FRAME_DENSITY];
    describe(*grid, field.name, field.unit, volume.voxel);
    grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    auto access = grid->getAccessor();
    for (firn_local b = 0; b < volume.block_count; b++) {
        const float* density = volume.density + static_cast<size_t>(b) * 512;
        for (int k = 0; k < 512; k++)
            if (density[k] > 0)
                access.setValue(rotate(voxel_at(volume.origin[b], k), z_up), density[k]);
    }
    return grid;
}

openvdb::Vec3SGrid::Ptr velocity_grid(const firn_density_volume& volume, bool z_up)
{
    auto grid = openvdb::Vec3SGrid::create(openvdb::Vec3f(0.0f));
    const firn_field_info& field = firn_field_table[FIRN_FRAME_VELOCITY];
    describe(*grid, "v", field.unit, volume.voxel);            // Houdini's name of it
    grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);  // rotates with the grid
    auto access = grid->getAccessor();
    for (firn_local b = 0; b < volume.block_count; b++) {
        const float* density = volume.density + static_cast<size_t>(b) * 512;
        const float* velocity = volume.velocity + static_cast<size_t>(b) * 512 * 3;
        for (int k = 0; k < 512; k++)
            if (density[k] > 0)
                access.setValue(rotate(voxel_at(volume.origin[b], k), z_up),
                                rotate(velocity + 3 * k, z_up));
    }
    return grid;
}

// Active voxels are those nearer than the background; signed flood fill gives all others its sign.
openvdb::FloatGrid::Ptr level_set_grid(const firn_narrow_band& band, bool z_up)
{
    const auto background = static_cast<float>(band.background);
    auto grid = openvdb::FloatGrid::create(background);
    describe(*grid, "surface", "m", band.voxel);  // the name that Houdini and Blender use
    grid->setGridClass(openvdb::GRID_LEVEL_SET);
    auto access = grid->getAccessor();
    for (firn_local b = 0; b < band.block_count; b++) {
        const float* phi = band.phi + static_cast<size_t>(b) * 512;
        for (int k = 0; k < 512; k++)
            if (std::abs(phi[k]) < background)
                access.setValue(rotate(voxel_at(band.origin[b], k), z_up), phi[k]);
    }
    openvdb::tools::signedFloodFill(grid->tree(), /*threaded=*/false);
    return grid;
}

void write_file(const char* path, const openvdb::GridCPtrVec& grids, int64_t frame)
{
    CheckedArchive archive;
    const bool blosc = openvdb::io::Archive::hasBloscCompression();
    archive.setCompression(openvdb::io::COMPRESS_ACTIVE_MASK |
                           (blosc ? openvdb::io::COMPRESS_BLOSC : openvdb::io::COMPRESS_ZIP));
    openvdb::MetaMap meta;
    meta.insertMeta("creator", openvdb::StringMetadata("firn"));
    meta.insertMeta("frame", openvdb::Int64Metadata(frame));
    errno = 0;
    std::ofstream stream;
    stream.exceptions(std::ios_base::failbit | std::ios_base::badbit);
    stream.open(path, std::ios_base::out | std::ios_base::binary | std::ios_base::trunc);
    archive.writeTo(stream, grids, meta);
    stream.close();  // flushes, and throws when it cannot
}

}  // namespace

extern "C" firn_result firn_vdb_shim_write(const char* path, const firn_density_volume* volume,
                                           int64_t frame, bool z_up, char* out_message,
                                           size_t message_size)
{
    return guard_io(out_message, message_size, [&] {
        openvdb::GridCPtrVec grids;
        grids.push_back(density_grid(*volume, z_up));
        if (volume->velocity != nullptr) grids.push_back(velocity_grid(*volume, z_up));
        write_file(path, grids, frame);
    });
}

extern "C" firn_result firn_vdb_shim_write_band(const char* path, const firn_narrow_band* band,
                                                int64_t frame, bool z_up, char* out_message,
                                                size_t message_size)
{
    return guard_io(out_message, message_size,
                    [&] { write_file(path, {level_set_grid(*band, z_up)}, frame); });
}

extern "C" firn_result firn_vdb_shim_summary(const char* path, const char* name,
                                             firn_vdb_summary* out_summary, char* out_message,
                                             size_t message_size)
{
    return guard_io(out_message, message_size, [&] {
        openvdb::io::File file(path);
        file.open();
        const openvdb::GridBase::Ptr base = file.readGrid(name);
        firn_vdb_summary s = {};
        s.active_voxels = base->activeVoxelCount();
        s.voxel = base->voxelSize().x();
        const std::string kind = openvdb::GridBase::gridClassToString(base->getGridClass());
        std::snprintf(s.grid_class, sizeof s.grid_class, "%s", kind.c_str());
        if (const auto grid = openvdb::gridPtrCast<openvdb::FloatGrid>(base)) {
            for (auto it = grid->cbeginValueOn(); it; ++it) {
                const openvdb::Vec3d at = grid->indexToWorld(it.getCoord());
                s.sum[0] += *it;
                for (int d = 0; d < 3; d++) s.weighted[d] += *it * at[d];
            }
            s.background = grid->background();
            for (auto it = grid->cbeginValueOff(); it; ++it) s.inside_is_negative |= *it < 0;
        } else if (const auto vectors = openvdb::gridPtrCast<openvdb::Vec3SGrid>(base)) {
            for (auto it = vectors->cbeginValueOn(); it; ++it)
                for (int d = 0; d < 3; d++) s.sum[d] += (*it)[d];
        }
        *out_summary = s;
    });
}
