// SPDX-License-Identifier: MIT
// firn bench --drawing: pictures per second of the window.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// `particles`: this size only; 0: several. `pictures` in each style; the fastest counts.
int cli_bench_drawing(int64_t particles, int pictures, bool json);
