// SPDX-License-Identifier: MIT
// Materials of colliders from their glTF files, with decoded pictures. A collider that has a
// `surface` in the scene does not use them.
#pragma once
#include "core/result.h"
#include "render/paint/paint_sample.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h
typedef struct firn_collider firn_collider;      // geometry/collider/collider.h
typedef struct firn_mesh firn_mesh;              // mesh/mesh.h

typedef struct firn_paint_material {
    firn_rgb colour;             // linear
    float metal;                 // 0..1
    float roughness;             // 0..1
    firn_paint_picture picture;  // of the colour, on which `colour` is a factor; width 0: none
} firn_paint_material;

typedef struct firn_paint {
    firn_paint_material* materials;  // owned
    firn_local material_count;       // 0: the file has none, or the scene says the surface
    firn_rgb16* texels;              // owned
    int64_t texel_count;
    firn_local* material;  // owned [triangle_count]; -1: none
    float (*uv)[3][2];     // owned [triangle_count], by corners; null: no pictures
    firn_local triangle_count;
} firn_paint;

// Of the mesh of level set `level_set` (firn_scene_read_mesh), or of a deforming collider (-1). The
// paint is empty where it does not belong to these triangles.
firn_result firn_paint_read(const firn_scene_data* scene, const firn_collider* collider,
                            firn_local level_set, const firn_mesh* mesh, firn_paint* out_paint,
                            firn_error* error);
void firn_paint_destroy(firn_paint* paint);  // frees, zeroes the struct
