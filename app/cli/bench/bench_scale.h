// SPDX-License-Identifier: MIT
// firn bench --scale: the cost of a particle among few and among many, and with more threads.
#pragma once
#include "firn/firn.h"

// Measures and prints; the process's exit code.
int cli_bench_scale(const firn_bench_def* def, bool json);
