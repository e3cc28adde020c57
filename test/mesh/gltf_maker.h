// SPDX-License-Identifier: MIT
// glTF files for tests, written by hand: a stock of accessors over one buffer, and whatever JSON a
// test puts beside them.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "firn_test.h"
#include "mesh/io/gltf.h"

#define GLTF_PATH FIRN_TEST_TMP "/scene.gltf"
#define GLB_PATH FIRN_TEST_TMP "/scene.glb"

// The stock. The strip stands up: (0,0) (1,0) | (0,1) (1,1) | (0,2) (1,2), in the plane z = 0.
enum stock {
    STRIP_POSITIONS,  // 6
    STRIP_INDICES,    // 4 triangles, 16 bits
    STRIP_JOINTS,     // below joint 0, above joint 1, in the middle both; 8 bits
    STRIP_SHARES,     // floats
    STRIP_SHARES_8,   // the same in 8 bits, normalised
    INVERSES,         // of a joint at 0 and one at (0, 1, 0)
    TIMES,            // 0, 0.5, 1.5 s
    TURNS,            // 0, 45, 90 degrees about z
    MOVES,            // (0,0,0) (1,0,0) (1,2,0)
    SIZES,            // 1, 2, 3 along all axes
    SIZES_UNEVEN,     // (1,1,1) (1,2,1) (1,3,1)
    CUBIC_MOVES,      // along x: 0, 1, 1 with tangents of 2 m/s at the first two keys
    LIFT,             // the strip's upper end moves by (0,0,1): a morph target
    BULGE,            // its middle moves by (0,0,1)
    LIFT_WEIGHTS,     // 0, 0.25, -1
    BOTH_WEIGHTS,     // (0,0) (0.25,0.5) (-1,1)
    TIMES_BACK,       // 0, 1, 0.5
    FAR_INDEX,        // 0 1 6: no such vertex
    TET_POSITIONS,    // a closed mesh: (0,0,0) and the unit points; volume 1/6
    TET_INDICES,      // 8 bits
    NOT_A_NUMBER,     // 3 positions, one of them NaN
    TIMES_LONG,       // 0, 0.5 s, half a day
    STRIP_UV,         // texture coordinates (x, 1 - y / 2)
    STOCK_COUNT
};

typedef struct maker {
    unsigned char data[4096];
    size_t bytes;
    char accessors[6000], views[4000];
    int count;
} maker;

static inline void add_array(maker* m, const char* type, int component, const void* data,
                             size_t bytes, int count, const char* more)
{
    while (m->bytes % 4 != 0) m->data[m->bytes++] = 0;
    memcpy(m->data + m->bytes, data, bytes);
    const char* comma = m->count > 0 ? "," : "";
    char* a = m->accessors + strlen(m->accessors);
    sprintf(a, "%s{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"%s}", comma,
            m->count, component, count, type, more);
    sprintf(m->views + strlen(m->views), "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu}",
            comma, m->bytes, bytes);
    m->bytes += bytes;
    m->count++;
}

#define FLOATS(type, count, ...)                                                \
    do {                                                                        \
        const float stock_values[] = {__VA_ARGS__};                             \
        add_array(m, type, 5126, stock_values, sizeof stock_values, count, ""); \
    } while (0)
#define BYTES(type, count, more, ...)                                             \
    do {                                                                          \
        const unsigned char stock_values[] = {__VA_ARGS__};                       \
        add_array(m, type, 5121, stock_values, sizeof stock_values, count, more); \
    } while (0)

static inline void add_stock(maker* m)
{
    const uint16_t indices[] = {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4};
    const float c = 0.92387953f, s = 0.38268343f, h = 0.70710678f;
    *m = (maker){.bytes = 0};
    FLOATS("VEC3", 6, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 2, 0, 1, 2, 0);
    add_array(m, "SCALAR", 5123, indices, sizeof indices, 12, "");
    BYTES("VEC4", 6, "", 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
    FLOATS("VEC4", 6, 1, 0, 0, 0, 1, 0, 0, 0, .5f, .5f, 0, 0, .5f, .5f, 0, 0, 1, 0, 0, 0, 1, 0, 0,
           0);
    BYTES("VEC4", 6, ",\"normalized\":true", 255, 0, 0, 0, 255, 0, 0, 0, 128, 128, 0, 0, 128, 128,
          0, 0, 255, 0, 0, 0, 255, 0, 0, 0);
    FLOATS("MAT4", 2, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0,
           1, 0, 0, -1, 0, 1);
    FLOATS("SCALAR", 3, 0, .5f, 1.5f);
    FLOATS("VEC4", 3, 0, 0, 0, 1, 0, 0, s, c, 0, 0, h, h);
    FLOATS("VEC3", 3, 0, 0, 0, 1, 0, 0, 1, 2, 0);
    FLOATS("VEC3", 3, 1, 1, 1, 2, 2, 2, 3, 3, 3);
    FLOATS("VEC3", 3, 1, 1, 1, 1, 2, 1, 1, 3, 1);
    FLOATS("VEC3", 9, 0, 0, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0,
           0);
    FLOATS("VEC3", 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1);
    FLOATS("VEC3", 6, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0);
    FLOATS("SCALAR", 3, 0, .25f, -1);
    FLOATS("SCALAR", 6, 0, 0, .25f, .5f, -1, 1);
    FLOATS("SCALAR", 3, 0, 1, .5f);
    BYTES("SCALAR", 3, "", 0, 1, 6);
    FLOATS("VEC3", 4, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
    BYTES("SCALAR", 12, "", 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3);
    FLOATS("VEC3", 3, 0, 0, 0, 1, 0, 0, 0, __builtin_nanf(""), 0);
    FLOATS("SCALAR", 3, 0, .5f, 43200);
    FLOATS("VEC2", 6, 0, 1, 1, 1, 0, .5f, 1, .5f, 0, 0, 1, 0);
    assert_int_equal(m->count, STOCK_COUNT);
}

static inline void write_bytes(const char* path, const void* data, size_t bytes)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, bytes, file), bytes);
    fclose(file);
}

static inline size_t encode_base64(const unsigned char* data, size_t bytes, char* out)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0;
    for (size_t k = 0; k < bytes; k += 3) {
        const unsigned left = (unsigned)(bytes - k);
        const unsigned b = (unsigned)data[k] << 16 | (left > 1 ? (unsigned)data[k + 1] << 8 : 0) |
                           (left > 2 ? (unsigned)data[k + 2] : 0);
        out[n++] = letters[b >> 18];
        out[n++] = letters[b >> 12 & 63];
        out[n++] = left > 1 ? letters[b >> 6 & 63] : '=';
        out[n++] = left > 2 ? letters[b & 63] : '=';
    }
    return n;
}

// The whole JSON text: stock and `body` ("\"nodes\":[...],..."), the buffer as `uri` ("" for none).
static inline char* make_json(const maker* m, const char* body, const char* uri)
{
    char* json = malloc(40000 + strlen(body));
    assert_non_null(json);
    sprintf(json,
            "{\"asset\":{\"version\":\"2.0\"},\"accessors\":[%s],\"bufferViews\":[%s],"
            "\"buffers\":[{\"byteLength\":%zu%s%s%s}],%s}",
            m->accessors, m->views, m->bytes, uri[0] != '\0' ? ",\"uri\":\"" : "", uri,
            uri[0] != '\0' ? "\"" : "", body);
    return json;
}

// scene.gltf with the buffer inside.
static inline void write_gltf(const char* body)
{
    static maker m;
    static char uri[8000] = "data:application/octet-stream;base64,";
    add_stock(&m);
    const size_t head = strlen("data:application/octet-stream;base64,");
    uri[head + encode_base64(m.data, m.bytes, uri + head)] = '\0';
    char* json = make_json(&m, body, uri);
    write_bytes(GLTF_PATH, json, strlen(json));
    free(json);
}

static inline void put_u32(unsigned char* at, size_t value)
{
    for (int k = 0; k < 4; k++) at[k] = (unsigned char)(value >> (8 * k));
}

// The same as one .glb in memory; owned by the caller.
static inline unsigned char* make_glb(const char* body, size_t* out_bytes)
{
    static maker m;
    add_stock(&m);
    char* json = make_json(&m, body, "");
    const size_t text = (strlen(json) + 3) / 4 * 4, binary = (m.bytes + 3) / 4 * 4;
    unsigned char* glb = calloc(1, 28 + text + binary);
    assert_non_null(glb);
    memcpy(glb, "glTF", 4);
    put_u32(glb + 4, 2);
    put_u32(glb + 8, 28 + text + binary);
    put_u32(glb + 12, text);
    memcpy(glb + 16, "JSON", 4);
    memset(glb + 20, ' ', text);
    memcpy(glb + 20, json, strlen(json));
    put_u32(glb + 20 + text, binary);
    memcpy(glb + 24 + text, "BIN", 4);
    memcpy(glb + 28 + text, m.data, m.bytes);
    free(json);
    *out_bytes = 28 + text + binary;
    return glb;
}

// JSON that several tests use, with accessor numbers as %d.
static inline const char* fill(const char* format, ...) __attribute__((format(printf, 1, 2)));
static inline const char* fill(const char* format, ...)
{
    static char text[4][6000];
    static int turn;
    char* out = text[turn++ % 4];
    va_list list;
    va_start(list, format);
    assert_less(vsnprintf(out, sizeof text[0], format, list), (int)sizeof text[0]);
    va_end(list);
    return out;
}

#define STRIP_MESH "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]"

// The strip on two joints; the second turns to 90 degrees. `joints` and `shares`: accessors.
static inline const char* skinned_strip(int shares, const char* skin_more)
{
    return fill("\"scene\":0,\"scenes\":[{\"nodes\":[0,1]}],"
                "\"nodes\":[{\"name\":\"Strip\",\"mesh\":0,\"skin\":0,\"translation\":[9,9,9]},"
                "{\"name\":\"Lower\",\"children\":[2]},"
                "{\"name\":\"Upper\",\"translation\":[0,1,0]}],"
                "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"JOINTS_0\":%d,"
                "\"WEIGHTS_0\":%d},\"indices\":%d}]}],"
                "\"skins\":[{\"joints\":[1,2]%s}],"
                "\"animations\":[{\"name\":\"bend\",\"channels\":[{\"sampler\":0,"
                "\"target\":{\"node\":2,\"path\":\"rotation\"}}],"
                "\"samplers\":[{\"input\":%d,\"output\":%d}]}]",
                STRIP_POSITIONS, STRIP_JOINTS, shares, STRIP_INDICES, skin_more, TIMES, TURNS);
}

static inline firn_gltf* read_good(bool animated, const char* clip)
{
    firn_error error = {0};
    firn_gltf* gltf = NULL;
    if (firn_gltf_read(GLTF_PATH, animated, clip, &gltf, &error) != FIRN_OK)
        fail_msg("%s", error.text);
    return gltf;
}

static inline firn_mesh pose_good(const firn_gltf* gltf, double time, firn_local node)
{
    firn_error error = {0};
    firn_mesh mesh;
    if (firn_gltf_pose(gltf, time, node, &mesh, &error) != FIRN_OK) fail_msg("%s", error.text);
    return mesh;
}

// Refused with `code` and a message that contains `words`.
static inline void read_bad(const char* body, firn_result code, const char* words)
{
    firn_error error = {0};
    firn_gltf* gltf = NULL;
    write_gltf(body);
    const firn_result result = firn_gltf_read(GLTF_PATH, true, NULL, &gltf, &error);
    if (result != code || strstr(error.text, words) == NULL)
        fail_msg("expected %d '%s', got %d '%s'", code, words, result, error.text);
    assert_null(gltf);
}

static inline void check_vertex(const firn_mesh* mesh, firn_local v, double x, double y, double z)
{
    const firn_vec3 p = mesh->vertices[v];
    const double miss =
        fmax(fabs((double)p.x - x), fmax(fabs((double)p.y - y), fabs((double)p.z - z)));
    if (!(miss < 2e-6))  // [m] sums of a few floats of about 1
        fail_msg("vertex %d is (%.9g, %.9g, %.9g), not (%.9g, %.9g, %.9g)", (int)v, (double)p.x,
                 (double)p.y, (double)p.z, x, y, z);
}
