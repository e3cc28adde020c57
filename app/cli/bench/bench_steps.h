// SPDX-License-Identifier: MIT
// What `firn bench` says about steps: rates, stages, and the two floors below them.
#pragma once
#include "cli/terminal/json.h"
#include "firn/firn.h"

void cli_bench_print_steps(const firn_bench_row* rows, int count, const firn_machine* machine);
void cli_bench_print_steps_json(const firn_bench_row* rows, int count, const firn_machine* machine);

// Parts of these, for the other solvers: a table of stages per case, and a line on the machine.
void cli_bench_print_stages(const firn_bench_row* rows, int count, const firn_machine* machine);
void cli_bench_print_machine(const firn_machine* machine);
void cli_bench_add_stages(cli_json* json, const firn_bench_row* row, const firn_machine* machine);
void cli_bench_add_machine(cli_json* json, const firn_machine* machine);
