// SPDX-License-Identifier: MIT
// The smooth closed surface of a body of particles, as triangles: fluids in pictures, and meshes
// for other programs. Volume fractions by anisotropic kernels (Yu and Turk 2013), contoured at a
// half, then smoothed without shrinking (Taubin 1995).
#pragma once
#include "state/surface/isosurface.h"

typedef struct firn_smooth_surface_def {
    const firn_vec3* x;       // [m]; borrowed
    const firn_vec3* v;       // [m/s]; vertices get velocities in `carried[0]`; null: they do not
    const firn_real* volume;  // [m^3] of a particle at rest
    firn_local count;
    double spacing;  // [m] of particles at rest
    double voxel;    // [m] of the grid that is contoured; 0: half a spacing
    int32_t passes;  // of smoothing; < 0: default
} firn_smooth_surface_def;

// Lies within a tenth of a spacing of the surface of a body that is packed evenly, and within a
// quarter at its edges' scale: details below a spacing are lost. A particle alone becomes a small
// ball, or nothing. Each edge belongs to exactly two triangles; bitwise independent of the number
// of threads. Particles at non-finite positions are refused: FIRN_REFUSED_ARGUMENT.
firn_result firn_smooth_surface_make(const firn_smooth_surface_def* def,
                                     firn_isosurface* out_surface, firn_error* error);

// Smooths a closed surface in place, `passes` times, and recomputes its normals from the triangles.
// FIRN_BROKEN_MEMORY: it is unchanged.
firn_result firn_surface_smooth(firn_isosurface* surface, int32_t passes, firn_error* error);
