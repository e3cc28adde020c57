// SPDX-License-Identifier: MIT
// Atomic file writes: a crash at any time leaves the old or the new file, never a partial one.
// Temporary name, every write and close checked, fsync of the file, rename, fsync of the folder.
#pragma once
#include <stdio.h>

#include "core/result.h"

// Get the temporary name for writing `path`: path + ".tmp".
firn_result firn_file_temporary(const char* path, char* out_temporary, size_t size,
                                firn_error* error);
// Flushes `temporary` to disk and renames it to `path`; removes it on failure.
firn_result firn_file_commit(const char* temporary, const char* path, firn_error* error);
// Write a whole small file.
firn_result firn_file_write(const char* path, const void* data, size_t bytes, firn_error* error);
// Read a whole file: owned by the caller, zero-terminated. Refused if larger than `limit` bytes.
firn_result firn_file_read(const char* path, size_t limit, char** out_data, size_t* out_bytes,
                           firn_error* error);
// True if nothing has this name. False: something has, or the disk does not tell.
bool firn_file_is_missing(const char* path);
firn_result firn_file_checksum(const char* path, uint64_t* out_bytes, uint64_t* out_checksum,
                               firn_error* error);
firn_result firn_folder_make(const char* path,
                             firn_error* error);  // with parents; succeeds if it exists
