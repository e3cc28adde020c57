// SPDX-License-Identifier: MIT
// Prints how to continue an interrupted command.
#define _GNU_SOURCE  // program_invocation_name
#include "cli/commands/resume_command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/terminal/quote.h"

void cli_resume_command_print(const char* command, int argc, char** argv)
{
    fputs("  ", stderr);
    cli_quote_print(stderr, program_invocation_name);
    fprintf(stderr, " %s", command);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--overwrite") == 0 || strcmp(argv[i], "--resume") == 0) continue;
        putc(' ', stderr);
        cli_quote_print(stderr, argv[i]);
    }
    fputs(" --resume\n", stderr);
}
