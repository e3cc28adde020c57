// SPDX-License-Identifier: MIT
// Ranks that are processes of MPI. Messages are cut into pieces that an int counts.
//
// MPI waits by polling. Where ranks share cores, one that polls keeps the one that it waits for
// from running, for a time slice of milliseconds in each of many collectives; there, collectives
// are started (MPI_I...), tested, and this rank sleeps in between. Blocking ones are faster
// elsewhere.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "comm/comm.h"
#include "core/memory.h"

#define PIECE ((size_t)1 << 30)  // [bytes] MPI counts with int
#define TESTS 20                 // before the first sleep
#define NAP_MOST 1000000         // [ns]

typedef struct world {
    MPI_Comm comm;
    MPI_Request* requests;  // owned
    int request_count, request_capacity;
    bool initialized;  // by us
    bool naps;         // ranks share cores, on some machine: the same on all ranks
} world;

static world* world_of(const firn_comm* comm)
{
    return comm->own;
}

// Notes the first failure.
static void check(firn_comm* comm, int code, const char* what)
{
    if (code == MPI_SUCCESS || comm->failed) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    comm->failed = true;
    snprintf(comm->why, sizeof comm->why, "%s: %.200s", what, text);
}

// Waits for requests that this rank has started.
static int finish(MPI_Request* requests, int count)
{
    long nap = 20000;  // [ns]; longer the longer it takes: rank 0 may be writing a frame
    for (int tests = 0;; tests++) {
        int done = 0;
        const int code = MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
        if (code != MPI_SUCCESS || done) return code;
        if (tests < TESTS) continue;
        nanosleep(&(struct timespec){.tv_nsec = nap}, NULL);
        if (tests % 64 == 0 && nap < NAP_MOST) nap *= 2;
    }
}

static void reduce(firn_comm* comm, void* values, int count, MPI_Datatype type, MPI_Op op)
{
    world* w = world_of(comm);
    MPI_Request request;
    int code;
    if (w->naps) {
        code = MPI_Iallreduce(MPI_IN_PLACE, values, count, type, op, w->comm, &request);
        if (code == MPI_SUCCESS) code = finish(&request, 1);
    } else {
        code = MPI_Allreduce(MPI_IN_PLACE, values, count, type, op, w->comm);
    }
    check(comm, code, "reduction");
}

static void max_all(firn_comm* comm, double* values, int count)
{
    reduce(comm, values, count, MPI_DOUBLE, MPI_MAX);
}

static void min_all(firn_comm* comm, int64_t* values, int count)
{
    reduce(comm, values, count, MPI_INT64_T, MPI_MIN);
}

static void add_all(firn_comm* comm, int64_t* values, int count)
{
    // unsigned: the sums of parts may wrap around
    reduce(comm, values, count, MPI_UINT64_T, MPI_SUM);
}

static void broadcast(firn_comm* comm, int from, void* data, size_t bytes)
{
    world* w = world_of(comm);
    for (size_t done = 0; done < bytes; done += PIECE) {
        const size_t n = bytes - done < PIECE ? bytes - done : PIECE;
        char* at = (char*)data + done;
        MPI_Request request;
        int code;
        if (w->naps) {
            code = MPI_Ibcast(at, (int)n, MPI_BYTE, from, w->comm, &request);
            if (code == MPI_SUCCESS) code = finish(&request, 1);
        } else {
            code = MPI_Bcast(at, (int)n, MPI_BYTE, from, w->comm);
        }
        check(comm, code, "broadcast");
    }
}

static void tell(firn_comm* comm, const int64_t* sent, int64_t* got, int each)
{
    world* w = world_of(comm);
    const MPI_Datatype type = MPI_INT64_T;
    MPI_Request request;
    int code;
    if (w->naps) {
        code = MPI_Ialltoall(sent, each, type, got, each, type, w->comm, &request);
        if (code == MPI_SUCCESS) code = finish(&request, 1);
    } else {
        code = MPI_Alltoall(sent, each, type, got, each, type, w->comm);
    }
    check(comm, code, "exchange of counts");
}

static bool make_room(world* w)
{
    const int capacity = 2 * w->request_capacity;
    MPI_Request* more = firn_alloc((size_t)capacity, sizeof *more);
    if (more == NULL) return false;
    memcpy(more, w->requests, (size_t)w->request_count * sizeof *more);
    firn_free(w->requests);
    w->requests = more;
    w->request_capacity = capacity;
    return true;
}

// Others wait for this rank's messages: the job ends here, and they with it.
static void lose(firn_comm* comm, const char* why)
{
    comm->failed = true;
    snprintf(comm->why, sizeof comm->why, "%s", why);
    MPI_Abort(world_of(comm)->comm, 1);
}

static void start(firn_comm* comm, const firn_message* m, bool sends)
{
    world* w = world_of(comm);
    for (size_t done = 0; done < m->bytes; done += PIECE) {
        const size_t n = m->bytes - done < PIECE ? m->bytes - done : PIECE;
        if (w->request_count == w->request_capacity && !make_room(w)) {
            lose(comm, "out of memory for messages");
            return;
        }
        char* data = (char*)m->data + done;
        MPI_Request* request = &w->requests[w->request_count++];
        *request = MPI_REQUEST_NULL;
        check(comm,
              sends ? MPI_Isend(data, (int)n, MPI_BYTE, m->rank, 0, w->comm, request)
                    : MPI_Irecv(data, (int)n, MPI_BYTE, m->rank, 0, w->comm, request),
              "exchange");
    }
}

static void exchange_begin(firn_comm* comm, const firn_message* out, int out_count,
                           const firn_message* in, int in_count)
{
    for (int k = 0; k < in_count; k++) start(comm, &in[k], false);
    for (int k = 0; k < out_count; k++) start(comm, &out[k], true);
}

static void exchange_end(firn_comm* comm)
{
    world* w = world_of(comm);
    check(comm,
          w->naps ? finish(w->requests, w->request_count)
                  : MPI_Waitall(w->request_count, w->requests, MPI_STATUSES_IGNORE),
          "exchange");
    w->request_count = 0;
}

// Rank after rank, so that each message has the length that it has.
static void gather(firn_comm* comm, const void* mine, size_t mine_bytes, void* all,
                   const size_t* bytes)
{
    world* w = world_of(comm);
    if (comm->rank != 0) {
        for (size_t done = 0; done < mine_bytes; done += PIECE) {
            const size_t n = mine_bytes - done < PIECE ? mine_bytes - done : PIECE;
            check(comm, MPI_Send((const char*)mine + done, (int)n, MPI_BYTE, 0, 1, w->comm),
                  "gathering");
        }
        return;
    }
    char* to = all;
    if (mine_bytes > 0) memcpy(to, mine, mine_bytes);
    to += bytes[0];
    for (int r = 1; r < comm->count; r++)
        for (size_t done = 0; done < bytes[r]; done += PIECE) {
            const size_t n = bytes[r] - done < PIECE ? bytes[r] - done : PIECE;
            check(comm, MPI_Recv(to, (int)n, MPI_BYTE, r, 1, w->comm, MPI_STATUS_IGNORE),
                  "gathering");
            to += n;
        }
}

static void close_world(firn_comm* comm)
{
    world* w = world_of(comm);
    firn_free(w->requests);
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized) {
        MPI_Comm_free(&w->comm);
        if (w->initialized) MPI_Finalize();
    }
    firn_free(w);
}

static const firn_comm_ops ops = {.close = close_world,
                                  .max = max_all,
                                  .min = min_all,
                                  .add = add_all,
                                  .broadcast = broadcast,
                                  .tell = tell,
                                  .exchange_begin = exchange_begin,
                                  .exchange_end = exchange_end,
                                  .gather = gather};

// Whether there are more ranks than cores on some machine, or Open MPI was told to yield.
static void find_naps(world* w)
{
    MPI_Comm machine;
    int here = 1;
    if (MPI_Comm_split_type(w->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine) ==
        MPI_SUCCESS) {
        MPI_Comm_size(machine, &here);
        MPI_Comm_free(&machine);
    }
    const char* yields = getenv("OMPI_MCA_mpi_yield_when_idle");
    int naps = here > sysconf(_SC_NPROCESSORS_ONLN) || (yields != NULL && atoi(yields) != 0);
    MPI_Allreduce(MPI_IN_PLACE, &naps, 1, MPI_INT, MPI_MAX, w->comm);
    w->naps = naps != 0;
}

// MPI as the program has it, or begun here.
static firn_result begin(world* w, firn_error* error)
{
    int initialized = 0, provided = MPI_THREAD_SINGLE;
    MPI_Initialized(&initialized);
    if (initialized) {
        MPI_Query_thread(&provided);
    } else {
        if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided) != MPI_SUCCESS)
            return firn_fail(error, FIRN_REFUSED_BACKEND, "MPI does not start");
        w->initialized = true;
    }
    if (provided < MPI_THREAD_SERIALIZED)
        return firn_fail(error, FIRN_REFUSED_BACKEND,
                         "MPI must be initialised with MPI_THREAD_SERIALIZED or more");
    if (MPI_Comm_dup(MPI_COMM_WORLD, &w->comm) != MPI_SUCCESS)
        return firn_fail(error, FIRN_REFUSED_BACKEND, "MPI makes no communicator");
    MPI_Comm_set_errhandler(w->comm, MPI_ERRORS_RETURN);
    find_naps(w);
    return FIRN_OK;
}

firn_result firn_comm_open_mpi(firn_comm** out_comm, firn_error* error)
{
    firn_comm* comm = firn_alloc(1, sizeof *comm);
    world* w = firn_alloc(1, sizeof *w);
    if (comm == NULL || w == NULL) {
        firn_free(comm);
        firn_free(w);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    }
    const firn_result r = begin(w, error);
    if (r != FIRN_OK) {
        firn_free(comm);
        firn_free(w);
        return r;
    }
    *comm = (firn_comm){.ops = &ops, .own = w};
    MPI_Comm_rank(w->comm, &comm->rank);
    MPI_Comm_size(w->comm, &comm->count);
    w->request_capacity = 2 * comm->count + 64;  // more only for messages above 1 GiB
    w->requests = firn_alloc((size_t)w->request_capacity, sizeof *w->requests);
    if (w->requests == NULL) {
        firn_comm_close(comm);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory");
    }
    *out_comm = comm;
    return FIRN_OK;
}
