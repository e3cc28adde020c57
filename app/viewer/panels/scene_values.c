// SPDX-License-Identifier: MIT
// Reads the YAML that the library writes: blocks by indentation, flow mappings on one line, no
// anchors, no multi-line text.
#include "viewer/panels/scene_values.h"

#include <stdio.h>
#include <string.h>

#define DEPTH 8

typedef struct path {
    char text[96];
} path;

static bool begins(const char* text, const char* with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static void add(view_scene_values* v, const path* key, const char* value, size_t length,
                const char* solver)
{
    char block[40];
    snprintf(block, sizeof block, "%s.", solver);
    if (!begins(key->text, block) && !begins(key->text, "materials.")) return;
    if (v->count == VIEW_VALUES_MAX || length == 0 || length >= sizeof v->items[0].value) return;
    if (value[0] == '[') return;
    view_scene_value* item = &v->items[v->count++];
    snprintf(item->key, sizeof item->key, "%s", key->text);
    snprintf(item->value, sizeof item->value, "%.*s", (int)length, value);
    memcpy(item->given, item->value, sizeof item->given);
}

// Appends a key, without its quotes; "" if it is too long.
static path child(const path* parent, const char* key, size_t length)
{
    path p = {""};
    if (length >= 2 && key[0] == '"') {
        key++;
        length -= 2;
    }
    const size_t used = strlen(parent->text);
    if (used + length + 2 > sizeof p.text) return p;
    memcpy(p.text, parent->text, used);
    if (used > 0) p.text[used] = '.';
    memcpy(p.text + used + (used > 0), key, length);
    return p;
}

// End of a value in a flow mapping: a comma or brace outside of quotes and brackets.
static const char* end_of(const char* at)
{
    int depth = 0;
    for (bool quoted = false; *at; at++) {
        if (*at == '"') quoted = !quoted;
        if (quoted) continue;
        if (depth == 0 && (*at == ',' || *at == '}')) return at;
        if (*at == '{' || *at == '[') depth++;
        if (*at == '}' || *at == ']') depth--;
    }
    return at;
}

// "{a: 1, b: {c: 2}}"
static void read_flow(view_scene_values* v, const path* parent, const char* at, const char* solver,
                      int depth)
{
    if (depth == DEPTH) return;
    for (at++; *at && *at != '}';) {
        at += strspn(at, ", ");
        const char* colon = strstr(at, ": ");
        if (!colon) return;
        const path key = child(parent, at, (size_t)(colon - at));
        const char* value = colon + 2;
        const char* end = end_of(value);
        if (*value == '{')
            read_flow(v, &key, value, solver, depth + 1);
        else
            add(v, &key, value, (size_t)(end - value), solver);
        at = end;
    }
}

void view_scene_values_read(view_scene_values* v, const char* yaml, const char* solver)
{
    path parents[DEPTH + 1] = {{""}};
    size_t indents[DEPTH + 1] = {0};
    int depth = 0;
    v->count = 0;
    for (const char* line = yaml; *line;) {
        const size_t length = strcspn(line, "\n"), indent = strspn(line, " ");
        char text[4096];
        snprintf(text, sizeof text, "%.*s", (int)(length < 4095 ? length : 4095), line);
        line += length + (line[length] == '\n');
        const char* at = text + indent;
        char* colon = strstr(at, ":");
        if (*at == '-' || *at == '#' || !colon) continue;
        while (depth > 0 && indent <= indents[depth]) depth--;
        const path key = child(&parents[depth], at, (size_t)(colon - at));
        const char* value = colon + 1 + strspn(colon + 1, " ");
        if (*value == '{') {
            read_flow(v, &key, value, solver, 0);
        } else if (*value) {
            add(v, &key, value, strlen(value), solver);
        } else if (depth < DEPTH) {
            depth++;
            parents[depth] = key;
            indents[depth] = indent;
        }
    }
}

bool view_scene_value_changed(const view_scene_value* value)
{
    return strcmp(value->value, value->given) != 0;
}
