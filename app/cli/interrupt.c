// SPDX-License-Identifier: MIT
// Signals. The handler uses lock-free atomics, firn_sim_cancel, which is signal-safe, and functions
// that POSIX lists as safe.
#include "cli/interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/exit_codes.h"

// A signal handler can only use globals.
static _Atomic(firn_sim*) watched;
static atomic_int signals;      // number of signals received
static atomic_int first;        // number of the first signal
static atomic_bool polled;      // the command polls cli_interrupt_came
static atomic_int patience_ms;  // [ms] time that it has to stop; 0: no limit
static timer_t deadline;        // raises SIGALRM
static bool has_deadline;

static void exit_at_once(void)
{
    char line[64];
    const char* end =
        stpcpy(stpcpy(stpcpy(line, "firn: interrupted by "), cli_interrupt_name()), "\n");
    if (write(STDERR_FILENO, line, (size_t)(end - line)) < 0) {}  // the exit code still tells
    _exit(CLI_EXIT_INTERRUPTED);
}

static void handle(int signal_number)
{
    if (signal_number == SIGALRM) exit_at_once();
    const int before = atomic_fetch_add(&signals, 1);
    if (before == 0) atomic_store(&first, signal_number);
    if (!atomic_load(&polled) || (before > 0 && signal_number == SIGINT)) exit_at_once();
    firn_sim* sim = atomic_load(&watched);
    const int limit = atomic_load(&patience_ms);
    if (sim)
        firn_sim_cancel(sim);
    else if (before == 0 && limit > 0 && has_deadline)
        timer_settime(deadline, 0,
                      &(struct itimerspec){.it_value = {limit / 1000, limit % 1000 * 1000000L}},
                      NULL);
}

void cli_interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    if (firn_comm_launched() > 1 && *firn_comm_kind() != '\0') sigaction(SIGUSR1, &action, NULL);
    // Sent when the terminal closes. Under nohup it is ignored, and stays ignored.
    struct sigaction hangup;
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }
    // A program that starts firn may have blocked them.
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void cli_interrupt_ask(double seconds)
{
    if (seconds > 0 && !has_deadline)
        has_deadline = timer_create(CLOCK_MONOTONIC, NULL, &deadline) == 0;
    atomic_store(&patience_ms, (int)(seconds * 1e3));
    atomic_store(&polled, true);
}

void cli_interrupt_watch(firn_sim* sim)
{
    cli_interrupt_ask(sim ? 0 : CLI_INTERRUPT_SECONDS);
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
    case SIGUSR1: return "SIGUSR1";
    default: return "";
    }
}
