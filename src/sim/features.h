// SPDX-License-Identifier: MIT
// What this library has: optional libraries, runs on disk.
#pragma once
#include <stdbool.h>

// False in libfirn-core, which writes no frames.
bool firn_features_has_runs(void);

// "vdb freetype"; "" for none. Static.
const char* firn_features(void);
