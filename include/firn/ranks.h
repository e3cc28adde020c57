// SPDX-License-Identifier: MIT
// Ranks: processes on one or many machines that compute one simulation together.
#pragma once
#include "firn/defs.h"
#include "firn/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// Get the number of processes that a launcher (mpirun, srun) started together with this one; 1
// without one. Also in builds without MPI.
FIRN_API int firn_comm_launched(void);
// Get the number of this one among them, from 0.
FIRN_API int firn_comm_launched_rank(void);
// Get "mpi", or "" in builds without it. Static.
FIRN_API const char* firn_comm_kind(void);

// Joins the processes that were started together; initialises MPI unless the program has. All
// processes call it. FIRN_REFUSED_BACKEND: this build has no MPI, or MPI does not start.
FIRN_API firn_result firn_comm_open(firn_comm** out_comm, firn_error* out_error);
// Leaves them, after all simulations. All processes call it; on rank 0 it ends the
// others' wait for its commands. Null is allowed.
FIRN_API void firn_comm_close(firn_comm* comm);
// Get the number of this process, from 0, and of how many; 0 and 1 for null.
FIRN_API int firn_comm_rank(const firn_comm* comm);
FIRN_API int firn_comm_count(const firn_comm* comm);
// Get the largest `code` of all processes, which all call it: whether each of them can go on. Not
// while they serve.
FIRN_API int firn_comm_agree(firn_comm* comm, int code);

#ifdef __cplusplus
}
#endif
