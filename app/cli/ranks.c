// SPDX-License-Identifier: MIT
#define _GNU_SOURCE  // sched_getaffinity
#include "cli/ranks.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/exit_codes.h"
#include "cli/terminal/message.h"

// Of ranks that keep silent: where errors went before; -1: this one does not.
static int loud = -1;

// Processes that compute together: several, in a build that can. Others run by themselves, as any
// program that mpirun starts.
static bool are_ranks(void)
{
    return firn_comm_launched() > 1 && *firn_comm_kind() != '\0';
}

void cli_ranks_begin(void)
{
    if (!are_ranks() || firn_comm_launched_rank() == 0) return;
    loud = dup(STDERR_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
    const int left_to_rank_0[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    for (size_t k = 0; k < sizeof left_to_rank_0 / sizeof *left_to_rank_0; k++)
        signal(left_to_rank_0[k], SIG_IGN);
}

int cli_ranks_join(firn_comm** out_comm)
{
    *out_comm = NULL;
    if (!are_ranks()) {
        if (firn_comm_launched() > 1 && firn_comm_launched_rank() == 0)
            cli_warning("this build has no MPI: each of the %d processes runs the scene by itself; "
                        "see `./firn mpi`",
                        firn_comm_launched());
        return CLI_EXIT_OK;
    }
    firn_error error = {0};
    const firn_result r = firn_comm_open(out_comm, &error);
    if (r == FIRN_OK) return CLI_EXIT_OK;
    cli_error("%s", error.text);
    return cli_exit_code(r);
}

int cli_ranks_threads(int threads)
{
    const char* local = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    const int ranks = local != NULL && are_ranks() ? atoi(local) : 1;
    cpu_set_t cores;
    if (threads > 0 || ranks < 2 || sched_getaffinity(0, sizeof cores, &cores) != 0) return threads;
    // bound by the launcher to some of them: these are this rank's own
    const int mine = CPU_COUNT(&cores), all = (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (mine < all) return mine;
    return mine > ranks ? mine / ranks : 1;
}

int cli_ranks_agree(firn_comm* comm, int code)
{
    const int all = firn_comm_agree(comm, code);
    const int first = firn_comm_agree(comm, firn_comm_rank(comm) == 0 ? code : 0);
    if (code == CLI_EXIT_OK || first != CLI_EXIT_OK || loud < 0) return all;
    dup2(loud, STDERR_FILENO);
    const char* why = firn_last_error();
    cli_error("rank %d cannot begin, though rank 0 can: %s", firn_comm_rank(comm),
              *why != '\0' ? why : "see the scene's files on its machine");
    return all;
}
