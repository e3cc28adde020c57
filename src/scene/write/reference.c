// SPDX-License-Identifier: MIT
// The scene format as a Markdown page, generated from the tables that the parser uses.
#include "scene/write/reference.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "geometry/sdf/shape.h"
#include "scene/data/presets.h"
#include "scene/keys/blocks.h"
#include "scene/keys/shape_keys.h"
#include "scene/parse/units.h"
#include "scene/write/keys_write.h"
#include "state/field_table.h"

static const char intro[] =
    "# Scene reference\n\n"
    "This page is written by `firn help scene --markdown` from the tables that the parser itself "
    "uses.\n\n"
    "A scene is a YAML 1.2 file. Numbers are SI (metres, seconds, kilograms, pascals), axes are\n"
    "right-handed with Y up. A number may carry a unit of its own kind: `radius: 12 cm`,\n"
    "`young: 140 kPa`, `density: 0.4 g/cm3`, `velocity: [0, -18 km/h, 0]`; the last section lists "
    "them.\n"
    "A *vector* is a list of three numbers. A *rotation* is a list of three angles in degrees, "
    "about x,\n"
    "then y, then z (fixed axes), or a unit quaternion `[w, x, y, z]`. Keys without a default must "
    "be\n"
    "given. Every key can be set on the command line: `--set mpm.cell=0.02`,\n"
    "`--set snow.0.velocity=[0,-3,0]`.\n\n"
    "A *variant* is a partial scene that is laid over the file when it is chosen with "
    "`--variant`:\n"
    "maps merge, everything else is replaced, `null` removes a key, and a list is changed item by "
    "item\n"
    "when the variant gives numbers as keys: `snow: {0: {particles_per_cell: 10}}`.\n\n"
    "The file may hold a block for each solver; all are checked, the chosen solver's is used.\n";

static const char* type_text(const firn_key* key)
{
    switch (key->type) {
    case FIRN_KEY_BOOL: return "true or false";
    case FIRN_KEY_INT: return "whole number";
    case FIRN_KEY_REAL: return "number";
    case FIRN_KEY_VEC3: return "vector";
    case FIRN_KEY_ENUM: return "name";
    case FIRN_KEY_FLAGS: return "list of names";
    case FIRN_KEY_TEXT: return "text";
    case FIRN_KEY_BLOCK:
    case FIRN_KEY_SOLVER: return "block";
    case FIRN_KEY_PATH: return "path";
    case FIRN_KEY_ROTATION: return "rotation";
    case FIRN_KEY_LIST:
    case FIRN_KEY_ROWS: return "list of blocks";
    case FIRN_KEY_MAP: return "blocks by name";
    case FIRN_KEY_SHAPE: return "shape";
    case FIRN_KEY_SHAPES: return "list of shapes";
    case FIRN_KEY_VARIANTS: return "partial scenes by name";
    }
    return "";
}

static void add_range(firn_text* text, const firn_key* key)
{
    if (key->choices != NULL) {
        for (int i = 0; key->choices[i] != NULL; i++)
            firn_text_add(text, "%s`%s`", i > 0 ? ", " : "", key->choices[i]);
        return;
    }
    const bool is_number =
        key->type == FIRN_KEY_INT || key->type == FIRN_KEY_REAL || key->type == FIRN_KEY_VEC3;
    if (!is_number || key->low >= key->high) return;
    if (isinf(key->high)) {
        firn_text_add(text, "at least ");
        firn_write_number(text, key->low, 15);
    } else {
        firn_write_number(text, key->low, 15);
        firn_text_add(text, " … ");
        firn_write_number(text, key->high, 15);
    }
}

static void add_table(firn_text* text, const firn_key_block* block)
{
    firn_text_add(text, "| key | type | unit | default | allowed | |\n|---|---|---|---|---|---|\n");
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): keys of type block name theirs
    for (size_t i = 0; i < block->key_count; i++) {
        const firn_key* key = &block->keys[i];
        const char* unit = key->unit != NULL && strcmp(key->unit, "-") != 0 ? key->unit : "";
        firn_text_add(text, "| `%s` | %s | %s | %s | ", key->name, type_text(key), unit,
                      key->fallback != NULL ? key->fallback : "**must be given**");
        add_range(text, key);
        firn_text_add(text, " | %s |\n", key->help);
    }
}

static void add_nested(firn_text* text, const firn_key_block* block, const char* path);

static void add_section(firn_text* text, const firn_key_block* block, const char* path)
{
    firn_text_add(text, "\n## `%s`\n\n%s\n\n", path, block->help);
    add_table(text, block);
    add_nested(text, block, path);
}

static void add_nested(firn_text* text, const firn_key_block* block, const char* path)
{
    for (size_t i = 0; i < block->key_count; i++) {
        const firn_key* key = &block->keys[i];
        if (key->block == NULL) continue;
        size_t twin = 0;  // an earlier key with the same block: document it once
        while (block->keys[twin].block != key->block) twin++;
        char inner[200];
        snprintf(inner, sizeof inner, "%s%s%s%s", path, path[0] != 0 ? "." : "", key->name,
                 key->type == FIRN_KEY_LIST || key->type == FIRN_KEY_ROWS ? "[]"
                 : key->type == FIRN_KEY_MAP                              ? ".NAME"
                                                                          : "");
        if (twin == i)
            add_section(text, key->block, inner);
        else
            firn_text_add(text, "\n## `%s`\n\nAs `%s`.\n", inner, block->keys[twin].name);
    }
}

static void add_shapes(firn_text* text)
{
    firn_text_add(text, "\n## Shapes\n\nA shape is one kind with its keys: "
                        "`shape: {sphere: {center: [0, 1, 0], radius: 12 cm}}`.\n"
                        "Kinds that combine shapes nest.\n");
    for (size_t i = 0; i < firn_shape_kinds.key_count; i++) {
        const firn_key* kind = &firn_shape_kinds.keys[i];
        firn_text_add(text, "\n### `%s`\n\n%s\n", kind->name,
                      kind->block != NULL ? kind->block->help : kind->help);
        if (kind->type == FIRN_KEY_SHAPES) {
            firn_text_add(text, "\n`%s: [{box: {size: [1, 1, 1]}}, {sphere: {radius: 0.6}}]`\n",
                          kind->name);
            continue;
        }
        firn_text_add(text, "\n");
        add_table(text, kind->block);
        for (size_t k = 0; k < kind->block->key_count; k++) {
            const firn_key* inner = &kind->block->keys[k];
            if (inner->type != FIRN_KEY_BLOCK) continue;
            firn_text_add(text, "\n`%s.%s`:\n\n", kind->name, inner->name);
            add_table(text, inner->block);
        }
    }
}

static void add_fields(firn_text* text)
{
    static const char* const types[] = {[FIRN_FIELD_REAL] = "number",
                                        [FIRN_FIELD_VEC3] = "vector",
                                        [FIRN_FIELD_MAT3] = "matrix",
                                        [FIRN_FIELD_U8] = "whole number",
                                        [FIRN_FIELD_U32] = "whole number"};
    firn_text_add(text,
                  "\n## Fields\n\nThe fields of particles, by the name that `output.fields` and "
                  "`render.colour_by` use and by\ntheir name in files. PLY files have one column "
                  "per component: `x`, `y`, `z` and `vx`, `vy`, `vz`\nfor position and velocity, "
                  "`_xx` to `_zz` appended to the name of a matrix.\n\n"
                  "| field | in files | type | unit | symbol | solvers | |\n"
                  "|---|---|---|---|---|---|---|\n");
    for (int f = 0; f < FIRN_FRAME_FIELD_COUNT; f++) {
        const firn_field_info* field = &firn_field_table[f];
        const char* unit = strcmp(field->unit, "1") != 0 ? field->unit : "";
        firn_text_add(text, "| `%s` | `%s` | %s | %s | %s | %s | %s |\n", field->key, field->name,
                      types[field->type], unit, field->symbol, field->solvers, field->help);
    }
}

static void add_presets(firn_text* text)
{
    firn_text_add(text, "\n## Presets\n\n| preset | | density | young | poisson | hardening | "
                        "critical_compression | critical_stretch | source |\n"
                        "|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < firn_preset_count; i++) {
        const firn_preset* p = &firn_presets[i];
        const firn_real values[] = {p->snow.density,
                                    p->snow.young,
                                    p->snow.poisson,
                                    p->snow.hardening,
                                    p->snow.critical_compression,
                                    p->snow.critical_stretch};
        firn_text_add(text, "| `%s` | %s |", p->name, p->help);
        for (int k = 0; k < 6; k++) {
            firn_text_add(text, " ");
            firn_write_number(text, (double)values[k], 6);
            firn_text_add(text, " |");
        }
        firn_text_add(text, " %s |\n", p->source);
    }
}

static void add_units(firn_text* text)
{
    static const char* const units[] = {"m",   "s",     "Pa",  "kg/m^3", "m/s", "m/s^2",
                                        "1/s", "rad/s", "deg", "degC",   "-"};
    firn_text_add(text, "\n## Units\n\n| what | written behind the number |\n|---|---|\n");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char choices[200];
        firn_unit_choices(units[i], choices, sizeof choices);
        firn_text_add(text, "| %s | `%s` |\n", firn_unit_dimension(units[i]), choices);
    }
}

char* firn_scene_reference_markdown(const firn_scene_solver* solvers, size_t solver_count)
{
    firn_root root;
    if (firn_root_create(solvers, solver_count, &root) != FIRN_OK) return NULL;
    firn_locale locale = firn_locale_open();
    firn_text text = {0};
    firn_text_add(&text, "%s\n## Top level\n\n", intro);
    add_table(&text, &root.block);
    add_nested(&text, &root.block, "");
    add_shapes(&text);
    add_fields(&text);
    add_presets(&text);
    add_units(&text);
    firn_locale_close(&locale);
    firn_root_destroy(&root);
    return firn_text_take(&text);
}
