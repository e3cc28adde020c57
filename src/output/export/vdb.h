// SPDX-License-Identifier: MIT
// OpenVDB volumes with the grids `density` (fog) and `v` (velocity), or `surface` (level set).
// Optional in the build.
#pragma once
#include "output/export/narrow_band.h"
#include "state/volume/density_volume.h"

bool firn_vdb_available(void);
// FIRN_REFUSED_BACKEND, naming the package to install, when the build has no OpenVDB.
firn_result firn_vdb_write(const char* path, const firn_density_volume* volume, int64_t frame,
                           bool z_up, firn_error* error);
firn_result firn_vdb_write_band(const char* path, const firn_narrow_band* band, int64_t frame,
                                bool z_up, firn_error* error);
