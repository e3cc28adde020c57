// SPDX-License-Identifier: MIT
// glTF files: the .glb container, the JSON, and the buffers.
#include "mesh/io/gltf_file.h"

#include <stdio.h>
#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/text.h"
#include "mesh/mesh.h"

#define GLB_MAGIC 0x46546C67u   // "glTF"
#define CHUNK_JSON 0x4E4F534Au  // "JSON"
#define CHUNK_BIN 0x004E4942u   // "BIN"

static const char* const table_names[FIRN_GLTF_TABLES] = {
    "accessors", "animations", "bufferViews", "buffers", "cameras", "images",  "materials",
    "meshes",    "nodes",      "samplers",    "scenes",  "skins",   "textures"};

static uint32_t read_u32(const char* at)
{
    const unsigned char* b = (const unsigned char*)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

// A .glb is a header of 12 bytes and chunks, each with length, kind and data.
static firn_result find_chunks(firn_gltf_file* f, const char** out_json, size_t* out_bytes,
                               firn_error* error)
{
    if (f->bytes < 20)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: only %zu bytes, less than the headers of a .glb (20 bytes)", f->path,
                         f->bytes);
    const uint32_t version = read_u32(f->data + 4), length = read_u32(f->data + 8);
    if (version != 2)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte 4: glTF version %u, only 2 can be read: export it again",
                         f->path, (unsigned)version);
    if (length > f->bytes)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte 8: the header says %u bytes, the file has %zu: it is cut short",
                         f->path, (unsigned)length, f->bytes);
    for (size_t at = 12; at < length;) {
        if (length - at < 8)
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "%s: byte %zu: %zu bytes left, a chunk's header needs 8", f->path, at,
                             (size_t)length - at);
        const uint32_t bytes = read_u32(f->data + at), kind = read_u32(f->data + at + 4);
        if (bytes > length - at - 8)
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "%s: byte %zu: a chunk of %u bytes, but %zu are left", f->path, at,
                             (unsigned)bytes, (size_t)length - at - 8);
        if (at == 12 && kind != CHUNK_JSON)
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "%s: byte 16: the first chunk is of kind 0x%08X, must be JSON",
                             f->path, (unsigned)kind);
        if (at == 12) {
            *out_json = f->data + at + 8;
            *out_bytes = bytes;
        } else if (kind == CHUNK_BIN && f->binary_chunk == NULL) {
            f->binary_chunk = (const unsigned char*)f->data + at + 8;
            f->binary_bytes = bytes;
        }
        at += 8 + (size_t)bytes;
    }
    return FIRN_OK;
}

static firn_result list_rows(firn_gltf_file* f, firn_error* error)
{
    for (int t = 0; t < FIRN_GLTF_TABLES; t++) {
        const firn_local array = firn_json_member(&f->json, 0, table_names[t]);
        if (array < 0) continue;
        const firn_json_value* v = &f->json.values[array];
        if (v->type != FIRN_JSON_ARRAY)
            return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte %zu: '%s' must be an array",
                             f->path, firn_json_offset(&f->json, array), table_names[t]);
        if (v->count == 0) continue;
        f->rows[t] = firn_alloc((size_t)v->count, sizeof(firn_local));
        if (f->rows[t] == NULL)
            return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to read it", f->path);
        f->row_count[t] = v->count;
        firn_local row = array + 1;
        for (firn_local k = 0; k < v->count; k++) {
            if (f->json.values[row].type != FIRN_JSON_OBJECT)
                return firn_fail(error, FIRN_REFUSED_SCENE,
                                 "%s: byte %zu: %s[%d] must be an object", f->path,
                                 firn_json_offset(&f->json, row), table_names[t], (int)k);
            f->rows[t][k] = row;
            row = f->json.values[row].next;
        }
    }
    return FIRN_OK;
}

// Refuses required extensions that change the geometry; those of materials are harmless.
static firn_result check_extensions(const firn_gltf_file* f, firn_error* error)
{
    static const char* const harmless[] = {"KHR_materials_", "KHR_texture_", "EXT_texture_",
                                           "KHR_lights_", "KHR_mesh_quantization"};
    const firn_local list = firn_json_member(&f->json, 0, "extensionsRequired");
    if (list < 0 || f->json.values[list].type != FIRN_JSON_ARRAY) return FIRN_OK;
    for (firn_local v = list + 1; v < f->json.values[list].next; v = f->json.values[v].next) {
        bool known = false;
        const firn_json_value* name = &f->json.values[v];
        const size_t length = name->end - name->begin;
        for (size_t k = 0; k < sizeof harmless / sizeof *harmless; k++) {
            const size_t n = strlen(harmless[k]);
            known =
                known || (length >= n && memcmp(f->json.text + name->begin, harmless[k], n) == 0);
        }
        if (!known)
            return firn_fail(error, FIRN_REFUSED_SCENE,
                             "%s: byte %zu: the file needs the extension '%.*s', which firn does "
                             "not know: export it without (for compression: switch it off)",
                             f->path, firn_json_offset(&f->json, v),
                             length > 100 ? 100 : (int)length, f->json.text + name->begin);
    }
    return FIRN_OK;
}

static firn_result check_version(const firn_gltf_file* f, firn_error* error)
{
    const firn_local asset = firn_json_member(&f->json, 0, "asset");
    const firn_local version = firn_json_member(&f->json, asset, "version");
    if (version < 0)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: not a glTF file: 'asset' with its 'version' is missing", f->path);
    const firn_json_value* v = &f->json.values[version];
    if (v->type == FIRN_JSON_STRING && v->end - v->begin >= 2 &&
        memcmp(f->json.text + v->begin, "2.", 2) == 0)
        return check_extensions(f, error);
    return firn_fail(error, FIRN_REFUSED_SCENE,
                     "%s: byte %zu: glTF version '%.*s', only 2.x can be read: export it again",
                     f->path, firn_json_offset(&f->json, version),
                     v->end - v->begin > 20 ? 20 : (int)(v->end - v->begin),
                     f->json.text + v->begin);
}

static firn_result load_buffer(firn_gltf_file* f, firn_local b, firn_error* error)
{
    const firn_local row = f->rows[FIRN_GLTF_BUFFERS][b];
    const firn_local uri = firn_json_member(&f->json, row, "uri");
    firn_gltf_buffer* buffer = &f->buffers[b];
    if (uri >= 0) {
        FIRN_TRY(firn_gltf_read_uri(f, uri, "buffer", FIRN_MESH_FILE_MAX, buffer, error));
    } else if (b == 0 && f->binary_chunk != NULL) {
        buffer->data = f->binary_chunk;
        buffer->bytes = f->binary_bytes;
    } else {
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte %zu: buffers[%d] has no 'uri' and there is no binary chunk",
                         f->path, firn_json_offset(&f->json, row), (int)b);
    }
    int64_t said;
    FIRN_TRY(firn_gltf_count(f, row, "byteLength", -1, &said, error));
    if (said < 0 || (uint64_t)said > buffer->bytes)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte %zu: buffers[%d] has byteLength %lld, but %zu bytes are there",
                         f->path, firn_json_offset(&f->json, row), (int)b, (long long)said,
                         buffer->bytes);
    buffer->bytes = (size_t)said;
    return FIRN_OK;
}

static firn_result open_parts(firn_gltf_file* f, firn_error* error)
{
    FIRN_TRY(firn_file_read(f->path, FIRN_MESH_FILE_MAX, &f->data, &f->bytes, error));
    const char* text = f->data;
    size_t bytes = f->bytes;
    if (f->bytes >= 4 && read_u32(f->data) == GLB_MAGIC) {
        FIRN_TRY(find_chunks(f, &text, &bytes, error));
        while (bytes > 0 && text[bytes - 1] == '\0') bytes--;  // some writers pad with zeros
    }
    FIRN_TRY(firn_json_parse(f->path, text, bytes, (size_t)(text - f->data), &f->json, error));
    FIRN_TRY(check_version(f, error));
    FIRN_TRY(list_rows(f, error));
    const firn_local count = f->row_count[FIRN_GLTF_BUFFERS];
    f->buffers = firn_alloc((size_t)count + 1, sizeof *f->buffers);
    if (f->buffers == NULL)
        return firn_fail(error, FIRN_BROKEN_MEMORY, "%s: no memory to read it", f->path);
    for (firn_local b = 0; b < count; b++) FIRN_TRY(load_buffer(f, b, error));
    return FIRN_OK;
}

firn_result firn_gltf_file_open(const char* path, firn_gltf_file* out_file, firn_error* error)
{
    firn_gltf_file f = {.path = path};
    const firn_result result = open_parts(&f, error);
    if (result != FIRN_OK) {
        firn_gltf_file_close(&f);
        return result;
    }
    *out_file = f;
    return FIRN_OK;
}

void firn_gltf_file_close(firn_gltf_file* file)
{
    for (firn_local b = 0; file->buffers != NULL && b < file->row_count[FIRN_GLTF_BUFFERS]; b++)
        firn_free(file->buffers[b].own);
    firn_free(file->buffers);
    for (int t = 0; t < FIRN_GLTF_TABLES; t++) firn_free(file->rows[t]);
    firn_json_destroy(&file->json);
    firn_free(file->data);
    *file = (firn_gltf_file){0};
}

firn_result firn_gltf_count(const firn_gltf_file* file, firn_local object, const char* name,
                            int64_t fallback, int64_t* out_count, firn_error* error)
{
    const firn_local value = firn_json_member(&file->json, object, name);
    *out_count = fallback;
    if (value < 0) return FIRN_OK;
    double number;
    if (!firn_json_number(&file->json, value, &number) || number < 0 || number > 9e15 ||
        number != (double)(int64_t)number)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte %zu: '%s' must be a whole number from 0 up", file->path,
                         firn_json_offset(&file->json, value), name);
    *out_count = (int64_t)number;
    return FIRN_OK;
}

firn_result firn_gltf_index(const firn_gltf_file* file, firn_local object, const char* name,
                            firn_gltf_table table, firn_local* out_index, firn_error* error)
{
    int64_t index;
    FIRN_TRY(firn_gltf_count(file, object, name, -1, &index, error));
    if (index >= file->row_count[table])
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: byte %zu: '%s' is %lld, but there are %d %s", file->path,
                         firn_json_offset(&file->json, firn_json_member(&file->json, object, name)),
                         name, (long long)index, (int)file->row_count[table], table_names[table]);
    *out_index = (firn_local)index;
    return FIRN_OK;
}

firn_result firn_gltf_numbers(const firn_gltf_file* file, firn_local object, const char* name,
                              int count, double* out_numbers, bool* out_found, firn_error* error)
{
    const firn_json* json = &file->json;
    const firn_local array = firn_json_member(json, object, name);
    if (out_found != NULL) *out_found = array >= 0;
    if (array < 0) return FIRN_OK;
    bool good = json->values[array].type == FIRN_JSON_ARRAY && json->values[array].count == count;
    for (int k = 0; good && k < count; k++)  // numbers have no children: one value each
        good = firn_json_number(json, array + 1 + k, &out_numbers[k]);
    if (good) return FIRN_OK;
    return firn_fail(error, FIRN_REFUSED_SCENE, "%s: byte %zu: '%s' must be %d numbers", file->path,
                     firn_json_offset(json, array), name, count);
}

void firn_gltf_row_text(const firn_gltf_file* file, firn_gltf_table table, firn_local row,
                        char* out_text, size_t size)
{
    char* name = firn_json_string(&file->json,
                                  firn_json_member(&file->json, file->rows[table][row], "name"));
    if (name != NULL && name[0] != '\0')
        snprintf(out_text, size, "%s[%d] ('%.60s')", table_names[table], (int)row, name);
    else
        snprintf(out_text, size, "%s[%d]", table_names[table], (int)row);
    firn_free(name);
}
