// SPDX-License-Identifier: MIT
// posix_spawn with stderr in a pipe. Data goes to the program through a socket, because writing to
// a socket can be done without raising SIGPIPE.
#define _GNU_SOURCE  // pipe2, environ, prlimit
#include "output/film/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

// Reads once from the pipe and keeps the last bytes. False: end of the pipe.
static bool drain_once(int pipe, char* message, size_t size)
{
    char chunk[512];
    size_t have = strlen(message);
    const ssize_t n = read(pipe, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) return true;
    if (n <= 0) return false;
    for (ssize_t k = 0; k < n; k++) {
        if (have == size - 1) {
            memmove(message, message + 1, have - 1);
            have--;
        }
        const unsigned char c = (unsigned char)chunk[k];
        message[have++] = c < 0x20 || c == 0x7f ? ' ' : (char)c;
    }
    message[have] = '\0';
    return true;
}

// Reads to the end of the pipe.
static void drain(int pipe, char* message, size_t size)
{
    while (drain_once(pipe, message, size)) continue;
    size_t have = strlen(message);
    while (have > 0 && message[have - 1] == ' ') have--;
    message[have] = '\0';
}

static int wait_for(pid_t child)
{
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -1;  // the host ignores SIGCHLD: the status is lost
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : -1;
}

// `firn run --memory` lowers the soft limit on memory for itself; another program has its own
// needs.
static void restore_memory_limit(pid_t child)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
    limit.rlim_cur = limit.rlim_max;
    prlimit(child, RLIMIT_DATA, &limit, NULL);
}

// The child starts with default signals, whatever the host has blocked or ignored. `input` < 0: an
// empty input.
static int start(const char* const* arguments, int input, int stderr_pipe, pid_t* out_child)
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
    // the pipe first: its descriptor may be 0 or 1 where the host has closed those
    reason = posix_spawn_file_actions_adddup2(&files, stderr_pipe, 2);
    if (reason == 0)
        reason = input < 0 ? posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0)
                           : posix_spawn_file_actions_adddup2(&files, input, 0);
    if (reason == 0) reason = posix_spawn_file_actions_addopen(&files, 1, "/dev/null", O_WRONLY, 0);
    // posix_spawnp takes char* const* for historical reasons and does not change the strings
    if (reason == 0)
        reason = posix_spawnp(out_child, arguments[0], &files, &attributes,
                              (char* const*)(uintptr_t)arguments, environ);
    if (reason == 0) restore_memory_limit(*out_child);
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
    outcome.missing = start(arguments, -1, ends[1], &child);
    close(ends[1]);
    if (outcome.missing == 0) {
        drain(ends[0], outcome.message, sizeof outcome.message);
        outcome.status = wait_for(child);
    }
    close(ends[0]);
    return outcome;
}

int firn_spawn_begin(const char* const* arguments, firn_spawn* out_spawn)
{
    int feed[2], ends[2];
    pid_t child = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, feed) != 0) return errno;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        const int reason = errno;
        close(feed[0]);
        close(feed[1]);
        return reason;
    }
    const int reason = start(arguments, feed[1], ends[1], &child);
    close(feed[1]);
    close(ends[1]);
    if (reason != 0) {
        close(feed[0]);
        close(ends[0]);
        return reason;
    }
    *out_spawn = (firn_spawn){.child = child, .input = feed[0], .errors = ends[0]};
    return 0;
}

// Reads stderr meanwhile: a program that blocks on a full stderr would never read its input.
bool firn_spawn_feed(firn_spawn* spawn, const void* data, size_t bytes)
{
    const char* at = data;
    bool errors_open = true;
    while (bytes > 0) {
        struct pollfd ends[2] = {{.fd = spawn->input, .events = POLLOUT},
                                 {.fd = errors_open ? spawn->errors : -1, .events = POLLIN}};
        if (poll(ends, 2, -1) < 0 && errno != EINTR) return false;
        if (ends[1].revents != 0)
            errors_open = drain_once(spawn->errors, spawn->message, sizeof spawn->message);
        if ((ends[0].revents & (POLLOUT | POLLERR | POLLHUP)) == 0) continue;
        const ssize_t n = send(spawn->input, at, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n < 0 && (errno == EINTR || errno == EAGAIN || errno == EWOULDBLOCK)) continue;
        if (n <= 0) return false;
        at += n;
        bytes -= (size_t)n;
    }
    return true;
}

firn_spawn_outcome firn_spawn_end(firn_spawn* spawn, bool kill_it)
{
    firn_spawn_outcome outcome = {.status = -1};
    close(spawn->input);
    spawn->input = -1;
    if (kill_it) kill(spawn->child, SIGKILL);
    drain(spawn->errors, spawn->message, sizeof spawn->message);
    memcpy(outcome.message, spawn->message, sizeof outcome.message);
    outcome.status = wait_for(spawn->child);
    close(spawn->errors);
    return outcome;
}
