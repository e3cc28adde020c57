// SPDX-License-Identifier: MIT
// The one way in for .vdb files, which may be damaged or forged: OpenVDB's own readers do not
// notice the end of a file, believe every length in it and take memory without a bound. Here the
// bytes are checked first (vdb_survey.hh), and what is made of them is bounded by their number.
#pragma once
#include <openvdb/io/Archive.h>
#include <openvdb/io/GridDescriptor.h>
#include <openvdb/io/io.h>
#include <openvdb/openvdb.h>

#include <memory>
#include <streambuf>
#include <string>
#include <vector>

#include "geometry/levelset/vdb_survey.hh"

namespace firn_vdb {

// Memory that reading a file and converting its grid may take [bytes].
class Allowance {
  public:
    explicit Allowance(size_t file_bytes);
    // Throws Refused if `bytes`, all that is held at once, are too many.
    void check(double bytes) const;

  private:
    double file, limit;
};

// A file in memory, as a stream.
class Bytes : public std::streambuf {
  public:
    Bytes(char* data, size_t size);

  protected:
    pos_type seekoff(off_type offset, std::ios_base::seekdir from,
                     std::ios_base::openmode which) override;
    pos_type seekpos(pos_type position, std::ios_base::openmode which) override;
};

class VdbFile : private openvdb::io::Archive {
  public:
    // Throws Unreadable when it cannot be opened or read, std::runtime_error when it is damaged.
    explicit VdbFile(const char* path);

    // Grids without their values, in the order of the file: names, types, metadata.
    const openvdb::GridPtrVec& grids() const
    {
        return described;
    }
    // Grid number `index` with its values, of type float or vec3s. Throws Refused, too.
    openvdb::GridBase::Ptr read(size_t index);

    const Allowance& allowance() const
    {
        return allowed;
    }
    // What the tree of the last grid read takes [bytes].
    double tree_bytes() const
    {
        return tree;
    }

  private:
    openvdb::io::StreamMetadata::Ptr about;  // the stream borrows it
    size_t size = 0;
    std::unique_ptr<char, void (*)(void*)> content;  // from firn_file_read
    Allowance allowed;
    Survey survey;
    Bytes buffer;
    std::istream stream;
    std::vector<openvdb::io::GridDescriptor> descriptors;
    openvdb::GridPtrVec described;
    double tree = 0;
};

// A grid's name for messages: it may be forged, hence at most 60 bytes of it.
inline std::string quoted(const std::string& name)
{
    return "'" + name.substr(0, 60) + "'";
}

}  // namespace firn_vdb
