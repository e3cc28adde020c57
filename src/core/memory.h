// SPDX-License-Identifier: MIT
// Memory: one place through which every allocation of the library goes, so that budgets hold, a
// test can count and make the k-th one fail, and the peak is known.
#pragma once
#include "firn/host.h"
#include "firn/types.h"

#define FIRN_ALIGNMENT 64  // [bytes] a cache line, and a full AVX-512 vector

#ifdef __cplusplus
extern "C" {
#endif

// Zeroed, 64-byte aligned. Null when memory is out, over the cap, or count*size overflows.
void* firn_alloc(size_t count, size_t size);
// Keeps the first old_count elements, zeroes the new ones. The old block is freed on success only.
void* firn_realloc(void* block, size_t old_count, size_t new_count, size_t size);
void firn_free(void* block);
// A copy of a string, or of the first `length` bytes of it; owned by the caller.
char* firn_strdup(const char* text);
char* firn_strndup(const char* text, size_t length);

// Where blocks come from, from now on; null: the C library. False: some are held.
bool firn_memory_set_allocator(const firn_allocator* allocator);

typedef struct firn_memory_stats {
    uint64_t bytes;        // in use now
    uint64_t peak_bytes;   // largest ever in use
    uint64_t allocations;  // calls that succeeded, since start
} firn_memory_stats;

firn_memory_stats firn_memory_read(void);

// What one simulation may hold. A block counts against the budget that its thread used when it was
// allocated, until it is freed, by whichever thread. Parts of a shared loop (core/threads/team.h)
// use their caller's.
typedef struct firn_memory_budget firn_memory_budget;
// `cap` [bytes]; 0: none. Null: out of memory.
firn_memory_budget* firn_memory_budget_create(uint64_t cap);
// Null is fine. Blocks may outlive this: the last one that is freed frees the budget.
void firn_memory_budget_release(firn_memory_budget* budget);
uint64_t firn_memory_budget_bytes(const firn_memory_budget* budget);  // in use now
// From now on this thread allocates from `budget` (null: from none); gives the one before.
firn_memory_budget* firn_memory_use(firn_memory_budget* budget);
firn_memory_budget* firn_memory_used(void);

// For tests: the k-th allocation from now (1 = next) fails, once or for ever. 0: off.
void firn_memory_fail_at(uint64_t k, bool forever);

// Grows *array so that it holds at least `need` elements (doubling), zeroing new ones.
// Returns false, with *array and *capacity unchanged, when memory is out.
bool firn_reserve(void** array, firn_local* capacity, firn_local need, size_t size);

#ifdef __cplusplus
}
#endif
