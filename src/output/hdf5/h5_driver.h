// SPDX-License-Identifier: MIT
// How HDF5 reaches the disk: a file driver of our own. HDF5 cannot recover from a failed write (the
// file stays open for ever, and closing the library loops), so this driver remembers the first
// failure, swallows it and all later writes, and the caller asks for it after an orderly close.
// No file locks: they fail on network file systems, and a file is renamed into place anyway.
#pragma once
#include <hdf5.h>

#include "core/result.h"

// The first thing that went wrong with a file.
typedef struct firn_h5_fault {
    int reason;        // errno; 0: nothing
    const char* what;  // "write", "read", ...; static
} firn_h5_fault;

// The driver, to be given back with H5FDunregister after the file is closed: HDF5 1.10 calls into
// the driver once more after it has let go of it. Negative when HDF5 refuses.
hid_t firn_h5_driver_register(void);
// File access list for the driver, to be closed with H5Pclose; negative when HDF5 refuses. `fault`
// is borrowed until the file is closed.
hid_t firn_h5_driver_access(hid_t driver, firn_h5_fault* fault);
