// SPDX-License-Identifier: MIT
// Reading .vdb files that may be damaged. OpenVDB's own reader does not notice the end of a file
// and believes every length in it; this one does not.
#pragma once
#include <openvdb/io/Archive.h>
#include <openvdb/io/GridDescriptor.h>
#include <openvdb/io/io.h>
#include <openvdb/openvdb.h>

#include <fstream>
#include <limits>
#include <string>
#include <vector>

namespace firn_vdb {

// A file that refuses single reads longer than a limit: OpenVDB's uncompressed values are read by
// the length that the file gives, whatever room there is for them.
class LimitedFile : public std::filebuf {
  public:
    std::streamsize limit = std::numeric_limits<std::streamsize>::max();  // [bytes] of a read
    int64_t values_at = std::numeric_limits<int64_t>::max();  // where a stricter one begins
    std::streamsize values_limit = limit;                     // [bytes]

  protected:
    std::streamsize xsgetn(char* to, std::streamsize bytes) override;
};

class VdbFile : private openvdb::io::Archive {
  public:
    // Throws std::runtime_error when it cannot be read or is damaged.
    explicit VdbFile(const char* path);

    // Grids without their values, in the order of the file: names, types, metadata.
    const openvdb::GridPtrVec& grids() const
    {
        return described;
    }
    // Grid number `index` with its values.
    openvdb::GridBase::Ptr read(size_t index);

  private:
    openvdb::io::StreamMetadata::Ptr about;  // the stream borrows it
    LimitedFile file;
    std::istream stream;
    std::vector<openvdb::io::GridDescriptor> descriptors;
    openvdb::GridPtrVec described;
};

}  // namespace firn_vdb
