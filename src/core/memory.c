// SPDX-License-Identifier: MIT
// Memory: counted, capped, aligned. A 64-byte header in front of each block holds its size.
#include "core/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

typedef struct header {
    uint64_t bytes;  // without the header
} header;

// Process-wide on purpose: the machine's memory is shared by all simulations of the process.
static atomic_uint_fast64_t g_bytes, g_peak, g_allocations, g_cap, g_fail_at;
static atomic_bool g_fail_forever;

static bool injected_failure(void)
{
    uint64_t k = atomic_load(&g_fail_at);
    while (k != 0) {
        if (k == 1) {
            if (!atomic_load(&g_fail_forever)) atomic_store(&g_fail_at, 0);
            return true;
        }
        if (atomic_compare_exchange_weak(&g_fail_at, &k, k - 1)) return false;
    }
    return false;
}

void* firn_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    size_t total;
    if (__builtin_add_overflow(bytes, (size_t)(2 * FIRN_ALIGNMENT), &total)) return NULL;
    total &= ~(size_t)(FIRN_ALIGNMENT - 1);
    if (injected_failure()) return NULL;
    const uint64_t cap = atomic_load(&g_cap);
    const uint64_t now = atomic_fetch_add(&g_bytes, bytes) + bytes;
    char* raw = cap != 0 && now > cap ? NULL : aligned_alloc(FIRN_ALIGNMENT, total);
    if (raw == NULL) {
        atomic_fetch_sub(&g_bytes, bytes);
        return NULL;
    }
    atomic_fetch_add(&g_allocations, 1);
    uint64_t peak = atomic_load(&g_peak);
    while (now > peak && !atomic_compare_exchange_weak(&g_peak, &peak, now)) {}
    ((header*)raw)->bytes = bytes;
    memset(raw + FIRN_ALIGNMENT, 0, bytes);
    return raw + FIRN_ALIGNMENT;
}

void* firn_realloc(void* block, size_t old_count, size_t new_count, size_t size)
{
    void* bigger = firn_alloc(new_count, size);
    if (bigger == NULL) return NULL;
    if (block != NULL) {
        memcpy(bigger, block, (old_count < new_count ? old_count : new_count) * size);
        firn_free(block);
    }
    return bigger;
}

void firn_free(void* block)
{
    if (block == NULL) return;
    char* raw = (char*)block - FIRN_ALIGNMENT;
    atomic_fetch_sub(&g_bytes, ((header*)raw)->bytes);
    free(raw);
}

char* firn_strndup(const char* text, size_t length)
{
    char* copy = firn_alloc(length + 1, 1);
    if (copy != NULL) memcpy(copy, text, length);
    return copy;
}

char* firn_strdup(const char* text)
{
    return firn_strndup(text, strlen(text));
}

firn_memory_stats firn_memory_read(void)
{
    return (firn_memory_stats){.bytes = atomic_load(&g_bytes),
                               .peak_bytes = atomic_load(&g_peak),
                               .allocations = atomic_load(&g_allocations)};
}

void firn_memory_set_cap(uint64_t bytes)
{
    atomic_store(&g_cap, bytes);
}

void firn_memory_fail_at(uint64_t k, bool forever)
{
    atomic_store(&g_fail_forever, forever);
    atomic_store(&g_fail_at, k);
}

bool firn_reserve(void** array, firn_local* capacity, firn_local need, size_t size)
{
    if (need <= *capacity) return true;
    int64_t bigger = *capacity < 64 ? 64 : (int64_t)*capacity + *capacity / 2;
    if (bigger < need) bigger = need;
    if (bigger > INT32_MAX) bigger = INT32_MAX;
    void* grown = firn_realloc(*array, (size_t)*capacity, (size_t)bigger, size);
    if (grown == NULL) return false;
    *array = grown;
    *capacity = (firn_local)bigger;
    return true;
}
