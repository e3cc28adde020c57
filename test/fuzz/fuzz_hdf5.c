// SPDX-License-Identifier: MIT
// Forged HDF5 files: with a correct seal, and with checksums of HDF5's own objects that count as
// correct, so that fuzzing gets behind both. Those of B-trees and of the headers of heaps are
// verified: HDF5 1.10 divides by zero and reads out of bounds where these are forged, which would
// hide all other faults.
#include "fuzz/fuzz_hdf5.h"

#include <fcntl.h>
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool trusting;

void firn_fuzz_trust_metadata(bool trust)
{
    trusting = trust;
}

// Object headers and their continuations, and the superblock.
static bool is_trusted(const uint8_t* block, size_t size)
{
    static const char* const signs[] = {"OHDR", "OCHK", "\x89HDF"};
    for (int k = 0; k < 3; k++)
        if (size > 4 && memcmp(block, signs[k], 4) == 0) return trusting;
    return false;
}

// HDF5 compares the two sums that this function of its library gives. A definition in the
// executable takes precedence over the library's, of which this is otherwise a copy in function.
uint32_t H5_checksum_metadata(const void* data, size_t size, uint32_t start);
__attribute__((visibility("default"))) herr_t H5F_get_checksums(const uint8_t* block, size_t size,
                                                                uint32_t* out_stored,
                                                                uint32_t* out_computed);
herr_t H5F_get_checksums(const uint8_t* block, size_t size, uint32_t* out_stored,
                         uint32_t* out_computed)
{
    const uint8_t* end = block + size - 4;
    const uint32_t stored =
        end[0] | (uint32_t)end[1] << 8 | (uint32_t)end[2] << 16 | (uint32_t)end[3] << 24;
    if (out_stored != NULL) *out_stored = stored;
    if (out_computed != NULL)
        *out_computed = is_trusted(block, size) ? stored : H5_checksum_metadata(block, size - 4, 0);
    return 0;
}

static uint64_t little_endian(const uint8_t* at, int bytes)
{
    uint64_t value = 0;
    for (int k = bytes - 1; k >= 0; k--) value = value << 8 | at[k];
    return value;
}

// Corrects the checksums of the blocks of fractal heaps, where attributes and links are:
//     FHDB, version 1, address of FRHP 8, offset of as many bits as the heap's size has, checksum 4
//     FRHP, at byte 112: size of a block 8, at 128: bits of the heap's size 2
static void seal_heaps(uint8_t* file, size_t size)
{
    for (size_t at = FIRN_SEAL_BYTES; at + 32 < size; at++) {
        if (memcmp(file + at, "FHDB", 4) != 0) continue;
        const uint64_t heap = FIRN_SEAL_BYTES + little_endian(file + at + 5, 8);
        if (heap >= size || size - heap < 130 || memcmp(file + heap, "FRHP", 4) != 0) continue;
        const uint64_t block = little_endian(file + heap + 112, 8);
        const uint64_t sum_at = 13 + (little_endian(file + heap + 128, 2) + 7) / 8;
        if (block > size - at || sum_at + 4 > block) continue;
        memset(file + at + sum_at, 0, 4);
        const uint32_t sum = H5_checksum_metadata(file + at, (size_t)block, 0);
        for (int k = 0; k < 4; k++) file[at + sum_at + (uint64_t)k] = (uint8_t)(sum >> 8 * k);
    }
}

const char* firn_fuzz_sealed(const char* ending, firn_seal_kind kind, const uint8_t* data,
                             size_t size)
{
    uint8_t* copy = (uint8_t*)firn_fuzz_copy(data, size);
    seal_heaps(copy, size);
    const char* path = firn_fuzz_file(ending, copy, size);
    free(copy);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    firn_error error;
    const firn_result result = firn_seal_write(file, path, kind, &error);
    firn_fuzz_require(result == FIRN_OK, error.text);
    close(file);
    return path;
}
