// SPDX-License-Identifier: MIT
// Collects diagnostics with their locations and prints them like a compiler.
#include "scene/parse/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "scene/data/scene.h"

#define WINDOW 100  // [characters] shown of a long source line

// The bytes of one line (1-based) of a text; false when it has fewer lines.
static bool find_line(const char* text, size_t length, int line, const char** out_begin,
                      size_t* out_length)
{
    const char* at = text;
    const char* end = text + length;
    for (int i = 1; i < line; i++) {
        const char* newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL) return false;
        at = newline + 1;
    }
    const char* stop = memchr(at, '\n', (size_t)(end - at));
    if (stop == NULL) stop = end;
    if (stop > at && stop[-1] == '\r') stop--;
    *out_begin = at;
    *out_length = (size_t)(stop - at);
    return true;
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;  // continuation byte of a UTF-8 sequence
}

// Advances over `count` characters (not bytes) of a line.
static size_t skip_characters(const char* line, size_t length, size_t from, int count)
{
    while (count > 0 && from < length) {
        from++;
        while (from < length && is_continuation(line[from])) from++;
        count--;
    }
    return from;
}

static void keep_source_line(firn_diagnostic* d, const char* source, size_t length)
{
    const char* line;
    size_t bytes;
    if (source == NULL || d->line < 1 || !find_line(source, length, d->line, &line, &bytes)) return;
    const int shift = d->column > WINDOW ? d->column - WINDOW / 2 : 0;
    const size_t begin = skip_characters(line, bytes, 0, shift);
    const size_t end = skip_characters(line, bytes, begin, WINDOW);
    d->source_line = firn_strndup(line + begin, end - begin);
    d->caret = d->column - shift;
}

void firn_diagnose_source(firn_diagnostics* diagnostics, bool is_error, const char* file,
                          const char* source, size_t length, int line, int column,
                          const char* format, va_list args)
{
    if (is_error) diagnostics->error_count++;
    if (diagnostics->count >= FIRN_DIAGNOSTICS_MAX) return;
    if (!firn_reserve((void**)&diagnostics->items, &diagnostics->capacity, diagnostics->count + 1,
                      sizeof *diagnostics->items))
        return;
    char message[1000];
    vsnprintf(message, sizeof message, format, args);
    firn_diagnostic d = {.is_error = is_error, .line = line, .column = column};
    d.file = firn_strdup(file != NULL ? file : "scene");
    d.message = firn_strdup(message);
    if (d.file == NULL || d.message == NULL) {
        firn_free(d.file);
        firn_free(d.message);
        return;
    }
    keep_source_line(&d, source, length);
    diagnostics->items[diagnostics->count++] = d;
}

void firn_diagnose(firn_diagnostics* diagnostics, bool is_error, const char* file, int line,
                   int column, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    firn_diagnose_source(diagnostics, is_error, file, NULL, 0, line, column, format, args);
    va_end(args);
}

static const firn_scene_location* find_location(const firn_scene_data* scene, const char* key)
{
    char name[256];
    snprintf(name, sizeof name, "%s", key);
    for (;;) {  // the key itself, else the enclosing block
        for (firn_local i = 0; i < scene->location_count; i++)
            if (strcmp(scene->locations[i].key, name) == 0) return &scene->locations[i];
        char* dot = strrchr(name, '.');
        if (dot == NULL) return NULL;
        *dot = 0;
    }
}

void firn_diagnose_key(firn_diagnostics* diagnostics, bool is_error, const firn_scene_data* scene,
                       const char* key, const char* format, ...)
{
    const firn_scene_location* location = find_location(scene, key);
    const char* file = scene->path != NULL ? scene->path : scene->name;
    int line = 0, column = 0;
    const char* source = NULL;
    if (location != NULL && location->origin != NULL) {
        file = location->origin;
    } else if (location != NULL) {
        line = location->line;
        column = location->column;
        source = scene->source;
    }
    va_list args;
    va_start(args, format);
    firn_diagnose_source(diagnostics, is_error, file, source, source ? strlen(source) : 0, line,
                         column, format, args);
    va_end(args);
}

// The source line with its number, and a caret below. Tabs are copied so that the caret lines up.
static void add_source(firn_text* text, const firn_diagnostic* d)
{
    firn_text_add(text, "%5d | %s\n      | ", d->line, d->source_line);
    const size_t length = strlen(d->source_line);
    size_t at = 0;
    for (int column = 1; column < d->caret; column++) {
        const bool tab = at < length && d->source_line[at] == '\t';
        firn_text_add_bytes(text, tab ? "\t" : " ", 1);
        at = skip_characters(d->source_line, length, at, 1);
    }
    firn_text_add(text, "^\n");
}

char* firn_diagnostics_text(const firn_diagnostics* diagnostics)
{
    firn_text text = {0};
    for (firn_local i = 0; i < diagnostics->count; i++) {
        const firn_diagnostic* d = &diagnostics->items[i];
        firn_text_add(&text, "%s:", d->file);
        if (d->line > 0) firn_text_add(&text, "%d:%d:", d->line, d->column);
        firn_text_add(&text, " %s: %s\n", d->is_error ? "error" : "warning", d->message);
        if (d->source_line != NULL) add_source(&text, d);
    }
    firn_local errors = 0;
    for (firn_local i = 0; i < diagnostics->count; i++) errors += diagnostics->items[i].is_error;
    if (errors < diagnostics->error_count)
        firn_text_add(&text, "... and %d more errors\n", (int)(diagnostics->error_count - errors));
    return firn_text_take(&text);
}

static bool comes_before(const firn_diagnostic* a, const firn_diagnostic* b)
{
    const int line_a = a->line > 0 ? a->line : INT32_MAX;
    const int line_b = b->line > 0 ? b->line : INT32_MAX;
    return line_a != line_b ? line_a < line_b : a->column < b->column;
}

void firn_diagnostics_sort(firn_diagnostics* diagnostics)
{
    // Insertion sort: stable, and there are at most FIRN_DIAGNOSTICS_MAX.
    for (firn_local i = 1; i < diagnostics->count; i++) {
        const firn_diagnostic d = diagnostics->items[i];
        firn_local k = i;
        for (; k > 0 && comes_before(&d, &diagnostics->items[k - 1]); k--)
            diagnostics->items[k] = diagnostics->items[k - 1];
        diagnostics->items[k] = d;
    }
}

static bool has(const firn_diagnostics* in, const firn_diagnostic* d)
{
    for (firn_local i = 0; i < in->count; i++) {
        const firn_diagnostic* other = &in->items[i];
        if (other->line == d->line && other->column == d->column &&
            strcmp(other->message, d->message) == 0)
            return true;
    }
    return false;
}

void firn_diagnostics_merge(firn_diagnostics* to, firn_diagnostics* from, const char* variant)
{
    for (firn_local i = 0; i < from->count; i++) {
        firn_diagnostic* d = &from->items[i];
        if (has(to, d)) continue;
        const firn_local before = to->count;
        firn_diagnose(to, d->is_error, d->file, d->line, d->column, "%s (in variant '%s')",
                      d->message, variant);
        if (to->count == before) continue;
        to->items[before].source_line = d->source_line;
        to->items[before].caret = d->caret;
        d->source_line = NULL;
    }
}

void firn_diagnostics_destroy(firn_diagnostics* diagnostics)
{
    for (firn_local i = 0; i < diagnostics->count; i++) {
        firn_free(diagnostics->items[i].file);
        firn_free(diagnostics->items[i].message);
        firn_free(diagnostics->items[i].source_line);
    }
    firn_free(diagnostics->items);
    *diagnostics = (firn_diagnostics){0};
}
