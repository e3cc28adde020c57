// SPDX-License-Identifier: MIT
// What `firn bench --backend cuda` says: rates by size, and the stages of a step.
#pragma once
#include "firn/firn.h"

// Measures, prints, gives the exit code.
int cli_bench_device(const firn_bench_def* def, bool json);
