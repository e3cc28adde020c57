// SPDX-License-Identifier: MIT
// Point clouds for other programs: PLY (binary) and VTK XML (.vtp with a .pvd time series).
#pragma once
#include "output/frame/frame.h"

// z_up: (x, y, z) -> (x, -z, y), for programs with Z up.
firn_result firn_ply_write(const char* path, const firn_frame* frame, bool z_up, firn_error* error);
firn_result firn_vtp_write(const char* path, const firn_frame* frame, bool z_up, firn_error* error);
// files[i] (relative to the .pvd) at times[i] [s].
firn_result firn_pvd_write(const char* path, const char* const* files, const double* times,
                           firn_local count, firn_error* error);
