// SPDX-License-Identifier: MIT
// The frames of an option `--frames`: a range with a step, or a list.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cli_frame_list {
    int64_t begin, end, step;  // 0, -1 (the last), 1; used when there is no list
    int64_t* frames;           // owned; ascending, none twice; null: no list
    size_t count;
} cli_frame_list;

// "12", "4:9", "4:", ":9", "4:9:2", "::2"; with commas a list: "1,5,20:30:5", whose ranges have
// both ends. Returns null on success, else what was expected (static), as in option_values.h. In
// any case free it with cli_frame_list_free.
const char* cli_frame_list_parse(const char* text, cli_frame_list* out);
// The value of `command`'s option --frames; null: all frames. Prints what is wrong and returns an
// exit code other than CLI_EXIT_OK when it cannot be read. Free it in any case.
int cli_frame_list_option(const char* command, const char* text, cli_frame_list* out);
bool cli_frame_list_has(const cli_frame_list* list, int64_t frame);
void cli_frame_list_free(cli_frame_list* list);
