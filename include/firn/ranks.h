// SPDX-License-Identifier: MIT
// Ranks: processes on one or many machines that compute one simulation together (mpm, on CPUs).
//
// Every process opens the communicator and loads the same scene. Rank 0 creates the simulation,
// with firn_sim_def.comm, and does with it what it likes; all others serve it:
//
//     firn_comm_open(&comm, &error);
//     ...                                       // firn_scene_load
//     def.comm = comm;
//     if (firn_comm_rank(comm) > 0)
//         firn_sim_serve(scene, &def, &error);  // until rank 0 closes the communicator
//     else
//         ...                                   // firn_sim_create, firn_sim_frame, ...
//     firn_comm_close(comm);
//
// Results do not depend on the number of ranks. What is refused with ranks: docs/manual.md, "More
// than one machine".
#pragma once
#include "firn/defs.h"
#include "firn/scene.h"
#include "firn/sim.h"

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
// Leaves them, after all simulations. All processes call it; on rank 0 it makes the others return
// from firn_sim_serve. Null is allowed.
FIRN_API void firn_comm_close(firn_comm* comm);
// Get the number of this process, from 0, and of how many; 0 and 1 for null.
FIRN_API int firn_comm_rank(const firn_comm* comm);
FIRN_API int firn_comm_count(const firn_comm* comm);
// Get the largest `code` of all processes, which all call it: whether each of them can go on. Not
// while they serve.
FIRN_API int firn_comm_agree(firn_comm* comm, int code);

// Get for how long [s] this process has been waiting for others in the call that is under way; 0:
// it does not wait, or waits for rank 0's next request. Any thread may ask: MPI itself waits for
// ever for a process that hangs.
FIRN_API double firn_comm_waiting(const firn_comm* comm);

// Takes part in the simulations that rank 0 creates from the same scene and definition, until rank
// 0 closes the communicator. Of `def`, comm, threads, simd and memory_cap_bytes are used. What goes
// wrong in steps is reported by rank 0.
FIRN_API firn_result firn_sim_serve(const firn_scene* scene, const firn_sim_def* def,
                                    firn_error* out_error);

// What one rank has done since the communicator was opened.
typedef struct firn_rank_stats {
    int64_t particles;        // that it has
    int64_t messages, bytes;  // sent to single ranks
    int64_t collectives;      // reductions, broadcasts and the like
    double seconds_waiting;   // [s] in messages and collectives
    int64_t halo_arrays;      // arrays of nodes that were added up with neighbours
    int64_t halo_bytes;       // of `bytes`, for these
    int64_t migrated;         // particles that left for another rank
    double step_seconds;      // [s] that it computed in a step, not waiting; 0: not measured yet
    int64_t divisions;        // how often blocks were divided among the ranks again
    double seconds_dividing;  // [s] that this took
    int64_t allocations;      // of memory
} firn_rank_stats;
// Get the statistics of all ranks, [firn_comm_count] of `size` bytes each, on rank 0. In one
// process they are zero.
FIRN_API firn_result firn_sim_rank_stats_sized(firn_sim* sim, firn_rank_stats* out_stats,
                                               uint32_t size);
static inline firn_result firn_sim_rank_stats(firn_sim* sim, firn_rank_stats* out_stats)
{
    return firn_sim_rank_stats_sized(sim, out_stats, sizeof *out_stats);
}

// The part of a scene that one of several ranks begins with.
typedef struct firn_rank_share {
    int64_t particles;
    int64_t blocks;      // of 4 x 4 x 4 nodes, with particles
    int64_t halo_bytes;  // sent for each array of nodes: two in a step, one more in an iteration
    int32_t neighbours;  // ranks that it sends them to
} firn_rank_share;
#define FIRN_RANKS_MAX 65536
// Divide a scene among so many ranks, without them: out_shares [ranks] of `size` bytes each. Needs
// no MPI; fills the scene in this process. FIRN_REFUSED_BACKEND: not with this solver.
FIRN_API firn_result firn_scene_divide_sized(const firn_scene* scene, int ranks,
                                             firn_rank_share* out_shares, uint32_t size,
                                             firn_error* out_error);
static inline firn_result firn_scene_divide(const firn_scene* scene, int ranks,
                                            firn_rank_share* out_shares, firn_error* out_error)
{
    return firn_scene_divide_sized(scene, ranks, out_shares, sizeof *out_shares, out_error);
}

#ifdef __cplusplus
}
#endif
