// SPDX-License-Identifier: MIT
// A glTF 2.0 file (.gltf or .glb) taken apart: its JSON, its buffers, and numbers out of accessors.
// Knows no meshes or animations. Khronos, glTF 2.0 specification, sections 3.6 and 4.
//
// Why not assimp: design/0005-gltf-reader.md. Tests compare with it where both can read a file.
#pragma once
#include "mesh/io/json.h"

// Top-level arrays, by their JSON names.
typedef enum firn_gltf_table {
    FIRN_GLTF_ACCESSORS,
    FIRN_GLTF_ANIMATIONS,
    FIRN_GLTF_BUFFER_VIEWS,
    FIRN_GLTF_BUFFERS,
    FIRN_GLTF_CAMERAS,
    FIRN_GLTF_IMAGES,
    FIRN_GLTF_MATERIALS,
    FIRN_GLTF_MESHES,
    FIRN_GLTF_NODES,
    FIRN_GLTF_SAMPLERS,
    FIRN_GLTF_SCENES,
    FIRN_GLTF_SKINS,
    FIRN_GLTF_TEXTURES,
    FIRN_GLTF_TABLES
} firn_gltf_table;

typedef struct firn_gltf_buffer {
    const unsigned char* data;
    size_t bytes;
    char* own;  // owned; null when `data` lies in the file
} firn_gltf_buffer;

typedef struct firn_gltf_file {
    const char* path;  // borrowed
    char* data;        // owned: the file
    size_t bytes;
    firn_json json;
    firn_local* rows[FIRN_GLTF_TABLES];  // owned: JSON value of each element
    firn_local row_count[FIRN_GLTF_TABLES];
    firn_gltf_buffer* buffers;          // owned [row_count[FIRN_GLTF_BUFFERS]]
    const unsigned char* binary_chunk;  // of a .glb; null: none
    size_t binary_bytes;
} firn_gltf_file;

// Reads and checks the frame, the JSON and the buffers. FIRN_REFUSED_IO, FIRN_REFUSED_SCENE with
// the byte offset, FIRN_BROKEN_MEMORY. `path` must outlive the file.
firn_result firn_gltf_file_open(const char* path, firn_gltf_file* out_file, firn_error* error);
void firn_gltf_file_close(firn_gltf_file* file);

// An index in member `name` of `object` into `table`; -1 in `out_index` when there is no such
// member. FIRN_REFUSED_SCENE when it is no whole number or out of range.
firn_result firn_gltf_index(const firn_gltf_file* file, firn_local object, const char* name,
                            firn_gltf_table table, firn_local* out_index, firn_error* error);
// A whole number >= 0 in member `name`; `fallback` when there is none.
firn_result firn_gltf_count(const firn_gltf_file* file, firn_local object, const char* name,
                            int64_t fallback, int64_t* out_count, firn_error* error);
// `count` numbers of an array in member `name`; `out_numbers` keeps what it has (the default) when
// there is none; `out_found` (may be null) says whether there is.
firn_result firn_gltf_numbers(const firn_gltf_file* file, firn_local object, const char* name,
                              int count, double* out_numbers, bool* out_found, firn_error* error);
// What a URI (a JSON string) names: a file beside this one of at most `limit` bytes, or base64;
// `buffer` is empty and then owns it. `what` ("buffer") stands in messages.
firn_result firn_gltf_read_uri(const firn_gltf_file* file, firn_local value, const char* what,
                               size_t limit, firn_gltf_buffer* buffer, firn_error* error);
// "nodes[3] ('Hip')" for messages.
void firn_gltf_row_text(const firn_gltf_file* file, firn_gltf_table table, firn_local row,
                        char* out_text, size_t size);

// All numbers of an accessor, `width` to an element (1, 2, 3, 4, 16), owned by the caller. Whole
// numbers become reals, normalised ones those of the specification. All finite. `purpose` ("the
// positions of meshes[0]") stands in messages.
firn_result firn_gltf_read_floats(const firn_gltf_file* file, firn_local accessor, int width,
                                  const char* purpose, float** out_values, firn_local* out_count,
                                  firn_error* error);
// The same for indices and joints: unsigned whole numbers below `limit`.
firn_result firn_gltf_read_indices(const firn_gltf_file* file, firn_local accessor, int width,
                                   int64_t limit, const char* purpose, int32_t** out_values,
                                   firn_local* out_count, firn_error* error);
