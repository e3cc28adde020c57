// SPDX-License-Identifier: MIT
// How a glTF file colours its meshes: a material for each triangle, and where its picture lies.
// Does: the metallic-roughness materials with a picture of the base colour, as PNG files. Does not:
// decode them; other pictures, emission, transparency, vertex colours, texture transforms.
// Khronos, glTF 2.0 specification, sections 3.8 (textures), 3.9 (materials).
#pragma once
#include "core/result.h"

typedef enum firn_gltf_wrap {  // beyond 0..1
    FIRN_GLTF_REPEAT,
    FIRN_GLTF_CLAMP,
    FIRN_GLTF_MIRROR
} firn_gltf_wrap;

typedef struct firn_gltf_material {
    float colour[3];   // linear, 0..1; with a picture: its factor
    float metal;       // 0..1
    float roughness;   // 0..1
    firn_local image;  // of firn_gltf_paint; -1: none
    int32_t wrap[2];   // firn_gltf_wrap along u and v
} firn_gltf_material;

typedef struct firn_gltf_image {
    char* name;            // owned; for messages
    unsigned char* bytes;  // owned: a PNG file; null: not used, or no PNG file
    size_t size;
} firn_gltf_image;

typedef struct firn_gltf_paint {
    firn_gltf_material* materials;  // owned
    firn_local material_count;
    firn_gltf_image* images;  // owned; the same for materials that share one
    firn_local image_count;
    firn_local* material;  // owned [triangle_count]; -1: none
    float (*uv)[2];        // owned [vertex_count]; null: no material has a picture
    firn_local triangle_count, vertex_count;
} firn_gltf_paint;

// Vertices and triangles are those of firn_gltf_pose at and below `node` (its name; null: of all).
// Empty: the file has no materials. A picture that is no PNG is left out, so that its material has
// the factor alone. Refused: as firn_mesh_read; no texture coordinates where a picture needs them.
firn_result firn_gltf_read_paint(const char* path, const char* node, firn_gltf_paint* out_paint,
                                 firn_error* error);
void firn_gltf_paint_destroy(firn_gltf_paint* paint);  // frees, zeroes the struct
