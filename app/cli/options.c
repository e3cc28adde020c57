// SPDX-License-Identifier: MIT
// Command lines from tables of options.
#include "cli/options.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/exit_codes.h"
#include "cli/option_values.h"
#include "cli/terminal/message.h"
#include "firn/firn.h"

enum { OPTIONS_MAX = 32 };

int cli_usage_error(const char* command, const char* format, ...)
{
    va_list list;
    va_start(list, format);
    cli_error_list(format, list);
    va_end(list);
    if (command)
        fprintf(stderr, "See 'firn help %s'.\n", command);
    else
        fputs("'firn help' lists all commands.\n", stderr);
    return CLI_EXIT_USAGE;
}

static int refuse_unknown(const cli_command* command, const char* name)
{
    const char* names[OPTIONS_MAX] = {"help"};
    size_t count = 1;
    for (size_t i = 0; i < command->option_count && count < OPTIONS_MAX; i++) {
        names[count++] = command->options[i].name;
    }
    const char* near = firn_suggest(name, names, count);
    if (near) {
        return cli_usage_error(command->name, "unknown option '--%s' (did you mean '--%s'?)", name,
                               near);
    }
    return cli_usage_error(command->name, "unknown option '--%s'", name);
}

static const cli_option* find_by_name(const cli_command* command, const char* name)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (strcmp(command->options[i].name, name) == 0) return &command->options[i];
    return NULL;
}

static const cli_option* find_by_letter(const cli_command* command, char letter)
{
    for (size_t i = 0; i < command->option_count; i++)
        if (command->options[i].letter == letter) return &command->options[i];
    return NULL;
}

// Stores `text` as the option's value. Returns null, or what was expected.
static const char* store(const cli_option* option, const char* text, char* values,
                         double* out_number)
{
    void* at = values + option->offset;
    const char* expected = NULL;
    switch (option->kind) {
    case CLI_OPTION_FLAG: *(bool*)at = true; break;
    case CLI_OPTION_TEXT: *(const char**)at = text; break;
    case CLI_OPTION_BYTES: return cli_value_bytes(text, at);
    case CLI_OPTION_FRAMES: return cli_value_frames(text, at);
    case CLI_OPTION_INT:
        expected = cli_value_int(text, at);
        if (!expected) *out_number = (double)*(int64_t*)at;
        break;
    case CLI_OPTION_REAL:
        expected = cli_value_real(text, at);
        if (!expected) *out_number = *(double*)at;
        break;
    case CLI_OPTION_LIST: {
        cli_list* list = at;
        list->items[list->count++] = text;
        break;
    }
    }
    return expected;
}

static int set_option(const cli_command* command, const cli_option* option, const char* text,
                      void* values)
{
    double number = option->low;
    if (option->kind != CLI_OPTION_FLAG && !text) {
        return cli_usage_error(command->name, "option '--%s' needs a value: --%s %s", option->name,
                               option->name, option->metavar);
    }
    const char* expected = store(option, text, values, &number);
    if (expected) {
        return cli_usage_error(command->name, "option '--%s': '%s' is not %s", option->name, text,
                               expected);
    }
    if (number < option->low || number > option->high) {
        return cli_usage_error(command->name, "option '--%s': %s is not between %g and %g",
                               option->name, text, option->low, option->high);
    }
    return CLI_EXIT_OK;
}

// Parses one word that begins with '-'. `next`: the word after it, or null. *used_next is set if
// that word was the option's value.
static int parse_option(const cli_command* command, const char* word, const char* next,
                        void* values, cli_arguments* arguments, bool* used_next)
{
    const cli_option* option;
    const char* text = NULL;
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        arguments->help = true;
        return CLI_EXIT_OK;
    }
    if (word[1] == '-') {
        char name[64];
        const size_t length = strcspn(word + 2, "=");
        snprintf(name, sizeof name, "%.*s", (int)length, word + 2);
        option = find_by_name(command, name);
        if (!option) return refuse_unknown(command, name);
        if (word[2 + length] == '=') text = word + 2 + length + 1;
        if (text && option->kind == CLI_OPTION_FLAG) {
            return cli_usage_error(command->name, "option '--%s' takes no value", name);
        }
    } else {
        option = find_by_letter(command, word[1]);
        if (!option) return cli_usage_error(command->name, "unknown option '-%c'", word[1]);
        if (word[2] && option->kind == CLI_OPTION_FLAG) {
            return cli_usage_error(command->name, "option '-%c' takes no value", word[1]);
        }
        if (word[2]) text = word + 2;
    }
    if (!text && option->kind != CLI_OPTION_FLAG) {
        text = next;
        *used_next = next != NULL;
    }
    return set_option(command, option, text, values);
}

// Allocates lists that can hold every word, so that they need not grow while parsing.
static bool allocate(const cli_command* command, int argc, char* values, cli_arguments* arguments)
{
    const size_t room = (size_t)argc + 1;
    arguments->items = calloc(room, sizeof *arguments->items);
    bool allocated = arguments->items != NULL;
    for (size_t i = 0; i < command->option_count; i++) {
        if (command->options[i].kind != CLI_OPTION_LIST) continue;
        cli_list* list = (cli_list*)(values + command->options[i].offset);
        *list = (cli_list){.items = calloc(room, sizeof *list->items)};
        allocated = allocated && list->items;
    }
    return allocated;
}

static int check_count(const cli_command* command, const cli_arguments* arguments)
{
    if (arguments->count < command->fewest) {
        return cli_usage_error(command->name, "missing argument: firn %s %s", command->name,
                               command->arguments);
    }
    if (command->most >= 0 && arguments->count > command->most) {
        return cli_usage_error(command->name, "unexpected argument '%s': firn %s %s",
                               arguments->items[command->most], command->name, command->arguments);
    }
    return CLI_EXIT_OK;
}

// Reads argv[1…] into `values`, which has the defaults. Returns CLI_EXIT_OK, CLI_EXIT_USAGE
// (reported on stderr) or CLI_EXIT_MEMORY. In any case the caller frees the lists.
static int parse(const cli_command* command, int argc, char** argv, void* values,
                 cli_arguments* out_arguments)
{
    *out_arguments = (cli_arguments){.argc = argc, .argv = argv};
    if (!allocate(command, argc, values, out_arguments)) {
        cli_error("out of memory");
        return CLI_EXIT_MEMORY;
    }
    bool options_end = false;
    for (int i = 1; i < argc; i++) {
        const char* word = argv[i];
        if (options_end || word[0] != '-' || word[1] == '\0') {
            out_arguments->items[out_arguments->count++] = word;
        } else if (strcmp(word, "--") == 0) {
            options_end = true;
        } else {
            bool used_next = false;
            const int code = parse_option(command, word, i + 1 < argc ? argv[i + 1] : NULL, values,
                                          out_arguments, &used_next);
            if (code != CLI_EXIT_OK || out_arguments->help) return code;
            if (used_next) i++;
        }
    }
    return check_count(command, out_arguments);
}

static void free_lists(const cli_command* command, void* values, cli_arguments* arguments)
{
    for (size_t i = 0; i < command->option_count; i++) {
        if (command->options[i].kind != CLI_OPTION_LIST) continue;
        cli_list* list = (cli_list*)((char*)values + command->options[i].offset);
        free(list->items);
        *list = (cli_list){0};
    }
    free(arguments->items);
}

int cli_command_run(const cli_command* command, int argc, char** argv)
{
    void* values = calloc(1, command->values_size);
    if (!values) {
        cli_error("out of memory");
        return CLI_EXIT_MEMORY;
    }
    if (command->defaults) memcpy(values, command->defaults, command->values_size);
    cli_arguments arguments;
    int code = parse(command, argc, argv, values, &arguments);
    if (code == CLI_EXIT_OK && arguments.help)
        cli_command_print_help(command, stdout);
    else if (code == CLI_EXIT_OK)
        code = command->run(values, &arguments);
    free_lists(command, values, &arguments);
    free(values);
    return code;
}
