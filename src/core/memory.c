// SPDX-License-Identifier: MIT
// Memory: counted, capped, aligned. A 64-byte header in front of each block holds its size and its
// budget.
#include "core/memory.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct firn_memory_budget {
    uint64_t cap;                // [bytes] 0: none
    atomic_uint_fast64_t bytes;  // in use
    atomic_uint_fast64_t users;  // blocks, and the owner
};

typedef struct header {
    uint64_t bytes;              // without the header
    firn_memory_budget* budget;  // null: none
} header;

// Statistics, and failures for tests, of the whole process.
static atomic_uint_fast64_t g_bytes, g_peak, g_allocations, g_fail_at;
static atomic_bool g_fail_forever;
static _Thread_local firn_memory_budget* t_budget;

static firn_allocator g_allocator;     // of the program; allocate: null: the C library's
static atomic_uint_fast64_t g_blocks;  // held: blocks with a header, and budgets

// `bytes`: a multiple of the alignment.
static void* take(size_t bytes)
{
    atomic_fetch_add(&g_blocks, 1);
    void* raw = g_allocator.allocate != NULL
                    ? g_allocator.allocate(g_allocator.user, bytes, FIRN_ALIGNMENT)
                    : aligned_alloc(FIRN_ALIGNMENT, bytes);
    if (raw == NULL) atomic_fetch_sub(&g_blocks, 1);
    return raw;
}

static void give_back(void* raw, size_t bytes)
{
    if (g_allocator.release != NULL)
        g_allocator.release(g_allocator.user, raw, bytes);
    else
        free(raw);
    atomic_fetch_sub(&g_blocks, 1);
}

bool firn_memory_set_allocator(const firn_allocator* allocator)
{
    if (atomic_load(&g_blocks) != 0) return false;
    g_allocator = allocator != NULL ? *allocator : (firn_allocator){0};
    return true;
}

#define BUDGET_BYTES FIRN_ALIGNMENT
static_assert(sizeof(firn_memory_budget) <= BUDGET_BYTES, "a budget is one unit of alignment");

firn_memory_budget* firn_memory_budget_create(uint64_t cap)
{
    firn_memory_budget* budget = take(BUDGET_BYTES);
    if (budget == NULL) return NULL;
    budget->cap = cap;
    atomic_init(&budget->bytes, 0);
    atomic_init(&budget->users, 1);
    return budget;
}

void firn_memory_budget_release(firn_memory_budget* budget)
{
    if (budget != NULL && atomic_fetch_sub(&budget->users, 1) == 1) give_back(budget, BUDGET_BYTES);
}

uint64_t firn_memory_budget_bytes(const firn_memory_budget* budget)
{
    return atomic_load(&budget->bytes);
}

firn_memory_budget* firn_memory_use(firn_memory_budget* budget)
{
    firn_memory_budget* before = t_budget;
    t_budget = budget;
    return before;
}

firn_memory_budget* firn_memory_used(void)
{
    return t_budget;
}

// Takes `bytes` out of the budget; false: they are not there.
static bool charge(firn_memory_budget* budget, uint64_t bytes)
{
    if (budget == NULL) return true;
    const uint64_t now = atomic_fetch_add(&budget->bytes, bytes) + bytes;
    if (budget->cap != 0 && now > budget->cap) {
        atomic_fetch_sub(&budget->bytes, bytes);
        return false;
    }
    atomic_fetch_add(&budget->users, 1);
    return true;
}

static void refund(firn_memory_budget* budget, uint64_t bytes)
{
    if (budget == NULL) return;
    atomic_fetch_sub(&budget->bytes, bytes);
    firn_memory_budget_release(budget);
}

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

// With the header, a multiple of the alignment. False: there is no such size.
static bool find_total(size_t bytes, size_t* out_total)
{
    if (__builtin_add_overflow(bytes, (size_t)(2 * FIRN_ALIGNMENT), out_total)) return false;
    *out_total &= ~(size_t)(FIRN_ALIGNMENT - 1);
    return true;
}

void* firn_alloc(size_t count, size_t size)
{
    size_t bytes, total;
    if (__builtin_mul_overflow(count, size, &bytes) || !find_total(bytes, &total)) return NULL;
    if (injected_failure()) return NULL;
    firn_memory_budget* budget = t_budget;
    if (!charge(budget, bytes)) return NULL;
    char* raw = take(total);
    if (raw == NULL) {
        refund(budget, bytes);
        return NULL;
    }
    const uint64_t now = atomic_fetch_add(&g_bytes, bytes) + bytes;
    atomic_fetch_add(&g_allocations, 1);
    uint64_t peak = atomic_load(&g_peak);
    while (now > peak && !atomic_compare_exchange_weak(&g_peak, &peak, now)) {}
    *(header*)raw = (header){bytes, budget};
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
    const header h = *(header*)raw;
    atomic_fetch_sub(&g_bytes, h.bytes);
    size_t total = 0;
    (void)find_total(h.bytes, &total);  // as when it was allocated
    give_back(raw, total);
    refund(h.budget, h.bytes);
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
