// SPDX-License-Identifier: MIT
// SIGINT, SIGTERM and SIGHUP: the first asks the running simulation to stop after its step and to
// write a checkpoint, a second SIGINT leaves at once.
#pragma once
#include <stdbool.h>

#include "firn/firn.h"

void cli_interrupt_catch(void);
// The simulation to stop; null: none. If a signal came before, it is stopped at once.
void cli_interrupt_watch(firn_sim* sim);
bool cli_interrupt_came(void);
const char* cli_interrupt_name(void);  // of the first signal: "SIGINT"; "" when none came. Static.
