// SPDX-License-Identifier: MIT
// firn presets: material presets, their constants and sources.
#include "cli/commands/commands.h"
#include "cli/exit_codes.h"
#include "cli/terminal/format.h"
#include "cli/terminal/json.h"
#include "cli/terminal/table.h"
#include "firn/firn.h"

typedef struct presets_options {
    bool json, sources;
} presets_options;

// clang-format off
static const cli_option options[] = {
    {"sources", 0, CLI_OPTION_FLAG, offsetof(presets_options, sources), NULL, 0, 0,
     "show the source of each preset, and the formulas of measured snow"},
    {"json", 0, CLI_OPTION_FLAG, offsetof(presets_options, json), NULL, 0, 0,
     "print one JSON object per preset on stdout"},
};
// clang-format on

static void print_json(const firn_preset_info* p)
{
    cli_json json = cli_json_begin(stdout);
    cli_json_open_object(&json, NULL);
    cli_json_text(&json, "name", p->name);
    cli_json_text(&json, "help", p->help);
    cli_json_text(&json, "source", p->source);
    cli_json_real(&json, "density", p->material.density);
    cli_json_real(&json, "young", p->material.young);
    cli_json_real(&json, "poisson", p->material.poisson);
    cli_json_real(&json, "hardening", p->material.hardening);
    cli_json_real(&json, "critical_compression", p->material.critical_compression);
    cli_json_real(&json, "critical_stretch", p->material.critical_stretch);
    cli_json_close_object(&json);
    cli_json_end(&json);
}

static void add_row(cli_table* table, const firn_preset_info* p)
{
    const firn_material_def* m = &p->material;
    cli_table_add(table,
                  (const char*[]){p->name, cli_format_real(m->density).text,
                                  cli_format_real(m->young).text, cli_format_real(m->poisson).text,
                                  cli_format_real(m->hardening).text,
                                  cli_format_real(m->critical_compression).text,
                                  cli_format_real(m->critical_stretch).text, p->help});
}

// Formulas of `measured` snow, below the presets, which are looks.
static void add_measured(cli_table* table, bool json)
{
    for (int i = 0; i < firn_measured_list_count(); i++) {
        firn_measured_info law;
        if (firn_measured_at(i, &law) != FIRN_OK) continue;
        if (json) {
            cli_json out = cli_json_begin(stdout);
            cli_json_open_object(&out, NULL);
            cli_json_text(&out, "measured", law.constant);
            cli_json_text(&out, "formula", law.formula);
            cli_json_text(&out, "source", law.source);
            cli_json_close_object(&out);
            cli_json_end(&out);
        } else {
            cli_table_add(table, (const char*[]){law.constant, law.formula, law.source});
        }
    }
}

static void print_measured(void)
{
    static const cli_column columns[] = {
        {"measured snow", false}, {"formula", false}, {"source", false}};
    cli_table table;
    cli_table_init(&table, columns, 3);
    add_measured(&table, false);
    puts("\nThese presets are looks: stiffness and strength are far below those of natural snow of "
         "the same density.\nNatural snow, rho in kg/m^3 and T in degC: `materials: {slab: "
         "{measured: {density: 250}}}`\n");
    cli_table_print(&table, stdout);
    cli_table_destroy(&table);
}

static int list_presets(const presets_options* o)
{
    static const cli_column numbers[] = {
        {"preset", false},   {"density", true},     {"young", true},   {"poisson", true},
        {"hardening", true}, {"compression", true}, {"stretch", true}, {"looks like", false}};
    static const cli_column sources[] = {{"preset", false}, {"source", false}};
    cli_table table;
    cli_table_init(&table, o->sources ? sources : numbers, o->sources ? 2 : 8);
    for (int i = 0; i < firn_preset_list_count(); i++) {
        firn_preset_info p;
        if (firn_preset_at(i, &p) != FIRN_OK) continue;
        if (o->json)
            print_json(&p);
        else if (o->sources)
            cli_table_add(&table, (const char*[]){p.name, p.source});
        else
            add_row(&table, &p);
    }
    if (o->json) {
        if (o->sources) add_measured(NULL, true);
    } else {
        cli_table_print(&table, stdout);
        if (o->sources) {
            print_measured();
        } else {
            puts(
                "\nDensity in kg/m^3, Young's modulus in Pa; compression and stretch are the "
                "critical ones. Presets are looks;\n`firn presets --sources` also has the formulas "
                "of measured snow.");
        }
    }
    cli_table_destroy(&table);
    return CLI_EXIT_OK;
}

static int run(const void* values, const cli_arguments* arguments)
{
    (void)arguments;
    return list_presets(values);
}

const cli_command cli_presets = {
    .name = "presets",
    .arguments = "[options]",
    .summary = "list the material presets with their constants",
    .text = "A material of a scene starts from a preset and overrides single constants: "
            "`packed: {preset: snow, young: 2e5}`.",
    .values_size = sizeof(presets_options),
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .run = run,
};
