// SPDX-License-Identifier: MIT
// Prints aligned tables: columns are as wide as their widest cell, the last one is wrapped at the
// width of the terminal.
#pragma once
#include <stdbool.h>
#include <stdio.h>

enum { CLI_TABLE_COLUMNS = 12 };

typedef struct cli_column {
    const char* title;  // borrowed; "" for none
    bool right;         // right-aligned, for numbers
} cli_column;

typedef struct cli_table {
    cli_column columns[CLI_TABLE_COLUMNS];
    int column_count;
    char** cells;  // owned, row by row
    int row_count, row_capacity;
    bool broken;  // out of memory: the table is incomplete
} cli_table;

void cli_table_init(cli_table* table, const cli_column* columns, int column_count);
void cli_table_destroy(cli_table* table);
// `cells`: [column_count], copied. Null cells are empty.
void cli_table_add(cli_table* table, const char* const* cells);
void cli_table_print(const cli_table* table, FILE* stream);

// Prints text wrapped at the terminal's width, then a newline. Lines after the first begin at
// column `indent`, where the cursor must be at the call.
void cli_wrap(FILE* stream, int indent, const char* text);
