// SPDX-License-Identifier: MIT
// Messages for people, and exit codes.
#include "cli/terminal/message.h"

#include <stdarg.h>
#include <string.h>

#include "cli/exit_codes.h"
#include "cli/terminal/terminal.h"

static void print_message(cli_style style, const char* kind, const char* format, va_list list)
{
    fprintf(stderr, "firn: %s%s:%s ", cli_style_on(stderr, style), kind, cli_style_off(stderr));
    vfprintf(stderr, format, list);
    putc('\n', stderr);
}

void cli_error(const char* format, ...)
{
    va_list list;
    va_start(list, format);
    print_message(CLI_RED, "error", format, list);
    va_end(list);
}

void cli_error_list(const char* format, va_list list)
{
    print_message(CLI_RED, "error", format, list);
}

void cli_warning(const char* format, ...)
{
    va_list list;
    va_start(list, format);
    print_message(CLI_YELLOW, "warning", format, list);
    va_end(list);
}

// Prints one line of diagnostics: location bold, "error:" red, caret green.
static void print_line(FILE* stream, const char* line, size_t length)
{
    static const struct {
        const char* mark;
        cli_style style;
    } kinds[] = {{": error: ", CLI_RED}, {": warning: ", CLI_YELLOW}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const char* mark = strstr(line, kinds[k].mark);
        if (!mark || mark >= line + length) continue;  // none, or in a later line
        const char* off = cli_style_off(stream);
        const char* rest = mark + strlen(kinds[k].mark);
        fprintf(stream, "%s%.*s:%s %s%.*s%s %.*s\n", cli_style_on(stream, CLI_BOLD),
                (int)(mark - line), line, off, cli_style_on(stream, kinds[k].style),
                (int)(strlen(kinds[k].mark) - 3), mark + 2, off, (int)(line + length - rest), rest);
        return;
    }
    const bool is_caret =
        length > 0 && strspn(line, " \t|^~") >= length && memchr(line, '^', length);
    fprintf(stream, "%s%.*s%s\n", is_caret ? cli_style_on(stream, CLI_GREEN) : "", (int)length,
            line, is_caret ? cli_style_off(stream) : "");
}

void cli_diagnostics_print(FILE* stream, const char* text)
{
    while (*text) {
        const size_t length = strcspn(text, "\n");
        print_line(stream, text, length);
        text += length;
        if (*text) text++;
    }
}

int cli_exit_code(firn_result result)
{
    switch (result) {
    case FIRN_OK: return CLI_EXIT_OK;
    case FIRN_REFUSED_ARGUMENT:
    case FIRN_REFUSED_NAME: return CLI_EXIT_USAGE;
    case FIRN_REFUSED_SCENE:
    case FIRN_REFUSED_DAMAGED: return CLI_EXIT_INPUT;
    case FIRN_REFUSED_BACKEND: return CLI_EXIT_BACKEND;
    case FIRN_REFUSED_IO: return CLI_EXIT_IO;
    case FIRN_INTERRUPTED: return CLI_EXIT_INTERRUPTED;
    case FIRN_BROKEN_MEMORY: return CLI_EXIT_MEMORY;
    case FIRN_BROKEN_DIVERGED: return CLI_EXIT_DIVERGED;
    case FIRN_BROKEN_DEVICE: return CLI_EXIT_BACKEND;
    case FIRN_BROKEN_INTERNAL: return CLI_EXIT_BUG;
    }
    return CLI_EXIT_BUG;
}

int cli_exit_code_of_input(firn_result result)
{
    const bool is_input =
        result == FIRN_REFUSED_ARGUMENT || result == FIRN_REFUSED_NAME || result == FIRN_REFUSED_IO;
    return is_input ? CLI_EXIT_INPUT : cli_exit_code(result);
}

int cli_exit_code_of_run(firn_result result)
{
    return result == FIRN_REFUSED_NAME ? CLI_EXIT_INPUT : cli_exit_code(result);
}

const char* cli_result_name(firn_result result)
{
    switch (result) {
    case FIRN_OK: return "ok";
    case FIRN_REFUSED_ARGUMENT: return "refused-argument";
    case FIRN_REFUSED_SCENE: return "refused-scene";
    case FIRN_REFUSED_NAME: return "refused-name";
    case FIRN_REFUSED_BACKEND: return "refused-backend";
    case FIRN_REFUSED_IO: return "refused-io";
    case FIRN_REFUSED_DAMAGED: return "refused-damaged";
    case FIRN_INTERRUPTED: return "interrupted";
    case FIRN_BROKEN_MEMORY: return "out-of-memory";
    case FIRN_BROKEN_DIVERGED: return "diverged";
    case FIRN_BROKEN_DEVICE: return "device-lost";
    case FIRN_BROKEN_INTERNAL: return "internal-error";
    }
    return "unknown";
}
