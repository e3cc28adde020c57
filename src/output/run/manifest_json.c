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
#include "core/paths.h"

#define BEGIN "{\n\"firn\": \"manifest 1\",\n"
#define TAIL_FORMAT "\"checksum\": \"%016" PRIx64 "\"\n}\n"
#define TAIL_BYTES (sizeof "\"checksum\": \"0123456789abcdef\"\n}\n" - 1)

#define CHUNK 16384                    // [bytes] of text at a time
#define NUMBER_MAX ((int64_t)1 << 53)  // of frames: one more is still a number

static const char* const kinds[FIRN_ENTRY_KINDS] = {[FIRN_ENTRY_FRAME] = "frame",
                                                    [FIRN_ENTRY_CHECKPOINT] = "checkpoint",
                                                    [FIRN_ENTRY_PREVIEW] = "preview",
                                                    [FIRN_ENTRY_PLY] = "ply",
                                                    [FIRN_ENTRY_VTP] = "vtp",
                                                    [FIRN_ENTRY_VDB] = "vdb",
                                                    [FIRN_ENTRY_SERIES] = "pvd",
                                                    [FIRN_ENTRY_FILM] = "film",
                                                    [FIRN_ENTRY_SHEET] = "sheet",
                                                    [FIRN_ENTRY_COLLIDERS] = "colliders",
                                                    [FIRN_ENTRY_STAGE] = "usd",
                                                    [FIRN_ENTRY_SDF] = "sdf",
                                                    [FIRN_ENTRY_MESH_PLY] = "mesh_ply",
                                                    [FIRN_ENTRY_MESH_OBJ] = "mesh_obj",
                                                    [FIRN_ENTRY_MESH_GLB] = "mesh_glb",
                                                    [FIRN_ENTRY_HEIGHTS_PNG] = "heights_png",
                                                    [FIRN_ENTRY_HEIGHTS_R32] = "heights_r32",
                                                    [FIRN_ENTRY_HEIGHTS_JSON] = "heights_json",
                                                    [FIRN_ENTRY_START] = "start"};

static void print_head(const firn_manifest* m, firn_text* text)
{
    firn_text_add(text, BEGIN "\"scene\": ");
    firn_text_add_json(text, m->scene);
    firn_text_add(text, ",\n\"solver\": ");
    firn_text_add_json(text, m->solver);
    firn_text_add(text, ",\n\"scene_hash\": \"%016" PRIx64 "\",\n", m->scene_hash);
    firn_text_add(text, "\"fps\": ");
    firn_text_add_number(text, m->fps);
    firn_text_add(text, ",\n\"cell\": ");
    firn_text_add_number(text, m->cell);
    firn_text_add(text,
                  ",\n\"frame_end\": %" PRId64 ",\n\"complete\": %s,\n\"culled\": %" PRId64
                  ",\n\"entries\": [\n",
                  m->frame_end, m->complete ? "true" : "false", m->culled);
}

static void print_entry(const firn_manifest_entry* e, bool is_last, firn_text* text)
{
    firn_text_add(text, "{\"kind\": \"%s\", \"frame\": %" PRId64 ", \"file\": ", kinds[e->kind],
                  e->frame);
    firn_text_add_json(text, e->file);
    firn_text_add(text, ", \"bytes\": %" PRIu64 ", \"checksum\": \"%016" PRIx64 "\"}%s\n", e->bytes,
                  e->checksum, is_last ? "" : ",");
}

firn_result firn_manifest_print(const firn_manifest* m, firn_manifest_sink sink, void* user,
                                firn_error* error)
{
    firn_text text = {0};
    firn_hasher* hasher = firn_hasher_create();
    bool good = hasher != NULL;
    print_head(m, &text);
    for (firn_local k = 0; k <= m->count && good; k++) {
        if (k < m->count) print_entry(&m->entries[k], k + 1 == m->count, &text);
        if (k == m->count) firn_text_add(&text, "],\n");
        if (text.length < CHUNK && k < m->count) continue;
        good = !text.failed;
        if (!good) break;
        firn_hasher_add(hasher, text.data, text.length);
        sink(user, text.data, text.length);
        text.length = 0;
    }
    if (good) firn_text_add(&text, TAIL_FORMAT, firn_hasher_value(hasher));
    good = good && !text.failed;
    if (good) sink(user, text.data, text.length);
    firn_hasher_destroy(hasher);
    firn_text_destroy(&text);
    if (good) return FIRN_OK;
    return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory for a manifest of %d files",
                     (int)m->count);
}

// Position in the text. The first unexpected token sets `reason`; from then on every call fails.
typedef struct parser {
    const char *at, *end;
    const char* reason;  // null: no error so far
} parser;

static bool refuse(parser* p, const char* reason)
{
    if (p->reason == NULL) p->reason = reason;
    return false;
}

static bool skip(parser* p, const char* literal, const char* reason)
{
    const size_t length = strlen(literal);
    if (p->reason != NULL) return false;
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, literal, length) != 0)
        return refuse(p, reason);
    p->at += length;
    return true;
}

// 0 to 15; -1: not a lower-case hexadecimal digit.
static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool get_hex(parser* p, uint64_t* out_value)
{
    uint64_t value = 0;
    if (p->end - p->at < 16) return refuse(p, "expected 16 hexadecimal digits");
    for (int k = 0; k < 16; k++) {
        const int digit = hex_digit(p->at[k]);
        if (digit < 0) return refuse(p, "expected 16 hexadecimal digits");
        value = value << 4 | (uint64_t)digit;
    }
    *out_value = value;
    p->at += 16;
    return true;
}

// What follows a backslash: a quote, a backslash, or u00XX for a control character. -1: neither.
static int get_escape(parser* p)
{
    const char* c = p->at;
    if (p->end - c >= 1 && (*c == '"' || *c == '\\')) {
        p->at += 1;
        return *c;
    }
    if (p->end - c >= 5 && memcmp(c, "u00", 3) == 0) {
        const int high = hex_digit(c[3]), low = hex_digit(c[4]), code = 16 * high + low;
        p->at += 5;
        if (high >= 0 && low >= 0 && code > 0 && code < 0x20) return code;
    }
    refuse(p, "unknown escape sequence in a string");
    return -1;
}

static bool get_string(parser* p, char* out, size_t size)
{
    if (!skip(p, "\"", "expected a string in quotes")) return false;
    size_t n = 0;
    while (p->at < p->end && *p->at != '"') {
        int c = (unsigned char)*p->at++;
        if (c < 0x20) return refuse(p, "control character in a string");
        if (c == '\\' && (c = get_escape(p)) < 0) return false;
        if (n + 1 >= size) return refuse(p, "a string is too long");
        out[n++] = (char)c;
    }
    out[n] = '\0';
    return skip(p, "\"", "a string is not terminated");
}

static bool get_integer(parser* p, int64_t* out_value)
{
    if (p->reason != NULL) return false;
    char* end;
    errno = 0;
    const long long value = strtoll(p->at, &end, 10);
    const bool sign = *p->at == '-', digit = p->at[sign] >= '0' && p->at[sign] <= '9';
    if (!digit || errno != 0 || end > p->end) return refuse(p, "expected an integer");
    *out_value = value;
    p->at = end;
    return true;
}

static bool get_real(parser* p, double* out_value)
{
    if (p->reason != NULL) return false;
    char* end;
    const double value = firn_parse_double(p->at, &end);
    if (end == p->at || end > p->end || !isfinite(value) || value < 0)
        return refuse(p, "expected a number of at least 0");
    *out_value = value;
    p->at = end;
    return true;
}

static bool get_head(parser* p, firn_manifest* m)
{
    const char* const order = "unexpected key";
    skip(p, BEGIN "\"scene\": ", order);
    if (p->reason == NULL) get_string(p, m->scene, sizeof m->scene);
    if (p->reason == NULL && m->scene[0] != '\0' && !firn_path_is_inside(m->scene))
        return refuse(p, "the name of the scene is not one that firn gives to files");
    if (skip(p, ",\n\"solver\": ", order)) get_string(p, m->solver, sizeof m->solver);
    if (p->reason == NULL && m->solver[0] != '\0' && !firn_path_is_inside(m->solver))
        return refuse(p, "the name of the solver is not one of firn's");
    if (skip(p, ",\n\"scene_hash\": \"", order)) get_hex(p, &m->scene_hash);
    if (skip(p, "\",\n\"fps\": ", order)) get_real(p, &m->fps);
    if (skip(p, ",\n\"cell\": ", order)) get_real(p, &m->cell);
    if (skip(p, ",\n\"frame_end\": ", order)) get_integer(p, &m->frame_end);
    skip(p, ",\n\"complete\": ", order);
    m->complete = p->end - p->at > 4 && memcmp(p->at, "true", 4) == 0;
    skip(p, m->complete ? "true" : "false", "expected true or false");
    if (skip(p, ",\n\"culled\": ", order)) get_integer(p, &m->culled);
    if (p->reason == NULL && m->culled < 0) return refuse(p, "a number is negative");
    if (p->reason == NULL && (m->frame_end < -NUMBER_MAX || m->frame_end > NUMBER_MAX))
        return refuse(p, "the last frame has too large a number");
    if (p->reason == NULL && !(m->fps > 0 && m->cell > 0))
        return refuse(p, "frames per second and cell must be above 0");
    return skip(p, ",\n\"entries\": [\n", order);
}

static bool get_entry(parser* p, firn_manifest_entry* e)
{
    const char* const order = "malformed entry";
    char kind[16] = "";
    int64_t bytes = 0;
    if (skip(p, "{\"kind\": ", order)) get_string(p, kind, sizeof kind);
    if (skip(p, ", \"frame\": ", order)) get_integer(p, &e->frame);
    if (skip(p, ", \"file\": ", order)) get_string(p, e->file, sizeof e->file);
    if (skip(p, ", \"bytes\": ", order)) get_integer(p, &bytes);
    if (skip(p, ", \"checksum\": \"", order)) get_hex(p, &e->checksum);
    if (!skip(p, "\"}", order)) return false;
    e->bytes = (uint64_t)bytes;
    while (e->kind < FIRN_ENTRY_KINDS && strcmp(kind, kinds[e->kind]) != 0) e->kind++;
    if (e->kind == FIRN_ENTRY_KINDS) return refuse(p, "unknown kind of entry");
    if (e->frame < 0 || bytes < 0) return refuse(p, "a number is negative");
    if (e->frame > NUMBER_MAX) return refuse(p, "a frame has too large a number");
    if (!firn_path_is_inside(e->file))
        return refuse(p, "a file name is outside the folder of the run");
    return true;
}

static bool in_order(const firn_manifest_entry* a, const firn_manifest_entry* b)
{
    return a->frame != b->frame ? a->frame < b->frame : a->kind < b->kind;
}

static firn_result get_entries(parser* p, firn_manifest* m, firn_error* error)
{
    while (p->reason == NULL && p->at < p->end && *p->at == '{') {
        firn_manifest_entry entry = {0};
        if (!get_entry(p, &entry)) break;
        if (m->count > 0 && !in_order(&m->entries[m->count - 1], &entry)) {
            refuse(p, "the entries are not in order");
            break;
        }
        if (m->count == INT32_MAX ||
            !firn_reserve((void**)&m->entries, &m->capacity, m->count + 1, sizeof *m->entries))
            return firn_fail(error, FIRN_BROKEN_MEMORY, "out of memory reading the manifest");
        m->entries[m->count++] = entry;
        const bool more = p->at < p->end && *p->at == ',';
        skip(p, more ? ",\n" : "\n", "expected the end of an entry");
        if (!more) break;
        if (p->reason == NULL && (p->at == p->end || *p->at != '{'))
            refuse(p, "expected an entry after the comma");
    }
    skip(p, "],\n", "expected the end of the list of entries");
    if (p->reason == NULL && p->at != p->end) refuse(p, "unexpected text after the entries");
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
                         "%s:1: not a manifest of this version of firn (it does not begin with "
                         "\"firn\": \"manifest 1\")",
                         name);
    char tail[TAIL_BYTES + 1];
    const size_t body = length > TAIL_BYTES ? length - TAIL_BYTES : 0;
    const uint64_t checksum = firn_hash(text, body, 0);
    snprintf(tail, sizeof tail, TAIL_FORMAT, checksum);
    if (body == 0 || memcmp(text + body, tail, TAIL_BYTES) != 0)
        return firn_fail(error, FIRN_REFUSED_DAMAGED,
                         "%s:%d: damaged: the last line is not the checksum of the text before it",
                         name, line_of(text, text + length) - 2);
    firn_manifest m = {0};
    parser p = {.at = text, .end = text + body};
    get_head(&p, &m);
    firn_result result = get_entries(&p, &m, error);
    if (result == FIRN_OK && p.reason != NULL)
        result = firn_fail(error, FIRN_REFUSED_DAMAGED, "%s:%d: damaged: %s", name,
                           line_of(text, p.at), p.reason);
    if (result == FIRN_OK)
        *out_manifest = m;
    else
        firn_manifest_destroy(&m);
    return result;
}
