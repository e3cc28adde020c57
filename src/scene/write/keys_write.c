// SPDX-License-Identifier: MIT
// Writes structs as YAML with their tables of keys.
#include "scene/write/keys_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Shortens "1e+06" to "1e6".
static void add_number(firn_text* text, char* number)
{
    char* e = strchr(number, 'e');
    if (e != NULL) {
        char* to = e + 1;
        const char* from = e + 1;
        if (*from == '-') to++;
        if (*from == '-' || *from == '+') from++;
        while (*from == '0' && from[1] != 0) from++;
        memmove(to, from, strlen(from) + 1);
    }
    firn_text_add(text, "%s", number);
}

void firn_write_number(firn_text* text, double value, int digits)
{
    char number[40];
    for (int d = digits < 6 ? digits : 6; d <= digits; d++) {
        snprintf(number, sizeof number, "%.*g", d, value + 0.0);  // + 0 avoids "-0"
        if (strtod(number, NULL) == value) break;
    }
    add_number(text, number);
}

void firn_write_real(firn_text* text, firn_real value)
{
    char number[40];
    for (int d = 6; d <= 17; d++) {
        snprintf(number, sizeof number, "%.*g", d, (double)value + 0.0);
        if ((firn_real)strtod(number, NULL) == value) break;
    }
    add_number(text, number);
}

static void write_numbers(firn_text* text, const double* v, int count, int digits)
{
    for (int i = 0; i < count; i++) {
        firn_text_add(text, i == 0 ? "[" : ", ");
        firn_write_number(text, v[i], digits);
    }
    firn_text_add(text, "]");
}

static void write_flags(firn_text* text, const firn_key* key, uint32_t flags)
{
    firn_text_add(text, "[");
    const char* comma = "";
    for (int i = 0; key->choices[i] != NULL; i++) {
        if ((flags >> i & 1) == 0) continue;
        firn_text_add(text, "%s%s", comma, key->choices[i]);
        comma = ", ";
    }
    firn_text_add(text, "]");
}

static void write_rows(firn_text* text, const firn_key* key, const firn_rows* rows, int digits)
{
    const char* item = firn_rows_items(rows);
    firn_text_add(text, "[");
    for (int32_t i = 0; i < rows->count; i++, item += key->block->size) {
        if (i > 0) firn_text_add(text, ", ");
        firn_keys_write(text, key->block, item, digits);
    }
    firn_text_add(text, "]");
}

void firn_key_write(firn_text* text, const firn_key* key, const void* field, int digits)
{
    switch (key->type) {
    case FIRN_KEY_BOOL: firn_text_add(text, *(const bool*)field ? "true" : "false"); break;
    case FIRN_KEY_INT: firn_text_add(text, "%lld", (long long)*(const int64_t*)field); break;
    case FIRN_KEY_REAL: firn_write_number(text, *(const double*)field, digits); break;
    case FIRN_KEY_VEC3: write_numbers(text, field, 3, digits); break;
    case FIRN_KEY_ROTATION: write_numbers(text, field, 4, digits); break;
    case FIRN_KEY_ENUM: firn_text_add(text, "%s", key->choices[*(const int32_t*)field]); break;
    case FIRN_KEY_FLAGS: write_flags(text, key, *(const uint32_t*)field); break;
    case FIRN_KEY_TEXT:
    case FIRN_KEY_PATH: firn_text_add_json(text, *(char* const*)field); break;
    case FIRN_KEY_ROWS: write_rows(text, key, field, digits); break;
    case FIRN_KEY_BLOCK: firn_keys_write(text, key->block, field, digits); break;
    default: firn_text_add(text, "null"); break;  // scene_write.c handles lists and shapes
    }
}

void firn_keys_write(firn_text* text, const firn_key_block* block, const void* item, int digits)
{
    firn_text_add(text, "{");
    const char* comma = "";
    for (size_t i = 0; i < block->key_count; i++) {
        const firn_key* key = &block->keys[i];
        const void* field = (const char*)item + key->offset;
        const bool is_text = key->type == FIRN_KEY_TEXT || key->type == FIRN_KEY_PATH;
        if (is_text && *(char* const*)field == NULL) continue;  // not set
        if (key->type == FIRN_KEY_MAP) continue;                // not part of the struct
        firn_text_add(text, "%s%s: ", comma, key->name);
        firn_key_write(text, key, field, digits);
        comma = ", ";
    }
    firn_text_add(text, "}");
}
