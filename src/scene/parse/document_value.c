// SPDX-License-Identifier: MIT
// Stands in for document_read.c where firn is built without libfyaml: reads the value that
// firn_scene_set is given, a word, a number, a quoted text or a list of them in brackets. Scene
// files are refused.
#include <ctype.h>
#include <string.h>

#include "core/memory.h"
#include "scene/parse/characters.h"
#include "scene/parse/document.h"

typedef struct reader {
    firn_doc* doc;
    int source;
    const char* at;
    const char* end;
    const char* begin;
} reader;

static firn_doc_node* make(reader* r, firn_doc_type type)
{
    return firn_doc_make(r->doc, type, r->source, 1, (int)(r->at - r->begin) + 1);
}

static firn_doc_node* fail(reader* r, const char* message)
{
    const firn_doc_node at = {
        .line = 1, .column = (int)(r->at - r->begin) + 1, .source = (int16_t)r->source};
    firn_doc_error(r->doc, &at, "%s", message);
    return NULL;
}

static void skip_spaces(reader* r)
{
    while (r->at < r->end && isspace((unsigned char)*r->at)) r->at++;
}

static firn_doc_node* read_quoted(reader* r)
{
    const char quote = *r->at;
    const char* close = memchr(r->at + 1, quote, (size_t)(r->end - r->at - 1));
    if (close == NULL) return fail(r, "the quotation mark is not closed");
    if (quote == '"' && memchr(r->at, '\\', (size_t)(close - r->at)) != NULL)
        return fail(r, "escapes in quotes need a firn with libfyaml: use 'single' quotes");
    firn_doc_node* node = make(r, FIRN_DOC_SCALAR);
    if (node == NULL) return NULL;
    node->quoted = true;
    node->text = firn_doc_copy_text(r->doc, r->at + 1, (size_t)(close - r->at - 1));
    r->at = close + 1;
    return node->text != NULL ? node : NULL;
}

// A word or a number: up to the end, or inside a list up to the next comma or bracket.
static firn_doc_node* read_plain(reader* r, int depth)
{
    const char* begin = r->at;
    const char* end = begin;
    while (end < r->end && (depth == 0 || strchr(",[]", *end) == NULL)) end++;
    const char* next = end;
    while (end > begin && isspace((unsigned char)end[-1])) end--;
    const size_t length = (size_t)(end - begin);
    if (depth > 0 && length == 0) return fail(r, "a value is missing");
    const bool none = length == 0 || (length == 1 && *begin == '~') ||
                      (length == 4 && memcmp(begin, "null", 4) == 0);
    firn_doc_node* node = make(r, none ? FIRN_DOC_NULL : FIRN_DOC_SCALAR);
    if (node == NULL) return NULL;
    if (!none) {
        node->text = firn_doc_copy_text(r->doc, begin, length);
        if (node->text == NULL) return NULL;
    }
    r->at = next;
    return node;
}

static firn_doc_node* read_value(reader* r, int depth)
{
    skip_spaces(r);
    if (r->at < r->end && (*r->at == '"' || *r->at == '\'')) return read_quoted(r);
    if (r->at < r->end && (*r->at == '{' || *r->at == '&' || *r->at == '*'))
        return fail(r, "maps and anchors need a firn with libfyaml: set the keys one by one");
    if (r->at == r->end || *r->at != '[') return read_plain(r, depth);
    if (depth == FIRN_DOC_DEPTH_MAX) return fail(r, "nested too deeply");
    firn_doc_node* list = make(r, FIRN_DOC_LIST);
    if (list == NULL) return NULL;
    r->at++;
    skip_spaces(r);
    while (r->at < r->end && *r->at != ']') {
        firn_doc_node* item = read_value(r, depth + 1);
        if (item == NULL) return NULL;
        firn_doc_append(list, item);
        skip_spaces(r);
        if (r->at == r->end || (*r->at != ',' && *r->at != ']'))
            return fail(r, "expected ',' or ']'");
        if (*r->at == ',') r->at++;
        skip_spaces(r);
    }
    if (r->at == r->end) return fail(r, "the bracket is not closed");
    r->at++;
    return list;
}

static bool is_text(const char* text, size_t length)
{
    for (size_t i = 0; i < length;) {
        const int n = firn_character_length(text + i, length - i);
        if (n == 0) return false;
        i += (size_t)n;
    }
    return true;
}

firn_doc_node* firn_doc_read(firn_doc* doc, int source, const char* text, size_t length)
{
    reader r = {doc, source, text, text + length, text};
    if (doc->sources[source].text != NULL)
        return fail(
            &r, "this firn was built without libfyaml and reads no scene files: build the "
                "scene with the functions of firn/scene.h, or build firn with FIRN_CORE_YAML=ON");
    if (length > FIRN_DOC_BYTES_MAX) return fail(&r, "a value may have at most 4 MB");
    if (!is_text(text, length))
        return fail(&r, "the text must be UTF-8 without control characters");
    firn_doc_node* value = read_value(&r, 0);
    if (value == NULL) return NULL;
    skip_spaces(&r);
    return r.at == r.end ? value : fail(&r, "unexpected text after the value");
}
