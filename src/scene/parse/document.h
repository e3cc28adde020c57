// SPDX-License-Identifier: MIT
// A YAML document as a small tree that remembers where each value stood.
// Does: read text with libfyaml inside fixed limits, find, copy, merge, set by path, write as YAML.
// Does not: know what any key means (keys_read.c).
#pragma once
#include "scene/parse/diagnostics.h"

// Limits that keep time and memory bounded whatever the text says.
#define FIRN_DOC_BYTES_MAX (4 << 20)  // of a file
#define FIRN_DOC_NODES_MAX 400000     // after aliases are expanded: a bomb stops here
#define FIRN_DOC_DEPTH_MAX 40         // of nesting
#define FIRN_DOC_ANCHORS_MAX 256
#define FIRN_DOC_SOURCES_MAX 1024  // the file and the overrides

typedef enum firn_doc_type {
    FIRN_DOC_NULL,    // no value: "key:", "~" or "null"
    FIRN_DOC_SCALAR,  // text; typing is the key table's
    FIRN_DOC_LIST,
    FIRN_DOC_MAP
} firn_doc_type;

typedef struct firn_doc_node {
    char* text;                   // scalar; zero-terminated, holds no other zero
    char* key;                    // in a map
    struct firn_doc_node* first;  // list and map: children in order
    struct firn_doc_node* last;
    struct firn_doc_node* next;    // sibling
    int32_t line, column;          // of the value, 1-based
    int32_t key_line, key_column;  // of the key
    firn_local count;              // children
    int16_t source;                // index into firn_doc.sources: of the value
    int16_t key_source;            // of the key
    uint8_t type;                  // firn_doc_type
    bool quoted;                   // scalar in quotes
} firn_doc_node;

// Where text came from, for messages.
typedef struct firn_doc_source {
    char* name;        // owned: "snow.yaml" or "--set mpm.cell=3"
    const char* text;  // borrowed; null: has no lines (an override)
    size_t length;
} firn_doc_source;

typedef struct firn_doc {
    struct firn_doc_chunk* chunks;  // owned: nodes and texts
    firn_doc_source* sources;       // owned
    firn_local source_count, source_capacity;
    firn_local node_count;
    bool out_of_memory;
    firn_diagnostics* diagnostics;  // borrowed
    firn_doc_node* root;            // in chunks; null before a successful read
} firn_doc;

void firn_doc_init(firn_doc* doc, firn_diagnostics* diagnostics);
void firn_doc_destroy(firn_doc* doc);
// Registers a source and gives its index; -1 when memory is out. `text` is borrowed until destroy.
int firn_doc_add_source(firn_doc* doc, const char* name, const char* text, size_t length);

// Null when memory is out or the document has too many nodes (then a diagnostic says so).
firn_doc_node* firn_doc_make(firn_doc* doc, firn_doc_type type, int source, int line, int column);
char* firn_doc_copy_text(firn_doc* doc, const char* text, size_t length);
firn_doc_node* firn_doc_copy(firn_doc* doc, const firn_doc_node* node);
void firn_doc_append(firn_doc_node* parent, firn_doc_node* child);
// Null when the map has no such key, or is no map.
firn_doc_node* firn_doc_find(const firn_doc_node* map, const char* key);
firn_doc_node* firn_doc_item(const firn_doc_node* list, firn_local index);
void firn_doc_remove(firn_doc_node* parent, firn_doc_node* child);
// Replaces `old` by `value` in `parent`; `value` keeps the location of its own key.
void firn_doc_replace(firn_doc_node* parent, firn_doc_node* old, firn_doc_node* value);

// Parses the text of a source. Null after an error, which is then in the diagnostics.
firn_doc_node* firn_doc_read(firn_doc* doc, int source, const char* text, size_t length);

// Reports duplicate keys in `node` and all maps below it.
void firn_doc_check_duplicates(firn_doc* doc, const firn_doc_node* node);
// Merges `over` into `base` (changed in place): maps merge, a map with integer keys merges into
// items of a list, null removes, everything else replaces. Returns the merged node; null: out of
// memory.
firn_doc_node* firn_doc_merge(firn_doc* doc, firn_doc_node* base, const firn_doc_node* over);
// Applies "a.b=c" to doc->root. Errors go to the diagnostics, at `origin` ("--set ") + assignment.
void firn_doc_override(firn_doc* doc, const char* assignment, const char* origin);
// The tree as YAML text, owned by the caller; null when memory is out.
char* firn_doc_write(const firn_doc_node* root);

// Reports an error at a value, or at a node's key.
void firn_doc_error(firn_doc* doc, const firn_doc_node* node, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void firn_doc_key_error(firn_doc* doc, const firn_doc_node* node, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
void firn_doc_key_warning(firn_doc* doc, const firn_doc_node* node, const char* format, ...)
    __attribute__((format(printf, 3, 4)));
