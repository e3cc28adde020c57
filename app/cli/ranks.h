// SPDX-License-Identifier: MIT
// Programs that mpirun has started together: rank 0 speaks, the others serve it.
#pragma once
#include "firn/firn.h"

// At the start of `firn run`, before anything is printed: ranks other than 0 keep silent from now
// on, and leave signals to rank 0.
void cli_ranks_begin(void);
// Opens the communicator where there are several ranks; null for one. Returns an exit code.
int cli_ranks_join(firn_comm** out_comm);
// Threads of this rank where `threads` were asked for; 0: its part of the cores of its machine.
int cli_ranks_threads(int threads);
// All ranks: the exit code that one of them has, if any. A rank that fails where rank 0 does not
// says so.
int cli_ranks_agree(firn_comm* comm, int code);
