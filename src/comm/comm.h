// SPDX-License-Identifier: MIT
// Ranks: processes on one or many machines that compute one simulation together, and what they
// say to each other. Does: reductions that do not depend on the number of ranks, broadcasts,
// messages between pairs, gathering. Does not: know particles or grids.
//
// All functions but those of the first group are collective: every rank calls them, in the same
// order. A null communicator is this process alone: all of them work, and cost nothing. After a
// failure of the network they do nothing more; firn_comm_check reports it.
#pragma once
#include "core/result.h"
#include "firn/ranks.h"
#include "math/exact_sum.h"

typedef struct firn_comm_ops firn_comm_ops;

struct firn_comm {
    const firn_comm_ops* ops;
    int rank, count;
    void* own;              // of the implementation
    bool failed;            // nothing is sent any more
    bool quit;              // rank 0 has closed
    char why[256];          // what failed
    firn_rank_stats stats;  // of this rank
    int64_t reading;        // allocations for reading them, which do not count
    bool is_patient;        // this rank waits for a command
    int64_t waiting_since;  // [ns], 0: it does not wait for others; read by other threads
    bool is_timed;          // thread_seconds counts
    double thread_begun;    // scratch
    double thread_seconds;  // [s] that this thread has computed in collectives while is_timed
};

// A message to or from another rank. Its length is known to both.
typedef struct firn_message {
    int rank;
    void* data;  // borrowed until firn_comm_exchange_end
    size_t bytes;
} firn_message;

// Commands of rank 0 to the others (solver.h, sim_ranks.c), which follow them until it closes the
// communicator.
#define FIRN_COMMAND_QUIT 0
#define FIRN_COMMAND_CREATE 1   // sim
#define FIRN_COMMAND_DESTROY 2  // sim
#define FIRN_COMMAND_STATS 3    // sim
#define FIRN_COMMAND_SOLVER 10  // the first of a solver's own
typedef struct firn_command {
    int64_t what;
    char data[248];  // the command's own struct
} firn_command;

// Rank 0 gives an order.
void firn_comm_order(firn_comm* comm, const firn_command* command);
// The others wait for the next. False: rank 0 has closed the communicator, or it is lost.
bool firn_comm_obey(firn_comm* comm, firn_command* out_command);

// All ranks together: FIRN_OK if all have it; else the result and the message of the lowest rank
// that failed, on all of them. `error` is what this rank has failed with, if it has.
firn_result firn_comm_settle(firn_comm* comm, firn_result result, firn_error* error);
// FIRN_BROKEN_DEVICE with the reason after a failure of the network.
firn_result firn_comm_check(const firn_comm* comm, firn_error* error);

// The largest of each value over all ranks, on every rank. No value is a NaN.
void firn_comm_max(firn_comm* comm, double* values, int count);
// The smallest.
void firn_comm_min(firn_comm* comm, int64_t* values, int count);
// Sums modulo 2^64.
void firn_comm_add(firn_comm* comm, int64_t* values, int count);
// The exact sum over all ranks, rounded once (math/exact_sum.h). `sum` is what this rank has.
double firn_comm_sum(firn_comm* comm, firn_exact_sum* sum);
// Adds those of all ranks to each of `count` exact sums, on every rank.
void firn_comm_join(firn_comm* comm, firn_exact_sum* sums, int count);
// Whether all ranks have the same bytes.
bool firn_comm_same(firn_comm* comm, const void* data, size_t bytes);
// Rank `from` gives its bytes to all.
void firn_comm_broadcast(firn_comm* comm, int from, void* data, size_t bytes);
// Sends each rank r the `each` numbers sent[r * each]; got[r * each] are those of rank r.
void firn_comm_tell(firn_comm* comm, const int64_t* sent, int64_t* got, int each);
// Starts all messages at once: between two ranks at most one each way. None to the rank itself.
void firn_comm_exchange_begin(firn_comm* comm, const firn_message* out, int out_count,
                              const firn_message* in, int in_count);
// Waits until all have arrived and may be overwritten.
void firn_comm_exchange_end(firn_comm* comm);
// Rank 0 gets the bytes of all ranks one after the other, `bytes[r]` of rank r; all others pass
// null for `all` and `bytes`.
void firn_comm_gather(firn_comm* comm, const void* mine, size_t mine_bytes, void* all,
                      const size_t* bytes);

// What an implementation provides; pointers as above.
struct firn_comm_ops {
    void (*close)(firn_comm* comm);
    void (*max)(firn_comm* comm, double* values, int count);
    void (*min)(firn_comm* comm, int64_t* values, int count);
    void (*add)(firn_comm* comm, int64_t* values, int count);
    void (*broadcast)(firn_comm* comm, int from, void* data, size_t bytes);
    void (*tell)(firn_comm* comm, const int64_t* sent, int64_t* got, int each);
    void (*exchange_begin)(firn_comm* comm, const firn_message* out, int out_count,
                           const firn_message* in, int in_count);
    void (*exchange_end)(firn_comm* comm);
    void (*gather)(firn_comm* comm, const void* mine, size_t mine_bytes, void* all,
                   const size_t* bytes);
};

// comm_mpi.c, in builds that have it.
firn_result firn_comm_open_mpi(firn_comm** out_comm, firn_error* error);
