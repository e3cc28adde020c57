// SPDX-License-Identifier: MIT
// Writes the tree as YAML text: block style, short lists and maps of scalars on one line.
#include <string.h>

#include "core/memory.h"
#include "core/text.h"
#include "scene/parse/document.h"

#define LINE 90  // [characters] limit of a one-line list or map

// Plain text that needs no quotes anywhere, also between brackets.
static bool is_plain(const char* text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                               "_-+./%^ ";
    const size_t length = strlen(text);
    if (length == 0 || strspn(text, safe) != length) return false;
    if (text[0] == ' ' || text[length - 1] == ' ' || text[0] == '%') return false;
    if (text[0] == '-' && (length == 1 || text[1] == ' ' || text[1] == '-')) return false;
    return strcmp(text, "null") != 0 && strcmp(text, "Null") != 0 && strcmp(text, "NULL") != 0;
}

static void write_text(firn_text* out, const char* text)
{
    if (is_plain(text))
        firn_text_add(out, "%s", text);
    else
        firn_text_add_json(out, text);  // JSON escapes are valid YAML
}

// Length on one line, or more than LINE if it does not fit on one. Nesting is at most three deep.
static size_t flow_length(const firn_doc_node* node, int depth)
{
    if (node->type == FIRN_DOC_NULL) return 4;
    if (node->type == FIRN_DOC_SCALAR) return strlen(node->text) + 2;
    if (depth == 3) return LINE + 1;
    size_t length = 2;
    for (const firn_doc_node* child = node->first; child != NULL; child = child->next) {
        length += flow_length(child, depth + 1) + 2 + (child->key ? strlen(child->key) + 2 : 0);
        if (length > LINE) break;
    }
    return length;
}

static void write_flow(firn_text* out, const firn_doc_node* node)
{
    if (node->type == FIRN_DOC_NULL) {
        firn_text_add(out, "null");
        return;
    }
    if (node->type == FIRN_DOC_SCALAR) {
        write_text(out, node->text);
        return;
    }
    const bool is_map = node->type == FIRN_DOC_MAP;
    firn_text_add(out, is_map ? "{" : "[");
    for (const firn_doc_node* child = node->first; child != NULL; child = child->next) {
        if (is_map) {
            write_text(out, child->key);
            firn_text_add(out, ": ");
        }
        write_flow(out, child);
        if (child->next != NULL) firn_text_add(out, ", ");
    }
    firn_text_add(out, is_map ? "}" : "]");
}

static void write_block(firn_text* out, const firn_doc_node* node, int indent)
{
    const bool is_map = node->type == FIRN_DOC_MAP;
    for (const firn_doc_node* child = node->first; child != NULL; child = child->next) {
        // The first key of a map in a list follows the dash.
        if (child != node->first) firn_text_add(out, "%*s", indent, "");
        if (is_map) {
            write_text(out, child->key);
            firn_text_add(out, ":");
        } else {
            firn_text_add(out, "-");
        }
        if (flow_length(child, 0) <= LINE || child->count == 0) {
            firn_text_add(out, " ");
            write_flow(out, child);
            firn_text_add(out, "\n");
        } else if (is_map) {
            firn_text_add(out, "\n%*s", indent + 2, "");
            write_block(out, child, indent + 2);
        } else {
            firn_text_add(out, " ");
            write_block(out, child, indent + 2);
        }
    }
}

char* firn_doc_write(const firn_doc_node* root)
{
    firn_text out = {0};
    if (root->count > 0) write_block(&out, root, 0);
    return firn_text_take(&out);
}
