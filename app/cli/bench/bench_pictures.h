// SPDX-License-Identifier: MIT
// The part of `firn bench` that measures pictures.
#pragma once
#include "firn/firn.h"

int cli_bench_pictures(const firn_bench_def* def, bool json);  // the exit code
