// SPDX-License-Identifier: MIT
// Which SIMD levels of the compiled loops this machine can run (design/0002).
#pragma once
#include "firn/types.h"

// `level`: 1 baseline, 3 and 4 for x86-64-v3 and -v4.
bool firn_simd_has(int level);
