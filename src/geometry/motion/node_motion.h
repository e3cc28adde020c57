// SPDX-License-Identifier: MIT
// Motions from the nodes of glTF files.
#pragma once
#include "geometry/motion/motion.h"

// The path of a node as key frames (owned by the caller), linear between them. `clip` null: as
// firn_gltf_read. `start` [s]: when it begins to play. Refused as firn_animation_node_path.
firn_result firn_motion_from_node(const char* file, const char* clip, const char* node,
                                  double start, firn_motion* out_motion, firn_error* error);
