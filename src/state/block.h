// SPDX-License-Identifier: MIT
// Blocks of the sparse grid: 4x4x4 nodes, on the host and on a GPU.
#pragma once

#define FIRN_BLOCK_NODES 64
// Block coordinates fit in 18 bits: +-131072 blocks, 524288 nodes from the origin.
#define FIRN_BLOCK_LIMIT 131072
