// SPDX-License-Identifier: MIT
// The layout of .vdb files, versions 222 to 224 (little endian):
//
//     magic 8 bytes, version 4, library 4 + 4, has offsets 1, tag 36
//     metadata: count, then name, type, size, bytes of each
//     grids: count, then name, type, parent, three offsets; at the first: compression, metadata,
//     transform, tree (its topology, then the values of its leaves); the next grid at the third
//
// OpenVDB reads exactly what is walked through here, in the same order. Where its reader would
// accept what its writer never produces, the file is refused.
#include "geometry/levelset/vdb_survey.hh"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "geometry/levelset/vdb_cursor.hh"
#include "geometry/levelset/vdb_tree.hh"

namespace firn_vdb {
namespace {

constexpr int64_t magic = 0x56444220;
constexpr uint32_t oldest = 222;  // grids before that have no compression flags of their own
constexpr uint32_t newest = 224;
constexpr size_t offsets_at = 20;  // of the byte that says whether there are offsets
constexpr int32_t counts_max = 10000;

struct TypeSize {
    const char* name;
    size_t bytes;
};

// OpenVDB reads these by the size of their type, whatever size the file gives.
constexpr TypeSize plain_types[] = {{"bool", 1},   {"double", 8}, {"float", 4},  {"int32", 4},
                                    {"int64", 8},  {"vec2i", 8},  {"vec2s", 8},  {"vec2d", 16},
                                    {"vec3i", 12}, {"vec3s", 12}, {"vec3d", 24}, {"vec4i", 16},
                                    {"vec4s", 16}, {"vec4d", 32}, {"mat4s", 64}, {"mat4d", 128}};

constexpr TypeSize linear_maps[] = {{"AffineMap", 128},
                                    {"UnitaryMap", 128},
                                    {"ScaleMap", 120},
                                    {"UniformScaleMap", 120},
                                    {"TranslationMap", 24},
                                    {"ScaleTranslateMap", 144},
                                    {"UniformScaleTranslateMap", 144}};

template <size_t N> const TypeSize* find_type(const TypeSize (&table)[N], const std::string& name)
{
    const auto* found = std::find_if(std::begin(table), std::end(table),
                                     [&](const TypeSize& t) { return name == t.name; });
    return found == std::end(table) ? nullptr : found;
}

int32_t count(Cursor& at, const char* what)
{
    const auto n = at.get<int32_t>();
    if (n < 0 || n > counts_max) at.damaged(what);
    return n;
}

// Returns whether values are stored as half floats.
bool pass_metadata(Cursor& at)
{
    bool half = false;
    const int32_t n = count(at, "the number of metadata");
    for (int32_t i = 0; i < n; i++) {
        const std::string name = at.text();
        const size_t type_at = at.position() + sizeof(uint32_t);
        const std::string type = at.text();
        const auto size = at.get<uint32_t>();
        const char* value = at.pass(size);
        const TypeSize* plain = find_type(plain_types, type);
        if (plain != nullptr && plain->bytes != size) at.damaged("metadata of a wrong size");
        if (type == "bool" && (value[0] & ~1) != 0)
            at.damaged("metadata that is not true or false");
        if (name == "is_saved_as_half_float") {
            if (type != "bool") at.damaged("a wrong type of metadata");
            half = value[0] != 0;
        }
        // other types have formats of their own, which are not needed: an unknown type is bytes
        if (plain == nullptr && type != "string" && !type.empty()) at.patch(type_at, '?');
    }
    return half;
}

void pass_transform(Cursor& at)
{
    std::string type = at.text();
    if (type == "NonlinearFrustumMap") {
        at.pass(8 * sizeof(double));  // box, taper, depth
        type = at.text();
    }
    const TypeSize* map = find_type(linear_maps, type);
    if (map == nullptr) at.damaged("an unknown kind of transform");
    at.pass(map->bytes);
}

bool pass_head(Cursor& at)
{
    if (at.size() < 61 || at.get<int64_t>() != magic) throw std::runtime_error("no .vdb file");
    const auto version = at.get<uint32_t>();
    if (version < oldest || version > newest)
        throw std::runtime_error("written in version " + std::to_string(version) +
                                 " of the format; " + std::to_string(oldest) + " to " +
                                 std::to_string(newest) + " can be read");
    at.pass(2 * sizeof(uint32_t));
    const char has_offsets = at.pass(1)[0];
    at.pass(36);
    return has_offsets != 0;
}

}  // namespace

Survey::Survey(char* data, size_t size) : bytes(data), byte_count(size)
{
    Cursor at(bytes, byte_count);
    const bool has_offsets = pass_head(at);
    pass_metadata(at);
    const int32_t n = count(at, "the number of grids");
    for (int32_t i = 0; i < n; i++) {
        Grid grid;
        at.text();
        grid.type = at.text();
        grid.instance = !at.text().empty();
        const size_t stored_at = at.position();
        std::array<int64_t, 3> offset;
        for (int64_t& o : offset) o = at.get<int64_t>();
        if (!has_offsets) offset.fill(int64_t(at.position()));
        // each grid lies behind the one before, so that no byte is read for two of them
        if (offset[0] < int64_t(at.position()) || offset[1] < offset[0] || offset[2] < offset[1])
            at.damaged("an offset of a grid");
        if (offset[2] > int64_t(byte_count))
            throw std::runtime_error("the file ends too early: it has " +
                                     std::to_string(byte_count) + " bytes, and a grid ends at " +
                                     std::to_string(offset[2]));
        at.seek(size_t(offset[0]));
        grid.compression = at.get<uint32_t>();
        if (grid.compression > 7) at.damaged("an unknown compression");
        grid.half = pass_metadata(at);
        pass_transform(at);
        grid.tree_at = grid.tree_end = at.position();
        grids.push_back(grid);
        if (!has_offsets) {
            if (!grid.instance) check_tree(grids.size() - 1);
            offset[1] = offset[2] = int64_t(grids.back().tree_end);
            std::memcpy(&bytes[stored_at], offset.data(), sizeof offset);
        }
        at.seek(size_t(offset[2]));
    }
    bytes[offsets_at] = 1;
}

TreeSize Survey::check_tree(size_t index) const
{
    const Grid& grid = grids[index];
    const bool vectors = grid.type.compare(0, 16, "Tree_vec3s_5_4_3") == 0;
    if (!vectors && grid.type.compare(0, 16, "Tree_float_5_4_3") != 0)
        throw std::runtime_error("a grid of type '" + grid.type.substr(0, 60) +
                                 "' cannot be read; float and vec3s can");
    Cursor at(bytes, byte_count);
    at.seek(grid.tree_at);
    const TreeSize size =
        pass_tree(at, {vectors ? 12u : 4u, grid.half ? 2u : 1u, grid.compression});
    grid.tree_end = at.position();
    return size;
}

}  // namespace firn_vdb
