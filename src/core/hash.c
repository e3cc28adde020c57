// SPDX-License-Identifier: MIT
// 64-bit hashes (xxHash) for state, files and scenes.
#include "core/hash.h"

#define XXH_INLINE_ALL  // no library to link
#include <xxhash.h>

uint64_t firn_hash(const void* data, size_t bytes, uint64_t seed)
{
    return XXH64(data, bytes, seed);
}

firn_hasher* firn_hasher_create(void)
{
    XXH64_state_t* state = XXH64_createState();
    if (state != NULL) XXH64_reset(state, 0);
    return (firn_hasher*)state;
}

void firn_hasher_begin(firn_hasher* hasher, uint64_t seed)
{
    XXH64_reset((XXH64_state_t*)hasher, seed);
}

void firn_hasher_add(firn_hasher* hasher, const void* data, size_t bytes)
{
    XXH64_update((XXH64_state_t*)hasher, data, bytes);
}

uint64_t firn_hasher_value(const firn_hasher* hasher)
{
    return XXH64_digest((const XXH64_state_t*)hasher);
}

void firn_hasher_destroy(firn_hasher* hasher)
{
    XXH64_freeState((XXH64_state_t*)hasher);
}
