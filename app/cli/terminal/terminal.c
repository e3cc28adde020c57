// SPDX-License-Identifier: MIT
// Colour and width of the terminal. NO_COLOR as in https://no-color.org: any non-empty value
// counts.
#include "cli/terminal/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { PIPE_WIDTH = 100, NARROWEST = 20 };

bool cli_terminal_is(FILE* stream)
{
    const char* term = getenv("TERM");
    return isatty(fileno(stream)) && term && *term && strcmp(term, "dumb") != 0;
}

bool cli_terminal_colours(FILE* stream)
{
    const char* no_colour = getenv("NO_COLOR");
    return cli_terminal_is(stream) && !(no_colour && *no_colour);
}

int cli_terminal_width(FILE* stream)
{
    struct winsize size;
    if (!cli_terminal_is(stream) || ioctl(fileno(stream), TIOCGWINSZ, &size) != 0)
        return PIPE_WIDTH;
    if (size.ws_col == 0) return PIPE_WIDTH;  // unknown width
    return size.ws_col < NARROWEST ? NARROWEST : size.ws_col;
}

const char* cli_style_on(FILE* stream, cli_style style)
{
    static const char* const sequences[] = {
        [CLI_BOLD] = "\033[1m",      [CLI_DIM] = "\033[2m",    [CLI_RED] = "\033[1;31m",
        [CLI_YELLOW] = "\033[1;33m", [CLI_GREEN] = "\033[32m", [CLI_CYAN] = "\033[36m",
    };
    return cli_terminal_colours(stream) ? sequences[style] : "";
}

const char* cli_style_off(FILE* stream)
{
    return cli_terminal_colours(stream) ? "\033[0m" : "";
}

int cli_text_columns(const char* text)
{
    int columns = 0;
    for (const unsigned char* c = (const unsigned char*)text; *c; c++)
        if ((*c & 0xC0) != 0x80) columns++;  // not a continuation byte
    return columns;
}
