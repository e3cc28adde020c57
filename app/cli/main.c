// SPDX-License-Identifier: MIT
// firn, the command line: finds the command and runs it. Data goes to stdout, messages to stderr.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/memory_guard.h"
#include "cli/ranks.h"
#include "cli/terminal/message.h"
#include "firn/firn.h"

enum { COMMANDS_MAX = 32 };  // including the null at the end

const cli_command* const cli_commands[COMMANDS_MAX] = {
    &cli_run,     &cli_view,  &cli_render,  &cli_check,  &cli_info, &cli_measure,
    &cli_trim,    &cli_diff,  &cli_verify,  &cli_export, &cli_web,  &cli_scenes,
    &cli_presets, &cli_bench, &cli_version, &cli_help,   NULL};

const cli_command* cli_command_find(const char* name)
{
    for (const cli_command* const* c = cli_commands; *c; c++)
        if (strcmp((*c)->name, name) == 0) return *c;
    return NULL;
}

int cli_command_unknown(const char* name, const char* topic)
{
    const char* names[COMMANDS_MAX];
    size_t count = 0;
    for (; cli_commands[count]; count++) names[count] = cli_commands[count]->name;
    if (topic) names[count++] = topic;  // replaces the final null
    const char* near = firn_suggest(name, names, count);
    if (near) {
        return cli_usage_error(NULL, "unknown command '%s' (did you mean '%s'?)", name, near);
    }
    return cli_usage_error(NULL, "unknown command '%s'", name);
}

static int run_command(int argc, char** argv)
{
    if (argc < 2) return cli_command_run(&cli_help, 1, argv);
    const char* name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) name = cli_version.name;
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = cli_help.name;
    const cli_command* command = cli_command_find(name);
    return command ? cli_command_run(command, argc - 1, argv + 1) : cli_command_unknown(name, NULL);
}

// True if stdout is a pipe whose reader has closed it: failing writes are then no error.
static bool reader_has_closed(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

int main(int argc, char** argv)
{
    cli_interrupt_catch();
    if (argc > 1 && strcmp(argv[1], cli_run.name) == 0) cli_ranks_begin();
    cli_memory_guard();
    // A closed pipe (`firn scenes | head -1`) must not kill a run.
    signal(SIGPIPE, SIG_IGN);
    // Over the limit on file sizes (ulimit -f) a write fails, as on a full disk.
    signal(SIGXFSZ, SIG_IGN);
    int code = run_command(argc, argv);
    errno = 0;
    const bool lost = fflush(stdout) != 0 || ferror(stdout);
    if (lost && !reader_has_closed()) {
        cli_error("writing to standard output failed: %s", strerror(errno ? errno : EIO));
        if (code == CLI_EXIT_OK) code = CLI_EXIT_IO;
    }
    cli_memory_guard_end();
    return code;
}
