// SPDX-License-Identifier: MIT
// The tables of all blocks that every solver shares, and the root table that joins them.
#pragma once
#include "scene/parse/keys.h"

typedef struct firn_scene_reader firn_scene_reader;  // scene/parse/reader.h
typedef struct firn_doc_node firn_doc_node;          // scene/parse/document.h
typedef struct firn_text firn_text;                  // core/text.h
typedef struct firn_look firn_look;                  // geometry/collider/look.h
typedef struct firn_joint firn_joint;                // bodies/joint.h
typedef struct firn_scene_data firn_scene_data;      // scene/data/scene.h

extern const firn_key_block firn_time_keys, firn_cull_keys, firn_output_keys, firn_render_keys;
extern const firn_key_block firn_camera_keys;
extern const firn_key_block firn_material_keys, firn_snow_keys, firn_collider_keys;
extern const firn_key_block firn_emitter_keys, firn_air_keys, firn_ageing_keys, firn_joint_keys;
extern const firn_key_block firn_force_keys, firn_gravity_key_keys;
extern const firn_key_block firn_powder_keys, firn_material_key_keys;
// The tables of the block `vary` and of its parts (vary_keys.c).
extern const firn_key_block firn_vary_keys, firn_vary_noise_keys, firn_vary_texture_keys;
extern const firn_key_block firn_vary_shell_keys, firn_vary_layer_keys;

// Checks a key frame, row `count` of its list, against `before` and `earlier`: times of the last
// key and of the one before it, as far as there are any.
void firn_check_key_order(firn_scene_reader* r, const firn_doc_node* node, double time,
                          int32_t count, double before, double earlier);
// The lines `gravity_keys` and `forces`, where the scene has them.
void firn_forces_write(firn_text* text, const firn_scene_data* scene, int digits);
// The item of a joint in the list `joints`; for_hash: with all digits.
void firn_joint_write(firn_text* text, const firn_joint* joint, int digits);
// The line `surface: {...}` of a collider; nothing when its look is chosen by pictures.
void firn_look_write(firn_text* text, const firn_look* look);

// The top level of a scene for these solvers. Owned arrays; free with firn_root_destroy.
typedef struct firn_root {
    firn_key_block block;  // keys owned
    const char** names;    // owned: of the solvers, null-terminated
} firn_root;
firn_result firn_root_create(const firn_scene_solver* solvers, size_t solver_count,
                             firn_root* out_root);
void firn_root_destroy(firn_root* root);
