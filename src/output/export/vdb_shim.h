// SPDX-License-Identifier: MIT
// The C interface of vdb_shim.cc, which uses OpenVDB. No exception leaves it.
#pragma once
#include "output/export/narrow_band.h"
#include "state/volume/density_volume.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes `volume` to `path`, not atomically. `out_message` gets the reason of a failure.
firn_result firn_vdb_shim_write(const char* path, const firn_density_volume* volume, int64_t frame,
                                bool z_up, char* out_message, size_t message_size);

// The same for a level set.
firn_result firn_vdb_shim_write_band(const char* path, const firn_narrow_band* band, int64_t frame,
                                     bool z_up, char* out_message, size_t message_size);

// Contents of a grid, for tests; only for files that firn wrote.
typedef struct firn_vdb_summary {
    uint64_t active_voxels;
    double sum[3];            // of all active values; only [0] for a scalar grid
    double voxel;             // [m]
    double weighted[3];       // sum of value * world position, for a scalar grid
    char grid_class[32];      // "fog volume", ...
    double background;        // of a scalar grid
    bool inside_is_negative;  // a level set, inside of which values that are not active are < 0
} firn_vdb_summary;
firn_result firn_vdb_shim_summary(const char* path, const char* grid, firn_vdb_summary* out_summary,
                                  char* out_message, size_t message_size);

#ifdef __cplusplus
}
#endif
