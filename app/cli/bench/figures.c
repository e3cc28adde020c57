// SPDX-License-Identifier: MIT
// Figures of a bench row as table cells and as JSON.
#include <stdio.h>
#include <string.h>

#include "cli/bench/bench.h"
#include "cli/terminal/format.h"

static bool is_text(const cli_figure* f)
{
    return f->type == CLI_FIGURE_CHARS || f->type == CLI_FIGURE_STRING;
}

static const char* text_of(const cli_figure* f, const void* row)
{
    const char* field = (const char*)row + f->offset;
    return f->type == CLI_FIGURE_CHARS ? field : *(const char* const*)(const void*)field;
}

static double value_of(const cli_figure* f, const void* row)
{
    const void* field = (const char*)row + f->offset;
    switch (f->type) {
    case CLI_FIGURE_INT: return *(const int*)field;
    case CLI_FIGURE_INT64: return (double)*(const int64_t*)field;
    default: return *(const double*)field;
    }
}

static bool is_empty(const cli_figure* f, const void* row)
{
    if (f->empty == CLI_EMPTY_SHOWN) return false;
    return is_text(f) ? text_of(f, row) == NULL : value_of(f, row) == 0;
}

cli_json cli_figures_json(const cli_figures* figures, const char* name, const void* row)
{
    const firn_version_info version = firn_version();
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "name", name);
    cli_json_text(&json, "version", version.text);
    cli_json_text(&json, "real", version.real);
    for (int k = 0; k < figures->count; k++) {
        const cli_figure* f = &figures->list[k];
        if (f->key == NULL || (f->empty == CLI_EMPTY_OMITTED && is_empty(f, row))) continue;
        if (is_text(f))
            cli_json_text(&json, f->key, text_of(f, row));
        else if (f->type == CLI_FIGURE_REAL)
            cli_json_real(&json, f->key, value_of(f, row));
        else
            cli_json_int(&json, f->key, (int64_t)value_of(f, row));
    }
    return json;
}

void cli_figures_json_end(cli_json* json)
{
    cli_json_close_object(json);
    cli_json_end(json);
}

cli_table cli_figures_table(const cli_figures* figures)
{
    cli_column columns[CLI_TABLE_COLUMNS];
    int count = 0;
    for (int k = 0; k < figures->count; k++) {
        const cli_figure* f = &figures->list[k];
        if (f->title != NULL && count < CLI_TABLE_COLUMNS)
            columns[count++] = (cli_column){f->title, !is_text(f)};
    }
    cli_table table;
    cli_table_init(&table, columns, count);
    return table;
}

static cli_text32 format_cell(const cli_figure* f, double value)
{
    if (strcmp(f->format, "count") == 0) return cli_format_count((int64_t)value);
    if (strcmp(f->format, "rate") == 0) return cli_format_rate(value);
    if (strcmp(f->format, "bytes") == 0) return cli_format_bytes(value);
    cli_text32 cell;
    snprintf(cell.text, sizeof cell.text, f->format, value);
    return cell;
}

void cli_figures_add(cli_table* table, const cli_figures* figures, const void* row)
{
    cli_text32 texts[CLI_TABLE_COLUMNS];
    const char* cells[CLI_TABLE_COLUMNS];
    int count = 0;
    for (int k = 0; k < figures->count && count < CLI_TABLE_COLUMNS; k++) {
        const cli_figure* f = &figures->list[k];
        if (f->title == NULL) continue;
        if (is_empty(f, row)) {
            cells[count++] = "-";
        } else if (is_text(f)) {
            cells[count++] = text_of(f, row);
        } else {
            texts[count] = format_cell(f, value_of(f, row) * (f->scale != 0 ? f->scale : 1));
            cells[count] = texts[count].text;
            count++;
        }
    }
    cli_table_add(table, cells);
}

void cli_figures_table_end(cli_table* table)
{
    cli_table_print(table, stdout);
    cli_table_destroy(table);
}
