// SPDX-License-Identifier: MIT
// `firn help COMMAND` from the command's table.
#include <string.h>

#include "cli/options.h"
#include "cli/terminal/table.h"
#include "cli/terminal/terminal.h"

static void print_heading(FILE* stream, const char* text)
{
    fprintf(stream, "\n%s%s%s\n", cli_style_on(stream, CLI_BOLD), text, cli_style_off(stream));
}

static void add_option(cli_table* table, const cli_option* option)
{
    char name[80];
    const char* gap = option->metavar ? " " : "";
    const char* metavar = option->metavar ? option->metavar : "";
    if (option->letter)
        snprintf(name, sizeof name, "  -%c, --%s%s%s", option->letter, option->name, gap, metavar);
    else
        snprintf(name, sizeof name, "      --%s%s%s", option->name, gap, metavar);
    cli_table_add(table, (const char*[]){name, option->help});
}

void cli_command_print_help(const cli_command* command, FILE* stream)
{
    fprintf(stream, "%sfirn %s%s: ", cli_style_on(stream, CLI_BOLD), command->name,
            cli_style_off(stream));
    cli_wrap(stream, (int)strlen(command->name) + 7, command->summary);
    print_heading(stream, "Usage");
    fprintf(stream, "  firn %s %s\n", command->name, command->arguments);
    if (command->text) {
        putc('\n', stream);
        cli_wrap(stream, 0, command->text);
    }
    static const cli_option help = {
        .name = "help", .letter = 'h', .kind = CLI_OPTION_FLAG, .help = "show this text"};
    print_heading(stream, "Options");
    cli_table table;
    cli_table_init(&table, (const cli_column[]){{"", false}, {"", false}}, 2);
    for (size_t i = 0; i < command->option_count; i++) add_option(&table, &command->options[i]);
    add_option(&table, &help);
    cli_table_print(&table, stream);
    cli_table_destroy(&table);
    if (command->examples) {
        print_heading(stream, "Examples");
        fputs(command->examples, stream);
    }
}
