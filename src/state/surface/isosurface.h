// SPDX-License-Identifier: MIT
// The surface of a sparse volume as triangles: marching cubes on the blocks where a density passes
// through a level. Outside of the blocks the density is 0, so the surface is closed.
#pragma once
#include "state/volume/density_volume.h"

#define FIRN_CARRIED_MAX 2

typedef struct firn_isosurface_def {
    const firn_density_volume* volume;  // borrowed
    double level;                       // > 0; as `volume->density`
    // Values at the voxels that vertices get too, weighted by density: [block_count][512][3];
    // borrowed; null: none.
    const float* carried[FIRN_CARRIED_MAX];
} firn_isosurface_def;

typedef struct firn_isosurface {
    firn_vec3* vertices;                   // owned; [vertex_count] [m]
    firn_vec3* normals;                    // owned; [vertex_count] outward, of length 1
    firn_vec3* carried[FIRN_CARRIED_MAX];  // owned; [vertex_count]; null: not requested
    int32_t (*triangles)[3];               // owned; counter-clockwise seen from outside
    firn_local vertex_count, triangle_count;
} firn_isosurface;

// Each edge belongs to exactly two triangles. Bitwise independent of the number of threads.
// FIRN_REFUSED_ARGUMENT: a level that is not above 0, or more than 2^31 triangles.
firn_result firn_isosurface_make(const firn_isosurface_def* def, firn_isosurface* out_surface,
                                 firn_error* error);
void firn_isosurface_destroy(firn_isosurface* surface);
