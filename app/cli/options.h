// SPDX-License-Identifier: MIT
// Command-line parsing from tables: each command lists its options once; parsing, checking and help
// follow from that list.
//     firn COMMAND [options and arguments in any order]
//     `--name value`, `--name=value`, `-o value`, `-ovalue`; all words after `--` are arguments.
// Does: report every usage error with a suggestion on stderr. Does not: exit.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef enum cli_option_kind {
    CLI_OPTION_FLAG,    // bool
    CLI_OPTION_TEXT,    // const char*: borrowed from argv
    CLI_OPTION_INT,     // int64_t in [low, high]
    CLI_OPTION_REAL,    // double in [low, high]
    CLI_OPTION_BYTES,   // uint64_t: "8G", "512M", "1.5GiB", "1000000"
    CLI_OPTION_FRAMES,  // cli_frames: "96" or "12:96"
    CLI_OPTION_LIST     // cli_list: may be given several times
} cli_option_kind;

typedef struct cli_frames {
    bool given;
    bool colon;     // "12:96", "12:" or ":96", not a single number
    int64_t begin;  // -1: not given ("96", ":96")
    int64_t end;    // -1: not given ("12:")
} cli_frames;

typedef struct cli_list {
    const char** items;  // owned; the texts are borrowed from argv
    size_t count;
} cli_list;

typedef struct cli_option {
    const char* name;  // "threads" for --threads
    char letter;       // 'o' for -o; 0: none
    cli_option_kind kind;
    size_t offset;        // of the value in the command's struct
    const char* metavar;  // "N"; null for flags
    double low, high;     // of numbers, inclusive
    const char* help;     // one sentence without its full stop
} cli_option;

// The arguments that are not options.
typedef struct cli_arguments {
    const char** items;  // owned; the texts are borrowed from argv
    int count;
    int argc;     // of the command
    char** argv;  // borrowed; argv[0] is its name
    bool help;    // -h or --help was among the options: nothing else is filled in
} cli_arguments;

typedef struct cli_command cli_command;
struct cli_command {
    const char* name;       // "run"
    const char* arguments;  // "SCENE [options]", after the name in the usage line
    const char* summary;    // one line for `firn help`
    const char* text;       // paragraphs for `firn help run`
    const char* examples;   // lines for `firn help run`
    const cli_option* options;
    size_t option_count;
    int fewest, most;      // arguments; most < 0: any number
    const void* defaults;  // of the options' struct; null: zeros
    size_t values_size;    // [bytes] of the options' struct
    // Runs the command with its options' struct; returns the exit code.
    int (*run)(const void* values, const cli_arguments* arguments);
};

// Parses argv[1…] and runs the command, or prints its help for --help. Reports usage errors on
// stderr. Returns the exit code.
int cli_command_run(const cli_command* command, int argc, char** argv);

void cli_command_print_help(const cli_command* command, FILE* stream);

// Prints "firn: error: …" and a hint at the command's help on stderr. Returns CLI_EXIT_USAGE.
int cli_usage_error(const char* command, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
