// SPDX-License-Identifier: MIT
// OpenMP's threads spin for milliseconds at a barrier before they sleep. A step has hundreds of
// barriers, and on a machine that does other work too, threads that spin keep those from running
// that they wait for: measured on two busy cores, a run took eight times as long. A thousand turns,
// some microseconds, are enough where the cores are free. The OpenMP library reads its environment
// before main begins, hence the second start.
#include "cli/wait_policy.h"

#include <stdlib.h>
#include <unistd.h>

void cli_wait_policy_set(char** argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) return;
    if (setenv("GOMP_SPINCOUNT", "1000", 1) == 0) execv("/proc/self/exe", argv);
}
