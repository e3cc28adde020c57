// SPDX-License-Identifier: MIT
// Sources of the key frames of a deforming collider: meshes (deform_mesh.c), .vdb files
// (deform_vdb.c), or formulas in tests. Several threads may ask a source at once, and its result
// for a key does not depend on earlier requests.
#pragma once
#include "geometry/deform/deforming.h"
#include "geometry/deform/velocity_grid.h"

// A key and those next to it, for its velocities. Around the end of a loop `before` may be larger
// than `here`.
typedef struct firn_deform_stencil {
    int64_t before, here, after;         // keys; -1: there is none on that side
    double length_before, length_after;  // [s] of the animation; 0 where there is none
    const firn_level_set* phi;           // of `here`, borrowed
    // The level set of a key, borrowed until the velocities are done.
    firn_result (*load)(void* context, int64_t k, const firn_level_set** out_phi,
                        firn_error* error);
    void* context;
} firn_deform_stencil;

typedef struct firn_deform_source {
    void* self;  // owned by the deforming body
    int64_t key_count;
    double (*time)(const void* self, int64_t k);    // [s] of the animation: 0, then increasing
    uint64_t (*hash)(const void* self, int64_t k);  // cheap: of what the key is made from
    firn_result (*phi)(void* self, int64_t k, const firn_level_set** out_phi, firn_error* error);
    firn_result (*velocity)(void* self, const firn_deform_stencil* stencil,
                            firn_velocity_grid* out_grid, firn_error* error);
    // Is the last key the first one again? Then a loop plays it once.
    firn_result (*closes)(void* self, bool* out_closes, firn_error* error);
    // The triangles of a key; null: the source has none.
    firn_result (*mesh)(void* self, int64_t k, firn_mesh* out_mesh, firn_error* error);
    void (*destroy)(void* self);
} firn_deform_source;

// As firn_deforming_open, from any source; `source` is the body's on success and destroyed else.
firn_result firn_deforming_create(const firn_deforming_def* def, firn_deform_source source,
                                  firn_deforming** out_deforming, firn_error* error);

bool firn_deform_is_vdb(const char* file);  // by its ending
// `source` is complete on success only.
firn_result firn_deform_open_meshes(const firn_deforming_def* def, firn_deform_source* out_source,
                                    firn_error* error);
firn_result firn_deform_open_vdb(const firn_deforming_def* def, firn_deform_source* out_source,
                                 firn_error* error);
// The motion along the normal, for keys that have nothing better.
firn_result firn_deform_normal_motion(const firn_deform_stencil* stencil,
                                      firn_velocity_grid* out_grid, firn_error* error);
