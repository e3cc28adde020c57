// SPDX-License-Identifier: MIT
// What colliders were sampled for, and the key frames that samples of deforming ones follow, on a
// device.
#pragma once
#include "geometry/collider/colliders_cuda.h"

typedef struct firn_sph_sampled {
    double scale;      // for which its surface is sampled; 0: not yet
    double time[2];    // [s] of the key frames that its samples follow; deforming ones only
    int follows;       // it deforms, and `time` holds
    int on_triangles;  // its samples have barycentric coordinates, else positions on key a
    int vertex_first;  // its vertices in `from` and `to`
    int corner_first;  // its triangles in `corner`
} firn_sph_sampled;

// Argument of kernels, as part of firn_sph_device.
typedef struct firn_sph_deforming {
    int count;                  // colliders that deform
    firn_sph_sampled* sampled;  // [colliders]
    int* near;                  // [colliders] snow is near a deforming one
    firn_vec3 *from, *to;       // [vertices] of all, at their keys
    int32_t* corner;            // [3 triangles] vertices, counted within a collider
    double depth, factor;       // of boundary/boundary.h
} firn_sph_deforming;
