// SPDX-License-Identifier: MIT
// Atomic file writes: a crash at any time leaves the old or the new file, never a partial one. A
// draft is a new file beside the one that it will replace, with a name that nobody can foresee:
// every write and close is checked, the file is flushed, renamed, and its folder is flushed.
// Nothing is written through a symbolic link: a link in the place of the file is replaced. Devices,
// pipes, sockets and folders in the place of the file, or where a link leads, are refused.
#pragma once
#include <stdio.h>

#include "core/result.h"

typedef struct firn_draft {
    int file;         // descriptor, for reading and writing
    int folder;       // descriptor of the folder of both names
    char* path;       // owned
    char* temporary;  // owned; path of the draft, for libraries that open files themselves
} firn_draft;

// Creates an empty draft of `path`. FIRN_OK: firn_draft_commit must follow.
firn_result firn_draft_create(const char* path, firn_draft* out_draft, firn_error* error);
// A second descriptor of the draft as a stream, to be closed before the commit. Null: errno says
// why.
FILE* firn_draft_stream(const firn_draft* draft);
// With FIRN_OK as `result` the draft is flushed and renamed to its path; else it is deleted and
// `result` is returned.
firn_result firn_draft_commit(firn_draft* draft, firn_result result, firn_error* error);

// A new folder for symbolic links, with a name that nobody can foresee.
typedef struct firn_draft_links {
    int folder;  // descriptor
    char* path;  // owned
} firn_draft_links;
firn_result firn_draft_links_make(const char* parent, firn_draft_links* out_links,
                                  firn_error* error);
void firn_draft_links_remove(firn_draft_links* links);  // with its links

// Removes drafts and folders of links that a crash has left in a folder. Those that a process is
// using are locked and stay, as do all other files; failures are ignored.
void firn_draft_clean(const char* folder);
