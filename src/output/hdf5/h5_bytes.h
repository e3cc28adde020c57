// SPDX-License-Identifier: MIT
// Reads numbers from a block of bytes, never beyond its end: then `bad` is set, and zeros follow.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct firn_h5_bytes {
    const uint8_t* at;
    size_t left;
    bool bad;
} firn_h5_bytes;

// The next `count` bytes; null where there are fewer.
static inline const uint8_t* firn_h5_take(firn_h5_bytes* b, size_t count)
{
    if (b->bad || count > b->left) {
        b->bad = true;
        return NULL;
    }
    const uint8_t* from = b->at;
    b->at += count;
    b->left -= count;
    return from;
}

// A little-endian number of up to 8 bytes.
static inline uint64_t firn_h5_number(firn_h5_bytes* b, size_t count)
{
    const uint8_t* from = firn_h5_take(b, count);
    uint64_t value = 0;
    if (from != NULL)
        for (size_t k = count; k-- > 0;) value = value << 8 | from[k];
    return value;
}

static inline firn_h5_bytes firn_h5_part(firn_h5_bytes* b, size_t count)
{
    const uint8_t* from = firn_h5_take(b, count);
    return from != NULL ? (firn_h5_bytes){from, count, false} : (firn_h5_bytes){.bad = true};
}

// Takes `sign` and the version after it, as blocks of HDF5 begin.
static inline bool firn_h5_begins(firn_h5_bytes* b, const char sign[5], uint64_t version)
{
    const uint8_t* from = firn_h5_take(b, 4);
    return from != NULL && memcmp(from, sign, 4) == 0 && firn_h5_number(b, 1) == version && !b->bad;
}
