// SPDX-License-Identifier: MIT
// Parse values of options. All return null on success, else what was expected (static).
#pragma once
#include "cli/options.h"

const char* cli_value_int(const char* text, int64_t* out);
const char* cli_value_real(const char* text, double* out);
const char* cli_value_bytes(const char* text, uint64_t* out);
const char* cli_value_frames(const char* text, cli_frames* out);
