// SPDX-License-Identifier: MIT
// A frame or checkpoint, open for reading. Its seal protects from damage, not from intent, and the
// HDF5 library is not made for hostile files: it crashes where an index is forged. So firn reads
// its files without that library: the part of the format (HDF5 File Format Specification 3.0) that
// firn_h5_create writes, and nothing else. Every address, size and count is checked before use.
#pragma once
#include "core/result.h"
#include "output/hdf5/seal.h"

typedef struct firn_h5_input {
    int file;
    const char* path;     // borrowed
    firn_error* error;    // borrowed; may be null
    uint64_t bytes;       // of the HDF5 file, which begins after the seal
    uint64_t root;        // address of the group /
    firn_result failure;  // the first; later ones keep its message
    // objects that were read last, owned; groups are asked for once for each of their members
    struct firn_h5_object* objects;
    int object_next;  // whose place the next one takes
} firn_h5_input;

#define FIRN_H5_NOWHERE UINT64_MAX  // the address of what does not exist

// Opens a file after verifying its seal. FIRN_OK: firn_h5_close must follow.
firn_result firn_h5_open(firn_h5_input* out_input, const char* path, firn_seal_kind kind,
                         firn_error* error);
// Closes it. Returns `result`, the outcome of reading, unless something failed before.
firn_result firn_h5_close(firn_h5_input* input, firn_result result);

// Reads bytes at an address, which counts from the end of the seal. FIRN_REFUSED_DAMAGED: they are
// not all within the file.
firn_result firn_h5_read_at(firn_h5_input* input, uint64_t address, void* out_data, size_t bytes);

// Fails with "'PATH' is damaged: WHAT" or "'PATH' is damaged: 'OBJECT' WHAT".
firn_result firn_h5_damaged(firn_h5_input* input, const char* object, const char* what);
firn_result firn_h5_out_of_memory(firn_h5_input* input);
