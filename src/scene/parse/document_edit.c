// SPDX-License-Identifier: MIT
// Edits the tree before it is read: duplicate keys, variants, --set.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "geometry/sdf/shape.h"
#include "scene/keys/shape_keys.h"
#include "scene/parse/document.h"

// ---- duplicate keys ---------------------------------------------------------------------------

static int compare_keys(const void* a, const void* b)
{
    const firn_doc_node* x = *(firn_doc_node* const*)a;
    const firn_doc_node* y = *(firn_doc_node* const*)b;
    const int order = strcmp(x->key, y->key);
    if (order != 0) return order;
    if (x->key_line != y->key_line) return x->key_line < y->key_line ? -1 : 1;
    return (x->key_column > y->key_column) - (x->key_column < y->key_column);
}

static void check_map(firn_doc* doc, const firn_doc_node* map)
{
    const firn_doc_node** sorted = firn_alloc((size_t)map->count, sizeof *sorted);
    if (sorted == NULL) {
        doc->out_of_memory = true;
        return;
    }
    size_t n = 0;
    for (const firn_doc_node* child = map->first; child != NULL; child = child->next)
        sorted[n++] = child;
    qsort(sorted, n, sizeof *sorted, compare_keys);
    for (size_t i = 1; i < n; i++)
        if (strcmp(sorted[i]->key, sorted[i - 1]->key) == 0)
            firn_doc_key_error(doc, sorted[i], "key '%s' is given twice (first on line %d)",
                               sorted[i]->key, sorted[i - 1]->key_line);
    firn_free(sorted);
}

void firn_doc_check_duplicates(firn_doc* doc, const firn_doc_node* node)
{
    if (node->type == FIRN_DOC_MAP && node->count > 1) check_map(doc, node);
    for (const firn_doc_node* child = node->first; child != NULL; child = child->next)
        firn_doc_check_duplicates(doc, child);
}

// ---- merging ----------------------------------------------------------------------------------

// A list index: digits only. -1: not one.
static firn_local read_index(const char* text)
{
    if (text[0] == 0 || strspn(text, "0123456789") != strlen(text) || strlen(text) > 9) return -1;
    return (firn_local)strtol(text, NULL, 10);
}

static bool has_integer_keys(const firn_doc_node* map)
{
    if (map->type != FIRN_DOC_MAP || map->count == 0) return false;
    for (const firn_doc_node* child = map->first; child != NULL; child = child->next)
        if (read_index(child->key) < 0) return false;
    return true;
}

// {sphere: …} merged over {box: …} replaces the shape instead of combining both.
static bool is_other_shape(const firn_doc_node* base, const firn_doc_node* over)
{
    return base->count == 1 && over->count == 1 &&
           strcmp(base->first->key, over->first->key) != 0 &&
           firn_shape_kind_find(base->first->key) != NULL &&
           firn_shape_kind_find(over->first->key) != NULL;
}

static firn_doc_node* copy_value(firn_doc* doc, const firn_doc_node* base,
                                 const firn_doc_node* over)
{
    firn_doc_node* copy = firn_doc_copy(doc, over);
    if (copy != NULL && base->key == NULL) copy->key = NULL;  // list items have no key
    return copy;
}

static bool merge_into_list(firn_doc* doc, firn_doc_node* list, const firn_doc_node* over)
{
    for (const firn_doc_node* child = over->first; child != NULL; child = child->next) {
        firn_doc_node* item = firn_doc_item(list, read_index(child->key));
        if (item == NULL) {
            firn_doc_key_error(doc, child, "there is no item %s: the list has %d, counted from 0",
                               child->key, (int)list->count);
            continue;
        }
        firn_doc_node* merged = firn_doc_merge(doc, item, child);
        if (merged == NULL) return false;
        firn_doc_replace(list, item, merged);
    }
    return true;
}

static bool merge_into_map(firn_doc* doc, firn_doc_node* map, const firn_doc_node* over)
{
    for (const firn_doc_node* child = over->first; child != NULL; child = child->next) {
        firn_doc_node* old = firn_doc_find(map, child->key);
        if (child->type == FIRN_DOC_NULL) {
            if (old != NULL) firn_doc_remove(map, old);
            continue;
        }
        firn_doc_node* merged =
            old != NULL ? firn_doc_merge(doc, old, child) : firn_doc_copy(doc, child);
        if (merged == NULL) return false;
        if (old != NULL)
            firn_doc_replace(map, old, merged);
        else
            firn_doc_append(map, merged);
    }
    return true;
}

firn_doc_node* firn_doc_merge(firn_doc* doc, firn_doc_node* base, const firn_doc_node* over)
{
    if (base->type == FIRN_DOC_LIST && has_integer_keys(over))
        return merge_into_list(doc, base, over) ? base : NULL;
    if (base->type == FIRN_DOC_MAP && over->type == FIRN_DOC_MAP && !is_other_shape(base, over))
        return merge_into_map(doc, base, over) ? base : NULL;
    return copy_value(doc, base, over);
}

// ---- --set ------------------------------------------------------------------------------------

typedef struct override {
    firn_doc* doc;
    int source;
    firn_doc_node at;  // for messages: an override has no line
} override;

static firn_doc_node* make(override* o, firn_doc_type type, char* key)
{
    firn_doc_node* node = firn_doc_make(o->doc, type, o->source, 0, 0);
    if (node != NULL) node->key = key;
    return node;
}

// The child of `node` that one part of the path names; created when a map lacks it.
static firn_doc_node* step_into(override* o, firn_doc_node* node, char* part)
{
    if (node->type == FIRN_DOC_NULL) node->type = FIRN_DOC_MAP;
    if (node->type == FIRN_DOC_LIST) {
        const firn_local index = read_index(part);
        firn_doc_node* item = index >= 0 ? firn_doc_item(node, index) : NULL;
        if (item == NULL)
            firn_doc_error(o->doc, &o->at, "'%s' is no item of a list of %d, counted from 0", part,
                           (int)node->count);
        return item;
    }
    if (node->type != FIRN_DOC_MAP) {
        firn_doc_error(o->doc, &o->at, "'%s' cannot be set inside the value '%s'", part,
                       node->text);
        return NULL;
    }
    firn_doc_node* child = firn_doc_find(node, part);
    if (child == NULL) {
        child = make(o, FIRN_DOC_NULL, part);
        if (child != NULL) firn_doc_append(node, child);
    }
    return child;
}

static void set_path(override* o, char* path, firn_doc_node* value)
{
    firn_doc_node* parent = NULL;
    firn_doc_node* node = o->doc->root;
    if (node->type == FIRN_DOC_NULL) node->type = FIRN_DOC_MAP;
    int depth = 0;
    for (char* part = path; part != NULL;) {
        char* dot = strchr(part, '.');
        if (dot != NULL) *dot = 0;
        if (part[0] == 0 || ++depth > FIRN_DOC_DEPTH_MAX / 2) {
            firn_doc_error(o->doc, &o->at, "a key must look like 'mpm.cell' or 'snow.0.velocity'");
            return;
        }
        parent = node;
        node = step_into(o, node, part);
        if (node == NULL) return;
        part = dot != NULL ? dot + 1 : NULL;
    }
    value->key = node->key;
    value->key_line = value->key_column = 0;
    value->key_source = (int16_t)o->source;
    firn_doc_replace(parent, node, value);
}

void firn_doc_override(firn_doc* doc, const char* assignment, const char* origin)
{
    char name[200];
    snprintf(name, sizeof name, "%s%s", origin, assignment);
    override o = {doc, firn_doc_add_source(doc, name, NULL, 0), {0}};
    if (o.source < 0) return;
    o.at.source = (int16_t)o.source;
    const char* equals = strchr(assignment, '=');
    if (equals == NULL || equals == assignment) {
        firn_doc_error(doc, &o.at, "expected key=value, such as mpm.cell=0.01");
        return;
    }
    firn_doc_node* value = firn_doc_read(doc, o.source, equals + 1, strlen(equals + 1));
    char* path = firn_doc_copy_text(doc, assignment, (size_t)(equals - assignment));
    if (value == NULL || path == NULL) return;
    firn_doc_check_duplicates(doc, value);
    if (strncmp(path, "variants", 8) == 0 && (path[8] == 0 || path[8] == '.')) {
        firn_doc_error(doc, &o.at, "variants cannot be set; choose one with --variant");
        return;
    }
    set_path(&o, path, value);
}
