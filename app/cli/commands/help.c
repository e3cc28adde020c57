// SPDX-License-Identifier: MIT
// firn help: the commands, one command, or the scene format.
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/terminal/markdown_view.h"
#include "cli/terminal/message.h"
#include "cli/terminal/table.h"
#include "cli/terminal/terminal.h"
#include "firn/firn.h"

typedef struct help_options {
    bool markdown, schema;
} help_options;

// clang-format off
static const cli_option options[] = {
    {"markdown", 0, CLI_OPTION_FLAG, offsetof(help_options, markdown), NULL, 0, 0,
     "with `scene`: print the scene reference as Markdown"},
    {"schema", 0, CLI_OPTION_FLAG, offsetof(help_options, schema), NULL, 0, 0,
     "with `scene`: print a JSON schema for editors that complete and check YAML"},
};
// clang-format on

static void print_heading(const char* text)
{
    printf("\n%s%s%s\n", cli_style_on(stdout, CLI_BOLD), text, cli_style_off(stdout));
}

static int print_overview(void)
{
    printf("%sfirn%s simulates snow. It reads a scene and writes frames, pictures and a film.\n",
           cli_style_on(stdout, CLI_BOLD), cli_style_off(stdout));
    print_heading("Getting started");
    puts("  firn run snowball-drop    simulate a scene that ships with firn\n"
         "  firn scenes               list all of them\n"
         "  firn help scene           reference of the scene format");
    print_heading("Commands");
    cli_table table;
    cli_table_init(&table, (const cli_column[]){{"", false}, {"", false}}, 2);
    for (const cli_command* const* c = cli_commands; *c; c++) {
        char name[64];
        snprintf(name, sizeof name, "  %s", (*c)->name);
        cli_table_add(&table, (const char*[]){name, (*c)->summary});
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
    puts("\n'firn help COMMAND' describes a command and its options.");
    print_heading("Exit codes");
    puts("  0 success   1 a bug in firn   2 wrong command line   3 wrong scene or input file\n"
         "  4 I/O error   5 diverged   6 out of memory   7 not available in this build or on this "
         "machine\n"
         "  130 interrupted, state saved");
    return CLI_EXIT_OK;
}

static int print_scene_reference(const help_options* o)
{
    if (o->markdown && o->schema) {
        return cli_usage_error("help", "--markdown and --schema cannot be used together");
    }
    char* text = o->schema ? firn_reference_schema() : firn_reference_markdown();
    if (!text) {
        cli_error("out of memory");
        return CLI_EXIT_MEMORY;
    }
    if (o->markdown || o->schema) {
        const size_t length = strlen(text);
        fputs(text, stdout);
        if (length == 0 || text[length - 1] != '\n') putchar('\n');
    } else {
        cli_markdown_print(stdout, text);
    }
    firn_text_free(text);
    return CLI_EXIT_OK;
}

static int print_topic(const char* topic, const help_options* o)
{
    if (topic && strcmp(topic, "scene") == 0) return print_scene_reference(o);
    if (o->markdown || o->schema) {
        return cli_usage_error("help", "--markdown and --schema require 'firn help scene'");
    }
    if (!topic) return print_overview();
    const cli_command* command = cli_command_find(topic);
    if (!command) return cli_command_unknown(topic, "scene");
    cli_command_print_help(command, stdout);
    return CLI_EXIT_OK;
}

static int run(const void* values, const cli_arguments* arguments)
{
    return print_topic(arguments->count > 0 ? arguments->items[0] : NULL, values);
}

const cli_command cli_help = {
    .name = "help",
    .arguments = "[COMMAND | scene [--markdown | --schema]]",
    .summary = "show this list, help on a command, or with `scene` the scene format",
    .examples = "  firn help run\n"
                "  firn help scene | less\n"
                "  firn help scene --schema > scene.schema.json\n",
    .values_size = sizeof(help_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .most = 1,
    .run = run,
};
