// SPDX-License-Identifier: MIT
// Reads a small text file.
#pragma once

// Contents of FOLDER/NAME, owned by the caller; null: see errno.
char* view_file_read(const char* folder, const char* name);
