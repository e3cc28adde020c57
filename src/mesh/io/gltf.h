// SPDX-License-Identifier: MIT
// A glTF scene ready to be posed: nodes, meshes with skins and morph targets, and animations.
// Does: geometry and motion. Does not: lights; cameras: gltf_camera.h; materials: gltf_paint.h.
// Khronos, glTF 2.0 specification, sections 3.5 (nodes), 3.7 (meshes, skins), 3.11 (animations).
#pragma once
#include "math/quat.h"
#include "mesh/io/gltf_file.h"
#include "mesh/mesh.h"

// x -> A x + b as rows [A | b]. In double: poses are chains of many products.
typedef struct firn_affine {
    double m[3][4];
} firn_affine;

typedef enum firn_gltf_interpolation {
    FIRN_GLTF_LINEAR,
    FIRN_GLTF_STEP,
    FIRN_GLTF_CUBIC
} firn_gltf_interpolation;

// One animated property of a node.
typedef struct firn_gltf_curve {
    firn_local count;  // keys; 0: not animated
    int width;         // numbers to a value
    firn_gltf_interpolation interpolation;
    float* times;  // owned [count] [s], increasing
    float*
        values;  // owned [count][width]; cubic: [count][3][width]: tangent in, value, tangent out
} firn_gltf_curve;

enum {
    FIRN_GLTF_TRANSLATION,
    FIRN_GLTF_ROTATION,
    FIRN_GLTF_SCALE,
    FIRN_GLTF_WEIGHTS,
    FIRN_GLTF_PROPERTIES
};

typedef struct firn_gltf_node {
    char* name;             // owned; "" when it has none
    firn_local parent;      // -1: none
    firn_local mesh, skin;  // -1: none
    bool in_scene;
    bool has_matrix;  // `matrix` is its transform, else the three below
    firn_affine matrix;
    double translation[3], rotation[4], scale[3];  // rotation: x, y, z, w
    firn_local weight_count;                       // of its own morph weights; 0: the mesh's
    float* weights;                                // owned
    firn_gltf_curve curves[FIRN_GLTF_PROPERTIES];
} firn_gltf_node;

// A part of a mesh with one material.
typedef struct firn_gltf_primitive {
    firn_local vertex_count, triangle_count;
    float* positions;         // owned [vertex_count][3] [m]
    int32_t (*triangles)[3];  // owned
    firn_local target_count;
    float* offsets;      // owned [target_count][vertex_count][3] [m]
    int influences;      // joints to a vertex; 0: no skin
    int32_t* joints;     // owned [vertex_count][influences], in the skin's list
    float* joint_share;  // owned [vertex_count][influences], sum 1
} firn_gltf_primitive;

typedef struct firn_gltf_mesh {
    firn_gltf_primitive* primitives;  // owned
    firn_local primitive_count;
    firn_local target_count;
    float* weights;  // owned [target_count]: of the morph targets at rest
} firn_gltf_mesh;

typedef struct firn_gltf_skin {
    firn_local* joints;     // owned: nodes
    firn_affine* inverses;  // owned: from the mesh's coordinates to the joint's, at bind time
    firn_local joint_count;
} firn_gltf_skin;

typedef struct firn_gltf {
    char* path;             // owned
    firn_gltf_node* nodes;  // owned
    firn_local* order;      // owned [node_count]: parents before their children
    firn_local node_count;
    firn_gltf_mesh* meshes;  // owned
    firn_local mesh_count;
    firn_gltf_skin* skins;  // owned
    firn_local skin_count;
    char* clip;       // owned: names of the animations that were read, "" for none
    double duration;  // [s] time of their last key; 0 without one
} firn_gltf;

// Reads a file. `clip`: name of the animation; null: the first, and all others that move what none
// before them moves, since Blender writes one for each object. `animated` false: none is read.
// Refused: as firn_mesh_read; no animation in the file, no such animation (lists those there are).
firn_result firn_gltf_read(const char* path, bool animated, const char* clip, firn_gltf** out_gltf,
                           firn_error* error);
void firn_gltf_destroy(firn_gltf* gltf);  // null is fine
// A node by its name. FIRN_REFUSED_NAME: none (lists those there are) or several.
firn_result firn_gltf_find_node(const firn_gltf* gltf, const char* name, firn_local* out_node,
                                firn_error* error);
// Of all that makes the poses: geometry, skins, nodes, curves.
uint64_t firn_gltf_hash(const firn_gltf* gltf);

// Parts of firn_gltf_read, each in a file of its own.
firn_result firn_gltf_read_mesh(const firn_gltf_file* file, firn_local mesh, firn_gltf_mesh* out,
                                firn_error* error);
void firn_gltf_mesh_destroy(firn_gltf_mesh* mesh);
firn_result firn_gltf_read_clip(const firn_gltf_file* file, const char* clip, firn_gltf* gltf,
                                firn_error* error);

// gltf_pose.c -------------------------------------------------------------------------------------
// Transforms from each node to the world at a time [s]; before the first key and after the last one
// a curve rests. `out_world` [node_count].
void firn_gltf_world(const firn_gltf* gltf, double time, firn_affine* out_world);
// The same for the last of `chain` [count] alone: a root, and each node's child down to it.
firn_affine firn_gltf_world_of(const firn_gltf* gltf, double time, const firn_local* chain,
                               firn_local count);
// All meshes of the scene at and below `node` (-1: all), in the world. Vertices and triangles keep
// their numbers from time to time. Skins ignore their mesh's node, as glTF says.
// FIRN_REFUSED_SCENE: no triangles there.
firn_result firn_gltf_pose(const firn_gltf* gltf, double time, firn_local node, firn_mesh* out_mesh,
                           firn_error* error);
bool firn_gltf_is_below(const firn_gltf* gltf, firn_local node, firn_local ancestor);  // or equal

// All meshes at rest (skins as their joints stand, which is the bind pose unless the file says
// otherwise), with their nodes' transforms; behind firn_mesh_read.
firn_result firn_mesh_read_gltf(const char* path, firn_mesh* out_mesh, firn_error* error);
// Only the meshes at and below a node. `own`: in the coordinates of the node, not of the world.
// Refused: as firn_gltf_find_node and firn_gltf_pose; a node scaled to nothing has no coordinates.
firn_result firn_mesh_read_gltf_node(const char* path, const char* node, bool own,
                                     firn_mesh* out_mesh, firn_error* error);
bool firn_gltf_is_file(const char* path);  // by its ending
