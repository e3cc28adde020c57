// SPDX-License-Identifier: MIT
// Writes JSON to a stream: commas, escapes and non-finite numbers are taken care of.
// Does: one value per call, nested to JSON_DEPTH. Does not: pretty-print; every object of firn is
// one line, so that `--json` output can be read line by line.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 8 };

typedef struct cli_json {
    FILE* stream;             // borrowed
    int depth;                // open objects and arrays
    bool filled[JSON_DEPTH];  // the level has a value already: the next needs a comma
} cli_json;

cli_json cli_json_begin(FILE* stream);
void cli_json_end(cli_json* json);  // newline and flush; every level must be closed

// `key` is null inside arrays and at the top.
void cli_json_open_object(cli_json* json, const char* key);
void cli_json_close_object(cli_json* json);
void cli_json_open_array(cli_json* json, const char* key);
void cli_json_close_array(cli_json* json);
void cli_json_text(cli_json* json, const char* key, const char* value);  // null text: null
void cli_json_int(cli_json* json, const char* key, int64_t value);
void cli_json_real(cli_json* json, const char* key, double value);  // not finite: null
void cli_json_bool(cli_json* json, const char* key, bool value);
void cli_json_null(cli_json* json, const char* key);
// 64-bit hashes as text of 16 hexadecimal digits: JSON numbers are exact to 53 bits only.
void cli_json_hash(cli_json* json, const char* key, uint64_t value);
