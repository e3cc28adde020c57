// SPDX-License-Identifier: MIT
// How every JSON row of `firn bench` begins.
#pragma once
#include "cli/terminal/json.h"

// On stdout, the object open: name of the case, version and numbers of this build.
cli_json cli_bench_json_begin(const char* name);
