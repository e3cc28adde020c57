// SPDX-License-Identifier: MIT
// The keys in which two scenes differ, as their YAML has them.
#include <string.h>

#include "core/text.h"
#include "firn/tools.h"
#include "scene/parse/document.h"
#include "sim/entry.h"

#define ABSENT "-"  // a scene that has no such key

typedef struct comparison {
    firn_text path, out;
} comparison;

// In one line, as YAML's flow style. Depth is bounded by FIRN_DOC_DEPTH_MAX.
static void print_value(firn_text* text, const firn_doc_node* node)
{
    if (node == NULL) {
        firn_text_add(text, ABSENT);
    } else if (node->type == FIRN_DOC_SCALAR) {
        for (const char* c = node->text; *c != '\0'; c++)
            firn_text_add_bytes(text, *c == '\t' || *c == '\n' ? " " : c, 1);
    } else if (node->type == FIRN_DOC_NULL) {
        firn_text_add(text, "null");
    } else {
        const bool list = node->type == FIRN_DOC_LIST;
        firn_text_add(text, list ? "[" : "{");
        for (const firn_doc_node* n = node->first; n != NULL; n = n->next) {
            if (n != node->first) firn_text_add(text, ", ");
            if (!list) firn_text_add(text, "%s: ", n->key);
            print_value(text, n);
        }
        firn_text_add(text, list ? "]" : "}");
    }
}

static void add_line(comparison* c, const firn_doc_node* a, const firn_doc_node* b)
{
    firn_text_add(&c->out, "%s\t", c->path.data != NULL ? c->path.data : "");
    print_value(&c->out, a);
    firn_text_add(&c->out, "\t");
    print_value(&c->out, b);
    firn_text_add(&c->out, "\n");
}

// Numbers are the same however they are written.
static bool same_scalar(const char* a, const char* b)
{
    char *end_a, *end_b;
    if (strcmp(a, b) == 0) return true;
    const double x = firn_parse_double(a, &end_a), y = firn_parse_double(b, &end_b);
    return end_a != a && end_b != b && x == y && strcmp(end_a, end_b) == 0;
}

// Lists of numbers and words are values: [0, 1, 0].
static bool is_plain_list(const firn_doc_node* node)
{
    for (const firn_doc_node* n = node->first; n != NULL; n = n->next)
        if (n->type != FIRN_DOC_SCALAR) return false;
    return true;
}

static bool same_lists(const firn_doc_node* a, const firn_doc_node* b)
{
    if (a->count != b->count) return false;
    const firn_doc_node* n = b->first;
    for (const firn_doc_node* m = a->first; m != NULL; m = m->next, n = n->next)
        if (!same_scalar(m->text, n->text)) return false;
    return true;
}

static void compare(comparison* c, const firn_doc_node* a, const firn_doc_node* b);

// Compares children whose key, or number in a list, is the last part of the path.
static void compare_child(comparison* c, const char* key, firn_local number, const firn_doc_node* a,
                          const firn_doc_node* b)
{
    const size_t length = c->path.length;
    if (length > 0) firn_text_add(&c->path, ".");
    if (key != NULL)
        firn_text_add(&c->path, "%s", key);
    else
        firn_text_add(&c->path, "%d", (int)number);
    compare(c, a, b);
    if (c->path.data == NULL || c->path.length < length) return;
    c->path.length = length;
    c->path.data[length] = '\0';
}

static void compare_maps(comparison* c, const firn_doc_node* a, const firn_doc_node* b)
{
    for (const firn_doc_node* n = a->first; n != NULL; n = n->next)
        compare_child(c, n->key, 0, n, firn_doc_find(b, n->key));
    for (const firn_doc_node* n = b->first; n != NULL; n = n->next)
        if (firn_doc_find(a, n->key) == NULL) compare_child(c, n->key, 0, NULL, n);
}

static void compare(comparison* c, const firn_doc_node* a, const firn_doc_node* b)
{
    if (a == NULL || b == NULL || a->type != b->type) {
        add_line(c, a, b);
    } else if (a->type == FIRN_DOC_MAP) {
        compare_maps(c, a, b);
    } else if (a->type == FIRN_DOC_SCALAR) {
        if (!same_scalar(a->text, b->text)) add_line(c, a, b);
    } else if (a->type == FIRN_DOC_LIST && is_plain_list(a) && is_plain_list(b)) {
        if (!same_lists(a, b)) add_line(c, a, b);
    } else if (a->type == FIRN_DOC_LIST) {
        const firn_local count = a->count > b->count ? a->count : b->count;
        for (firn_local k = 0; k < count; k++)
            compare_child(c, NULL, k, k < a->count ? firn_doc_item(a, k) : NULL,
                          k < b->count ? firn_doc_item(b, k) : NULL);
    }
}

static firn_doc_node* read_text(firn_doc* doc, const char* text)
{
    const size_t length = strlen(text);
    const int source = firn_doc_add_source(doc, "scene", text, length);
    return source < 0 ? NULL : firn_doc_read(doc, source, text, length);
}

firn_result firn_yaml_differences(const char* yaml, const char* other, char** out_text,
                                  firn_error* out_error)
{
    out_error = firn_call(out_error);
    if (yaml == NULL || other == NULL || out_text == NULL) return firn_call_null(__func__);
    firn_diagnostics diagnostics = {0};
    firn_doc first, second;
    comparison c = {0};
    firn_result r = FIRN_OK;
    firn_doc_init(&first, &diagnostics);
    firn_doc_init(&second, &diagnostics);
    const firn_doc_node* a = read_text(&first, yaml);
    const firn_doc_node* b = a != NULL ? read_text(&second, other) : NULL;
    if (b != NULL) compare(&c, a, b);
    firn_text_add(&c.out, "%s", "");
    if (first.out_of_memory || second.out_of_memory || c.out.failed || c.path.failed)
        r = firn_fail(out_error, FIRN_BROKEN_MEMORY, "out of memory comparing two scenes");
    else if (b == NULL)
        r = firn_fail(out_error, FIRN_REFUSED_SCENE, "line %d: %s",
                      diagnostics.count > 0 ? diagnostics.items[0].line : 0,
                      diagnostics.count > 0 ? diagnostics.items[0].message : "no YAML");
    char* text = r == FIRN_OK ? firn_text_take(&c.out) : NULL;
    firn_text_destroy(&c.out);
    firn_text_destroy(&c.path);
    firn_doc_destroy(&first);
    firn_doc_destroy(&second);
    firn_diagnostics_destroy(&diagnostics);
    if (r == FIRN_OK) *out_text = text;
    return r;
}
