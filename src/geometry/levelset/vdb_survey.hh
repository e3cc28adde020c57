// SPDX-License-Identifier: MIT
// Walks through the bytes of a .vdb file before OpenVDB reads them: every length, count and
// offset is checked against the file, so that nothing is allocated or read by a wrong one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace firn_vdb {

// Numbers of nodes of a tree; by them it is known what OpenVDB will take for it.
struct TreeSize {
    double leaves = 0, lower = 0, upper = 0;  // of 8^3, 16^3 and 32^3 values
    double root_entries = 0;
};

class Survey {
  public:
    // Checks everything but the trees. `data` is borrowed and modified: a stream without offsets
    // gets them, and metadata of types other than OpenVDB's plain ones is marked as unknown.
    // Throws std::runtime_error: what is wrong, and at which byte.
    Survey(char* data, size_t size);

    size_t grid_count() const
    {
        return grids.size();
    }
    // Walks through the tree of a grid of type float or vec3s.
    TreeSize check_tree(size_t index) const;

  private:
    struct Grid {
        std::string type;
        bool instance = false;        // without a tree: it shares another grid's
        bool half = false;            // values are stored as half floats
        uint32_t compression = 0;     // bits of openvdb::io
        size_t tree_at = 0;           // [bytes] from the start of the file
        mutable size_t tree_end = 0;  // behind the tree, once it was walked through
    };
    char* bytes;
    size_t byte_count;
    std::vector<Grid> grids;
};

}  // namespace firn_vdb
