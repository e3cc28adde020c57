// SPDX-License-Identifier: MIT
// firn web: serves the web page that tools/web builds, and opens it.
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/interrupt.h"
#include "cli/terminal/message.h"
#include "cli/web/server.h"
#include "firn/firn.h"

typedef struct web_options {
    int64_t port;
    bool no_open, log;
} web_options;

// clang-format off
static const cli_option options[] = {
    {"port", 'p', CLI_OPTION_INT, offsetof(web_options, port), "N", 0, 65535,
     "port of 127.0.0.1; 0: 8024, or any if that is taken (0)"},
    {"no-open", 0, CLI_OPTION_FLAG, offsetof(web_options, no_open), NULL, 0, 0,
     "only print the address; do not start a browser"},
    {"log", 0, CLI_OPTION_FLAG, offsetof(web_options, log), NULL, 0, 0,
     "print every answer: its status and its file"},
};
// clang-format on

// Starts the desktop's browser, if there is a desktop. The grandchild belongs to nobody, so that it
// outlives the server and leaves no zombie.
static void open_browser(char* url)
{
    if (getenv("DISPLAY") == NULL && getenv("WAYLAND_DISPLAY") == NULL) return;
    const pid_t child = fork();
    if (child == 0) {
        if (fork() == 0) {
            setsid();
            char program[] = "xdg-open";
            execvp(program, (char*[]){program, url, NULL});
        }
        _exit(0);
    }
    if (child > 0) waitpid(child, NULL, 0);
}

// The folder of the page: the argument, FIRN_PAGE (which the launcher ./firn sets), build/page.
static const char* find_folder(const cli_arguments* arguments)
{
    if (arguments->count > 0) return arguments->items[0];
    const char* page = getenv("FIRN_PAGE");
    return page != NULL && page[0] != '\0' ? page : "build/page";
}

static int run(const void* values, const cli_arguments* arguments)
{
    const web_options* o = values;
    const char* folder = find_folder(arguments);
    web_server* server;
    firn_error error = {0};
    int port;
    const firn_result r = web_server_open(folder, (int)o->port, &server, &port, &error);
    if (r != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code_of_input(r);
    }
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%d/", port);
    printf("%s   (Ctrl-C ends it)\n", url);
    fflush(stdout);
    if (!o->no_open) open_browser(url);
    cli_interrupt_ask(CLI_INTERRUPT_SECONDS);
    web_server_run(server, cli_interrupt_came, o->log);
    web_server_close(server);
    return CLI_EXIT_INTERRUPTED;
}

const cli_command cli_web = {
    .name = "web",
    .arguments = "[DIR] [options]",
    .summary = "show the web page: snow in a browser",
    .text =
        "DIR is a folder that `tools/web -o DIR` has built ($FIRN_PAGE, or build/page). Without "
        "DIR, the launcher ./firn of the repository builds it first, if it is missing or out "
        "of date. The page is served to this machine alone, on 127.0.0.1, with the headers "
        "that let it use threads, until Ctrl-C. docs/browser.md describes the page.",
    .examples = "  firn web\n  firn web /srv/page --port 9000 --no-open\n",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .most = 1,
    .values_size = sizeof(web_options),
    .run = run,
};
