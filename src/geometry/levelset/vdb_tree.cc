// SPDX-License-Identifier: MIT
// Steps over the topology of a tree, and over the values that belong to it. Compressed values of
// nodes above the leaves are unpacked to test them: OpenVDB loses nodes when that fails halfway.
#include "geometry/levelset/vdb_tree.hh"

#include <openvdb/io/Compression.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <sstream>
#include <vector>

namespace firn_vdb {
namespace {

namespace io = openvdb::io;

constexpr size_t leaf_values = 512, lower_values = 4096, upper_values = 32768;
constexpr size_t packed_head = 16;  // [bytes] of a block of Blosc

class Walk {
  public:
    Walk(Cursor& cursor, const ValueFormat& how) : at(cursor), format(how)
    {
    }
    TreeSize tree();

  private:
    Cursor& at;
    const ValueFormat& format;
    TreeSize size;
    std::vector<uint16_t> active;  // values of each leaf

    void node(size_t values);
    void children(const char* mask, size_t values);
    void values(size_t count, size_t on, bool unpack);
    void packed(size_t bytes, bool unpack);
    void try_unpacking(size_t from, size_t bytes) const;
    void blosc_head(const char* head, int64_t stored, size_t bytes) const;
};

size_t count_bits(const char* mask, size_t bits)
{
    size_t n = 0;
    for (size_t i = 0; i < bits / 8; i++)
        n += std::bitset<8>(static_cast<unsigned char>(mask[i])).count();
    return n;
}

// OpenVDB gives Blosc no length of what it unpacks: Blosc believes these three numbers.
void Walk::blosc_head(const char* head, int64_t stored, size_t bytes) const
{
    std::array<uint32_t, 3> said;  // bytes unpacked, bytes of a block, bytes packed
    if (stored < int64_t(packed_head)) at.damaged("compressed values");
    std::memcpy(said.data(), head + 4, sizeof said);
    if (said[0] != bytes || said[1] == 0 || said[1] > std::max<size_t>(bytes, 1) ||
        int64_t(said[2]) != stored)
        at.damaged("compressed values");
}

void Walk::try_unpacking(size_t from, size_t bytes) const
{
    Cursor back = at;
    back.seek(from);
    std::istringstream stream(std::string(back.pass(at.position() - from), at.position() - from));
    std::vector<char> room(bytes);
    if ((format.compression & io::COMPRESS_BLOSC) != 0)
        io::bloscFromStream(stream, room.data(), bytes);
    else
        io::unzipFromStream(stream, room.data(), bytes);
}

// A length, which is negative where packing did not help, and the bytes.
void Walk::packed(size_t bytes, bool unpack)
{
    const size_t from = at.position();
    const auto stored = at.get<int64_t>();
    if (stored <= 0) {
        if (stored != -int64_t(bytes)) at.damaged("the number of values");
        at.pass(bytes);
        return;
    }
    const char* data = at.pass(size_t(stored));
    if ((format.compression & io::COMPRESS_BLOSC) != 0) blosc_head(data, stored, bytes);
    if (unpack && bytes > 0) try_unpacking(from, bytes);
}

// The values of a node, of which `on` are active; inactive ones may be left out.
void Walk::values(size_t count, size_t on, bool unpack)
{
    const int kind = at.get<int8_t>();
    if (kind < io::NO_MASK_OR_INACTIVE_VALS || kind > io::NO_MASK_AND_ALL_VALS)
        at.damaged("the kind of inactive values");
    const bool two = kind == io::MASK_AND_TWO_INACTIVE_VALS;
    const bool one =
        kind == io::NO_MASK_AND_ONE_INACTIVE_VAL || kind == io::MASK_AND_ONE_INACTIVE_VAL;
    at.pass(two ? 2 * format.bytes : one ? format.bytes : 0);
    if (two || kind == io::MASK_AND_NO_INACTIVE_VALS || kind == io::MASK_AND_ONE_INACTIVE_VAL)
        at.pass(count / 8);
    const bool only_active =
        (format.compression & io::COMPRESS_ACTIVE_MASK) != 0 && kind != io::NO_MASK_AND_ALL_VALS;
    const size_t stored = only_active ? on : count;
    if (format.shrink > 1 && stored == 0) return;
    const size_t bytes = stored * format.bytes / format.shrink;
    if ((format.compression & (io::COMPRESS_BLOSC | io::COMPRESS_ZIP)) != 0)
        packed(bytes, unpack);
    else
        at.pass(bytes);
}

void Walk::children(const char* mask, size_t values)
{
    const size_t n = count_bits(mask, values);
    for (size_t i = 0; i < n; i++)
        if (values == upper_values)
            node(lower_values);
        else
            active.push_back(uint16_t(count_bits(at.pass(leaf_values / 8), leaf_values)));
}

void Walk::node(size_t count)
{
    (count == upper_values ? size.upper : size.lower) += 1;
    const char* child_mask = at.pass(count / 8);
    const char* value_mask = at.pass(count / 8);
    for (size_t i = 0; i < count / 8; i++)
        if ((child_mask[i] & value_mask[i]) != 0) at.damaged("a node that is also a value");
    values(count, count_bits(value_mask, count), /*unpack=*/true);
    children(child_mask, count);
}

TreeSize Walk::tree()
{
    using Origin = std::array<int32_t, 3>;
    if (at.get<int32_t>() != 1) at.damaged("the number of buffers");  // OpenVDB would print it
    at.pass(format.bytes);                                            // background
    const auto tiles = at.get<uint32_t>(), nodes = at.get<uint32_t>();
    Origin last;
    for (uint32_t i = 0; i < tiles; i++) {
        const auto origin = at.get<Origin>();
        if (i > 0 && !(last < origin)) at.damaged("the order of tiles");
        if (((origin[0] | origin[1] | origin[2]) & 4095) != 0) at.damaged("the origin of a tile");
        last = origin;
        at.pass(format.bytes);
        if ((at.get<uint8_t>() & ~1) != 0) at.damaged("a tile");
    }
    for (uint32_t i = 0; i < nodes; i++) {
        const auto origin = at.get<Origin>();
        // leaves come in the order of a sorted table, and a node that is there twice would be lost
        if (i > 0 && !(last < origin)) at.damaged("the order of nodes");
        if (((origin[0] | origin[1] | origin[2]) & 4095) != 0) at.damaged("the origin of a node");
        last = origin;
        node(upper_values);
    }
    for (const uint16_t on : active) {
        at.pass(leaf_values / 8);
        values(leaf_values, on, /*unpack=*/false);
    }
    size.root_entries = double(tiles) + double(nodes);
    size.leaves = double(active.size());
    return size;
}

}  // namespace

TreeSize pass_tree(Cursor& at, const ValueFormat& format)
{
    return Walk(at, format).tree();
}

}  // namespace firn_vdb
