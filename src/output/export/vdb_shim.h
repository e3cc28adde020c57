// SPDX-License-Identifier: MIT
// What vdb_shim.cc, the one C++ file, offers to C. No exception leaves it.
#pragma once
#include "state/density_volume.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes `volume` to `path` (not atomically). `out_message` gets the reason of a failure.
firn_result firn_vdb_shim_write(const char* path, const firn_density_volume* volume, int64_t frame,
                                bool z_up, char* out_message, size_t message_size);

// What a grid of a file holds; for tests, and only for files that firn itself wrote.
typedef struct firn_vdb_summary {
    uint64_t active_voxels;
    double sum[3];        // of all active values; [0] alone for a grid of numbers
    double voxel;         // [m]
    double weighted[3];   // sum of value * world position, of a grid of numbers
    char grid_class[32];  // "fog volume", ...
} firn_vdb_summary;
firn_result firn_vdb_shim_summary(const char* path, const char* grid, firn_vdb_summary* out_summary,
                                  char* out_message, size_t message_size);

#ifdef __cplusplus
}
#endif
