// SPDX-License-Identifier: MIT
// What a program asks of the snow between steps: heights for use as terrain.
//
//     firn_height_def def = firn_default_height_def();
//     firn_sim_height_box(sim, &def);                    // the rectangle of the snow
//     firn_sim_heights(sim, &def, heights);              // 256 x 256 floats
//
// Answers do not depend on the number of threads, and change nothing in the simulation. On a GPU
// the particles are copied to the host first.
#pragma once
#include "firn/defs.h"
#include "firn/export.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- height fields ----------------------------------------------------------------------------

// Height field of the snow surface over a rectangle, for use as terrain.
typedef struct firn_height_def {
    double x, z;          // [m] corner with the smallest coordinates
    double width, depth;  // [m] along x and z; 0 and 0: the bounding box of the snow
    int columns, rows;    // 256, 256; samples along x and z, including the edges; 2 to 16384
    double empty;         // [m] 0; value where there is no snow
    uint32_t cookie;
} firn_height_def;
FIRN_API firn_height_def firn_default_height_def(void);
// Set x, z, width and depth of the def to the bounding box of the snow. Without snow they are 0.
FIRN_API firn_result firn_sim_height_box(const firn_sim* sim, firn_height_def* def);
// Compute a height field. out_heights: [rows][columns] [m], owned by the caller. A particle reaches
// its radius above its centre (field "radius"; else half the spacing of packed snow) and 1.5 times
// its radius sideways, so that packed particles leave no holes. Snow in the air, above a gap of two
// particle diameters, counts only where there is none below. Bitwise independent of the number of
// threads. FIRN_REFUSED_ARGUMENT: the def is invalid.
FIRN_API firn_result firn_sim_heights(const firn_sim* sim, const firn_height_def* def,
                                      float* out_heights);

#ifdef __cplusplus
}
#endif
