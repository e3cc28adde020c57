// SPDX-License-Identifier: MIT
// Names of files that the window writes: "plow-0001.png", the first unused number.
#pragma once
// Reserves the first unused name NAME-NNNN.EXTENSION in the current folder by creating an empty
// file, so that nothing is overwritten. Owned by the caller (free); null: see errno.
char* view_name_reserve(const char* name, const char* extension);
