// SPDX-License-Identifier: MIT
// OpenVDB volumes with the grids `density` (fog) and `v` (velocity). Optional in the build.
#pragma once
#include "state/volume/density_volume.h"

bool firn_vdb_available(void);
// FIRN_REFUSED_BACKEND, naming the package to install, when the build has no OpenVDB.
firn_result firn_vdb_write(const char* path, const firn_density_volume* volume, int64_t frame,
                           bool z_up, firn_error* error);
