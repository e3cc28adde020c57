// SPDX-License-Identifier: MIT
// Printing and parsing manifests.
#include "output/run/manifest_json.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

#define BEGIN "{\n\"firn\": \"manifest 1\",\n"
#define TAIL_FORMAT "\"checksum\": \"%016" PRIx64 "\"\n}\n"
#define TAIL_BYTES (sizeof "\"checksum\": \"0123456789abcdef\"\n}\n" - 1)

static const char* const kinds[] = {"frame", "checkpoint"};

bool firn_manifest_name_is_safe(const char* file)
{
    if (file[0] == '\0' || file[0] == '/') return false;
    const char* part = file;
    for (const char* c = file;; c++) {
        if (*c != '/' && *c != '\0') {
            if ((unsigned char)*c < 0x20 || *c == 0x7f) return false;
            continue;
        }
        const size_t length = (size_t)(c - part);
        if (length == 0 || (length == 1 && part[0] == '.')) return false;
        if (length == 2 && part[0] == '.' && part[1] == '.') return false;
        if (*c == '\0') return true;
        part = c + 1;
    }
}

firn_result firn_manifest_print(const firn_manifest* m, firn_text* out_text, firn_error* error)
{
    firn_text text = {0};
    firn_text_add(&text, BEGIN "\"scene\": ");
    firn_text_add_json(&text, m->scene);
    firn_text_add(&text, ",\n\"solver\": ");
    firn_text_add_json(&text, m->solver);
    firn_text_add(&text, ",\n\"scene_hash\": \"%016" PRIx64 "\",\n", m->scene_hash);
    firn_text_add(&text, "\"fps\": ");
    firn_text_add_number(&text, m->fps);
    firn_text_add(&text, ",\n\"cell\": ");
    firn_text_add_number(&text, m->cell);
    firn_text_add(&text,
                  ",\n\"frame_end\": %" PRId64 ",\n\"complete\": %s,\n\"culled\": %" PRId64
                  ",\n\"entries\": [\n",
                  m->frame_end, m->complete ? "true" : "false", m->culled);
    for (firn_local k = 0; k < m->count; k++) {
        const firn_manifest_entry* e = &m->entries[k];
        firn_text_add(&text,
                      "{\"kind\": \"%s\", \"frame\": %" PRId64 ", \"file\": ", kinds[e->kind],
                      e->frame);
        firn_text_add_json(&text, e->file);
        firn_text_add(&text, ", \"bytes\": %" PRIu64 ", \"checksum\": \"%016" PRIx64 "\"}%s\n",
                      e->bytes, e->checksum, k + 1 < m->count ? "," : "");
    }
    firn_text_add(&text, "],\n");
    firn_text_add(&text, TAIL_FORMAT, firn_hash(text.data, text.length, 0));
    if (text.failed) {
        firn_text_destroy(&text);
        return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for a manifest of %d files",
                         (int)m->count);
    }
    *out_text = text;
    return FIRN_OK;
}

// Walks through the text. The first thing that is not as expected sets `reason`; from then on every
// call fails.
typedef struct walker {
    const char *at, *end;
    const char* reason;  // null: all well
} walker;

static bool refuse(walker* w, const char* reason)
{
    if (w->reason == NULL) w->reason = reason;
    return false;
}

static bool skip(walker* w, const char* literal, const char* reason)
{
    const size_t length = strlen(literal);
    if (w->reason != NULL) return false;
    if ((size_t)(w->end - w->at) < length || memcmp(w->at, literal, length) != 0)
        return refuse(w, reason);
    w->at += length;
    return true;
}

// 0 to 15; -1: not a digit as firn writes them.
static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool get_hex(walker* w, uint64_t* out_value)
{
    uint64_t value = 0;
    if (w->end - w->at < 16) return refuse(w, "16 hexadecimal digits are expected");
    for (int k = 0; k < 16; k++) {
        const int digit = hex_digit(w->at[k]);
        if (digit < 0) return refuse(w, "16 hexadecimal digits are expected");
        value = value << 4 | (uint64_t)digit;
    }
    *out_value = value;
    w->at += 16;
    return true;
}

// What follows a backslash: a quote, a backslash, or u00XX for a control character. -1: neither.
static int get_escape(walker* w)
{
    const char* c = w->at;
    if (w->end - c >= 1 && (*c == '"' || *c == '\\')) {
        w->at += 1;
        return *c;
    }
    if (w->end - c >= 5 && memcmp(c, "u00", 3) == 0) {
        const int high = hex_digit(c[3]), low = hex_digit(c[4]), code = 16 * high + low;
        w->at += 5;
        if (high >= 0 && low >= 0 && code > 0 && code < 0x20) return code;
    }
    refuse(w, "a text has an escape that firn does not write");
    return -1;
}

static bool get_string(walker* w, char* out, size_t size)
{
    if (!skip(w, "\"", "a text in quotes is expected")) return false;
    size_t n = 0;
    while (w->at < w->end && *w->at != '"') {
        int c = (unsigned char)*w->at++;
        if (c < 0x20) return refuse(w, "a text must not contain control characters");
        if (c == '\\' && (c = get_escape(w)) < 0) return false;
        if (n + 1 >= size) return refuse(w, "a text is too long");
        out[n++] = (char)c;
    }
    out[n] = '\0';
    return skip(w, "\"", "a text has no end");
}

static bool get_integer(walker* w, int64_t* out_value)
{
    if (w->reason != NULL) return false;
    char* end;
    errno = 0;
    const long long value = strtoll(w->at, &end, 10);
    const bool sign = *w->at == '-', digit = w->at[sign] >= '0' && w->at[sign] <= '9';
    if (!digit || errno != 0 || end > w->end) return refuse(w, "a whole number is expected");
    *out_value = value;
    w->at = end;
    return true;
}

static bool get_real(walker* w, double* out_value)
{
    if (w->reason != NULL) return false;
    char* end;
    const double value = firn_parse_double(w->at, &end);
    if (end == w->at || end > w->end || !isfinite(value) || value < 0)
        return refuse(w, "a number of at least 0 is expected");
    *out_value = value;
    w->at = end;
    return true;
}

static bool get_head(walker* w, firn_manifest* m)
{
    const char* const order = "another key is expected here";
    skip(w, BEGIN "\"scene\": ", order);
    if (w->reason == NULL) get_string(w, m->scene, sizeof m->scene);
    if (skip(w, ",\n\"solver\": ", order)) get_string(w, m->solver, sizeof m->solver);
    if (skip(w, ",\n\"scene_hash\": \"", order)) get_hex(w, &m->scene_hash);
    if (skip(w, "\",\n\"fps\": ", order)) get_real(w, &m->fps);
    if (skip(w, ",\n\"cell\": ", order)) get_real(w, &m->cell);
    if (skip(w, ",\n\"frame_end\": ", order)) get_integer(w, &m->frame_end);
    skip(w, ",\n\"complete\": ", order);
    m->complete = w->end - w->at > 4 && memcmp(w->at, "true", 4) == 0;
    skip(w, m->complete ? "true" : "false", "true or false is expected");
    if (skip(w, ",\n\"culled\": ", order)) get_integer(w, &m->culled);
    if (w->reason == NULL && m->culled < 0) return refuse(w, "a number is negative");
    return skip(w, ",\n\"entries\": [\n", order);
}

static bool get_entry(walker* w, firn_manifest_entry* e)
{
    const char* const order = "an entry is not as firn writes it";
    char kind[16] = "";
    int64_t bytes = 0;
    if (skip(w, "{\"kind\": ", order)) get_string(w, kind, sizeof kind);
    if (skip(w, ", \"frame\": ", order)) get_integer(w, &e->frame);
    if (skip(w, ", \"file\": ", order)) get_string(w, e->file, sizeof e->file);
    if (skip(w, ", \"bytes\": ", order)) get_integer(w, &bytes);
    if (skip(w, ", \"checksum\": \"", order)) get_hex(w, &e->checksum);
    if (!skip(w, "\"}", order)) return false;
    e->kind = strcmp(kind, kinds[FIRN_ENTRY_FRAME]) == 0 ? FIRN_ENTRY_FRAME : FIRN_ENTRY_CHECKPOINT;
    e->bytes = (uint64_t)bytes;
    if (strcmp(kind, kinds[e->kind]) != 0) return refuse(w, "the kind is not known");
    if (e->frame < 0 || bytes < 0) return refuse(w, "a number is negative");
    if (!firn_manifest_name_is_safe(e->file))
        return refuse(w, "a file name leaves the run's folder");
    return true;
}

static bool in_order(const firn_manifest_entry* a, const firn_manifest_entry* b)
{
    return a->frame != b->frame ? a->frame < b->frame : a->kind < b->kind;
}

static firn_result get_entries(walker* w, firn_manifest* m, firn_error* error)
{
    while (w->reason == NULL && w->at < w->end && *w->at == '{') {
        firn_manifest_entry entry = {0};
        if (!get_entry(w, &entry)) break;
        if (m->count > 0 && !in_order(&m->entries[m->count - 1], &entry)) {
            refuse(w, "the entries are not in order");
            break;
        }
        if (m->count == INT32_MAX ||
            !firn_reserve((void**)&m->entries, &m->capacity, m->count + 1, sizeof *m->entries))
            return firn_fail(error, FIRN_BROKEN_MEMORY, "no memory for the manifest");
        m->entries[m->count++] = entry;
        const bool more = w->at < w->end && *w->at == ',';
        skip(w, more ? ",\n" : "\n", "an entry does not end as expected");
        if (!more) break;
        if (w->reason == NULL && (w->at == w->end || *w->at != '{'))
            refuse(w, "an entry is expected after the comma");
    }
    skip(w, "],\n", "the list of entries does not end as expected");
    if (w->reason == NULL && w->at != w->end) refuse(w, "something stands behind the entries");
    return FIRN_OK;
}

static int line_of(const char* text, const char* at)
{
    int line = 1;
    for (const char* c = text; c < at; c++) line += *c == '\n';
    return line;
}

firn_result firn_manifest_parse(const char* text, size_t length, const char* name,
                                firn_manifest* out_manifest, firn_error* error)
{
    if (length < sizeof BEGIN - 1 || memcmp(text, BEGIN, sizeof BEGIN - 1) != 0)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "%s:1: not a manifest that this firn reads (it does not begin with "
                         "\"firn\": \"manifest 1\")",
                         name);
    char tail[TAIL_BYTES + 1];
    const size_t body = length > TAIL_BYTES ? length - TAIL_BYTES : 0;
    const uint64_t checksum = firn_hash(text, body, 0);
    snprintf(tail, sizeof tail, TAIL_FORMAT, checksum);
    if (body == 0 || memcmp(text + body, tail, TAIL_BYTES) != 0)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "%s:%d: damaged: the last lines are not the checksum of the others "
                         "(expected %016" PRIx64 ")",
                         name, line_of(text, text + length) - 2, checksum);
    firn_manifest m = {0};
    walker w = {.at = text, .end = text + body};
    get_head(&w, &m);
    firn_result result = get_entries(&w, &m, error);
    if (result == FIRN_OK && w.reason != NULL)
        result = firn_fail(error, FIRN_REFUSED_DAMAGED, "%s:%d: damaged: %s", name,
                           line_of(text, w.at), w.reason);
    if (result == FIRN_OK)
        *out_manifest = m;
    else
        firn_manifest_destroy(&m);
    return result;
}
