// SPDX-License-Identifier: MIT
// Loads a scene with the options of the command line.
#include "cli/commands/scene_options.h"

#include <string.h>

#include "cli/exit_codes.h"
#include "cli/terminal/message.h"

enum { SOLVERS_MAX = 16 };

static int check_solver(const char* command, const char* name)
{
    const char* names[SOLVERS_MAX];
    size_t count = 0;
    for (int i = 0; i < firn_solver_list_count() && count < SOLVERS_MAX; i++) {
        firn_solver_info info;
        if (firn_solver_at(i, &info) != FIRN_OK) continue;
        if (strcmp(info.name, name) == 0) return CLI_EXIT_OK;
        names[count++] = info.name;
    }
    const char* near = firn_suggest(name, names, count);
    if (near) {
        return cli_usage_error(command, "unknown solver '%s' (did you mean '%s'?)", name, near);
    }
    char all[256] = "";
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(all);
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", names[i]);
    }
    return cli_usage_error(command, "unknown solver '%s' (available: %s)", name, all);
}

static int check_set(const char* command, const cli_list* set)
{
    for (size_t i = 0; i < set->count; i++) {
        const char* equals = strchr(set->items[i], '=');
        if (equals && equals > set->items[i]) continue;
        return cli_usage_error(
            command, "option '--set': '%s' is not KEY=VALUE, such as mpm.cell=0.02", set->items[i]);
    }
    return CLI_EXIT_OK;
}

firn_load_def cli_scene_load_def(const cli_scene_options* options)
{
    firn_load_def def = firn_default_load_def();
    def.variant = options->variant;
    def.solver = options->solver;
    def.overrides = options->set.items;
    def.override_count = options->set.count;
    def.memory_cap_bytes = options->memory;
    def.backend = options->backend;
    def.ranks = (int32_t)options->ranks;
    return def;
}

int cli_scene_load(const char* command, const char* path_or_name, const cli_scene_options* options,
                   firn_scene** out_scene)
{
    *out_scene = NULL;
    int code = options->solver ? check_solver(command, options->solver) : CLI_EXIT_OK;
    if (code == CLI_EXIT_OK) code = check_set(command, &options->set);
    if (code != CLI_EXIT_OK) return code;
    if (firn_scene_create(out_scene) != FIRN_OK) {
        cli_error("out of memory");
        return CLI_EXIT_MEMORY;
    }
    const firn_load_def def = cli_scene_load_def(options);
    const firn_result result = firn_scene_load(*out_scene, path_or_name, &def);
    if (result == FIRN_BROKEN_MEMORY) cli_error("out of memory for the scene '%s'", path_or_name);
    return cli_exit_code_of_input(result);
}
