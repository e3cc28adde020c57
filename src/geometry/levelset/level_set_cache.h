// SPDX-License-Identifier: MIT
// Level sets of meshes cached between runs, one file each, in the folder that level_set_mesh.h
// names. Written whole or not at all and checksummed; at most FIRN_CACHE_BYTES in all, the longest
// unused go first. Nothing here is an error: what cannot be cached or read is rebuilt.
#pragma once
#include "geometry/levelset/level_set.h"
#include "mesh/topology/mesh_inspect.h"

#define FIRN_CACHE_BYTES ((uint64_t)1 << 30)

// False: not there, or damaged. `key` stands for all that the level set depends on.
bool firn_level_set_cache_read(uint64_t key, const firn_level_set** out_set,
                               firn_mesh_report* out_report);
void firn_level_set_cache_write(uint64_t key, const firn_level_set* set,
                                const firn_mesh_report* report);
// The folder, without a slash at its end; owned by the caller. Null: caching is off, or there is
// none.
char* firn_level_set_cache_folder(void);
// Removes the longest unused files until at most `bytes` are left.
void firn_level_set_cache_trim(const char* folder, uint64_t bytes);
