// SPDX-License-Identifier: MIT
// .vdb files, distrusted: the lengths of all texts are checked against the file before OpenVDB
// allocates by them, and a stream that throws at its end makes cut files fail at once.
//
//     magic 8 bytes, version 4, library 4 + 4, has offsets 1, tag 36
//     metadata: count, then name, type, size, bytes of each
//     grids: count, then name, type, parent, three offsets; at the first: compression, metadata,
//     transform, tree
#include "geometry/levelset/vdb_file.hh"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "geometry/levelset/level_set_vdb.hh"

namespace firn_vdb {
namespace {

constexpr int64_t magic = 0x56444220;
constexpr uint32_t oldest = 222;  // grids before that have no compression flags of their own
constexpr int counts_max = 10000;
constexpr uint32_t texts_max = 1 << 24;  // [bytes]

[[noreturn]] void damaged(std::istream& stream, const char* what)
{
    stream.clear();
    throw std::runtime_error(std::string("damaged: ") + what + " at byte " +
                             std::to_string(int64_t(stream.tellg())));
}

template <typename T> T number(std::istream& stream)
{
    T value;
    stream.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
}

int32_t count(std::istream& stream, const char* what)
{
    const auto n = number<int32_t>(stream);
    if (n < 0 || n > counts_max) damaged(stream, what);
    return n;
}

// Passes over a text, or the bytes of a value.
void skip_text(std::istream& stream, int64_t size)
{
    const auto length = number<uint32_t>(stream);
    if (length > texts_max || int64_t(length) > size - int64_t(stream.tellg()))
        damaged(stream, "a text longer than the file");
    stream.seekg(length, std::ios_base::cur);
}

void skip_metadata(std::istream& stream, int64_t size)
{
    const int32_t n = count(stream, "the number of metadata");
    for (int32_t i = 0; i < 3 * n; i++) skip_text(stream, size);
}

// Looks at all lengths, and leaves the stream where it was.
void check_texts(std::istream& stream, int64_t size)
{
    const auto begin = stream.tellg();
    skip_metadata(stream, size);
    const int32_t grids = count(stream, "the number of grids");
    for (int32_t i = 0; i < grids; i++) {
        for (int k = 0; k < 3; k++) skip_text(stream, size);
        int64_t offset[3];
        for (int64_t& o : offset) {
            o = number<int64_t>(stream);
            if (o < 0 || o > size) damaged(stream, "an offset beyond the file");
        }
        stream.seekg(offset[0]);
        number<uint32_t>(stream);
        skip_metadata(stream, size);
        skip_text(stream, size);  // the kind of transform
        stream.seekg(offset[2]);
    }
    stream.seekg(begin);
}

}  // namespace

std::streamsize LimitedFile::xsgetn(char* to, std::streamsize bytes)
{
    const int64_t at = int64_t(seekoff(0, std::ios_base::cur, std::ios_base::in));
    if (bytes > limit || (at >= values_at && bytes > values_limit)) return 0;
    return std::filebuf::xsgetn(to, bytes);
}

VdbFile::VdbFile(const char* path) : stream(&file)
{
    errno = 0;
    if (file.open(path, std::ios_base::in | std::ios_base::binary) == nullptr)
        throw std::runtime_error(std::strerror(errno != 0 ? errno : EIO));
    stream.exceptions(std::ios_base::failbit | std::ios_base::badbit);
    try {
        stream.seekg(0, std::ios_base::end);
        const int64_t size = int64_t(stream.tellg());
        stream.seekg(0);
        if (size < 61 || number<int64_t>(stream) != magic) throw std::runtime_error("no .vdb file");
        const auto version = number<uint32_t>(stream);
        if (version < oldest || version > openvdb::OPENVDB_FILE_VERSION)
            throw std::runtime_error("written in version " + std::to_string(version) +
                                     " of the format; " + std::to_string(oldest) + " to " +
                                     std::to_string(openvdb::OPENVDB_FILE_VERSION) +
                                     " can be read");
        stream.seekg(0);
        if (!readHeader(stream)) throw std::runtime_error("written as a stream, without offsets");
        check_texts(stream, size);
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
    } catch (const std::ios_base::failure&) {
        throw std::runtime_error("the file ends too early");
    }
}

openvdb::GridBase::Ptr VdbFile::read(size_t index)
{
    const openvdb::io::GridDescriptor& descriptor = descriptors[index];
    if (descriptor.isInstance())
        throw Refused("grid '" + descriptor.gridName() + "' shares its tree with another one");
    try {
        const auto grid = openvdb::GridBase::createGrid(descriptor.gridType());
        descriptor.seekToGrid(stream);
        // the largest node above the leaves has 32^3 values, a leaf 8^3, and packing may add a few
        // bytes
        const auto bytes =
            std::streamsize(grid->isType<openvdb::FloatGrid>() ? sizeof(float) : 3 * sizeof(float));
        file.limit = 32 * 32 * 32 * bytes + 64;
        file.values_at = descriptor.getBlockPos();
        file.values_limit = 8 * 8 * 8 * bytes + 64;
        readGrid(grid, descriptor, stream);
        return grid;
    } catch (const std::ios_base::failure&) {
        throw std::runtime_error("the file ends too early");
    }
}

}  // namespace firn_vdb
