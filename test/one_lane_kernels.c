// SPDX-License-Identifier: MIT
// The kernels of lanes_kernels.c over lanes of one plain real, as CUDA has them: what a GPU
// computes, but for its instructions, where there is none.
#define FIRN_ONE_LANE
#include "lanes_kernels.c"
