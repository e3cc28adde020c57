// SPDX-License-Identifier: MIT
// Wavefront OBJ: reads the statements `v` and `f`. Skips everything else (textures, normals,
// groups, materials, lines, free-form surfaces).
#include <string.h>

#include "core/words.h"
#include "mesh/io/polygon.h"
#include "mesh/mesh.h"

typedef struct reader {
    const char* path;
    const char *at, *end;
    size_t bytes;  // of the file
    int64_t line;
    firn_mesh mesh;
    firn_polygon polygon;
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

// The next word of the statement. A backslash at the end of a line joins the next line to it; a
// word that begins with # starts a comment.
static bool next_word(reader* r, firn_word* out)
{
    while (firn_word_next(&r->at, r->end, out)) {
        if (out->at[0] == '#') {
            r->at = out->at;  // end_statement skips the comment
            return false;
        }
        if (out->at[out->length - 1] != '\\') return true;
        const char* newline = r->at;
        if (newline < r->end && *newline == '\r') newline++;
        if (newline == r->end || *newline != '\n') return true;
        r->at = newline + 1;
        r->line++;
        out->length--;
        if (out->length > 0) return true;
    }
    return false;
}

// Skips the rest of the statement, comment included.
static void end_statement(reader* r)
{
    firn_word ignored;
    while (next_word(r, &ignored)) {}
    const char* newline = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
    r->at = newline == NULL ? r->end : newline + 1;
    r->line++;
}

// v x y z, followed by an optional weight w or colour r g b [a]. The weight makes the coordinates
// homogeneous.
static firn_result read_vertex(reader* r)
{
    double x[3], more = 0, w = 1;
    firn_word word;
    int count = 0;
    for (; count < 9 && next_word(r, &word); count++) {
        double* value = count < 3 ? &x[count] : count == 3 ? &w : &more;
        if (!firn_word_number(word, value)) return refuse_word(r, "not a number:", word);
    }
    if (count < 3 || count == 5 || count > 8)
        return firn_fail(
            r->error, FIRN_REFUSED_SCENE,
            "%s:%lld: a vertex of %d numbers: it has 3, with a weight 4, with a colour "
            "6",
            r->path, (long long)r->line, count);
    if (count != 4) w = 1;
    if (w == 0) return refuse(r, "a vertex with weight 0 lies nowhere");
    for (int k = 0; k < 3; k++) {
        x[k] /= w;
        if (!(x[k] >= -FIRN_MESH_COORDINATE_MAX && x[k] <= FIRN_MESH_COORDINATE_MAX))
            return firn_fail(r->error, FIRN_REFUSED_SCENE,
                             "%s:%lld: %c of the vertex is %g, must be between %g and %g", r->path,
                             (long long)r->line, "xyz"[k], x[k], -FIRN_MESH_COORDINATE_MAX,
                             FIRN_MESH_COORDINATE_MAX);
    }
    if (!firn_mesh_add_vertex(&r->mesh, firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2])))
        return firn_mesh_cannot_grow(&r->mesh, r->path, r->error);
    return FIRN_OK;
}

// A corner: 7, 7/2, 7//3 or 7/2/3, i.e. vertex, texture and normal (some programs write trailing
// slashes). Only the vertex is used, but the others must be valid too.
static firn_result read_corner(const reader* r, firn_word word, int32_t* out_vertex)
{
    int64_t parts[3] = {0};
    const char *at = word.at, *end = word.at + word.length;
    for (int k = 0;; k++) {
        const char* slash = memchr(at, '/', (size_t)(end - at));
        const firn_word part = {at, (size_t)((slash == NULL ? end : slash) - at)};
        if (k > 2 || !(firn_word_integer(part, &parts[k]) || (k > 0 && part.length == 0)))
            return refuse_word(r, "not a corner of a face (7, 7/2, 7//3 or 7/2/3):", word);
        if (slash == NULL) break;
        at = slash + 1;
    }
    const int64_t named = parts[0], count = r->mesh.vertex_count;
    if (named == 0) return refuse(r, "face names vertex 0, but vertices count from 1");
    if (named > count || named < -count)
        return firn_fail(r->error, FIRN_REFUSED_SCENE,
                         "%s:%lld: face names vertex %lld, but only %lld come before it", r->path,
                         (long long)r->line, (long long)named, (long long)count);
    *out_vertex = (int32_t)(named > 0 ? named - 1 : count + named);
    return FIRN_OK;
}

static firn_result read_face(reader* r)
{
    firn_word word;
    r->polygon.count = 0;
    while (next_word(r, &word)) {
        int32_t vertex = 0;
        FIRN_TRY(read_corner(r, word, &vertex));
        if (r->polygon.count == FIRN_POLYGON_CORNERS_MAX)
            return firn_fail(r->error, FIRN_REFUSED_SCENE,
                             "%s:%lld: a face of more than %d corners: cut it into smaller ones",
                             r->path, (long long)r->line, FIRN_POLYGON_CORNERS_MAX);
        if (!firn_polygon_add(&r->polygon, vertex))
            return firn_mesh_cannot_grow(&r->mesh, r->path, r->error);
    }
    if (r->polygon.count < 3)
        return firn_fail(r->error, FIRN_REFUSED_SCENE,
                         "%s:%lld: a face of %d corners: it needs at least 3", r->path,
                         (long long)r->line, (int)r->polygon.count);
    if (!firn_polygon_is_affordable(&r->polygon, r->bytes))
        return refuse(r, FIRN_POLYGON_TOO_MUCH_WORK);
    if (!firn_polygon_cut(&r->polygon, &r->mesh))
        return firn_mesh_cannot_grow(&r->mesh, r->path, r->error);
    return FIRN_OK;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static firn_result read_statements(reader* r)
{
    firn_word word;
    while (r->at < r->end) {
        if (next_word(r, &word)) {
            if (firn_word_is(word, "v")) {
                FIRN_TRY(read_vertex(r));
            } else if (firn_word_is(word, "f") || firn_word_is(word, "fo")) {  // fo: obsolete
                FIRN_TRY(read_face(r));
            } else if (!is_letter(word.at[0])) {
                return refuse_word(r, "expected a statement (v, f, ...), not", word);
            }
        }
        end_statement(r);
    }
    if (r->mesh.triangle_count > 0) return FIRN_OK;
    r->line -= r->line > 1;
    return refuse(r, "the file ends without a face: a mesh needs lines 'v x y z' and 'f 1 2 3'");
}

firn_result firn_mesh_parse_obj(const char* path, const char* text, size_t bytes, firn_mesh* out,
                                firn_error* error)
{
    reader r = {
        .path = path, .at = text, .end = text + bytes, .bytes = bytes, .line = 1, .error = error};
    *out = (firn_mesh){0};
    if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) r.at += 3;  // UTF-8 byte order mark
    const firn_result result = read_statements(&r);
    firn_polygon_destroy(&r.polygon);
    if (result == FIRN_OK)
        *out = r.mesh;
    else
        firn_mesh_destroy(&r.mesh);
    return result;
}
