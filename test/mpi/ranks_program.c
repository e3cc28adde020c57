// SPDX-License-Identifier: MIT
// What ranks say to each other, on any number of them: test/mpi/comm.sh runs it with mpirun. Prints
// the bits of an exact sum, which must be the same for all numbers of ranks. Exits with 1 at the
// first mistake.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comm/comm.h"
#include "core/memory.h"
#include "math/random.h"

#define CHECK(condition)                                                                    \
    do {                                                                                    \
        if (!(condition)) {                                                                 \
            fprintf(stderr, "rank %d of %d: line %d: %s\n", me, all, __LINE__, #condition); \
            exit(1);                                                                        \
        }                                                                                   \
    } while (0)

static firn_comm* comm;
static int me, all;

static void check_reductions(void)
{
    double most[2] = {me, -me};
    firn_comm_max(comm, most, 2);
    CHECK(most[0] == all - 1 && most[1] == 0);
    int64_t value[2] = {me, -me};
    firn_comm_min(comm, value, 2);
    CHECK(value[0] == 0 && value[1] == 1 - all);
    int64_t sum = INT64_MAX - me;  // wraps around, whatever the order
    uint64_t expected = 0;
    for (int r = 0; r < all; r++) expected += (uint64_t)(INT64_MAX - r);
    firn_comm_add(comm, &sum, 1);
    CHECK((uint64_t)sum == expected);
}

// The same 10 000 numbers of all sizes for any number of ranks.
static void check_exact_sum(void)
{
    firn_exact_sum sum = {0};
    for (int k = 0; k < 10000; k++) {
        const double value = ldexp(firn_random_unit(1, (uint64_t)k) - 0.5, k % 200 - 100);
        if (k % all == me) firn_exact_sum_add(&sum, value);
    }
    const double total = firn_comm_sum(comm, &sum);
    CHECK(firn_comm_same(comm, &total, sizeof total));
    const double different = total * (me + 1);
    CHECK(all == 1 || !firn_comm_same(comm, &different, sizeof different));
    if (me == 0) printf("%a\n", total);
}

static void check_broadcast_and_gather(void)
{
    char text[32] = "";
    if (me == all - 1) snprintf(text, sizeof text, "from %d", me);
    firn_comm_broadcast(comm, all - 1, text, sizeof text);
    char expected[32];
    snprintf(expected, sizeof expected, "from %d", all - 1);
    CHECK(strcmp(text, expected) == 0);
    // rank r gives r bytes of value r
    unsigned char mine[64];
    memset(mine, me, sizeof mine);
    size_t bytes[64], total = 0;
    for (int r = 0; r < all; r++) total += bytes[r] = (size_t)r;
    unsigned char got[64 * 64];
    firn_comm_gather(comm, mine, (size_t)me, me == 0 ? got : NULL, me == 0 ? bytes : NULL);
    const unsigned char* at = got;
    for (int r = 0; me == 0 && r < all; r++)
        for (int k = 0; k < r; k++) CHECK(*at++ == r);
}

// Rank r sends 1000 (r + 1) (q + 1) bytes to rank q, where both numbers are not even.
static size_t bytes_to(int from, int to)
{
    return from == to || (from % 2 == 0 && to % 2 == 0) ? 0
                                                        : (size_t)(1000 * (from + 1) * (to + 1));
}

static void check_exchange(void)
{
    int64_t sent[64], got[64];
    firn_message out[64], in[64];
    int outs = 0, ins = 0;
    for (int q = 0; q < all; q++) sent[q] = (int64_t)bytes_to(me, q);
    firn_comm_tell(comm, sent, got, 1);
    for (int q = 0; q < all; q++) {
        CHECK(got[q] == (int64_t)bytes_to(q, me));
        if (sent[q] > 0) {
            out[outs] = (firn_message){q, malloc((size_t)sent[q]), (size_t)sent[q]};
            memset(out[outs++].data, me + q, (size_t)sent[q]);
        }
        if (got[q] > 0) in[ins++] = (firn_message){q, malloc((size_t)got[q]), (size_t)got[q]};
    }
    firn_comm_exchange_begin(comm, out, outs, in, ins);
    firn_comm_exchange_end(comm);
    for (int k = 0; k < ins; k++) {
        for (size_t n = 0; n < in[k].bytes; n++)
            CHECK(((unsigned char*)in[k].data)[n] == me + in[k].rank);
        free(in[k].data);
    }
    for (int k = 0; k < outs; k++) free(out[k].data);
}

static void check_failures(void)
{
    firn_error error = {0};
    CHECK(firn_comm_settle(comm, FIRN_OK, &error) == FIRN_OK);
    for (int from = 0; from < all; from++) {
        const bool fails = me >= from;  // the lowest of those that fail is heard
        char expected[64];
        snprintf(expected, sizeof expected, "rank %d is tired", from);
        if (fails) firn_fail(&error, FIRN_BROKEN_MEMORY, "rank %d is tired", me);
        const firn_result r = fails ? FIRN_BROKEN_MEMORY : FIRN_OK;
        CHECK(firn_comm_settle(comm, r, &error) == FIRN_BROKEN_MEMORY);
        CHECK(strcmp(error.text, expected) == 0);
    }
    CHECK(firn_comm_agree(comm, me == all - 1 ? 9 : 0) == 9);
}

// Rank 0 gives orders; half of the others obey, the rest leave, which drops what is still ordered.
static void check_orders(void)
{
    if (me == 0) {
        for (int k = 0; k < 3; k++) {
            firn_command command = {.what = FIRN_COMMAND_SOLVER + k};
            snprintf(command.data, sizeof command.data, "order %d", k);
            firn_comm_order(comm, &command);
        }
    } else if (me % 2 == 0) {
        firn_command command;
        char expected[32];
        for (int k = 0; firn_comm_obey(comm, &command); k++) {
            snprintf(expected, sizeof expected, "order %d", k);
            CHECK(command.what == FIRN_COMMAND_SOLVER + k && strcmp(command.data, expected) == 0);
        }
        CHECK(!firn_comm_obey(comm, &command));
    }
    firn_comm_close(comm);
}

int main(void)
{
    firn_error error = {0};
    if (firn_comm_open(&comm, &error) != FIRN_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    me = firn_comm_rank(comm);
    all = firn_comm_count(comm);
    CHECK(all == firn_comm_launched() && me == firn_comm_launched_rank());
    check_reductions();
    check_exact_sum();
    check_broadcast_and_gather();
    check_exchange();
    check_failures();
    CHECK(firn_comm_check(comm, &error) == FIRN_OK);
    check_orders();
    return 0;
}
