// SPDX-License-Identifier: MIT
// Deflates one chunk at a time into a zlib stream (RFC 1950): by libdeflate where the build has it,
// twice as fast as zlib and a little smaller, otherwise by zlib. Every reader of HDF5 reads both.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct firn_deflater firn_deflater;

// `level`: 1 (fast) to 9 (small). For one thread at a time. Null: no memory.
firn_deflater* firn_deflater_create(int level);
void firn_deflater_destroy(firn_deflater* deflater);  // null is fine
// [bytes] that a chunk of `bytes` takes at most.
size_t firn_deflate_bound(size_t bytes);
// Returns the length of the stream; 0: it does not fit into `room`, or memory is out.
size_t firn_deflate(firn_deflater* deflater, const void* from, size_t bytes, void* to, size_t room);
// Whether streams are those of zlib, and so those of HDF5's own filter.
bool firn_deflate_is_zlib(void);
