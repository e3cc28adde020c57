// SPDX-License-Identifier: MIT
// Writing files so that a crash at any moment leaves the old one or the new one, never half:
// temporary name, every write and close checked, fsync file, rename, fsync folder.
#pragma once
#include <stdio.h>

#include "core/result.h"

// Where to write a file that will become `path`: fills `out_temporary` (path + ".tmp").
firn_result firn_file_temporary(const char* path, char* out_temporary, size_t size,
                                firn_error* error);
// Flushes `temporary` to disk and renames it to `path`; removes it on failure.
firn_result firn_file_commit(const char* temporary, const char* path, firn_error* error);
// Whole small files.
firn_result firn_file_write(const char* path, const void* data, size_t bytes, firn_error* error);
// Owned by the caller, zero-terminated. Refused over `limit` bytes.
firn_result firn_file_read(const char* path, size_t limit, char** out_data, size_t* out_bytes,
                           firn_error* error);
firn_result firn_file_checksum(const char* path, uint64_t* out_bytes, uint64_t* out_checksum,
                               firn_error* error);
firn_result firn_folder_make(const char* path,
                             firn_error* error);  // with parents; fine if it exists
