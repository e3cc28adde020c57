// SPDX-License-Identifier: MIT
// Ranks: one process alone, and the way to the implementation where there are more.
#include "comm/comm.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"
#include "core/timer.h"

static int number_in(const char* variable)
{
    const char* text = getenv(variable);
    return text != NULL ? atoi(text) : 0;
}

// What launchers leave in the environment: mpirun of Open MPI, mpiexec of others, srun.
int firn_comm_launched(void)
{
    int count = number_in("OMPI_COMM_WORLD_SIZE");
    if (count < 1) count = number_in("PMI_SIZE");
    if (count < 1 && getenv("PMIX_RANK") != NULL) count = number_in("SLURM_NTASKS");
    return count > 1 ? count : 1;
}

int firn_comm_launched_rank(void)
{
    const char* names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"};
    for (size_t k = 0; k < sizeof names / sizeof *names && firn_comm_launched() > 1; k++)
        if (getenv(names[k]) != NULL) return number_in(names[k]);
    return 0;
}

const char* firn_comm_kind(void)
{
#ifdef FIRN_HAVE_MPI
    return "mpi";
#else
    return "";
#endif
}

firn_result firn_comm_open(firn_comm** out_comm, firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (out_comm == NULL) return firn_call_null(__func__);
#ifdef FIRN_HAVE_MPI
    return firn_comm_open_mpi(out_comm, out_error);
#else
    return firn_fail(out_error, FIRN_REFUSED_BACKEND,
                     "this build has no MPI, and cannot share a simulation with other processes: "
                     "use `./firn mpi -n N run SCENE`, or configure with -D FIRN_MPI=ON (package "
                     "libopenmpi-dev)");
#endif
}

void firn_comm_close(firn_comm* comm)
{
    if (comm == NULL) return;
    firn_command command = {FIRN_COMMAND_QUIT, {0}};
    if (comm->rank == 0)
        firn_comm_order(comm, &command);
    else  // where this rank has not served, rank 0's orders are still to come
        while (firn_comm_obey(comm, &command)) continue;
    comm->ops->close(comm);
    firn_free(comm);
}

int firn_comm_rank(const firn_comm* comm)
{
    return comm != NULL ? comm->rank : 0;
}

double firn_comm_waiting(const firn_comm* comm)
{
    const int64_t since =
        comm != NULL ? __atomic_load_n(&comm->waiting_since, __ATOMIC_RELAXED) : 0;
    return since > 0 ? firn_seconds() - 1e-9 * (double)since : 0;
}

int firn_comm_count(const firn_comm* comm)
{
    return comm != NULL ? comm->count : 1;
}

// This rank waits for others; it polls, which takes time of its thread.
static double begin_waiting(firn_comm* comm)
{
    if (comm->is_timed) comm->thread_begun = firn_thread_seconds();
    const double now = firn_seconds();
    if (!comm->is_patient)
        __atomic_store_n(&comm->waiting_since, (int64_t)(1e9 * now), __ATOMIC_RELAXED);
    return now;
}

// A collective begins, and has ended.
static double begin_collective(firn_comm* comm)
{
    comm->stats.collectives++;
    return begin_waiting(comm);
}

static void end_waiting(firn_comm* comm, double begun)
{
    comm->stats.seconds_waiting += firn_seconds() - begun;
    __atomic_store_n(&comm->waiting_since, 0, __ATOMIC_RELAXED);
    if (comm->is_timed) comm->thread_seconds += firn_thread_seconds() - comm->thread_begun;
}

// Is there anybody to talk to?
static bool is_alone(const firn_comm* comm)
{
    return comm == NULL || comm->count == 1 || comm->failed;
}

int firn_comm_agree(firn_comm* comm, int code)
{
    int64_t largest = -(int64_t)code;
    firn_comm_min(comm, &largest, 1);
    return (int)-largest;
}

firn_result firn_comm_check(const firn_comm* comm, firn_error* error)
{
    if (comm == NULL || !comm->failed) return FIRN_OK;
    return firn_fail(error, FIRN_BROKEN_DEVICE,
                     "messages between ranks fail (%s): resume the run from its checkpoint",
                     comm->why);
}

void firn_comm_order(firn_comm* comm, const firn_command* command)
{
    firn_command copy = *command;
    firn_comm_broadcast(comm, 0, &copy, sizeof copy);
}

bool firn_comm_obey(firn_comm* comm, firn_command* out_command)
{
    *out_command = (firn_command){FIRN_COMMAND_QUIT, {0}};
    if (comm->quit) return false;
    comm->is_patient = true;  // rank 0 may write and draw for long
    firn_comm_broadcast(comm, 0, out_command, sizeof *out_command);
    comm->is_patient = false;
    comm->quit = comm->failed || out_command->what == FIRN_COMMAND_QUIT;
    return !comm->quit;
}

firn_result firn_comm_settle(firn_comm* comm, firn_result result, firn_error* error)
{
    const int64_t none = INT64_MAX;
    int64_t first = result != FIRN_OK ? firn_comm_rank(comm) : none;
    firn_comm_min(comm, &first, 1);
    FIRN_TRY(firn_comm_check(comm, error));
    if (first == none) return FIRN_OK;
    firn_error own = {0};
    if (first == firn_comm_rank(comm)) {
        if (error != NULL) own = *error;
        own.code = result;
    }
    firn_comm_broadcast(comm, (int)first, &own, sizeof own);
    FIRN_TRY(firn_comm_check(comm, error));
    return firn_fail(error, own.code, "%s", own.text);
}

void firn_comm_max(firn_comm* comm, double* values, int count)
{
    if (is_alone(comm)) return;
    const double begun = begin_collective(comm);
    comm->ops->max(comm, values, count);
    end_waiting(comm, begun);
}

void firn_comm_min(firn_comm* comm, int64_t* values, int count)
{
    if (is_alone(comm)) return;
    const double begun = begin_collective(comm);
    comm->ops->min(comm, values, count);
    end_waiting(comm, begun);
}

void firn_comm_add(firn_comm* comm, int64_t* values, int count)
{
    if (is_alone(comm)) return;
    const double begun = begin_collective(comm);
    comm->ops->add(comm, values, count);
    end_waiting(comm, begun);
}

// Sums that are reduced at once.
#define JOINED 8

void firn_comm_join(firn_comm* comm, firn_exact_sum* sums, int count)
{
    if (is_alone(comm)) return;
    for (int first = 0; first < count; first += JOINED) {
        int64_t all[JOINED * FIRN_EXACT_INTEGERS];
        const int some = count - first < JOINED ? count - first : JOINED;
        for (int k = 0; k < some; k++) {
            firn_exact_sum* s = &sums[first + k];
            int64_t* to = all + (size_t)k * FIRN_EXACT_INTEGERS;
            firn_exact_sum_settle(s);
            memcpy(to, s->limb, sizeof s->limb);
            memcpy(to + FIRN_EXACT_LIMBS, s->infinite, sizeof s->infinite);
            to[FIRN_EXACT_INTEGERS - 1] = s->nan;
        }
        firn_comm_add(comm, all, some * FIRN_EXACT_INTEGERS);
        for (int k = 0; k < some; k++) {
            firn_exact_sum* s = &sums[first + k];
            const int64_t* from = all + (size_t)k * FIRN_EXACT_INTEGERS;
            memcpy(s->limb, from, sizeof s->limb);
            memcpy(s->infinite, from + FIRN_EXACT_LIMBS, sizeof s->infinite);
            s->nan = from[FIRN_EXACT_INTEGERS - 1];
        }
    }
}

double firn_comm_sum(firn_comm* comm, firn_exact_sum* sum)
{
    firn_comm_join(comm, sum, 1);
    return firn_exact_sum_value(sum);
}

bool firn_comm_same(firn_comm* comm, const void* data, size_t bytes)
{
    int64_t hash[2] = {(int64_t)(firn_hash(data, bytes, 0) >> 1), 0};
    hash[1] = -hash[0];  // the smallest of both are equal but for the sign where all hashes are
    firn_comm_min(comm, hash, 2);
    return hash[0] == -hash[1];
}

void firn_comm_broadcast(firn_comm* comm, int from, void* data, size_t bytes)
{
    if (is_alone(comm) || bytes == 0) return;
    const double begun = begin_collective(comm);
    comm->ops->broadcast(comm, from, data, bytes);
    end_waiting(comm, begun);
}

void firn_comm_tell(firn_comm* comm, const int64_t* sent, int64_t* got, int each)
{
    const size_t all = (size_t)firn_comm_count(comm) * (size_t)each * sizeof *sent;
    if (is_alone(comm)) {
        memset(got, 0, all);  // after a failure nobody says anything
        if (firn_comm_count(comm) == 1) memcpy(got, sent, all);
    } else {
        const double begun = begin_collective(comm);
        comm->ops->tell(comm, sent, got, each);
        end_waiting(comm, begun);
    }
}

void firn_comm_exchange_begin(firn_comm* comm, const firn_message* out, int out_count,
                              const firn_message* in, int in_count)
{
    if (is_alone(comm)) return;
    comm->stats.messages += out_count;
    for (int k = 0; k < out_count; k++) comm->stats.bytes += (int64_t)out[k].bytes;
    comm->ops->exchange_begin(comm, out, out_count, in, in_count);
}

void firn_comm_exchange_end(firn_comm* comm)
{
    if (is_alone(comm)) return;
    const double begun = begin_waiting(comm);
    comm->ops->exchange_end(comm);
    end_waiting(comm, begun);
}

void firn_comm_gather(firn_comm* comm, const void* mine, size_t mine_bytes, void* all,
                      const size_t* bytes)
{
    if (is_alone(comm)) {
        if (mine_bytes > 0 && all != NULL) memcpy(all, mine, mine_bytes);
        return;
    }
    const double begun = begin_collective(comm);
    comm->ops->gather(comm, mine, mine_bytes, all, bytes);
    end_waiting(comm, begun);
}
