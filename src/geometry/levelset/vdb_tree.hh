// SPDX-License-Identifier: MIT
// Trees in .vdb files: root, nodes of 32^3 and 16^3 children or values, leaves of 8^3 values.
#pragma once
#include "geometry/levelset/vdb_cursor.hh"
#include "geometry/levelset/vdb_survey.hh"

namespace firn_vdb {

// How the values of a tree are stored.
struct ValueFormat {
    size_t bytes;          // of a value in memory: 4 or 12
    size_t shrink;         // 2 for half floats, else 1
    uint32_t compression;  // bits of openvdb::io
};

// Steps over a tree and counts its nodes. Throws std::runtime_error when it is damaged.
TreeSize pass_tree(Cursor& at, const ValueFormat& format);

}  // namespace firn_vdb
