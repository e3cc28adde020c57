// SPDX-License-Identifier: MIT
// Point clouds for other programs: PLY (binary) and VTK XML (.vtp with a .pvd time series). Both
// hold every field of the frame, in the order of state/field_table.h.
#pragma once
#include "output/frame/frame.h"

// z_up: (x, y, z) -> (x, -z, y), for programs with Z up; both systems are right-handed.
firn_result firn_ply_write(const char* path, const firn_frame* frame, bool z_up, firn_error* error);
firn_result firn_vtp_write(const char* path, const firn_frame* frame, bool z_up, firn_error* error);
// files[i] (relative to the .pvd) at times[i] [s].
firn_result firn_pvd_write(const char* path, const char* const* files, const double* times,
                           firn_local count, firn_error* error);

// How both formats store a field: real numbers as 32-bit floats.
typedef struct firn_point_type {
    int components;
    size_t bytes;  // of all components
    const char *ply, *vtk;
} firn_point_type;
#define FIRN_POINT_BYTES_MAX 36  // a matrix
const firn_point_type* firn_point_type_of(int field);
// The value of particle p as it is stored, [bytes]. The frame has the field.
void firn_point_value(const firn_frame* frame, int field, firn_local p, bool z_up,
                      unsigned char* out_value);
