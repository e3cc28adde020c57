// SPDX-License-Identifier: MIT
// Shapes that become level sets: meshes, .vdb files and words are added to a scene here.
#pragma once
#include "core/result.h"

struct firn_text_def;
struct firn_mesh_def;
struct firn_mesh_report;
struct firn_mesh;
typedef struct firn_level_set firn_level_set;    // geometry/levelset/level_set.h
typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// Adds a level set as a shape. `text` is the kind with its keys as a scene file has them ("text:
// {...}"), for writing the scene again: taken over in any case; null means that memory was out.
firn_result firn_scene_add_level_set(firn_scene_data* scene, const firn_level_set* set, char* text,
                                     firn_local* out_shape, firn_error* error);
// Adds a mesh (firn/defs.h; the cookie is not looked at). `out_report` tells what is wrong with it.
firn_result firn_scene_add_mesh(firn_scene_data* scene, const struct firn_mesh_def* def,
                                struct firn_mesh_report* out_report, firn_local* out_shape,
                                firn_error* error);
// The triangles that a level set of the scene was made from, read again for pictures. Empty: it is
// no mesh (a word, a .vdb file), or holes were closed in it. Refused: the file is gone or not what
// it was.
firn_result firn_scene_read_mesh(const firn_scene_data* scene, firn_local level_set,
                                 struct firn_mesh* out_mesh, firn_error* error);
// Adds a level set of a .vdb file; `grid` may be null.
firn_result firn_scene_add_vdb(firn_scene_data* scene, const char* file, const char* grid,
                               firn_local* out_shape, firn_error* error);
// Adds a word (firn/defs.h; the cookie is not looked at).
firn_result firn_scene_add_text(firn_scene_data* scene, const struct firn_text_def* def,
                                firn_local* out_shape, firn_error* error);
