// SPDX-License-Identifier: MIT
// OpenMP threads spin for milliseconds at a barrier before they sleep. A step has hundreds of
// barriers, and on a busy machine spinning threads keep the threads that they wait for from
// running: measured on two busy cores, a run took eight times as long. A spin of a thousand
// iterations, some microseconds, is enough where the cores are free. The OpenMP library reads its
// environment before main, hence the restart.
#include "cli/wait_policy.h"

#include <stdlib.h>
#include <unistd.h>

#include "cli/interrupt.h"

void cli_wait_policy_set(char** argv)
{
    if (getenv("OMP_WAIT_POLICY") || getenv("GOMP_SPINCOUNT")) return;
    if (setenv("GOMP_SPINCOUNT", "1000", 1) != 0) return;
    cli_interrupt_hold();  // a signal must not arrive before the new program has its handler
    execv("/proc/self/exe", argv);
    cli_interrupt_catch();
}
