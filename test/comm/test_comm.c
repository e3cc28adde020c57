// SPDX-License-Identifier: MIT
// A process alone: all that ranks can say to each other works without anybody to say it to. With
// several: test/mpi.
#include "comm/comm.h"

#include <stdlib.h>

#include "figure.h"

static void alone(void** state)
{
    (void)state;
    firn_comm* comm = NULL;
    assert_int_equal(firn_comm_rank(comm), 0);
    assert_int_equal(firn_comm_count(comm), 1);
    double most[2] = {3, -4};
    firn_comm_max(comm, most, 2);
    assert_true(most[0] == 3 && most[1] == -4);
    int64_t value[2] = {-5, 6};
    firn_comm_min(comm, value, 2);
    firn_comm_add(comm, value, 2);
    assert_true(value[0] == -5 && value[1] == 6);
    firn_exact_sum sum = {0};
    firn_exact_sum_add(&sum, 0.1);
    firn_exact_sum_add(&sum, 0.2);
    assert_true(firn_comm_sum(comm, &sum) == 0.1 + 0.2);
    const int64_t sent[2] = {7, 8};
    int64_t got[2];
    firn_comm_tell(comm, sent, got, 2);
    assert_true(got[0] == 7 && got[1] == 8);
    char text[6] = "";
    firn_comm_gather(comm, "snow", 5, text, (const size_t[]){5});
    assert_string_equal(text, "snow");
    firn_comm_broadcast(comm, 0, text, sizeof text);
    assert_true(firn_comm_same(comm, text, sizeof text));
    firn_comm_exchange_begin(comm, NULL, 0, NULL, 0);
    firn_comm_exchange_end(comm);
    assert_int_equal(firn_comm_agree(comm, 4), 4);
    assert_int_equal(firn_comm_check(comm, NULL), FIRN_OK);
    firn_comm_close(comm);
}

static void failures_keep_their_message(void** state)
{
    (void)state;
    firn_error error = {0};
    assert_int_equal(firn_comm_settle(NULL, FIRN_OK, &error), FIRN_OK);
    firn_fail(&error, FIRN_BROKEN_DIVERGED, "particle %d", 7);
    assert_int_equal(firn_comm_settle(NULL, FIRN_BROKEN_DIVERGED, &error), FIRN_BROKEN_DIVERGED);
    assert_string_equal(error.text, "particle 7");
}

// Builds without MPI say so; what the environment claims is read in both.
static void builds_without_mpi_refuse(void** state)
{
    (void)state;
    setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
    setenv("OMPI_COMM_WORLD_RANK", "2", 1);
    assert_int_equal(firn_comm_launched(), 3);
    assert_int_equal(firn_comm_launched_rank(), 2);
    unsetenv("OMPI_COMM_WORLD_SIZE");
    assert_int_equal(firn_comm_launched(), 1);
    assert_int_equal(firn_comm_launched_rank(), 0);
    unsetenv("OMPI_COMM_WORLD_RANK");
    firn_comm* comm = NULL;
    firn_error error = {0};
    assert_int_equal(firn_comm_open(NULL, &error), FIRN_REFUSED_ARGUMENT);
    if (*firn_comm_kind() != '\0') return;
    assert_int_equal(firn_comm_open(&comm, &error), FIRN_REFUSED_BACKEND);
    assert_null(comm);
    assert_non_null(strstr(error.text, "./firn mpi"));
}

int test_comm(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(alone),
                                       cmocka_unit_test(failures_keep_their_message),
                                       cmocka_unit_test(builds_without_mpi_refuse)};
    return cmocka_run_group_tests_name("comm", tests, NULL, NULL);
}
