// SPDX-License-Identifier: MIT
// Number of separate fragments of snow in a snapshot.
#pragma once
#include <stdint.h>

// Counts connected components, by faces, of the voxels of edge `voxel` [m] with a particle in them;
// components below `smallest` voxels are dust and do not count. < 0: out of memory.
int64_t view_count_fragments(const float (*position)[3], int64_t count, double voxel,
                             int64_t smallest);
