// SPDX-License-Identifier: MIT
// SIGINT, SIGTERM and SIGHUP. What the first one does depends on what there is to lose:
//
//     reading, checking, setting up   firn exits at once: nothing has been written
//     rendering, exporting, viewing   the command is asked to stop (cli_interrupt_came) and has a
//                                     second for it: files appear by rename, none is half written
//     simulating                      the step is finished and a checkpoint is written, which takes
//                                     as long as it takes
//
// A second SIGINT exits at once. The exit code is always 130. Where mpirun has started several
// ranks, SIGUSR1 does the same: mpirun passes it on, while it ends the ranks at SIGINT and SIGTERM.
#pragma once
#include <stdbool.h>

#include "firn/firn.h"

// Install the handler, and let signals through that whoever started firn has blocked. Call it
// first.
void cli_interrupt_catch(void);
#define CLI_INTERRUPT_SECONDS 0.8  // with the rest of the exit, within a second

// From now on the command polls cli_interrupt_came. `seconds`: how long it may take to stop; 0:
// as long as it needs.
void cli_interrupt_ask(double seconds);
// Set the simulation to stop, without a limit in time. If a signal has already arrived, it is
// stopped at once. Null: none any more; whatever follows has CLI_INTERRUPT_SECONDS to stop.
void cli_interrupt_watch(firn_sim* sim);
bool cli_interrupt_came(void);
const char* cli_interrupt_name(void);  // of the first signal: "SIGINT"; "" for none. Static.
