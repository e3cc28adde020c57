// SPDX-License-Identifier: MIT
// Parsing the header of a PLY file (Turk 1994): lines of words up to `end_header`.
#include "mesh/io/ply_header.h"

#include <string.h>

#include "core/words.h"

#define WORDS_MAX 6
#define LINES_MAX 10000  // including comments: limits the search for end_header

static const struct {
    const char* name;
    firn_ply_type type;
} type_names[] = {
    {"char", FIRN_PLY_INT8},      {"int8", FIRN_PLY_INT8},       {"uchar", FIRN_PLY_UINT8},
    {"uint8", FIRN_PLY_UINT8},    {"short", FIRN_PLY_INT16},     {"int16", FIRN_PLY_INT16},
    {"ushort", FIRN_PLY_UINT16},  {"uint16", FIRN_PLY_UINT16},   {"int", FIRN_PLY_INT32},
    {"int32", FIRN_PLY_INT32},    {"uint", FIRN_PLY_UINT32},     {"uint32", FIRN_PLY_UINT32},
    {"float", FIRN_PLY_FLOAT32},  {"float32", FIRN_PLY_FLOAT32}, {"double", FIRN_PLY_FLOAT64},
    {"float64", FIRN_PLY_FLOAT64}};

size_t firn_ply_type_size(firn_ply_type type)
{
    static const size_t sizes[] = {0, 1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[type];
}

// State of the parser.
typedef struct reader {
    const char* path;
    const char *at, *end;
    int64_t line;  // number of the line last read
    firn_word words[WORDS_MAX];
    int word_count;  // WORDS_MAX + 1: there are more; only the first WORDS_MAX are stored
    firn_error* error;
} reader;

static firn_result refuse(const reader* r, const char* what)
{
    return firn_fail(r->error, FIRN_REFUSED_SCENE, "%s:%lld: %s", r->path, (long long)r->line,
                     what);
}

static firn_result refuse_word(const reader* r, const char* what, firn_word w)
{
    return firn_fail(r->error, FIRN_REFUSED_SCENE, "%s:%lld: %s '%.*s'", r->path,
                     (long long)r->line, what, firn_word_shown(w), w.at);
}

// Splits the next line into words. Lines end with LF or CR LF.
static firn_result next_line(reader* r)
{
    if (r->line >= LINES_MAX)
        return firn_fail(r->error, FIRN_REFUSED_SCENE,
                         "%s:%d: no end_header in the first %d lines: not a PLY file?", r->path,
                         LINES_MAX, LINES_MAX);
    r->line++;
    const char* newline = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
    if (newline == NULL) return refuse(r, "the file ends inside the header");
    r->word_count = 0;
    firn_word w;
    while (r->word_count <= WORDS_MAX && firn_word_next(&r->at, newline, &w)) {
        if (r->word_count < WORDS_MAX) r->words[r->word_count] = w;
        r->word_count++;
    }
    r->at = newline + 1;
    return FIRN_OK;
}

static firn_result parse_type(const reader* r, firn_word w, firn_ply_type* out_type)
{
    for (size_t i = 0; i < sizeof type_names / sizeof type_names[0]; i++)
        if (firn_word_is(w, type_names[i].name)) {
            *out_type = type_names[i].type;
            return FIRN_OK;
        }
    return refuse_word(r, "unknown type (char, uchar, short, ushort, int, uint, float, double)", w);
}

static firn_result parse_name(const reader* r, firn_word w, char* out_name)
{
    if (w.length >= FIRN_PLY_NAME_MAX) return refuse_word(r, "name too long", w);
    memcpy(out_name, w.at, w.length);
    out_name[w.length] = '\0';
    return FIRN_OK;
}

static firn_result parse_count(const reader* r, firn_word w, int64_t* out_count)
{
    int64_t count = 0;
    for (size_t i = 0; i < w.length; i++) {
        if (w.at[i] < '0' || w.at[i] > '9') return refuse_word(r, "not a count:", w);
        if (count > INT64_MAX / 10 - 1) return refuse_word(r, "count too large:", w);
        count = 10 * count + (w.at[i] - '0');
    }
    *out_count = count;
    return FIRN_OK;
}

static firn_result parse_format(const reader* r, firn_ply_header* header)
{
    if (r->word_count != 3) return refuse(r, "expected 'format NAME 1.0'");
    if (!firn_word_is(r->words[2], "1.0"))
        return refuse_word(r, "unknown PLY version", r->words[2]);
    if (firn_word_is(r->words[1], "ascii")) {
        header->format = FIRN_PLY_ASCII;
    } else if (firn_word_is(r->words[1], "binary_little_endian")) {
        header->format = FIRN_PLY_LITTLE;
    } else if (firn_word_is(r->words[1], "binary_big_endian")) {
        header->format = FIRN_PLY_BIG;
    } else {
        return refuse_word(r, "unknown format (ascii, binary_little_endian, binary_big_endian)",
                           r->words[1]);
    }
    return FIRN_OK;
}

static firn_result parse_element(const reader* r, firn_ply_header* header)
{
    if (r->word_count != 3) return refuse(r, "expected 'element NAME COUNT'");
    if (header->element_count == FIRN_PLY_ELEMENTS_MAX)
        return firn_fail(r->error, FIRN_REFUSED_SCENE, "%s:%lld: more than %d elements", r->path,
                         (long long)r->line, FIRN_PLY_ELEMENTS_MAX);
    firn_ply_element* element = &header->elements[header->element_count];
    *element = (firn_ply_element){.first = header->property_count};
    FIRN_TRY(parse_name(r, r->words[1], element->name));
    FIRN_TRY(parse_count(r, r->words[2], &element->count));
    for (int i = 0; i < header->element_count; i++)
        if (strcmp(header->elements[i].name, element->name) == 0)
            return refuse_word(r, "second element of the name", r->words[1]);
    header->element_count++;
    return FIRN_OK;
}

static firn_result parse_property(const reader* r, firn_ply_header* header)
{
    const bool list = r->word_count > 1 && firn_word_is(r->words[1], "list");
    if (r->word_count != (list ? 5 : 3))
        return refuse(r, "expected 'property TYPE NAME' or 'property list TYPE TYPE NAME'");
    if (header->element_count == 0) return refuse(r, "a property before the first element");
    if (header->property_count == FIRN_PLY_PROPERTIES_MAX)
        return firn_fail(r->error, FIRN_REFUSED_SCENE, "%s:%lld: more than %d properties", r->path,
                         (long long)r->line, FIRN_PLY_PROPERTIES_MAX);
    firn_ply_property* property = &header->properties[header->property_count];
    *property = (firn_ply_property){0};
    FIRN_TRY(parse_name(r, r->words[list ? 4 : 2], property->name));
    FIRN_TRY(parse_type(r, r->words[list ? 3 : 1], &property->type));
    if (list) {
        FIRN_TRY(parse_type(r, r->words[2], &property->count_type));
        if (property->count_type >= FIRN_PLY_FLOAT32)
            return refuse_word(r, "the length of a list must be a whole number, not of type",
                               r->words[2]);
    }
    firn_ply_element* element = &header->elements[header->element_count - 1];
    for (int i = 0; i < element->property_count; i++)
        if (strcmp(header->properties[element->first + i].name, property->name) == 0)
            return refuse_word(r, "second property of the name", r->words[list ? 4 : 2]);
    header->property_count++;
    element->property_count++;
    return FIRN_OK;
}

firn_result firn_ply_parse_header(const char* path, const char* text, size_t bytes,
                                  firn_ply_header* out_header, firn_error* error)
{
    reader r = {.path = path, .at = text, .end = text + bytes, .error = error};
    *out_header = (firn_ply_header){0};
    if (bytes < 4 || memcmp(text, "ply", 3) != 0 || (text[3] != '\n' && text[3] != '\r'))
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s:1: not a PLY file: it does not begin with a line 'ply'", path);
    FIRN_TRY(next_line(&r));
    bool has_format = false;
    for (;;) {
        FIRN_TRY(next_line(&r));
        if (r.word_count == 0 || firn_word_is(r.words[0], "comment") ||
            firn_word_is(r.words[0], "obj_info"))
            continue;
        if (firn_word_is(r.words[0], "end_header")) break;
        if (firn_word_is(r.words[0], "format")) {
            if (has_format) return refuse(&r, "a second line 'format'");
            FIRN_TRY(parse_format(&r, out_header));
            has_format = true;
        } else if (firn_word_is(r.words[0], "element")) {
            FIRN_TRY(parse_element(&r, out_header));
        } else if (firn_word_is(r.words[0], "property")) {
            FIRN_TRY(parse_property(&r, out_header));
        } else {
            return refuse_word(&r, "unknown word in the header:", r.words[0]);
        }
    }
    if (!has_format) return refuse(&r, "the header has no line 'format'");
    out_header->data_at = (size_t)(r.at - text);
    out_header->line = r.line + 1;
    return FIRN_OK;
}
