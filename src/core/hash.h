// SPDX-License-Identifier: MIT
// 64-bit hashes (xxHash) for state, files and scenes.
#pragma once
#include "firn/types.h"

// To hash several buffers, pass the previous hash as seed.
uint64_t firn_hash(const void* data, size_t bytes, uint64_t seed);

// For data that arrives in chunks. Null: out of memory.
typedef struct firn_hasher firn_hasher;
firn_hasher* firn_hasher_create(void);
// Begins again, as firn_hash with this seed.
void firn_hasher_begin(firn_hasher* hasher, uint64_t seed);
void firn_hasher_add(firn_hasher* hasher, const void* data, size_t bytes);
uint64_t firn_hasher_value(const firn_hasher* hasher);
void firn_hasher_destroy(firn_hasher* hasher);
