// SPDX-License-Identifier: MIT
// posix_spawn with stderr in a pipe. We only ever read from the pipe: there is no SIGPIPE to fear.
#define _GNU_SOURCE  // pipe2, environ
#include "output/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Keeps the last bytes of what comes through the pipe, to its end.
static void drain(int pipe, char* message, size_t size)
{
    char piece[512];
    size_t have = 0;
    for (;;) {
        const ssize_t n = read(pipe, piece, sizeof piece);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        for (ssize_t k = 0; k < n; k++) {
            if (have == size - 1) {
                memmove(message, message + 1, have - 1);
                have--;
            }
            const unsigned char c = (unsigned char)piece[k];
            message[have++] = c < 0x20 || c == 0x7f ? ' ' : (char)c;
        }
    }
    while (have > 0 && message[have - 1] == ' ') have--;
    message[have] = '\0';
}

static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;  // the host ignores SIGCHLD: nobody will ever know
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : -1;
}

// The child starts with default signals, whatever the host has blocked or ignored.
static int start(const char* const* arguments, int stderr_pipe, pid_t* out_child)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    sigemptyset(&none);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGXFSZ);
    int reason = posix_spawn_file_actions_init(&files);
    if (reason != 0) return reason;
    reason = posix_spawnattr_init(&attributes);
    if (reason != 0) {
        posix_spawn_file_actions_destroy(&files);
        return reason;
    }
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    // the pipe first: it may have the number 0 or 1 where the host has closed those
    reason = posix_spawn_file_actions_adddup2(&files, stderr_pipe, 2);
    if (reason == 0) reason = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    if (reason == 0) reason = posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    // POSIX wants char* const*, and promises not to change the strings
    if (reason == 0)
        reason = posix_spawnp(out_child, arguments[0], &files, &attributes,
                              (char* const*)(uintptr_t)arguments, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return reason;
}

firn_spawn_outcome firn_spawn_run(const char* const* arguments)
{
    firn_spawn_outcome outcome = {.status = -1};
    int ends[2];
    pid_t child = 0;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        outcome.missing = errno;
        return outcome;
    }
    outcome.missing = start(arguments, ends[1], &child);
    close(ends[1]);
    if (outcome.missing == 0) {
        drain(ends[0], outcome.message, sizeof outcome.message);
        outcome.status = wait_for(child);
    }
    close(ends[0]);
    return outcome;
}
