// SPDX-License-Identifier: MIT
// What every function of a lane must show, whatever it computes: the bits of a lane do not depend
// on the other lanes, nor on whether there are one, eight (x86-64-v3) or sixteen (v4).
#pragma once
#include "lanes_kernels.h"
#include "seed.h"

// Something unpleasant to have as a neighbour.
static inline firn_real any_garbage(any_source* r)
{
    const firn_real list[] = {(firn_real)NAN,   (firn_real)INFINITY, -(firn_real)INFINITY,
                              FIRN_REAL_MAX,    -FIRN_REAL_MAX,      FIRN_REAL_TINY / 8,
                              (firn_real)1e-20, (firn_real)1e15,     0,
                              -(firn_real)1e10};
    return list[any_below(r, (int)(sizeof list / sizeof *list))];
}

// `size` bytes of reals, all of them garbage.
static inline void fill_garbage(any_source* r, void* to, size_t size)
{
    for (size_t k = 0; k < size / sizeof(firn_real); k++) ((firn_real*)to)[k] = any_garbage(r);
}

// Copies element n of `from` to place 2n (n even) or 2n+1 (n odd) of `to`, twice as long, garbage
// between: every element has another lane there, and other neighbours.
static inline void spread_among_garbage(any_source* r, int count, size_t size, const void* from,
                                        void* to)
{
    for (int n = 0; n < count; n++) {
        char* pair = (char*)to + 2 * size * (size_t)n;
        memcpy(pair + size * (size_t)(n & 1), (const char*)from + size * (size_t)n, size);
        fill_garbage(r, pair + size * (size_t)(1 - (n & 1)), size);
    }
}

// Results of the elements that spread_among_garbage spread must be those of the elements alone.
static inline void assert_same_among_garbage(int count, size_t size, const void* alone,
                                             const void* spread)
{
    for (int n = 0; n < count; n++) {
        const char* pair = (const char*)spread + 2 * size * (size_t)n;
        assert_memory_equal(pair + size * (size_t)(n & 1), (const char*)alone + size * (size_t)n,
                            size);
    }
}

// Results of this table against those of the one before: the same level, or both fused (3 and 4),
// means the same bits.
static inline void assert_same_as_level_before(const lanes_kernels* k, size_t size, void* before,
                                               const void* now)
{
    if (k->level == 4 || k->lanes == 1) assert_memory_equal(before, now, size);
    memcpy(before, now, size);
}
