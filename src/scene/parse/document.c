// SPDX-License-Identifier: MIT
// The tree of a YAML document: nodes and strings live in chunks that are freed with the document.
#include "scene/parse/document.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "scene/parse/diagnostics.h"

#define CHUNK_BYTES 16384

typedef struct firn_doc_chunk {
    struct firn_doc_chunk* next;
    size_t used, size;
    _Alignas(16) char data[];
} firn_doc_chunk;

void firn_doc_init(firn_doc* doc, firn_diagnostics* diagnostics)
{
    *doc = (firn_doc){.diagnostics = diagnostics};
}

void firn_doc_destroy(firn_doc* doc)
{
    while (doc->chunks != NULL) {
        firn_doc_chunk* next = doc->chunks->next;
        firn_free(doc->chunks);
        doc->chunks = next;
    }
    for (firn_local i = 0; i < doc->source_count; i++) firn_free(doc->sources[i].name);
    firn_free(doc->sources);
    *doc = (firn_doc){0};
}

int firn_doc_add_source(firn_doc* doc, const char* name, const char* text, size_t length)
{
    if (doc->source_count >= FIRN_DOC_SOURCES_MAX ||
        !firn_reserve((void**)&doc->sources, &doc->source_capacity, doc->source_count + 1,
                      sizeof *doc->sources)) {
        doc->out_of_memory = true;
        return -1;
    }
    char* copy = firn_strdup(name);
    if (copy == NULL) {
        doc->out_of_memory = true;
        return -1;
    }
    doc->sources[doc->source_count] = (firn_doc_source){copy, text, length};
    return doc->source_count++;
}

static void* take(firn_doc* doc, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    firn_doc_chunk* chunk = doc->chunks;
    if (chunk == NULL || chunk->size - chunk->used < bytes) {
        const size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = firn_alloc(1, sizeof *chunk + size);
        if (chunk == NULL) {
            doc->out_of_memory = true;
            return NULL;
        }
        chunk->size = size;
        chunk->next = doc->chunks;
        doc->chunks = chunk;
    }
    void* at = chunk->data + chunk->used;
    chunk->used += bytes;
    return at;
}

firn_doc_node* firn_doc_make(firn_doc* doc, firn_doc_type type, int source, int line, int column)
{
    firn_doc_node* node = doc->node_count < FIRN_DOC_NODES_MAX ? take(doc, sizeof *node) : NULL;
    if (node == NULL) {
        if (!doc->out_of_memory && doc->node_count == FIRN_DOC_NODES_MAX) {
            doc->node_count++;  // report it only once
            const firn_doc_node at = {.line = line, .column = column, .source = (int16_t)source};
            firn_doc_error(doc, &at, "the scene has more than %d values", FIRN_DOC_NODES_MAX);
        }
        return NULL;
    }
    doc->node_count++;
    *node = (firn_doc_node){.type = (uint8_t)type,
                            .source = (int16_t)source,
                            .key_source = (int16_t)source,
                            .line = line,
                            .column = column};
    return node;
}

char* firn_doc_copy_text(firn_doc* doc, const char* text, size_t length)
{
    char* copy = take(doc, length + 1);
    if (copy == NULL) return NULL;
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

void firn_doc_append(firn_doc_node* parent, firn_doc_node* child)
{
    child->next = NULL;
    if (parent->last != NULL)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
}

// Strings are immutable, so copies share them. FIRN_DOC_DEPTH_MAX bounds the depth per alias level,
// and the limit of nodes bounds the rest.
firn_doc_node* firn_doc_copy(firn_doc* doc, const firn_doc_node* node)
{
    firn_doc_node* copy = firn_doc_make(doc, node->type, node->source, node->line, node->column);
    if (copy == NULL) return NULL;
    firn_doc_node fresh = *node;
    fresh.first = fresh.last = fresh.next = NULL;
    fresh.count = 0;
    *copy = fresh;
    for (const firn_doc_node* child = node->first; child != NULL; child = child->next) {
        firn_doc_node* child_copy = firn_doc_copy(doc, child);
        if (child_copy == NULL) return NULL;
        firn_doc_append(copy, child_copy);
    }
    return copy;
}

firn_doc_node* firn_doc_find(const firn_doc_node* map, const char* key)
{
    if (map == NULL || map->type != FIRN_DOC_MAP) return NULL;
    for (firn_doc_node* child = map->first; child != NULL; child = child->next)
        if (strcmp(child->key, key) == 0) return child;
    return NULL;
}

firn_doc_node* firn_doc_item(const firn_doc_node* list, firn_local index)
{
    firn_doc_node* child = list->first;
    while (child != NULL && index-- > 0) child = child->next;
    return child;
}

static firn_doc_node* sibling_before(const firn_doc_node* parent, const firn_doc_node* child)
{
    firn_doc_node* before = NULL;
    for (firn_doc_node* at = parent->first; at != NULL && at != child; at = at->next) before = at;
    return before;
}

void firn_doc_remove(firn_doc_node* parent, firn_doc_node* child)
{
    firn_doc_node* before = sibling_before(parent, child);
    if (before != NULL)
        before->next = child->next;
    else
        parent->first = child->next;
    if (parent->last == child) parent->last = before;
    parent->count--;
}

void firn_doc_replace(firn_doc_node* parent, firn_doc_node* old, firn_doc_node* value)
{
    if (old == value) return;
    firn_doc_node* before = sibling_before(parent, old);
    value->next = old->next;
    if (before != NULL)
        before->next = value;
    else
        parent->first = value;
    if (parent->last == old) parent->last = value;
}

static void report(firn_doc* doc, bool is_error, int source, int line, int column,
                   const char* format, va_list args)
{
    const firn_doc_source* s = &doc->sources[source];
    const bool has_lines = s->text != NULL;
    firn_diagnose_source(doc->diagnostics, is_error, s->name, s->text, s->length,
                         has_lines ? line : 0, has_lines ? column : 0, format, args);
}

void firn_doc_error(firn_doc* doc, const firn_doc_node* node, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    report(doc, true, node->source, node->line, node->column, format, args);
    va_end(args);
}

static void report_key(firn_doc* doc, bool is_error, const firn_doc_node* node, const char* format,
                       va_list args)
{
    if (node->key != NULL)
        report(doc, is_error, node->key_source, node->key_line, node->key_column, format, args);
    else
        report(doc, is_error, node->source, node->line, node->column, format, args);
}

void firn_doc_key_error(firn_doc* doc, const firn_doc_node* node, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    report_key(doc, true, node, format, args);
    va_end(args);
}

void firn_doc_key_warning(firn_doc* doc, const firn_doc_node* node, const char* format, ...)
{
    va_list args;
    va_start(args, format);
    report_key(doc, false, node, format, args);
    va_end(args);
}
