// SPDX-License-Identifier: MIT
// What the C++ files over OpenVDB share: exceptions to results, memory of ours, grids to blocks.
#pragma once
#include "geometry/levelset/level_set_vdb.h"

#include <openvdb/openvdb.h>
#include <tbb/global_control.h>

#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>

extern "C" {
#include "core/memory.h"
#include "core/threads/team.h"
}

namespace firn_vdb {

class VdbFile;

// The file is readable, but has no such grid, or one of another type.
struct Refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The file cannot be opened or read.
struct Unreadable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Runs `body` with as many threads as the rest of the library; whatever it throws becomes a result
// and a message.
template <typename Body> firn_result guard(char* message, size_t size, Body body)
{
    try {
        const tbb::global_control threads(tbb::global_control::max_allowed_parallelism,
                                          size_t(firn_team_size()));
        openvdb::initialize();
        body();
        return FIRN_OK;
    } catch (const std::bad_alloc&) {
        std::snprintf(message, size, "out of memory");
        return FIRN_BROKEN_MEMORY;
    } catch (const Refused& e) {
        std::snprintf(message, size, "%s", e.what());
        return FIRN_REFUSED_SCENE;
    } catch (const Unreadable& e) {
        std::snprintf(message, size, "%s", e.what());
        return FIRN_REFUSED_IO;
    } catch (const std::exception& e) {
        std::snprintf(message, size, "%s", e.what());
    } catch (...) {
        std::snprintf(message, size, "unknown exception");
    }
    return FIRN_REFUSED_DAMAGED;
}

// An array from firn_alloc, freed unless taken.
template <typename T> class Block {
  public:
    explicit Block(size_t count) : at(static_cast<T*>(firn_alloc(count, sizeof(T))))
    {
        if (at == nullptr && count > 0) throw std::bad_alloc();
    }
    ~Block()
    {
        firn_free(at);
    }
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    T& operator[](size_t i)
    {
        return at[i];
    }
    T* take()
    {
        T* const taken = at;
        at = nullptr;
        return taken;
    }

  private:
    T* at;
};

// `file` is where the grid is from, and bounds what is taken; null: it was made by firn.
openvdb::FloatGrid::Ptr rebuild(const openvdb::FloatGrid& grid,
                                const openvdb::math::Transform& nodes, const VdbFile* file);
openvdb::CoordBBox extent(const openvdb::FloatGrid& grid);
openvdb::FloatGrid::Ptr to_grid(const firn_level_set& set);
void to_parts(const openvdb::FloatGrid& grid, firn_level_set* parts);

}  // namespace firn_vdb
