// SPDX-License-Identifier: MIT
// The seal: the first 512 bytes of every frame and checkpoint (HDF5 skips them as its user block).
// They hold kind, size and checksum of the file as text. A damaged file is thus recognised before
// the HDF5 library reads it; that library is not safe on damaged files.
#pragma once
#include "core/result.h"

#define FIRN_SEAL_BYTES 512  // smallest user block that HDF5 allows

typedef enum firn_seal_kind { FIRN_SEAL_FRAME, FIRN_SEAL_CHECKPOINT } firn_seal_kind;

// Hashes everything after the seal of `file`, a descriptor, and writes the seal. Errors name
// `path`.
firn_result firn_seal_write(int file, const char* path, firn_seal_kind kind, firn_error* error);
// FIRN_REFUSED_DAMAGED when `path` is not a file of this kind, is cut off, or has a wrong byte.
firn_result firn_seal_verify(const char* path, firn_seal_kind kind, firn_error* error);
// The kind in the first line; *out_known is false when `path` is no file of firn. Verifies nothing.
firn_result firn_seal_peek(const char* path, bool* out_known, firn_seal_kind* out_kind,
                           firn_error* error);
