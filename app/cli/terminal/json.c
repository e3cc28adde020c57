// SPDX-License-Identifier: MIT
// JSON as in RFC 8259. Invalid UTF-8 (file names may contain any bytes) is replaced byte by byte
// with U+FFFD, so that the output is always valid.
#include "cli/terminal/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>

// Length of the UTF-8 sequence at `s`; 0 if it is invalid: overlong forms, surrogates and code
// points above U+10FFFF (RFC 3629).
static int utf8_length(const unsigned char* s)
{
    if (s[0] < 0x80) return 1;
    int length;
    uint32_t code, smallest;
    if ((s[0] & 0xE0) == 0xC0) {
        length = 2, code = s[0] & 0x1F, smallest = 0x80;
    } else if ((s[0] & 0xF0) == 0xE0) {
        length = 3, code = s[0] & 0x0F, smallest = 0x800;
    } else if ((s[0] & 0xF8) == 0xF0) {
        length = 4, code = s[0] & 0x07, smallest = 0x10000;
    } else {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((s[i] & 0xC0) != 0x80) return 0;  // includes the end of the text
        code = code << 6 | (s[i] & 0x3F);
    }
    if (code < smallest || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return 0;
    return length;
}

static void write_text(FILE* f, const char* text)
{
    putc('"', f);
    for (const unsigned char* s = (const unsigned char*)text; *s;) {
        const int length = utf8_length(s);
        if (length == 0) {
            fputs("\\ufffd", f);
            s++;
            continue;
        }
        if (length > 1) {
            fwrite(s, 1, (size_t)length, f);
        } else if (*s == '"' || *s == '\\') {
            fprintf(f, "\\%c", *s);
        } else if (*s == '\n') {
            fputs("\\n", f);
        } else if (*s == '\t') {
            fputs("\\t", f);
        } else if (*s < 0x20 || *s == 0x7F) {
            fprintf(f, "\\u%04x", *s);
        } else {
            putc(*s, f);
        }
        s += length;
    }
    putc('"', f);
}

// Writes comma and key before a value.
static void lead_in(cli_json* json, const char* key)
{
    bool* filled = &json->filled[json->depth];
    if (*filled) putc(',', json->stream);
    *filled = true;
    if (!key) return;
    write_text(json->stream, key);
    putc(':', json->stream);
}

static void open_level(cli_json* json, const char* key, char bracket)
{
    lead_in(json, key);
    putc(bracket, json->stream);
    assert(json->depth + 1 < JSON_DEPTH);
    json->filled[++json->depth] = false;
}

static void close_level(cli_json* json, char bracket)
{
    assert(json->depth > 0);
    json->depth--;
    putc(bracket, json->stream);
}

cli_json cli_json_begin(FILE* stream)
{
    return (cli_json){.stream = stream};
}

void cli_json_end(cli_json* json)
{
    assert(json->depth == 0);
    putc('\n', json->stream);
    fflush(json->stream);  // readers see each line at once
    json->filled[0] = false;
}

void cli_json_open_object(cli_json* json, const char* key)
{
    open_level(json, key, '{');
}

void cli_json_close_object(cli_json* json)
{
    close_level(json, '}');
}

void cli_json_open_array(cli_json* json, const char* key)
{
    open_level(json, key, '[');
}

void cli_json_close_array(cli_json* json)
{
    close_level(json, ']');
}

void cli_json_text(cli_json* json, const char* key, const char* value)
{
    lead_in(json, key);
    if (value)
        write_text(json->stream, value);
    else
        fputs("null", json->stream);
}

void cli_json_int(cli_json* json, const char* key, int64_t value)
{
    lead_in(json, key);
    fprintf(json->stream, "%" PRId64, value);
}

void cli_json_real(cli_json* json, const char* key, double value)
{
    lead_in(json, key);
    if (isfinite(value))
        fprintf(json->stream, "%.9g", value);
    else
        fputs("null", json->stream);
}

void cli_json_bool(cli_json* json, const char* key, bool value)
{
    lead_in(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void cli_json_null(cli_json* json, const char* key)
{
    lead_in(json, key);
    fputs("null", json->stream);
}

void cli_json_hash(cli_json* json, const char* key, uint64_t value)
{
    lead_in(json, key);
    fprintf(json->stream, "\"%016" PRIx64 "\"", value);
}
