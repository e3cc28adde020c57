// SPDX-License-Identifier: MIT
// Meshes over time: a numbered sequence of files, a .pc2 point cache over a rest mesh, or a glTF
// animation (nodes, skins, morph targets). Key frame k is the mesh at key_time[k]. Only the
// source is stored: a key is read or posed on request.
#pragma once
#include "math/quat.h"
#include "mesh/mesh.h"

typedef struct firn_animation_def {
    const char* file;     // "walk.%04d.obj" (any mesh format), "walk.pc2", "walk.glb"
    const char* mesh;     // rest mesh of a .pc2; null for the others
    const char* clip;     // glTF: name of the animation; null: as firn_gltf_read
    const char* node;     // glTF: only the meshes at and below this node; null: all
    int64_t first, last;  // numbers of a sequence, inclusive
    double fps;           // of a sequence; rate at which a glTF animation is posed; converts the
                          //     frames in the header of a .pc2 file to seconds
    double scale;         // metres per unit of the files; 0: 1
    bool z_up;            // z points up in the files; false: y
} firn_animation_def;

typedef struct firn_animation firn_animation;  // opaque; constant once open: use from any thread

// Reads what is needed to know the keys and checks it; FIRN_REFUSED_* as firn_mesh_read.
firn_result firn_animation_open(const firn_animation_def* def, firn_animation** out_animation,
                                firn_error* error);
void firn_animation_close(firn_animation* animation);                        // null is fine
int64_t firn_animation_key_count(const firn_animation* animation);           // >= 1
double firn_animation_key_time(const firn_animation* animation, int64_t k);  // [s], first is 0
uint64_t firn_animation_key_hash(const firn_animation* animation,
                                 int64_t k);  // cheap, of the
                                              //     source: files
                                              //     and their times
                                              //     or contents
// Vertices keep their numbers from key to key where the source says so (same counts and triangles);
// sequences may change them.
firn_result firn_animation_key(const firn_animation* animation, int64_t k, firn_mesh* out_mesh,
                               firn_error* error);

// World-space path of one glTF node: translation, rotation and uniform scale at the times of its
// own and its ancestors' keys, with more keys where interpolation would deviate (rotating
// ancestors).
typedef struct firn_node_key {
    double time;  // [s]
    firn_vec3 position;
    firn_quat rotation;
    firn_real scale;
} firn_node_key;
// `out_keys` is owned by the caller. Refused: no such node (names those there are), no animation of
// it, a scale that is not the same along all axes.
firn_result firn_animation_node_path(const char* file, const char* clip, const char* node,
                                     firn_node_key** out_keys, firn_local* out_count,
                                     firn_error* error);
