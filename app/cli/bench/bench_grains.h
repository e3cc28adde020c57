// SPDX-License-Identifier: MIT
// What `firn bench --solver grains` says, of a CPU and of a GPU.
#pragma once
#include "firn/firn.h"

// Measures and prints; gives the exit code.
int cli_bench_grains(const firn_bench_def* def, bool json);
