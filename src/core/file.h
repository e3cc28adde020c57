// SPDX-License-Identifier: MIT
// Whole files and folders. Writing is atomic (core/draft.h).
#pragma once
#include <stdio.h>

#include "core/result.h"

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

// Inside a folder whose contents may come from somebody else. No part below `dir` may be a symbolic
// link: nothing outside is changed.
// Makes the folder DIR/name; succeeds if it exists.
firn_result firn_folder_make_inside(const char* dir, const char* name, firn_error* error);
#define FIRN_ANY_SIZE UINT64_MAX
// Gives the file DIR/file, in one of its folders, the second name DIR/other in the same folder, and
// flushes that folder; anything that had the name is removed first. *out_made is false where the
// file system has no links.
firn_result firn_file_link_inside(const char* dir, const char* file, const char* other,
                                  bool* out_made, firn_error* error);
// Removes DIR/file if it is a regular file of `bytes` bytes, or anything but a folder with
// FIRN_ANY_SIZE; then a link is removed, not its target. FIRN_REFUSED_DAMAGED: it is something
// else, and stays. Succeeds if there is none.
firn_result firn_file_remove_inside(const char* dir, const char* file, uint64_t bytes,
                                    firn_error* error);
