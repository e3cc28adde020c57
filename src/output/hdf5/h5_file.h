// SPDX-License-Identifier: MIT
// One HDF5 file, open for writing or reading: made whole or not at all, sealed, with errors as
// sentences. HDF5 keeps global state: from open to close the calling thread holds a process-wide
// lock, and the host's own HDF5 error printing is switched off and put back.
#pragma once
#include "output/hdf5/h5_driver.h"
#include "output/hdf5/seal.h"

typedef struct firn_h5 {
    hid_t file, driver;
    const char* path;      // borrowed
    char temporary[4096];  // where it is being written
    firn_seal_kind kind;
    firn_h5_fault fault;
    firn_error* error;  // borrowed; may be null
    uint64_t bytes;     // of the file, when reading
    H5E_auto2_t print;  // the host's
    void* print_data;   // the host's
} firn_h5;

// Begins a file that will become `path`. FIRN_OK: firn_h5_commit must follow.
firn_result firn_h5_create(firn_h5* out_h5, const char* path, firn_seal_kind kind,
                           firn_error* error);
// Ends it: with FIRN_OK as `result` the file is closed, sealed, flushed and renamed to `path`; else
// it is thrown away and `result` comes back.
firn_result firn_h5_commit(firn_h5* h5, firn_result result);

// Opens a file after verifying its seal. FIRN_OK: firn_h5_close must follow.
firn_result firn_h5_open(firn_h5* out_h5, const char* path, firn_seal_kind kind, firn_error* error);
void firn_h5_close(firn_h5* h5);

// The sentence for a failed HDF5 call on `object`: what the disk said, else what HDF5 said.
firn_result firn_h5_fail(firn_h5* h5, const char* verb, const char* object);
