// SPDX-License-Identifier: MIT
// STL, text or binary. It has no shared vertices, only corners: corners at the same position are
// welded. Normals are ignored, because they follow from the corners.
#include <string.h>

#include "core/words.h"
#include "mesh/mesh.h"
#include "mesh/topology/weld.h"

#define HEAD 84      // [bytes] of a binary file: free text, then the number of triangles
#define TRIANGLE 50  // [bytes] normal, three corners (12 float32), two unused bytes

typedef struct reader {
    const char* path;
    const char *data, *at, *end;
    int64_t line;  // of the word last read, for text
    firn_mesh mesh;
    firn_welder welder;
    firn_error* error;
} reader;

static bool is_limited(double x)
{
    return x >= -FIRN_MESH_COORDINATE_MAX && x <= FIRN_MESH_COORDINATE_MAX;
}

static firn_result add_triangle(reader* r, double corners[3][3])
{
    int32_t v[3];
    for (int i = 0; i < 3; i++) {
        const double* x = corners[i];
        const firn_vec3 at = firn_v3((firn_real)x[0], (firn_real)x[1], (firn_real)x[2]);
        if (!firn_welder_add(&r->welder, &r->mesh, at, &v[i]))
            return firn_mesh_cannot_grow(&r->mesh, r->path, r->error);
    }
    if (!firn_mesh_add_triangle(&r->mesh, v[0], v[1], v[2]))
        return firn_mesh_cannot_grow(&r->mesh, r->path, r->error);
    return FIRN_OK;
}

static uint32_t load_u32(const char* at)
{
    const unsigned char* b = (const unsigned char*)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double load_float(const char* at)
{
    const uint32_t bits = load_u32(at);
    float f;
    memcpy(&f, &bits, sizeof f);
    return (double)f;
}

static firn_result read_binary(reader* r)
{
    const size_t bytes = (size_t)(r->end - r->data);
    if (bytes < HEAD)
        return firn_fail(r->error, FIRN_REFUSED_SCENE,
                         "%s: not an STL file: it does not begin with 'solid', and its %zu bytes "
                         "are fewer than the %d of a binary file's header",
                         r->path, bytes, HEAD);
    const uint32_t count = load_u32(r->data + HEAD - 4);
    const uint64_t need = HEAD + (uint64_t)count * TRIANGLE;
    if (need != bytes)
        return firn_fail(r->error, FIRN_REFUSED_SCENE,
                         "%s: byte %d: %u triangles would end at byte %llu, but the file has %zu "
                         "bytes: it is damaged, or no STL file",
                         r->path, HEAD - 4, count, (unsigned long long)need, bytes);
    for (r->at = r->data + HEAD; r->at < r->end; r->at += TRIANGLE) {
        double corners[3][3];
        for (int k = 0; k < 9; k++) {
            const char* at = r->at + 12 + 4 * k;
            const double x = load_float(at);
            if (!is_limited(x))
                return firn_fail(r->error, FIRN_REFUSED_SCENE,
                                 "%s: byte %zu: %c of a corner is %g, must be between %g and %g",
                                 r->path, (size_t)(at - r->data), "xyz"[k % 3], x,
                                 -FIRN_MESH_COORDINATE_MAX, FIRN_MESH_COORDINATE_MAX);
            corners[k / 3][k % 3] = x;
        }
        FIRN_TRY(add_triangle(r, corners));
    }
    return FIRN_OK;
}

// The next word, on this line or a later one. The end of the file gives an empty word.
static firn_word next_word(reader* r)
{
    firn_word word;
    while (!firn_word_next(&r->at, r->end, &word) && r->at < r->end) {
        r->at++;
        r->line++;
    }
    return word;
}

static firn_result refuse_word(const reader* r, const char* expected, firn_word word)
{
    if (word.length == 0)
        return firn_fail(r->error, FIRN_REFUSED_SCENE, "%s:%lld: the file ends before '%s'",
                         r->path, (long long)r->line, expected);
    return firn_fail(r->error, FIRN_REFUSED_SCENE, "%s:%lld: expected '%s', not '%.*s'", r->path,
                     (long long)r->line, expected, firn_word_shown(word), word.at);
}

static firn_result expect(reader* r, const char* expected)
{
    const firn_word word = next_word(r);
    return firn_word_is_any_case(word, expected) ? FIRN_OK : refuse_word(r, expected, word);
}

static firn_result read_corner(reader* r, double x[3])
{
    FIRN_TRY(expect(r, "vertex"));
    for (int k = 0; k < 3; k++) {
        const firn_word word = next_word(r);
        if (!firn_word_number(word, &x[k])) return refuse_word(r, "a number", word);
        if (!is_limited(x[k]))
            return firn_fail(r->error, FIRN_REFUSED_SCENE,
                             "%s:%lld: %c of a corner is %g, must be between %g and %g", r->path,
                             (long long)r->line, "xyz"[k], x[k], -FIRN_MESH_COORDINATE_MAX,
                             FIRN_MESH_COORDINATE_MAX);
    }
    return FIRN_OK;
}

// After `facet`. Ignores the normal: some programs write nan for degenerate triangles.
static firn_result read_facet(reader* r)
{
    double corners[3][3];
    FIRN_TRY(expect(r, "normal"));
    for (int k = 0; k < 3; k++) next_word(r);
    FIRN_TRY(expect(r, "outer"));
    FIRN_TRY(expect(r, "loop"));
    for (int i = 0; i < 3; i++) FIRN_TRY(read_corner(r, corners[i]));
    FIRN_TRY(expect(r, "endloop"));
    FIRN_TRY(expect(r, "endfacet"));
    return add_triangle(r, corners);
}

// The name after `solid` and `endsolid` is optional and may have several words.
static void skip_name(reader* r)
{
    firn_word ignored;
    while (firn_word_next(&r->at, r->end, &ignored)) {}
}

// Reads all solids of the file.
static firn_result read_text(reader* r)
{
    for (firn_word word = next_word(r); word.length > 0; word = next_word(r)) {
        if (!firn_word_is_any_case(word, "solid")) return refuse_word(r, "solid", word);
        skip_name(r);
        for (;;) {
            word = next_word(r);
            if (firn_word_is_any_case(word, "endsolid")) break;
            if (!firn_word_is_any_case(word, "facet")) return refuse_word(r, "facet", word);
            FIRN_TRY(read_facet(r));
        }
        skip_name(r);
    }
    return FIRN_OK;
}

// Binary files may begin with "solid" too; they are recognised by their size and by zero bytes.
static bool is_text(const reader* r)
{
    const size_t bytes = (size_t)(r->end - r->data);
    if (bytes >= HEAD && HEAD + (uint64_t)load_u32(r->data + HEAD - 4) * TRIANGLE == bytes)
        return false;
    if (memchr(r->data, 0, bytes < 512 ? bytes : 512) != NULL) return false;
    reader probe = *r;
    return firn_word_is_any_case(next_word(&probe), "solid");
}

firn_result firn_mesh_parse_stl(const char* path, const char* data, size_t bytes, firn_mesh* out,
                                firn_error* error)
{
    reader r = {
        .path = path, .data = data, .at = data, .end = data + bytes, .line = 1, .error = error};
    *out = (firn_mesh){0};
    if (bytes >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0) r.at += 3;  // UTF-8 byte order mark
    const bool text = is_text(&r);
    firn_result result = text ? read_text(&r) : read_binary(&r);
    if (result == FIRN_OK && r.mesh.triangle_count == 0)
        result = firn_fail(error, FIRN_REFUSED_SCENE, "%s: it holds no triangles", path);
    firn_welder_destroy(&r.welder);
    if (result == FIRN_OK)
        *out = r.mesh;
    else
        firn_mesh_destroy(&r.mesh);
    return result;
}
