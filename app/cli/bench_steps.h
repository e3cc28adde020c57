// SPDX-License-Identifier: MIT
// What `firn bench` says about steps: rates, stages, and the two floors below them.
#pragma once
#include "firn/firn.h"

void cli_bench_print_steps(const firn_bench_row* rows, int count, const firn_machine* machine);
void cli_bench_print_steps_json(const firn_bench_row* rows, int count, const firn_machine* machine);
