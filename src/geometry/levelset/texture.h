// SPDX-License-Identifier: MIT
// Textures in space: numbers at the voxels of a sparse grid, trilinear between, for snow that
// varies. Read from .vdb files (texture_vdb.cc); what samples them is plain C.
#pragma once
#include "core/result.h"

#define FIRN_TEXTURE_NODES 512  // voxels of a block of 8x8x8, a leaf node of OpenVDB

// A table over the blocks between the outermost ones finds the values. Zeroed: 0 everywhere.
typedef struct firn_texture {
    double to_index[3][4];  // index coordinate d of x: to_index[d] . (x, y, z, 1); voxel (i, j, k)
                            // has its value at (i, j, k)
    int32_t first[3];       // block of table[0]; block b holds voxels 8 b to 8 b + 7
    int32_t size[3];        // blocks along x, y, z
    int32_t* table;         // owned [x][y][z]: block, or -1 - c: everywhere constant[c]
    float* value;           // owned [block_count][x 8][y 8][z 8]
    firn_local block_count;
    float* constant;  // owned [constant_count]; [0]: the background, also beyond the table
    firn_local constant_count;
} firn_texture;

// Reads a grid of floats. `grid` null: the first of the file. Refused: no such file or grid,
// another type of values, values that are not finite, a grid that is not a grid of straight lines
// in space, a file that OpenVDB cannot read, a build without OpenVDB.
firn_result firn_texture_read(const char* path, const char* grid, firn_texture* out_texture,
                              firn_error* error);
void firn_texture_destroy(firn_texture* texture);
double firn_texture_sample(const firn_texture* texture, firn_vec3 x);  // x [m], finite
