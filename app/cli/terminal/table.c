// SPDX-License-Identifier: MIT
// Aligned tables and wrapped text.
#include "cli/terminal/table.h"

#include <stdlib.h>
#include <string.h>

#include "cli/terminal/terminal.h"

enum { GAP = 2, NARROWEST_LAST = 30, STACKED_INDENT = 6 };  // [columns]

void cli_table_init(cli_table* table, const cli_column* columns, int column_count)
{
    *table = (cli_table){.column_count = column_count};
    if (table->column_count > CLI_TABLE_COLUMNS) table->column_count = CLI_TABLE_COLUMNS;
    for (int c = 0; c < table->column_count; c++) table->columns[c] = columns[c];
}

void cli_table_destroy(cli_table* table)
{
    for (int i = 0; i < table->row_count * table->column_count; i++) free(table->cells[i]);
    free(table->cells);
    *table = (cli_table){0};
}

void cli_table_add(cli_table* table, const char* const* cells)
{
    const int columns = table->column_count;
    if (table->row_count == table->row_capacity) {
        const int capacity = table->row_capacity ? 2 * table->row_capacity : 16;
        char** grown = realloc(table->cells, sizeof(char*) * (size_t)(capacity * columns));
        if (!grown) {
            table->broken = true;
            return;
        }
        table->cells = grown;
        table->row_capacity = capacity;
    }
    char** row = table->cells + table->row_count * columns;
    for (int c = 0; c < columns; c++) {
        row[c] = strdup(cells[c] ? cells[c] : "");
        table->broken = table->broken || !row[c];
    }
    table->row_count++;
}

static const char* cell(const cli_table* table, int row, int column)
{
    const char* text = table->cells[row * table->column_count + column];
    return text ? text : "";
}

static int column_width(const cli_table* table, int column)
{
    int width = cli_text_columns(table->columns[column].title);
    for (int r = 0; r < table->row_count; r++) {
        const int w = cli_text_columns(cell(table, r, column));
        if (w > width) width = w;
    }
    return width;
}

static void put_spaces(FILE* stream, int count)
{
    if (count > 0) fprintf(stream, "%*s", count, "");
}

// Prints the first `count` cells of a line without newline. Returns the column after them; the
// caller prints the pending spaces up to there, so that no line ends with spaces.
static int print_cells(const cli_table* table, FILE* stream, const int* widths, int row, int count,
                       int* out_pending)
{
    const bool is_title = row < 0;
    int at = 0, pending = 0;  // column where the cell begins; spaces still to be printed before it
    if (is_title) fputs(cli_style_on(stream, CLI_BOLD), stream);
    for (int c = 0; c < count; c++) {
        const char* text = is_title ? table->columns[c].title : cell(table, row, c);
        const int pad = widths[c] - cli_text_columns(text);
        const bool right = table->columns[c].right;
        if (right) pending += pad;
        if (*text) {
            put_spaces(stream, pending);
            pending = 0;
        }
        fputs(text, stream);
        pending += (right ? 0 : pad) + GAP;
        at += widths[c] + GAP;
    }
    if (is_title) fputs(cli_style_off(stream), stream);
    *out_pending = pending;
    return at;
}

// Prints a row. A last column of text goes beside the others if it fits, else below them.
static void print_row(const cli_table* table, FILE* stream, const int* widths, int row,
                      bool stacked)
{
    const int last = table->column_count - 1;
    const char* text = row < 0 ? table->columns[last].title : cell(table, row, last);
    int pending;
    if (table->columns[last].right) {
        print_cells(table, stream, widths, row, table->column_count, &pending);
        putc('\n', stream);
        return;
    }
    const int at = print_cells(table, stream, widths, row, last, &pending);
    if (!stacked) {
        if (*text) put_spaces(stream, pending);
        if (row < 0) fputs(cli_style_on(stream, CLI_BOLD), stream);
        cli_wrap(stream, at, text);
        if (row < 0) fputs(cli_style_off(stream), stream);
        return;
    }
    putc('\n', stream);
    if (row < 0 || !*text) return;
    put_spaces(stream, STACKED_INDENT);
    cli_wrap(stream, STACKED_INDENT, text);
}

void cli_table_print(const cli_table* table, FILE* stream)
{
    int widths[CLI_TABLE_COLUMNS] = {0};
    int before_last = 0;
    bool titled = false;
    for (int c = 0; c < table->column_count; c++) {
        widths[c] = column_width(table, c);
        titled = titled || *table->columns[c].title;
        if (c < table->column_count - 1) before_last += widths[c] + GAP;
    }
    const int room = cli_terminal_width(stream) - before_last;
    const int last_width = table->column_count > 0 ? widths[table->column_count - 1] : 0;
    const bool stacked = room < NARROWEST_LAST && last_width > room;
    if (titled) print_row(table, stream, widths, -1, stacked);
    for (int r = 0; r < table->row_count; r++) print_row(table, stream, widths, r, stacked);
    if (table->broken) fputs("(out of memory: the table is incomplete)\n", stream);
}

void cli_wrap(FILE* stream, int indent, const char* text)
{
    const int room = cli_terminal_width(stream) - indent;
    const int width = room < NARROWEST_LAST ? NARROWEST_LAST : room;
    int at = 0;
    while (*text) {
        const size_t length = strcspn(text, " \n");
        char word[512];
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        const int columns = cli_text_columns(word);
        if (at > 0 && at + 1 + columns > width) {
            putc('\n', stream);
            put_spaces(stream, indent);
            at = 0;
        }
        if (at > 0) putc(' ', stream), at++;
        fwrite(text, 1, length, stream);
        at += columns;
        text += length;
        if (*text == '\n') {
            putc('\n', stream);
            if (text[1]) put_spaces(stream, indent);
            at = 0;
            if (!text[1]) return;
        }
        if (*text) text++;
    }
    putc('\n', stream);
}
