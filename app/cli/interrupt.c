// SPDX-License-Identifier: MIT
// Signals. The handler uses two lock-free atomics and firn_sim_cancel, which is signal-safe.
#include "cli/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "cli/exit_codes.h"

// A signal handler can only use globals.
static _Atomic(firn_sim*) watched;
static atomic_int signals;  // number of signals received
static atomic_int first;    // number of the first signal

static void handle(int signal_number)
{
    const int before = atomic_fetch_add(&signals, 1);
    if (before == 0) atomic_store(&first, signal_number);
    if (before > 0 && signal_number == SIGINT) _exit(CLI_EXIT_INTERRUPTED);
    firn_sim* sim = atomic_load(&watched);
    if (sim) firn_sim_cancel(sim);
}

void cli_interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // Sent when the terminal closes. Under nohup it is ignored, and stays ignored.
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }
}

void cli_interrupt_watch(firn_sim* sim)
{
    atomic_store(&watched, sim);
    if (sim && cli_interrupt_came()) firn_sim_cancel(sim);
}

bool cli_interrupt_came(void)
{
    return atomic_load(&signals) > 0;
}

const char* cli_interrupt_name(void)
{
    switch (atomic_load(&first)) {
    case SIGINT: return "SIGINT";
    case SIGTERM: return "SIGTERM";
    case SIGHUP: return "SIGHUP";
    default: return "";
    }
}
