// SPDX-License-Identifier: MIT
// Parses JSON into a flat list of values, without recursion: a file nested deeper than any glTF is
// refused instead of overflowing the stack.
#include "mesh/io/json.h"

#include <math.h>
#include <string.h>

#include "core/memory.h"
#include "core/text.h"

typedef struct parser {
    const char* path;
    const char *text, *at, *end;
    firn_json json;
    firn_local open[FIRN_JSON_DEPTH_MAX];  // arrays and objects not closed yet
    int depth;
    firn_error* error;
} parser;

static firn_result refuse(const parser* p, const char* at, const char* what)
{
    const size_t place = p->json.base + (size_t)(at - p->text);
    if (at >= p->end)
        return firn_fail(p->error, FIRN_REFUSED_SCENE, "%s: byte %zu: %s, but the JSON text ends",
                         p->path, place, what);
    int shown = 0;
    while (shown < 12 && at + shown < p->end && at[shown] >= ' ' && at[shown] <= '~') shown++;
    return firn_fail(p->error, FIRN_REFUSED_SCENE, "%s: byte %zu: %s, found '%.*s'", p->path, place,
                     what, shown, at);
}

static void skip_space(parser* p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\n' || *p->at == '\r' || *p->at == '\t'))
        p->at++;
}

static firn_result add(parser* p, firn_json_type type, const char* begin, const char* end)
{
    firn_json* j = &p->json;
    void* values = j->values;
    if (j->count == INT32_MAX - 1 ||
        !firn_reserve(&values, &j->capacity, j->count + 1, sizeof *j->values))
        return firn_fail(p->error, FIRN_BROKEN_MEMORY, "%s: no memory to read it", p->path);
    j->values = values;
    const firn_local i = j->count++;
    j->values[i] = (firn_json_value){.type = type,
                                     .next = i + 1,
                                     .begin = (size_t)(begin - p->text),
                                     .end = (size_t)(end - p->text)};
    return FIRN_OK;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

// p->at is at the opening quote.
static firn_result read_string(parser* p)
{
    const char* begin = ++p->at;
    for (; p->at < p->end && *p->at != '"'; p->at++) {
        if ((unsigned char)*p->at < 0x20)
            return refuse(p, p->at, "a control character inside a string");
        if (*p->at != '\\') continue;
        const char* escape = p->at++;
        if (p->at == p->end) break;
        if (*p->at == 'u') {
            for (int k = 0; k < 4; k++)
                if (++p->at == p->end || hex_digit(*p->at) < 0)
                    return refuse(p, escape, "expected \\u and four hexadecimal digits");
        } else if (strchr("\"\\/bfnrt", *p->at) == NULL || *p->at == '\0') {
            return refuse(p, escape, "unknown escape in a string");
        }
    }
    if (p->at >= p->end) return refuse(p, p->end, "expected '\"'");
    return add(p, FIRN_JSON_STRING, begin, p->at++);
}

static bool skip_digits(parser* p)
{
    const char* begin = p->at;
    while (p->at < p->end && *p->at >= '0' && *p->at <= '9') p->at++;
    return p->at > begin;
}

static firn_result read_number(parser* p)
{
    const char* begin = p->at;
    if (*p->at == '-') p->at++;
    const char* whole = p->at;
    bool good = skip_digits(p) && !(*whole == '0' && p->at > whole + 1);
    if (good && p->at < p->end && *p->at == '.') {
        p->at++;
        good = skip_digits(p);
    }
    if (good && p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
        p->at++;
        if (p->at < p->end && (*p->at == '+' || *p->at == '-')) p->at++;
        good = skip_digits(p);
    }
    if (!good) return refuse(p, begin, "expected a number");
    return add(p, FIRN_JSON_NUMBER, begin, p->at);
}

static bool take_word(parser* p, const char* word)
{
    const size_t n = strlen(word);
    if ((size_t)(p->end - p->at) < n || memcmp(p->at, word, n) != 0) return false;
    p->at += n;
    return true;
}

static firn_result read_value(parser* p)
{
    skip_space(p);
    const char* begin = p->at;
    if (p->at == p->end) return refuse(p, p->at, "expected a value");
    if (*p->at == '"') return read_string(p);
    if (*p->at == '-' || (*p->at >= '0' && *p->at <= '9')) return read_number(p);
    if (*p->at == '{' || *p->at == '[') {
        if (p->depth == FIRN_JSON_DEPTH_MAX) return refuse(p, p->at, "nested too deep");
        FIRN_TRY(add(p, *p->at == '{' ? FIRN_JSON_OBJECT : FIRN_JSON_ARRAY, begin, begin + 1));
        p->open[p->depth++] = p->json.count - 1;
        p->at++;
        return FIRN_OK;
    }
    if (take_word(p, "null")) return add(p, FIRN_JSON_NULL, begin, p->at);
    if (take_word(p, "true") || take_word(p, "false")) return add(p, FIRN_JSON_BOOL, begin, p->at);
    return refuse(p, p->at, "expected a value");
}

// Inside an open array or object: parses its end, or its next element or member.
static firn_result read_inside(parser* p)
{
    const firn_local i = p->open[p->depth - 1];
    const bool object = p->json.values[i].type == FIRN_JSON_OBJECT;
    const char* wanted = object ? "expected ',' or '}'" : "expected ',' or ']'";
    skip_space(p);
    if (p->at < p->end && *p->at == (object ? '}' : ']')) {
        p->at++;
        p->json.values[i].end = (size_t)(p->at - p->text);
        p->json.values[i].next = p->json.count;
        p->depth--;
        return FIRN_OK;
    }
    if (p->json.values[i].count > 0) {
        if (p->at == p->end || *p->at != ',') return refuse(p, p->at, wanted);
        p->at++;
        skip_space(p);
    }
    if (object) {
        if (p->at == p->end || *p->at != '"')
            return refuse(p, p->at, "expected the name of a member in quotes");
        FIRN_TRY(read_string(p));
        skip_space(p);
        if (p->at == p->end || *p->at != ':') return refuse(p, p->at, "expected ':'");
        p->at++;
    }
    p->json.values[i].count++;
    return read_value(p);
}

firn_result firn_json_parse(const char* path, const char* text, size_t bytes, size_t base,
                            firn_json* out_json, firn_error* error)
{
    parser p = {.path = path, .text = text, .at = text, .end = text + bytes, .error = error};
    p.json = (firn_json){.text = text, .base = base};
    if (bytes >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) p.at += 3;  // byte order mark
    firn_result result = read_value(&p);
    while (result == FIRN_OK && p.depth > 0) result = read_inside(&p);
    skip_space(&p);
    if (result == FIRN_OK && p.at < p.end)
        result = refuse(&p, p.at, "expected nothing after the JSON text");
    if (result != FIRN_OK) {
        firn_json_destroy(&p.json);
        return result;
    }
    *out_json = p.json;
    return FIRN_OK;
}

void firn_json_destroy(firn_json* json)
{
    firn_free(json->values);
    *json = (firn_json){0};
}

firn_local firn_json_member(const firn_json* json, firn_local object, const char* name)
{
    if (object < 0 || json->values[object].type != FIRN_JSON_OBJECT) return -1;
    firn_local key = object + 1;
    for (firn_local k = 0; k < json->values[object].count; k++) {
        if (firn_json_equals(json, key, name)) return key + 1;
        key = json->values[key + 1].next;
    }
    return -1;
}

bool firn_json_number(const firn_json* json, firn_local value, double* out_number)
{
    if (value < 0 || json->values[value].type != FIRN_JSON_NUMBER) return false;
    // strtod stops in time: the character after a number is never part of one, and the text ends
    // with a zero or a bracket.
    const double number = firn_parse_double(json->text + json->values[value].begin, NULL);
    if (!isfinite(number)) return false;
    *out_number = number;
    return true;
}

bool firn_json_is_true(const firn_json* json, firn_local value)
{
    return value >= 0 && json->values[value].type == FIRN_JSON_BOOL &&
           json->text[json->values[value].begin] == 't';
}

bool firn_json_equals(const firn_json* json, firn_local value, const char* text)
{
    if (value < 0 || json->values[value].type != FIRN_JSON_STRING) return false;
    const firn_json_value* v = &json->values[value];
    const size_t n = strlen(text);
    return v->end - v->begin == n && memcmp(json->text + v->begin, text, n) == 0;
}

static unsigned read_code(const char* digits)
{
    unsigned code = 0;
    for (int k = 0; k < 4; k++) code = 16 * code + (unsigned)hex_digit(digits[k]);
    return code;
}

static char* add_utf8(char* to, unsigned code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        if (code < 0x10000) {
            *to++ = (char)(0xE0 | code >> 12);
        } else {
            *to++ = (char)(0xF0 | code >> 18);
            *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

char* firn_json_string(const firn_json* json, firn_local value)
{
    if (value < 0 || json->values[value].type != FIRN_JSON_STRING) return firn_strdup("");
    const firn_json_value* v = &json->values[value];
    // An escape of six characters gives at most three bytes, so the result is never longer than its
    // source.
    char* const string = firn_alloc(v->end - v->begin + 1, 1);
    if (string == NULL) return NULL;
    char* to = string;
    static const char plain[] = "bfnrt", meaning[] = "\b\f\n\r\t";
    const char* const end = json->text + v->end;
    for (const char* from = json->text + v->begin; from < end; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        const char* known = strchr(plain, *++from);
        if (*from != 'u') {
            *to++ = known != NULL ? meaning[known - plain] : *from;
            continue;
        }
        unsigned code = read_code(from + 1);
        from += 4;
        const bool high = code >= 0xD800 && code < 0xDC00;
        if (high && end - from > 6 && from[1] == '\\' && from[2] == 'u') {
            const unsigned low = read_code(from + 3);
            if (low >= 0xDC00 && low < 0xE000) {
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
                from += 6;
            }
        }
        if (code == 0 || (code >= 0xD800 && code < 0xE000)) code = 0xFFFD;  // invalid
        to = add_utf8(to, code);
    }
    return string;
}

size_t firn_json_offset(const firn_json* json, firn_local value)
{
    return json->base + (value >= 0 ? json->values[value].begin : 0);
}
