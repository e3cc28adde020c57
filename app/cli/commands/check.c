// SPDX-License-Identifier: MIT
// firn check: reports mistakes in scenes and estimates the cost of running them.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/commands/scene_options.h"
#include "cli/exit_codes.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/message.h"
#include "cli/terminal/table.h"

typedef struct check_options {
    cli_scene_options scene;
    int64_t threads;
    bool json;
} check_options;

// clang-format off
static const cli_option options[] = {
    CLI_SCENE_OPTIONS(check_options),
    {"threads", 0, CLI_OPTION_INT, offsetof(check_options, threads), "N", 0, 1024,
     "number of threads for the estimate of time; 0 means all cores (0)"},
    {"memory", 0, CLI_OPTION_BYTES, offsetof(check_options, scene.memory), "SIZE", 0, 0,
     "refuse scenes that `firn run --memory SIZE` would refuse (the memory of this machine)"},
    {"backend", 0, CLI_OPTION_TEXT, offsetof(check_options, scene.backend), "NAME", 0, 0,
     "also refuse what does not fit into the memory of this GPU: cuda, cuda:N (cpu)"},
    {"ranks", 0, CLI_OPTION_INT, offsetof(check_options, scene.ranks), "N", 1, 65536,
     "estimate memory for a run on so many ranks, and refuse what one of them has no room for (1)"},
    {"json", 0, CLI_OPTION_FLAG, offsetof(check_options, json), NULL, 0, 0,
     "print one JSON object per scene on stdout"},
};
// clang-format on

static void add_row(cli_table* table, const char* name, const char* value, const char* remark)
{
    cli_table_add(table, (const char*[]){name, value, remark});
}

#define MASSES_SHOWN 12  // rows of snow bodies; the rest is summed

// The mass of each snow body, as the solver will fill it.
static void add_masses(cli_table* table, const firn_scene* scene)
{
    char name[64], text[64];
    double rest = 0, mass;
    for (int i = 0; (mass = firn_scene_snow_mass(scene, i)) >= 0; i++) {
        if (i >= MASSES_SHOWN) rest += mass;
        if (i >= MASSES_SHOWN || !(mass > 0)) continue;
        snprintf(name, sizeof name, "  snow.%d", i);
        snprintf(text, sizeof text, "%s kg", cli_format_real(mass).text);
        add_row(table, name, text, "mass");
    }
    if (!(rest > 0)) return;
    snprintf(text, sizeof text, "%s kg", cli_format_real(rest).text);
    add_row(table, "  other snow", text, "mass");
}

static void print_estimates(const firn_scene* scene, const firn_scene_info* info)
{
    char text[256], remark[256];
    cli_table table;
    cli_table_init(&table, (const cli_column[]){{"", false}, {"", true}, {"", false}}, 3);
    snprintf(text, sizeof text, "%s", cli_format_count(info->particles).text);
    add_row(&table, "  particles", text, "estimated");
    if (info->powder > 0) {
        snprintf(text, sizeof text, "%s", cli_format_count(info->powder).text);
        add_row(&table, "  powder", text,
                "points, if all snow breaks once; powder.max is the limit");
    }
    add_masses(&table, scene);
    snprintf(text, sizeof text, "%s m", cli_format_real(info->cell).text);
    add_row(&table, "  cell", text, "");
    snprintf(text, sizeof text, "%s", cli_format_count((int64_t)info->steps).text);
    snprintf(remark, sizeof remark, "estimated, %s s each, for %" PRId64 " frames at %s per second",
             cli_format_real(info->dt).text, info->frames, cli_format_real(info->fps).text);
    add_row(&table, "  steps", text, remark);
    add_row(&table, "  memory", cli_format_bytes(info->memory_bytes).text,
            info->rank_bytes > 0 ? "peak, of rank 0" : "peak");
    if (info->rank_bytes > 0)
        add_row(&table, "  memory", cli_format_bytes(info->rank_bytes).text,
                "peak, of each other rank");
    if (info->device_bytes > 0)
        add_row(&table, "  GPU memory", cli_format_bytes(info->device_bytes).text,
                "with --backend cuda");
    add_row(&table, "  disk", cli_format_bytes(info->disk_bytes).text, "all frames");
    snprintf(remark, sizeof remark, "on %d thread%s of an ordinary machine", info->threads,
             info->threads == 1 ? "" : "s");
    add_row(&table, "  time", cli_format_seconds(info->seconds).text, remark);
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

// Writes "file:line:column: error: text" as an object; skips other lines (source, caret).
static void json_message(cli_json* json, const char* line, size_t length)
{
    static const char* const kinds[] = {"error", "warning"};
    for (int k = 0; k < 2; k++) {
        char mark[16];
        snprintf(mark, sizeof mark, ": %s: ", kinds[k]);
        const char* at = strstr(line, mark);
        if (!at || at >= line + length) continue;
        const char* rest = at + strlen(mark);
        char* place = strndup(line, (size_t)(at - line));
        char* text = strndup(rest, (size_t)(line + length - rest));
        int64_t numbers[2] = {0, 0};  // line, column
        for (int i = 1; i >= 0 && place; i--) {
            char* colon = strrchr(place, ':');
            if (!colon || !colon[1] || colon[1 + strspn(colon + 1, "0123456789")]) break;
            numbers[i] = strtoll(colon + 1, NULL, 10);
            *colon = '\0';
        }
        cli_json_open_object(json, NULL);
        cli_json_text(json, "severity", kinds[k]);
        cli_json_text(json, "file", place);
        cli_json_int(json, "line", numbers[0]);
        cli_json_int(json, "column", numbers[1]);
        cli_json_text(json, "text", text);
        cli_json_close_object(json);
        free(place);
        free(text);
        return;
    }
}

// Messages of loading and checking.
typedef struct findings {
    char* text;  // owned; null: none
    int errors, warnings;
} findings;

// Adds the scene's current messages. Out of memory, they are only counted.
static void add_findings(findings* f, const firn_scene* scene)
{
    const char* more = firn_scene_messages(scene);
    const size_t used = f->text ? strlen(f->text) : 0, length = strlen(more);
    f->errors += firn_scene_error_count(scene);
    f->warnings += firn_scene_warning_count(scene);
    char* grown = length > 0 ? realloc(f->text, used + length + 2) : NULL;
    if (!grown) return;
    memcpy(grown + used, more, length + 1);
    if (more[length - 1] != '\n') memcpy(grown + used + length, "\n", 2);
    f->text = grown;
}

static void json_masses(cli_json* json, const firn_scene* scene)
{
    double mass;
    cli_json_open_array(json, "snow_masses");
    for (int i = 0; (mass = firn_scene_snow_mass(scene, i)) >= 0; i++)
        cli_json_real(json, NULL, mass);
    cli_json_close_array(json);
}

static void print_json(const char* path, const findings* found, const firn_scene* scene,
                       const firn_scene_info* info)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "scene", path);
    cli_json_bool(&json, "ok", info != NULL);
    cli_json_int(&json, "errors", found->errors);
    cli_json_int(&json, "warnings", found->warnings);
    cli_json_open_array(&json, "messages");
    for (const char* text = found->text ? found->text : ""; *text;) {
        const size_t length = strcspn(text, "\n");
        json_message(&json, text, length);
        text += length;
        if (*text) text++;
    }
    cli_json_close_array(&json);
    if (info) {
        cli_json_text(&json, "name", info->name);
        cli_json_text(&json, "solver", info->solver);
        cli_json_text(&json, "variant", info->variant);
        cli_json_int(&json, "frames", info->frames);
        cli_json_real(&json, "fps", info->fps);
        cli_json_int(&json, "particles", info->particles);
        cli_json_int(&json, "powder", info->powder);
        json_masses(&json, scene);
        cli_json_real(&json, "cell", info->cell);
        cli_json_real(&json, "dt", info->dt);
        cli_json_real(&json, "steps", info->steps);
        cli_json_real(&json, "memory_bytes", info->memory_bytes);
        if (info->rank_bytes > 0) cli_json_real(&json, "rank_bytes", info->rank_bytes);
        cli_json_real(&json, "device_bytes", info->device_bytes);
        cli_json_real(&json, "disk_bytes", info->disk_bytes);
        cli_json_real(&json, "seconds", info->seconds);
        cli_json_int(&json, "threads", info->threads);
    }
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static void print_text(const char* path, const findings* found, const firn_scene* scene,
                       const firn_scene_info* info)
{
    if (found->text) cli_diagnostics_print(stderr, found->text);
    fflush(stderr);
    printf("%s: %d error%s, %d warning%s\n", path, found->errors, found->errors == 1 ? "" : "s",
           found->warnings, found->warnings == 1 ? "" : "s");
    if (info) print_estimates(scene, info);
    fflush(stdout);
}

static int check_scene(const check_options* o, const char* path)
{
    firn_scene* scene = NULL;
    firn_scene_info info;
    findings found = {0};
    int code = cli_scene_load("check", path, &o->scene, &scene);
    if (!scene) return code;
    add_findings(&found, scene);
    if (code == CLI_EXIT_OK) {
        code = cli_exit_code_of_input(firn_scene_check(scene, (int)o->threads, &info));
        add_findings(&found, scene);
    }
    const firn_scene_info* result = code == CLI_EXIT_OK ? &info : NULL;
    if (o->json)
        print_json(path, &found, scene, result);
    else
        print_text(path, &found, scene, result);
    free(found.text);
    firn_scene_destroy(scene);
    return code;
}

static int run(const void* values, const cli_arguments* arguments)
{
    int code = CLI_EXIT_OK;
    for (int i = 0; i < arguments->count; i++) {
        const int one = check_scene(values, arguments->items[i]);
        if (code == CLI_EXIT_OK) code = one;  // the first failure decides
        if (one == CLI_EXIT_USAGE || one == CLI_EXIT_MEMORY) break;
    }
    return code;
}

const cli_command cli_check = {
    .name = "check",
    .arguments = "SCENE... [options]",
    .summary = "find mistakes in scenes; estimate particles, memory, disk space and time",
    .text =
        "Reports all mistakes with their lines, and warns of values that are allowed but probably "
        "unintended. Does not simulate or write anything. Exits with code 3 if a scene has errors.",
    .examples = "  firn check snow.yaml\n"
                "  firn check snowball-drop --variant paper --threads 16\n",
    .values_size = sizeof(check_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .fewest = 1,
    .most = -1,
    .run = run,
};
