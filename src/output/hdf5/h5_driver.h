// SPDX-License-Identifier: MIT
// A file driver for HDF5. HDF5 cannot recover from a failed write: the file stays open for ever,
// and closing the library loops. This driver records the first failure, ignores it and all later
// writes, and the caller checks for it after the file was closed.
// It uses no file locks: they fail on network file systems, and files are renamed into place
// anyway.
#pragma once
#include <hdf5.h>

#include "core/result.h"

// The first I/O failure of a file.
typedef struct firn_h5_fault {
    int reason;        // errno; 0: nothing
    const char* what;  // "write", "read", ...; static
} firn_h5_fault;

// The driver. Call H5FDunregister after the file is closed: HDF5 1.10 calls the driver once more
// after releasing its own reference. Negative on failure.
hid_t firn_h5_driver_register(void);
// File access property list for the driver; close it with H5Pclose. Negative on failure. `fault` is
// borrowed until the file is closed.
hid_t firn_h5_driver_access(hid_t driver, firn_h5_fault* fault);
