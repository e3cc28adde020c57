// SPDX-License-Identifier: MIT
// Reads .vdb files from memory, after they were checked. A stream that throws at its end is a
// second guard.
#include "geometry/levelset/vdb_file.hh"

#include <cstdio>
#include <stdexcept>

#include "core/input.h"
#include "geometry/levelset/level_set_vdb.hh"

extern "C" {
#include "core/file.h"
}

namespace firn_vdb {
namespace {

char* read_all(const char* path, size_t* out_size)
{
    char* data = nullptr;
    firn_error error;
    const firn_result result = firn_file_read(path, size_t(1) << 40, &data, out_size, &error);
    if (result == FIRN_BROKEN_MEMORY) throw std::bad_alloc();
    if (result != FIRN_OK) throw Unreadable(error.text);
    return data;
}

std::string in_words(double bytes)
{
    const char* const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    int unit = 0;
    for (; bytes >= 1000 && unit < 4; unit++) bytes /= 1000;
    char text[40];
    std::snprintf(text, sizeof text, "%.3g %s", bytes, units[unit]);
    return text;
}

template <typename Tree> double tree_bytes_of(const TreeSize& size)
{
    using Leaf = typename Tree::LeafNodeType;
    using Lower = typename Tree::RootNodeType::ChildNodeType::ChildNodeType;
    using Upper = typename Tree::RootNodeType::ChildNodeType;
    constexpr double block = 16;  // of the allocator, for each allocation
    return size.leaves * (sizeof(Leaf) + 512 * sizeof(typename Tree::ValueType) + 2 * block) +
           size.lower * (sizeof(Lower) + block) + size.upper * (sizeof(Upper) + block) +
           size.root_entries * 128;
}

}  // namespace

Allowance::Allowance(size_t file_bytes)
    : file(double(file_bytes)), limit(firn_input_allowance(file_bytes))
{
}

void Allowance::check(double bytes) const
{
    if (bytes <= limit) return;
    throw Refused("using its grid would take about " + in_words(bytes) +
                  " of memory, and a file of " + in_words(file) + " may take " + in_words(limit) +
                  ": use larger voxels, and remove what is far from the shape");
}

Bytes::Bytes(char* data, size_t size)
{
    setg(data, data, data + size);
}

Bytes::pos_type Bytes::seekoff(off_type offset, std::ios_base::seekdir from,
                               std::ios_base::openmode)
{
    const off_type base = from == std::ios_base::beg   ? 0
                          : from == std::ios_base::cur ? gptr() - eback()
                                                       : egptr() - eback();
    if (offset < -base || offset > egptr() - eback() - base) return pos_type(off_type(-1));
    setg(eback(), eback() + base + offset, egptr());
    return pos_type(base + offset);
}

Bytes::pos_type Bytes::seekpos(pos_type position, std::ios_base::openmode which)
{
    return seekoff(off_type(position), std::ios_base::beg, which);
}

VdbFile::VdbFile(const char* path)
    : content(read_all(path, &size), firn_free), allowed(size), survey(content.get(), size),
      buffer(content.get(), size), stream(&buffer)
{
    stream.exceptions(std::ios_base::failbit | std::ios_base::badbit);
    readHeader(stream);
    about.reset(new openvdb::io::StreamMetadata);
    about->setSeekable(true);
    openvdb::io::setStreamMetadataPtr(stream, about, /*transfer=*/false);
    setFormatVersion(stream);
    setLibraryVersion(stream);
    setDataCompression(stream);
    openvdb::MetaMap().readMeta(stream);
    const int32_t grids = readGridCount(stream);
    for (int32_t i = 0; i < grids; i++) {
        openvdb::io::GridDescriptor descriptor;
        openvdb::GridBase::Ptr grid = descriptor.read(stream);
        descriptor.seekToGrid(stream);
        readGridCompression(stream);
        grid->readMeta(stream);
        descriptors.push_back(descriptor);
        described.push_back(grid);
        descriptor.seekToEnd(stream);
    }
}

openvdb::GridBase::Ptr VdbFile::read(size_t index)
{
    const openvdb::io::GridDescriptor& descriptor = descriptors[index];
    if (descriptor.isInstance())
        throw Refused("grid '" + descriptor.gridName() + "' shares its tree with another one");
    const TreeSize size = survey.check_tree(index);
    const auto grid = openvdb::GridBase::createGrid(descriptor.gridType());
    tree = grid->isType<openvdb::FloatGrid>() ? tree_bytes_of<openvdb::FloatTree>(size)
                                              : tree_bytes_of<openvdb::Vec3STree>(size);
    allowed.check(tree);
    // OpenVDB frees what it never had when memory runs out between two nodes: ask for all at once
    std::unique_ptr<char[]>(new char[size_t(tree)]).reset();
    descriptor.seekToGrid(stream);
    readGrid(grid, descriptor, stream);
    return grid;
}

}  // namespace firn_vdb
