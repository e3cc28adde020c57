// SPDX-License-Identifier: MIT
// Triangle meshes from users: volumes of snow, colliders, frames of an animation.
// Does: hold, copy, measure, hash, read. Does not: become a level set
// (geometry/levelset/level_set_mesh.h).
#pragma once
#include "core/result.h"
#include "math/box3.h"

#define FIRN_MESH_COUNT_MAX (1 << 28)         // vertices, and triangles
#define FIRN_MESH_FILE_MAX ((size_t)4 << 30)  // [bytes]
#define FIRN_MESH_COORDINATE_MAX 1e9          // [m] as for shapes and points

typedef struct firn_mesh {
    firn_vec3* vertices;  // owned [m]
    firn_local vertex_count, vertex_capacity;
    int32_t (*triangles)[3];  // owned; vertex indices, counter-clockwise seen from outside
    firn_local triangle_count, triangle_capacity;
} firn_mesh;

void firn_mesh_destroy(firn_mesh* mesh);  // frees the arrays, zeroes the struct
// `out_copy` is overwritten. FIRN_BROKEN_MEMORY: it is empty.
firn_result firn_mesh_copy(const firn_mesh* mesh, firn_mesh* out_copy);
// False when memory is out or a count is over its limit; the mesh is as before.
bool firn_mesh_add_vertex(firn_mesh* mesh, firn_vec3 x);
bool firn_mesh_add_triangle(firn_mesh* mesh, int32_t a, int32_t b, int32_t c);
// Appends a copy of `other`.
bool firn_mesh_append(firn_mesh* mesh, const firn_mesh* other);
firn_box3 firn_mesh_bounds(const firn_mesh* mesh);  // empty for no vertices
// From a file's unit of `scale` metres, and its up axis, to metres with y up.
void firn_mesh_to_metres(firn_mesh* mesh, double scale, bool z_up);
double firn_mesh_volume(const firn_mesh* mesh);  // signed, of a closed mesh [m^3]
uint64_t firn_mesh_hash(const firn_mesh* mesh);  // of vertices and triangles, in order

// Reads .obj, .ply (ASCII, both binaries), .stl (ASCII, binary), .gltf or .glb (all meshes at rest,
// with their nodes' transforms), distinguished by the extension. Polygons are
// triangulated. All coordinates finite and within the limit, all indices in range, at least one
// triangle, else FIRN_REFUSED_SCENE: `error` names file, line or byte offset, what is wrong and
// what to do. FIRN_REFUSED_IO when the file cannot be read, FIRN_REFUSED_BACKEND (with the
// package's name) when this build cannot read the format. `out_mesh` is overwritten; empty on
// failure.
firn_result firn_mesh_read(const char* path, firn_mesh* out_mesh, firn_error* error);
bool firn_mesh_is_file(const char* path);  // by its ending
// For readers, when the mesh could not grow: over a limit (FIRN_REFUSED_SCENE) or out of memory?
firn_result firn_mesh_cannot_grow(const firn_mesh* mesh, const char* path, firn_error* error);

// The readers behind it, each for a text or block already in memory; `path` is for messages.
firn_result firn_mesh_parse_obj(const char* path, const char* text, size_t bytes, firn_mesh* out,
                                firn_error* error);
firn_result firn_mesh_parse_ply(const char* path, const char* data, size_t bytes, firn_mesh* out,
                                firn_error* error);
firn_result firn_mesh_parse_stl(const char* path, const char* data, size_t bytes, firn_mesh* out,
                                firn_error* error);
