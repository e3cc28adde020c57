// SPDX-License-Identifier: MIT
// The density of a frame's snow as a volume for other programs, smooth at any voxel size.
#pragma once
#include "output/export/snow_mesh.h"
#include "state/volume/density_volume.h"

// `voxel` [m]: 0 is half the frame's cell. The frame has `mass`; without `velocity` the volume has
// none. Conserves mass and momentum. Bitwise independent of the number of threads.
// FIRN_REFUSED_ARGUMENT: positions, masses or velocities that are not finite.
firn_result firn_frame_density_make(const firn_frame* frame, const firn_rest_state* rest,
                                    double voxel, firn_density_volume* out_volume,
                                    firn_error* error);
