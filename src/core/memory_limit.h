// SPDX-License-Identifier: MIT
// How much memory this process can get, for refusing what cannot fit before it is tried.
#pragma once
#include "firn/types.h"

// [bytes] The least of the machine's memory and swap, the limit of the control group (containers,
// batch systems) and the hard limits of the process (ulimit -v, -d). UINT64_MAX: unknown.
uint64_t firn_memory_limit(void);

#define FIRN_BYTES_TEXT 24
// "512 MiB", "1.5 GiB", "72 TiB". Returns `out_text`.
const char* firn_bytes_text(double bytes, char out_text[FIRN_BYTES_TEXT]);
