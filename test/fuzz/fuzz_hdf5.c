// SPDX-License-Identifier: MIT
// Forged HDF5 files: with a correct seal, and with checksums of HDF5's own metadata that count as
// correct, so that fuzzing gets behind both.
#include "fuzz/fuzz_hdf5.h"

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

static bool trusting;

void firn_fuzz_trust_metadata(bool trust)
{
    trusting = trust;
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
        *out_computed = trusting ? stored : H5_checksum_metadata(block, size - 4, 0);
    return 0;
}

const char* firn_fuzz_sealed(const char* ending, firn_seal_kind kind, const uint8_t* data,
                             size_t size)
{
    const char* path = firn_fuzz_file(ending, data, size);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    firn_error error;
    const firn_result result = firn_seal_write(file, path, kind, &error);
    firn_fuzz_require(result == FIRN_OK, error.text);
    close(file);
    return path;
}
