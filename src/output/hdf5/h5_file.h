// SPDX-License-Identifier: MIT
// One HDF5 file that is being written: atomically, sealed, with errors as sentences.
// HDF5 has global state: from create to commit the calling thread holds a process-wide lock, and
// the error printing that the host program has set up is disabled and restored. Where it does much
// else, compressing for example, it lets others write their files meanwhile (firn_h5_pause).
#pragma once
#include "core/draft.h"
#include "output/hdf5/h5_driver.h"
#include "output/hdf5/seal.h"

typedef struct firn_h5 {
    hid_t file, driver;
    const char* path;  // borrowed
    firn_draft draft;  // where it is being written
    firn_seal_kind kind;
    firn_h5_fault fault;
    firn_result unread;  // not FIRN_OK: rows to be written could not be read; `error` says why
    firn_error* error;   // borrowed; may be null
    H5E_auto2_t print;   // the host's
    void* print_data;    // the host's
} firn_h5;

// Begins a file that will become `path`. FIRN_OK: firn_h5_commit must follow.
firn_result firn_h5_create(firn_h5* out_h5, const char* path, firn_seal_kind kind,
                           firn_error* error);
// Ends it: with FIRN_OK as `result` the file is closed, sealed, flushed and renamed to `path`; else
// it is deleted and `result` is returned.
firn_result firn_h5_commit(firn_h5* h5, firn_result result);

// Gives the lock away until firn_h5_continue: no call of HDF5 in between. Errors that HDF5 keeps
// are forgotten.
void firn_h5_pause(firn_h5* h5);
void firn_h5_continue(firn_h5* h5);

// Reports a failed HDF5 call on `object`: the I/O error if there was one, else that of HDF5.
firn_result firn_h5_fail(firn_h5* h5, const char* verb, const char* object);
