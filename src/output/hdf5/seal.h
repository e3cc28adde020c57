// SPDX-License-Identifier: MIT
// The seal: the first 512 bytes of every frame and checkpoint (HDF5 calls them the user block and
// skips them). They hold kind, size and checksum of the file as text, so that a damaged file is
// recognised before the HDF5 library, which is not safe on damaged files, sees any of it.
#pragma once
#include "core/result.h"

#define FIRN_SEAL_BYTES 512  // smallest user block that HDF5 allows

typedef enum firn_seal_kind { FIRN_SEAL_FRAME, FIRN_SEAL_CHECKPOINT } firn_seal_kind;

const char* firn_seal_kind_name(firn_seal_kind kind);  // "frame", "checkpoint"

// Hashes everything behind the seal of `file` and writes the seal. `path` is for the error only.
firn_result firn_seal_write(const char* file, const char* path, firn_seal_kind kind,
                            firn_error* error);
// FIRN_REFUSED_DAMAGED when `path` is not a file of this kind, is cut off, or has a wrong byte.
firn_result firn_seal_verify(const char* path, firn_seal_kind kind, firn_error* error);
// What the first line claims; false when `path` cannot be read or is none of ours. Nothing is
// verified.
bool firn_seal_peek(const char* path, firn_seal_kind* out_kind);
