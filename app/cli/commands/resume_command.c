// SPDX-License-Identifier: MIT
// Prints how to continue an interrupted command.
#define _GNU_SOURCE  // program_invocation_name
#include "cli/commands/resume_command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

// Prints one word, quoted for a shell.
static void print_word(const char* word)
{
    static const char special[] = " \t\n\"'\\$`*?[]{}()<>|&;#!~";
    if (*word && !strpbrk(word, special)) {
        fputs(word, stderr);
        return;
    }
    putc('\'', stderr);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stderr);
        else
            putc(*word, stderr);
    }
    putc('\'', stderr);
}

void cli_resume_command_print(const char* command, int argc, char** argv)
{
    fprintf(stderr, "  %s %s", program_invocation_name, command);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--overwrite") == 0 || strcmp(argv[i], "--resume") == 0) continue;
        putc(' ', stderr);
        print_word(argv[i]);
    }
    fputs(" --resume\n", stderr);
}
