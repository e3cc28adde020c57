// SPDX-License-Identifier: MIT
// Builds the tree from YAML text. libfyaml emits events; the tree is our own, so that limits hold,
// locations survive merging, and an alias is a copy that counts towards the limits.
#include <stdio.h>
#include <string.h>

#include <libfyaml.h>

#include "core/memory.h"
#include "core/text.h"
#include "scene/parse/characters.h"
#include "scene/parse/document.h"

typedef struct anchor {
    const char* name;  // in the document's chunks
    const firn_doc_node* node;
} anchor;

typedef struct builder {
    firn_doc* doc;
    int source;
    int depth;  // open lists and maps
    firn_doc_node* open[FIRN_DOC_DEPTH_MAX];
    const char* open_anchor[FIRN_DOC_DEPTH_MAX];  // null: none
    char* key;                                    // whose value is not read yet; null: none
    int key_line, key_column;
    anchor anchors[FIRN_DOC_ANCHORS_MAX];
    int anchor_count;
    firn_doc_node* root;
    firn_text text;           // scratch
    const char* source_text;  // borrowed
    size_t length;            // of source_text
    bool failed;
} builder;

static void fail(builder* b, int line, int column, const char* message)
{
    const firn_doc_node at = {.line = line, .column = column, .source = (int16_t)b->source};
    firn_doc_error(b->doc, &at, "%s", message);
    b->failed = true;
}

// Scans every character once: reports invalid bytes with their location, and stops at excessive
// numbers of brackets or commas, because libfyaml keeps everything between brackets in memory.
// Those in quotes and comments count too; the limits are far above what a scene needs.
static void check_characters(builder* b, const char* text, size_t length)
{
    int line = 1, column = 1, open = 0, separators = 0;
    char message[100] = "";
    for (size_t i = 0; i < length && message[0] == 0;) {
        const int n = firn_character_length(text + i, length - i);
        const char c = text[i];
        open += (c == '[' || c == '{') - (c == ']' || c == '}');
        separators += c == '[' || c == '{' || c == ',';
        if (n == 0)
            snprintf(
                message, sizeof message,
                "byte 0x%02x is not allowed: the text must be UTF-8 without control characters",
                (unsigned)(unsigned char)c);
        else if (open > 5 * FIRN_DOC_DEPTH_MAX)
            snprintf(message, sizeof message, "nested too deeply (%d open brackets)", open);
        else if (separators > FIRN_DOC_NODES_MAX / 2)
            snprintf(message, sizeof message, "more than %d brackets and commas",
                     FIRN_DOC_NODES_MAX / 2);
        if (message[0] != 0) fail(b, line, column, message);
        column++;
        if (c == '\n') line++, column = 1;
        i += (size_t)n;
    }
}

// Location of an event; a missing value has the location of its key.
static void find_place(const builder* b, struct fy_event* event, int* out_line, int* out_column)
{
    const struct fy_mark* mark = fy_event_start_mark(event);
    *out_line = mark != NULL ? mark->line + 1 : b->key != NULL ? b->key_line : 1;
    *out_column = mark != NULL ? mark->column + 1 : b->key != NULL ? b->key_column : 1;
}

static void remember_anchor(builder* b, const char* name, const firn_doc_node* node)
{
    if (b->anchor_count == FIRN_DOC_ANCHORS_MAX) {
        fail(b, node->line, node->column, "too many anchors");
        return;
    }
    b->anchors[b->anchor_count++] = (anchor){name, node};
}

// Adds a node to the innermost open list or map.
static void attach(builder* b, firn_doc_node* node)
{
    if (b->depth == 0) {
        b->root = node;
        return;
    }
    firn_doc_node* parent = b->open[b->depth - 1];
    if (parent->type == FIRN_DOC_MAP) {
        node->key = b->key;
        node->key_line = b->key_line;
        node->key_column = b->key_column;
        node->key_source = (int16_t)b->source;
        b->key = NULL;
    }
    firn_doc_append(parent, node);
}

static bool expects_key(const builder* b)
{
    return b->depth > 0 && b->open[b->depth - 1]->type == FIRN_DOC_MAP && b->key == NULL;
}

// Appends the text of a token part by part. (fy_token_get_text would do it in one call, but in
// libfyaml 0.7 it leaks memory if a text has many escapes.)
static void add_token_text(firn_text* text, struct fy_token* token)
{
    struct fy_token_iter* iterator = fy_token_iter_create(token);
    if (iterator == NULL) {
        text->failed = true;
        return;
    }
    const struct fy_iter_chunk* chunk = NULL;
    int error = 0;
    while ((chunk = fy_token_iter_chunk_next(iterator, chunk, &error)) != NULL)
        firn_text_add_bytes(text, chunk->str, chunk->len);
    if (error != 0) text->failed = true;
    fy_token_iter_destroy(iterator);
}

// Text in single quotes on one line, copied from the source itself: libfyaml 0.7 misreads two
// consecutive escaped quotes. False: it is not such a text.
static bool add_single_quoted(builder* b, struct fy_token* token)
{
    if (fy_token_get_type(token) != FYTT_SCALAR ||
        fy_token_scalar_style(token) != FYSS_SINGLE_QUOTED)
        return false;
    const size_t begin = fy_token_start_mark(token)->input_pos;
    const size_t end = fy_token_end_mark(token)->input_pos;
    if (begin > end || end > b->length || memchr(b->source_text + begin, '\n', end - begin))
        return false;
    for (size_t i = begin; i < end; i++) {
        firn_text_add_bytes(&b->text, b->source_text + i, 1);
        if (b->source_text[i] == '\'') i++;  // a doubled quote is one quote
    }
    return true;
}

static char* copy_token(builder* b, struct fy_token* token, int line, int column)
{
    b->text.length = 0;
    firn_text_add_bytes(&b->text, "", 0);
    if (token != NULL && !add_single_quoted(b, token)) add_token_text(&b->text, token);
    if (b->text.failed) {
        b->doc->out_of_memory = b->failed = true;
        return NULL;
    }
    const size_t length = b->text.length;
    for (size_t i = 0; i < length;) {  // escapes can produce characters that a file may not contain
        const int n = firn_character_length(b->text.data + i, length - i);
        if (n == 0) {
            fail(b, line, column,
                 "a text must not contain control characters, escaped ones neither");
            return NULL;
        }
        i += (size_t)n;
    }
    char* copy = firn_doc_copy_text(b->doc, b->text.data, length);
    if (copy == NULL) b->failed = true;
    return copy;
}

static char* copy_anchor(builder* b, struct fy_token* token, int line, int column)
{
    return token != NULL ? copy_token(b, token, line, column) : NULL;
}

static void check_tag(builder* b, struct fy_token* tag, int line, int column)
{
    if (tag != NULL) fail(b, line, column, "tags such as '!!str' are not part of the scene format");
}

static void open_node(builder* b, struct fy_event* event, firn_doc_type type)
{
    int line, column;
    find_place(b, event, &line, &column);
    if (expects_key(b)) {
        fail(b, line, column, "a key must be plain text, not a list or a map");
        return;
    }
    if (b->depth == FIRN_DOC_DEPTH_MAX) {
        fail(b, line, column, "nested too deeply (more than 40 levels)");
        return;
    }
    const bool is_map = type == FIRN_DOC_MAP;
    check_tag(b, is_map ? event->mapping_start.tag : event->sequence_start.tag, line, column);
    firn_doc_node* node = firn_doc_make(b->doc, type, b->source, line, column);
    if (node == NULL) {
        b->failed = true;
        return;
    }
    attach(b, node);
    b->open_anchor[b->depth] = copy_anchor(
        b, is_map ? event->mapping_start.anchor : event->sequence_start.anchor, line, column);
    b->open[b->depth++] = node;
}

static void close_node(builder* b)
{
    b->depth--;
    // Registered only now, so that an alias cannot refer to a node that contains it.
    if (b->open_anchor[b->depth] != NULL)
        remember_anchor(b, b->open_anchor[b->depth], b->open[b->depth]);
}

static bool is_null(const char* text)
{
    return text[0] == 0 || strcmp(text, "~") == 0 || strcmp(text, "null") == 0 ||
           strcmp(text, "Null") == 0 || strcmp(text, "NULL") == 0;
}

static void add_scalar(builder* b, struct fy_event* event)
{
    int line, column;
    find_place(b, event, &line, &column);
    struct fy_token* token = event->scalar.value;
    const enum fy_scalar_style style = token != NULL ? fy_token_scalar_style(token) : FYSS_PLAIN;
    if (style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED) column--;  // of the quote
    check_tag(b, event->scalar.tag, line, column);
    char* text = copy_token(b, token, line, column);
    if (text == NULL || b->failed) return;
    if (expects_key(b)) {
        b->key = text;
        b->key_line = line;
        b->key_column = column;
        return;
    }
    const bool quoted = style != FYSS_PLAIN;
    firn_doc_node* node =
        firn_doc_make(b->doc, !quoted && is_null(text) ? FIRN_DOC_NULL : FIRN_DOC_SCALAR, b->source,
                      line, column);
    if (node == NULL) {
        b->failed = true;
        return;
    }
    node->text = text;
    node->quoted = quoted;
    attach(b, node);
    const char* name = copy_anchor(b, event->scalar.anchor, line, column);
    if (name != NULL) remember_anchor(b, name, node);
}

static int height(const firn_doc_node* node, firn_local* size)
{
    int highest = 0;
    ++*size;
    for (const firn_doc_node* child = node->first; child != NULL; child = child->next) {
        const int h = height(child, size);
        if (h > highest) highest = h;
    }
    return highest + 1;
}

static void add_alias(builder* b, struct fy_event* event)
{
    int line, column;
    find_place(b, event, &line, &column);
    column--;  // of the asterisk
    char* name = copy_token(b, event->alias.anchor, line, column);
    if (name == NULL) return;
    if (expects_key(b)) {
        fail(b, line, column, "an alias cannot be a key");
        return;
    }
    const firn_doc_node* target = NULL;
    for (int i = b->anchor_count - 1; i >= 0 && target == NULL; i--)  // latest first
        if (strcmp(b->anchors[i].name, name) == 0) target = b->anchors[i].node;
    if (target == NULL) {
        fail(b, line, column, "this alias names no anchor that was completed before it");
        return;
    }
    firn_local size = 0;
    if (b->depth + height(target, &size) > FIRN_DOC_DEPTH_MAX) {
        fail(b, line, column, "nested too deeply (more than 40 levels, aliases expanded)");
        return;
    }
    if (b->doc->node_count + size > FIRN_DOC_NODES_MAX) {
        fail(b, line, column, "too many values once aliases are expanded");
        return;
    }
    firn_doc_node* copy = firn_doc_copy(b->doc, target);
    if (copy == NULL)
        b->failed = true;
    else
        attach(b, copy);
}

static void handle(builder* b, struct fy_event* event)
{
    switch (event->type) {
    case FYET_DOCUMENT_START:
        if (b->root != NULL) {
            const struct fy_mark* mark = fy_event_start_mark(event);
            fail(b, mark != NULL ? mark->line + 1 : 1, 1,
                 "a scene file holds one document, here a second begins");
        }
        break;
    case FYET_MAPPING_START: open_node(b, event, FIRN_DOC_MAP); break;
    case FYET_SEQUENCE_START: open_node(b, event, FIRN_DOC_LIST); break;
    case FYET_MAPPING_END:
    case FYET_SEQUENCE_END: close_node(b); break;
    case FYET_SCALAR: add_scalar(b, event); break;
    case FYET_ALIAS: add_alias(b, event); break;
    default: break;
    }
}

// Without this, libfyaml prints its messages.
static void swallow(struct fy_diag* diag, void* user, const char* text, size_t length)
{
    (void)diag, (void)user, (void)text, (void)length;
}

static void read_events(builder* b, struct fy_parser* parser, struct fy_diag* diag)
{
    struct fy_event* event;
    while (!b->failed && (event = fy_parser_parse(parser)) != NULL) {
        handle(b, event);
        fy_parser_event_free(parser, event);
    }
    if (b->failed) return;
    void* iterator = NULL;
    const struct fy_diag_error* error;
    while ((error = fy_diag_errors_iterate(diag, &iterator)) != NULL)
        fail(b, error->line, error->column, error->msg);
    if (!b->failed && fy_parser_get_stream_error(parser))
        fail(b, 1, 1, "the text cannot be read as YAML");
}

static void parse(builder* b, const char* text, size_t length)
{
    struct fy_diag_cfg diag_cfg;
    fy_diag_cfg_default(&diag_cfg);
    diag_cfg.fp = NULL;
    diag_cfg.output_fn = swallow;
    diag_cfg.colorize = false;
    diag_cfg.level = FYET_ERROR;
    struct fy_diag* diag = fy_diag_create(&diag_cfg);
    const struct fy_parse_cfg cfg = {
        .search_path = "", .flags = FYPCF_JSON_NONE | FYPCF_DEFAULT_VERSION_1_2, .diag = diag};
    struct fy_parser* parser = diag != NULL ? fy_parser_create(&cfg) : NULL;
    if (parser == NULL || fy_parser_set_string(parser, text, length) != 0) {
        b->doc->out_of_memory = true;
    } else {
        fy_diag_set_collect_errors(diag, true);
        read_events(b, parser, diag);
    }
    if (parser != NULL) fy_parser_destroy(parser);
    if (diag != NULL) fy_diag_destroy(diag);
}

firn_doc_node* firn_doc_read(firn_doc* doc, int source, const char* text, size_t length)
{
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {  // byte order mark
        text += 3;
        length -= 3;
    }
    builder* b = firn_alloc(1, sizeof *b);
    if (b == NULL) {
        doc->out_of_memory = true;
        return NULL;
    }
    b->doc = doc;
    b->source = source;
    b->source_text = text;
    b->length = length;
    if (length > FIRN_DOC_BYTES_MAX) fail(b, 1, 1, "a scene may have at most 4 MB");
    if (!b->failed) check_characters(b, text, length);
    if (!b->failed) parse(b, text, length);
    firn_doc_node* root = b->failed || doc->out_of_memory ? NULL : b->root;
    if (root == NULL && !b->failed && !doc->out_of_memory)  // empty text
        root = firn_doc_make(doc, FIRN_DOC_NULL, source, 1, 1);
    firn_free(b->text.data);
    firn_free(b);
    return root;
}
