// SPDX-License-Identifier: MIT
// firn scenes: the scenes that ship with firn.
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/table.h"
#include "firn/firn.h"

typedef struct scenes_options {
    bool json;
} scenes_options;

// clang-format off
static const cli_option options[] = {
    {"json", 0, CLI_OPTION_FLAG, offsetof(scenes_options, json), NULL, 0, 0,
     "print one JSON object per scene on stdout"},
};
// clang-format on

// One line of firn_scene_list: "name\ttitle\tpath", cut in place.
typedef struct listed_scene {
    char* name;
    char* title;
    char* path;
} listed_scene;

static listed_scene split_line(char* line)
{
    listed_scene s = {.name = line, .title = line + strlen(line), .path = line + strlen(line)};
    char* tab = strchr(line, '\t');
    if (!tab) return s;
    *tab = '\0';
    s.title = tab + 1;
    tab = strchr(s.title, '\t');
    if (!tab) return s;
    *tab = '\0';
    s.path = tab + 1;
    return s;
}

static void print_json(const listed_scene* listed, const firn_scene* scene)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "name", listed->name);
    cli_json_text(&json, "title", listed->title);
    cli_json_text(&json, "path", listed->path);
    cli_json_open_array(&json, "variants");
    const char* variant;
    for (int i = 0; scene && (variant = firn_scene_variant(scene, i)) != NULL; i++)
        cli_json_text(&json, NULL, variant);
    cli_json_close_array(&json);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static void add_row(cli_table* table, const listed_scene* listed, const firn_scene* scene)
{
    char variants[256] = "";
    const char* variant;
    for (int i = 0; scene && (variant = firn_scene_variant(scene, i)) != NULL; i++) {
        const size_t used = strlen(variants);
        snprintf(variants + used, sizeof variants - used, "%s%s", used ? ", " : "", variant);
    }
    cli_table_add(table, (const char*[]){listed->name, *variants ? variants : "-", listed->title});
}

static int list_scenes(const scenes_options* o)
{
    char* text = NULL;
    firn_error error = {0};
    firn_result result = firn_scene_list(&text, &error);
    if (result != FIRN_OK) {
        cli_error("%s", error.text);
        return cli_exit_code_of_input(result);
    }
    cli_table table;
    cli_table_init(
        &table,
        (const cli_column[]){{"scene", false}, {"variants", false}, {"what happens", false}}, 3);
    char* rest = NULL;
    for (char* line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const listed_scene listed = split_line(line);
        firn_scene* scene = NULL;
        const bool loaded =
            firn_scene_create(&scene) == FIRN_OK &&
            firn_scene_load(scene, *listed.path ? listed.path : listed.name, NULL) == FIRN_OK;
        if (!loaded)
            cli_warning("scene '%s' does not load: firn check %s", listed.name, listed.name);
        if (o->json)
            print_json(&listed, loaded ? scene : NULL);
        else
            add_row(&table, &listed, loaded ? scene : NULL);
        firn_scene_destroy(scene);
    }
    if (!o->json) cli_table_print(&table, stdout);
    cli_table_destroy(&table);
    firn_text_free(text);
    return CLI_EXIT_OK;
}

static int run(const void* values, const cli_arguments* arguments)
{
    (void)arguments;
    return list_scenes(values);
}

const cli_command cli_scenes = {
    .name = "scenes",
    .arguments = "[options]",
    .summary = "list the scenes that ship with firn, and their variants",
    .text =
        "Scenes are searched for in the folders of FIRN_SCENE_PATH (separated by colons), beside "
        "the program, and in the source tree.",
    .values_size = sizeof(scenes_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
