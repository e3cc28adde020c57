// SPDX-License-Identifier: MIT
// A watchdog for ranks that hang. MPI notices a rank that dies, and waits for ever for one that
// does not answer: a machine without its network, a process that is stopped. Then rank 0 ends the
// run with a message, and mpirun ends the others.
#pragma once
#include "firn/firn.h"

// On rank 0, while several ranks compute: from now on the process ends with CLI_EXIT_BACKEND when
// it has waited so long [s] for another rank; 0: never.
void cli_ranks_watch(const firn_comm* comm, int64_t seconds);
// Before the communicator is closed.
void cli_ranks_unwatch(void);
