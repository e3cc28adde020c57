// SPDX-License-Identifier: MIT
// What `firn bench --solver sph` says: rates with the iterations of both solves, and stages.
#pragma once
#include "firn/firn.h"

void cli_bench_print_sph(const firn_bench_row* rows, int count, const firn_machine* machine);
void cli_bench_print_sph_json(const firn_bench_row* rows, int count, const firn_machine* machine);
