// SPDX-License-Identifier: MIT
// firn version: version and features of this program, and the devices of this machine.
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/table.h"
#include "firn/firn.h"

typedef struct version_options {
    bool json;
} version_options;

// clang-format off
static const cli_option options[] = {
    {"json", 0, CLI_OPTION_FLAG, offsetof(version_options, json), NULL, 0, 0,
     "print one JSON object on stdout"},
};
// clang-format on

// Writes "a b c" as an array.
static void json_words(cli_json* json, const char* key, const char* words)
{
    cli_json_open_array(json, key);
    while (*words) {
        char word[64];
        const size_t length = strcspn(words, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, words);
        if (length > 0) cli_json_text(json, NULL, word);
        words += length;
        if (*words) words++;
    }
    cli_json_close_array(json);
}

#define DEVICES 32
#define FEATURES_MAX 128  // [characters]

static void json_devices(cli_json* json)
{
    firn_device_info devices[DEVICES];
    firn_error why = {0};
    const int count = firn_device_list(devices, DEVICES, &why);
    cli_json_open_array(json, "devices");
    for (int d = 0; d < count; d++) {
        char capability[16];
        snprintf(capability, sizeof capability, "%d.%d", devices[d].capability[0],
                 devices[d].capability[1]);
        cli_json_open_object(json, NULL);
        cli_json_text(json, "backend", devices[d].backend);
        cli_json_text(json, "name", devices[d].name);
        cli_json_real(json, "memory_bytes", (double)devices[d].memory_bytes);
        cli_json_text(json, "compute_capability", capability);
        cli_json_close_object(json);
    }
    cli_json_close_array(json);
    cli_json_text(json, "no_devices_because", count == 0 ? why.text : NULL);
}

// Features of the library, then those of this program; "" for none.
static const char* features(const firn_version_info* v, char* text, size_t size)
{
#ifdef FIRN_HAVE_VIEWER
    const char* own = "viewer";
#else
    const char* own = "";
#endif
    const char* all[] = {v->features, own, firn_comm_kind()};
    size_t length = 0;
    *text = '\0';
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (*all[k] != '\0' && length < size)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? " " : "",
                                       all[k]);
    return text;
}

static void print_json(const firn_version_info* v)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "version", v->text);
    cli_json_text(&json, "real", v->real);
    cli_json_text(&json, "simd", v->simd);
    json_words(&json, "simd_levels", v->simd_all);
    json_words(&json, "backends", v->backends);
    json_devices(&json);
    char text[FEATURES_MAX];
    json_words(&json, "features", features(v, text, sizeof text));
    cli_json_open_array(&json, "solvers");
    for (int i = 0; i < firn_solver_list_count(); i++) {
        firn_solver_info s;
        if (firn_solver_at(i, &s) == FIRN_OK) cli_json_text(&json, NULL, s.name);
    }
    cli_json_close_array(&json);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

// Adds a row per device, or the reason why there are none.
static void add_devices(cli_table* table)
{
    firn_device_info devices[DEVICES];
    firn_error why = {0};
    const int count = firn_device_list(devices, DEVICES, &why);
    for (int d = 0; d < count; d++) {
        char text[256];
        snprintf(text, sizeof text, "%.31s: %.95s, %s, compute capability %d.%d",
                 devices[d].backend, devices[d].name,
                 cli_format_bytes((double)devices[d].memory_bytes).text, devices[d].capability[0],
                 devices[d].capability[1]);
        cli_table_add(table, (const char*[]){d == 0 ? "devices" : "", text});
    }
    if (count > 0) return;
    char text[sizeof why.text + 8];
    snprintf(text, sizeof text, "none: %s", why.text);
    cli_table_add(table, (const char*[]){"devices", text});
}

static void print_text(const firn_version_info* v)
{
    cli_table table;
    cli_table_init(&table, (const cli_column[]){{"", false}, {"", false}}, 2);
    char simd[256];
    snprintf(simd, sizeof simd, "%s (of: %s)", v->simd, v->simd_all);
    printf("firn %s\n", v->text);
    cli_table_add(&table, (const char*[]){"numbers", v->real});
    cli_table_add(&table, (const char*[]){"SIMD level", simd});
    cli_table_add(&table, (const char*[]){"backends", v->backends});
    add_devices(&table);
    char own[FEATURES_MAX];
    features(v, own, sizeof own);
    cli_table_add(&table, (const char*[]){"features", *own ? own : "none"});
    for (int i = 0; i < firn_solver_list_count(); i++) {
        firn_solver_info s;
        char text[256];
        if (firn_solver_at(i, &s) != FIRN_OK) continue;
        snprintf(text, sizeof text, "%s: %s", s.name, s.help);
        cli_table_add(&table, (const char*[]){i == 0 ? "solvers" : "", text});
    }
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

static int run(const void* values, const cli_arguments* arguments)
{
    (void)arguments;
    const version_options* o = values;
    const firn_version_info v = firn_version();
    if (o->json)
        print_json(&v);
    else
        print_text(&v);
    return CLI_EXIT_OK;
}

const cli_command cli_version = {
    .name = "version",
    .arguments = "[options]",
    .summary = "show version, number type, SIMD level, devices, features and solvers",
    .values_size = sizeof(version_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
