// SPDX-License-Identifier: MIT
// Selects the reader of a mesh file by the extension of its name.
#include "mesh/mesh.h"

#include <string.h>

#include "core/file.h"
#include "core/memory.h"
#include "core/words.h"
#include "mesh/io/gltf.h"

typedef firn_result parse_fn(const char* path, const char* data, size_t bytes, firn_mesh* out,
                             firn_error* error);

typedef struct mesh_format {
    const char* ending;
    parse_fn* parse;  // null: read by firn_mesh_read_gltf, which may open more files
} mesh_format;

static const mesh_format formats[] = {{"obj", firn_mesh_parse_obj},
                                      {"ply", firn_mesh_parse_ply},
                                      {"stl", firn_mesh_parse_stl},
                                      {"gltf", NULL},
                                      {"glb", NULL}};

// Null for an unknown extension. Case does not matter.
static const mesh_format* find_format(const char* path)
{
    const char* slash = strrchr(path, '/');
    const char* dot = strrchr(path, '.');
    if (dot == NULL || (slash != NULL && dot < slash)) return NULL;
    const firn_word ending = {dot + 1, strlen(dot + 1)};
    for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++)
        if (firn_word_is_any_case(ending, formats[k].ending)) return &formats[k];
    return NULL;
}

bool firn_mesh_is_file(const char* path)
{
    return find_format(path) != NULL;
}

firn_result firn_mesh_read(const char* path, firn_mesh* out_mesh, firn_error* error)
{
    *out_mesh = (firn_mesh){0};
    const mesh_format* format = find_format(path);
    if (format == NULL)
        return firn_fail(error, FIRN_REFUSED_SCENE,
                         "%s: its ending names no mesh format: expected .obj, .ply, .stl, .gltf or "
                         ".glb",
                         path);
    if (format->parse == NULL) return firn_mesh_read_gltf(path, out_mesh, error);
    char* data;
    size_t bytes;
    FIRN_TRY(firn_file_read(path, FIRN_MESH_FILE_MAX, &data, &bytes, error));
    const firn_result result = format->parse(path, data, bytes, out_mesh, error);
    firn_free(data);
    return result;
}
