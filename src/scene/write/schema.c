// SPDX-License-Identifier: MIT
// The scene format as a JSON schema (draft-07), generated from the key tables: editors use it to
// complete keys, show help and underline errors.
#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/sdf/shape.h"
#include "scene/keys/blocks.h"
#include "scene/keys/shape_keys.h"
#include "scene/parse/units.h"
#include "scene/write/keys_write.h"
#include "scene/write/reference.h"

static void add_limit(firn_text* text, const char* name, double value)
{
    if (isinf(value)) return;
    firn_text_add(text, ",\"%s\":", name);
    firn_write_number(text, value, 15);
}

// A number in range, or a string of number and unit.
static void add_number(firn_text* text, const firn_key* key, const char* type)
{
    char units[200];
    const bool has_units = firn_unit_choices(key->unit, units, sizeof units);
    firn_text_add(text, "%s{\"type\":\"%s\"", has_units ? "{\"anyOf\":[" : "", type);
    if (key->low < key->high) {
        add_limit(text, "minimum", key->low);
        add_limit(text, "maximum", key->high);
    }
    firn_text_add(text, "}");
    if (!has_units) return;
    firn_text_add(text, ",{\"type\":\"string\",\"pattern\":\"^[-+0-9.eE]+ *(");
    for (const char* c = units; *c != 0; c++) {
        if (*c == ',')
            firn_text_add(text, "|");
        else if (*c != ' ')
            firn_text_add_bytes(text, c, 1);
    }
    firn_text_add(text, ")?$\"}]}");
}

static void add_choices(firn_text* text, const char* const* choices)
{
    firn_text_add(text, "{\"enum\":[");
    for (int i = 0; choices[i] != NULL; i++) {
        if (i > 0) firn_text_add(text, ",");
        firn_text_add_json(text, choices[i]);
    }
    firn_text_add(text, "]}");
}

static void add_block(firn_text* text, const firn_key_block* block);

static void add_type(firn_text* text, const firn_key* key)
{
    switch (key->type) {
    case FIRN_KEY_BOOL: firn_text_add(text, "{\"type\":\"boolean\"}"); break;
    case FIRN_KEY_INT: add_number(text, key, "integer"); break;
    case FIRN_KEY_REAL: add_number(text, key, "number"); break;
    case FIRN_KEY_VEC3:
        firn_text_add(text, "{\"type\":\"array\",\"minItems\":3,\"maxItems\":3,\"items\":");
        add_number(text, key, "number");
        firn_text_add(text, "}");
        break;
    case FIRN_KEY_ROTATION:
        firn_text_add(text, "{\"type\":\"array\",\"minItems\":3,\"maxItems\":4,\"items\":"
                            "{\"type\":[\"number\",\"string\"]}}");
        break;
    case FIRN_KEY_ENUM: add_choices(text, key->choices); break;
    case FIRN_KEY_FLAGS:
        firn_text_add(text, "{\"anyOf\":[");
        add_choices(text, key->choices);
        firn_text_add(text, ",{\"type\":\"array\",\"items\":");
        add_choices(text, key->choices);
        firn_text_add(text, "}]}");
        break;
    case FIRN_KEY_TEXT:
    case FIRN_KEY_PATH:
        firn_text_add(text, "{\"type\":[\"string\",\"number\",\"boolean\"]}");
        break;
    case FIRN_KEY_BLOCK:
    case FIRN_KEY_SOLVER: add_block(text, key->block); break;
    case FIRN_KEY_ROWS:  // a row may be a list of its values
        firn_text_add(text, "{\"type\":[\"array\",\"null\"],\"items\":{\"anyOf\":[");
        add_block(text, key->block);
        firn_text_add(text, ",{\"type\":\"array\",\"minItems\":%d,\"maxItems\":%d}]}}",
                      (int)key->block->key_count, (int)key->block->key_count);
        break;
    case FIRN_KEY_LIST:
        firn_text_add(text, "{\"type\":[\"array\",\"null\"],\"items\":");
        add_block(text, key->block);
        firn_text_add(text, "}");
        break;
    case FIRN_KEY_MAP:
        firn_text_add(text, "{\"type\":[\"object\",\"null\"],\"additionalProperties\":");
        add_block(text, key->block);
        firn_text_add(text, "}");
        break;
    case FIRN_KEY_SHAPE: firn_text_add(text, "{\"$ref\":\"#/definitions/shape\"}"); break;
    case FIRN_KEY_SHAPES:
        firn_text_add(text,
                      "{\"type\":\"array\",\"minItems\":%d,\"items\":"
                      "{\"$ref\":\"#/definitions/shape\"}}",
                      (int)key->low);
        break;
    case FIRN_KEY_VARIANTS:  // parts of a scene: keys that a scene requires are optional here
        firn_text_add(text, "{\"type\":\"object\",\"additionalProperties\":"
                            "{\"type\":[\"object\",\"null\"]}}");
        break;
    }
}

static void add_key(firn_text* text, const firn_key* key, const char* help)
{
    firn_text_add_json(text, key->name);
    // draft-07 ignores keywords beside $ref, hence allOf around the type.
    firn_text_add(text, ":{\"allOf\":[");
    add_type(text, key);
    firn_text_add(text, "],\"description\":");
    firn_text description = {0};
    firn_text_add(&description, "%s", help);
    if (key->unit != NULL && strcmp(key->unit, "-") != 0)
        firn_text_add(&description, " [%s]", key->unit);
    if (key->fallback != NULL && key->fallback[0] != 0)
        firn_text_add(&description, " Default: %s.", key->fallback);
    char* sentence = firn_text_take(&description);
    if (sentence == NULL)
        text->failed = true;
    else
        firn_text_add_json(text, sentence);
    firn_free(sentence);
    firn_text_add(text, "}");
}

static void add_properties(firn_text* text, const firn_key_block* block)
{
    firn_text_add(text, "\"additionalProperties\":false,\"properties\":{");
    for (size_t i = 0; i < block->key_count; i++) {
        const firn_key* key = &block->keys[i];
        if (i > 0) firn_text_add(text, ",\n");
        add_key(text, key, key->help != NULL ? key->help : key->block->help);
    }
    firn_text_add(text, "}");
    const char* comma = "";
    for (size_t i = 0; i < block->key_count; i++) {
        if (block->keys[i].fallback != NULL) continue;
        firn_text_add(text, comma[0] == 0 ? ",\"required\":[" : ",");
        firn_text_add_json(text, block->keys[i].name);
        comma = ",";
    }
    if (comma[0] != 0) firn_text_add(text, "]");
}

static void add_block(firn_text* text, const firn_key_block* block)
{
    bool required = false;
    for (size_t i = 0; i < block->key_count; i++) required |= block->keys[i].fallback == NULL;
    firn_text_add(text, required ? "{\"type\":\"object\"," : "{\"type\":[\"object\",\"null\"],");
    add_properties(text, block);
    firn_text_add(text, "}");
}

char* firn_scene_reference_schema(const firn_scene_solver* solvers, size_t solver_count)
{
    firn_root root;
    if (firn_root_create(solvers, solver_count, &root) != FIRN_OK) return NULL;
    firn_locale locale = firn_locale_open();
    firn_text text = {0};
    firn_text_add(&text, "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\n"
                         "\"title\":\"firn scene\",\n\"type\":\"object\",\n");
    add_properties(&text, &root.block);
    firn_text_add(&text,
                  ",\n\"definitions\":{\"shape\":{\"type\":\"object\",\"minProperties\":1,"
                  "\"maxProperties\":1,\"description\":\"One kind of shape with its keys.\",");
    add_properties(&text, &firn_shape_kinds);
    firn_text_add(&text, "}}}\n");
    firn_locale_close(&locale);
    firn_root_destroy(&root);
    return firn_text_take(&text);
}
