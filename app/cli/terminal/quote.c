// SPDX-License-Identifier: MIT
// Words for a shell.
#include "cli/terminal/quote.h"

#include <stdbool.h>
#include <string.h>

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

// $'…' of bash, zsh and ksh: the only quotes with names for control characters.
static void print_escaped(FILE* stream, const char* word)
{
    fputs("$'", stream);
    for (; *word; word++) {
        if (is_control(*word))
            fprintf(stream, "\\x%02x", (unsigned)(unsigned char)*word);
        else if (*word == '\'' || *word == '\\')
            fprintf(stream, "\\%c", *word);
        else
            putc(*word, stream);
    }
    putc('\'', stream);
}

void cli_quote_print(FILE* stream, const char* word)
{
    static const char special[] = " \"'\\$`*?[]{}()<>|&;#!~^";
    for (const char* c = word; *c; c++)
        if (is_control(*c)) {
            print_escaped(stream, word);
            return;
        }
    if (*word && !strpbrk(word, special)) {
        fputs(word, stream);
        return;
    }
    putc('\'', stream);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", stream);
        else
            putc(*word, stream);
    }
    putc('\'', stream);
}

void cli_hint_print(const char* program, const char* command, const char* path)
{
    fputs("  ", stderr);
    cli_quote_print(stderr, program);
    if (command) fprintf(stderr, " %s", command);
    fputs(*path == '-' ? " ./" : " ", stderr);  // else it would be taken for an option
    cli_quote_print(stderr, path);
    putc('\n', stderr);
}
