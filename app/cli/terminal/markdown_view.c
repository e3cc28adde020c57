// SPDX-License-Identifier: MIT
// Prints Markdown on a terminal. Tables become aligned columns; unknown syntax is printed verbatim.
#include "cli/terminal/markdown_view.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/table.h"
#include "cli/terminal/terminal.h"

enum { CELL_MAX = 1024 };

typedef struct view {
    FILE* stream;
    cli_table table;  // the current table
    bool in_table, in_code;
    char titles[CLI_TABLE_COLUMNS][CELL_MAX];
} view;

// Copies text without `, ** and backslashes before punctuation.
static void copy_plain(char* out, size_t size, const char* text, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; i < length && n + 1 < size; i++) {
        if (text[i] == '`') continue;
        if (text[i] == '*' && i + 1 < length && text[i + 1] == '*') {
            i++;
            continue;
        }
        if (text[i] == '\\' && i + 1 < length && strchr("|*_`<>[]\\", text[i + 1])) i++;
        out[n++] = text[i];
    }
    while (n > 0 && out[n - 1] == ' ') n--;
    out[n] = '\0';
}

// Splits "| a | b |" into cells; returns their number.
static int split_row(const char* line, size_t length, char cells[][CELL_MAX])
{
    int count = 0;
    const char* end = line + length;
    const char* at = line + 1;  // after the first bar
    while (at < end && count < CLI_TABLE_COLUMNS) {
        const char* stop = at;
        while (stop < end && !(*stop == '|' && stop[-1] != '\\')) stop++;
        if (stop == end) break;  // after the last bar
        while (at < stop && *at == ' ') at++;
        copy_plain(cells[count++], CELL_MAX, at, (size_t)(stop - at));
        at = stop + 1;
    }
    return count;
}

static void end_table(view* v)
{
    if (!v->in_table) return;
    cli_table_print(&v->table, v->stream);
    cli_table_destroy(&v->table);
    v->in_table = false;
}

static void add_table_line(view* v, const char* line, size_t length)
{
    if (strspn(line, "|-: ") >= length) return;  // the rule below the titles
    if (!v->in_table) {
        cli_column columns[CLI_TABLE_COLUMNS] = {0};
        const int count = split_row(line, length, v->titles);
        for (int c = 0; c < count; c++) columns[c].title = v->titles[c];
        cli_table_init(&v->table, columns, count);
        v->in_table = true;
        return;
    }
    char(*cells)[CELL_MAX] = calloc(CLI_TABLE_COLUMNS, sizeof *cells);
    if (!cells) return;
    const char* row[CLI_TABLE_COLUMNS] = {0};
    const int count = split_row(line, length, cells);
    for (int c = 0; c < count; c++) row[c] = cells[c];
    cli_table_add(&v->table, row);
    free(cells);
}

static void print_heading(view* v, const char* line, size_t length)
{
    char text[CELL_MAX];
    const size_t marks = strspn(line, "#");
    const size_t skip = marks + (line[marks] == ' ');
    copy_plain(text, sizeof text, line + skip, length - skip);
    fprintf(v->stream, "%s%s%s\n", cli_style_on(v->stream, CLI_BOLD), text,
            cli_style_off(v->stream));
}

static void print_paragraph(view* v, const char* line, size_t length)
{
    char text[4 * CELL_MAX];
    const size_t mark = length > 2 && (line[0] == '-' || line[0] == '*') && line[1] == ' ' ? 2 : 0;
    copy_plain(text, sizeof text, line + mark, length - mark);
    if (mark) fputs("- ", v->stream);
    cli_wrap(v->stream, (int)mark, text);
}

static void print_line(view* v, const char* line, size_t length)
{
    if (length >= 3 && strncmp(line, "```", 3) == 0) {
        end_table(v);
        v->in_code = !v->in_code;
    } else if (v->in_code) {
        fprintf(v->stream, "    %.*s\n", (int)length, line);
    } else if (length > 0 && line[0] == '|') {
        add_table_line(v, line, length);
    } else {
        end_table(v);
        if (length >= 4 && strncmp(line, "<!--", 4) == 0) return;
        if (length > 0 && line[0] == '#')
            print_heading(v, line, length);
        else
            print_paragraph(v, line, length);
    }
}

void cli_markdown_print(FILE* stream, const char* markdown)
{
    view* v = calloc(1, sizeof *v);
    if (!v) {
        fputs(markdown, stream);
        return;
    }
    v->stream = stream;
    while (*markdown) {
        const size_t length = strcspn(markdown, "\n");
        print_line(v, markdown, length);
        markdown += length;
        if (*markdown) markdown++;
    }
    end_table(v);
    free(v);
}
