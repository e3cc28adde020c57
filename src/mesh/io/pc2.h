// SPDX-License-Identifier: MIT
// .pc2 point caches (Blender, 3ds Max): where the vertices of a mesh are, sample after sample.
// A header of 32 bytes, then three 32-bit floats for each point of each sample, little-endian.
#pragma once
#include "mesh/mesh.h"

typedef struct firn_pc2 {
    firn_local point_count;
    int64_t sample_count;
    double start;  // [frames] of the first sample
    double rate;   // [frames] from sample to sample
} firn_pc2;

// Reads the header and holds it against the file's size. FIRN_REFUSED_IO, FIRN_REFUSED_SCENE with
// the byte offset.
firn_result firn_pc2_open(const char* path, firn_pc2* out_pc2, firn_error* error);
// The points of one sample, `out_points` [point_count] [m]; all finite and within the limit.
firn_result firn_pc2_read(const char* path, const firn_pc2* pc2, int64_t sample,
                          firn_vec3* out_points, firn_error* error);
