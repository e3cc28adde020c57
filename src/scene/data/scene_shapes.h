// SPDX-License-Identifier: MIT
// Adds shapes that are stored as level sets: meshes, .vdb files and texts.
#pragma once
#include "core/result.h"

struct firn_text_def;
struct firn_mesh_def;
struct firn_mesh_report;
struct firn_mesh;
typedef struct firn_level_set firn_level_set;    // geometry/levelset/level_set.h
typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// Adds a level set as a shape. `text` is its YAML ("text: {...}"), for writing the scene; it is
// owned by the callee in any case. Null: the caller ran out of memory.
firn_result firn_scene_add_level_set(firn_scene_data* scene, const firn_level_set* set, char* text,
                                     firn_local* out_shape, firn_error* error);
// Adds a mesh (firn/defs.h; the cookie is ignored). `out_report` lists its defects.
firn_result firn_scene_add_mesh(firn_scene_data* scene, const struct firn_mesh_def* def,
                                struct firn_mesh_report* out_report, firn_local* out_shape,
                                firn_error* error);
// Reads the triangles of a level set of the scene again, for pictures. Empty: it is not a mesh but
// a text or a .vdb file, or its holes were closed. Refused: the file is missing or has changed.
firn_result firn_scene_read_mesh(const firn_scene_data* scene, firn_local level_set,
                                 struct firn_mesh* out_mesh, firn_error* error);
// Its file and node (null: all nodes), owned by the caller, where that is a glTF file; else null.
firn_result firn_scene_mesh_file(const firn_scene_data* scene, firn_local level_set,
                                 char** out_file, char** out_node, firn_error* error);
// Adds a level set of a .vdb file; `grid` may be null.
firn_result firn_scene_add_vdb(firn_scene_data* scene, const char* file, const char* grid,
                               firn_local* out_shape, firn_error* error);
// Adds a text (firn/defs.h; the cookie is ignored).
firn_result firn_scene_add_text(firn_scene_data* scene, const struct firn_text_def* def,
                                firn_local* out_shape, firn_error* error);
