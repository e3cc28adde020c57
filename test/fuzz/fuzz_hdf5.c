// SPDX-License-Identifier: MIT
// Forged frames and checkpoints: with a correct seal, so that fuzzing gets behind it. Checksums of
// HDF5's own blocks need no care: firn's reader relies on the seal.
#include "fuzz/fuzz_hdf5.h"

#include <fcntl.h>
#include <unistd.h>

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
