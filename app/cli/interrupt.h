// SPDX-License-Identifier: MIT
// SIGINT, SIGTERM and SIGHUP: the first one makes the running simulation stop after its step and
// write a checkpoint; a second SIGINT exits at once.
#pragma once
#include <stdbool.h>

#include "firn/firn.h"

void cli_interrupt_catch(void);
// Set the simulation to stop; null: none. If a signal has already arrived, it is stopped at once.
void cli_interrupt_watch(firn_sim* sim);
bool cli_interrupt_came(void);
const char* cli_interrupt_name(void);  // of the first signal: "SIGINT"; "" for none. Static.
