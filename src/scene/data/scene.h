// SPDX-License-Identifier: MIT
// The scene as the user described it. Constant once loaded; solvers get `const firn_scene_data*`.
// All numbers are SI, right-handed, Y up.
#pragma once
#include "geometry/sdf/shape.h"
#include "scene/data/air.h"
#include "scene/data/gravity.h"
#include "scene/data/output_block.h"
#include "scene/data/render_block.h"

typedef struct firn_material firn_material;    // scene/data/snow.h
typedef struct firn_snow firn_snow;            // scene/data/snow.h
typedef struct firn_collider firn_collider;    // geometry/collider/collider.h
typedef struct firn_emitter firn_emitter;      // scene/data/emitter.h
typedef struct firn_joint firn_joint;          // bodies/joint.h
typedef struct firn_force firn_force;          // physics/force_field.h
typedef struct firn_key_block firn_key_block;  // scene/parse/keys.h

typedef struct firn_time_block {
    int64_t frames;  // number of the last frame
    double fps;      // [1/s]
    int64_t first;   // number of the first frame; time begins at first / fps
} firn_time_block;

// Particles that are removed at the start of a step (cull.h). Zeroed: none.
typedef struct firn_cull_block {
    bool active;         // the scene has a rule; set by the parser
    double start;        // [s] from which the rules apply
    double below;        // [m] height y; -infinity: no such rule
    firn_local inside;   // shape; -1: no such rule
    firn_local outside;  // shape; -1: no such rule
} firn_cull_block;

// How snow ages: creep and sintering. Zeroed: it does not.
typedef struct firn_ageing_block {
    double time_scale;  // seconds of ageing per simulated second
} firn_ageing_block;

// Powder that breaking snow sheds (physics/powder.h). Zeroed: none.
typedef struct firn_powder_block {
    bool active;  // the block is given; set by the parser
    double rate, speed, points, amount, size, life, spread;  // firn_powder_law
    int64_t seed;
    double tick;  // [s] shortest time between two steps of the powder
    int64_t max;  // points at once
} firn_powder_block;

// Location of a key in the scene file, for errors found after parsing (by a solver's check).
typedef struct firn_scene_location {
    char* key;         // owned: "mpm.cell", "snow.0.velocity"
    int line, column;  // 1-based; 0: set by --set
    char* origin;      // owned: "--set mpm.cell=1"; null: the scene file
} firn_scene_location;

typedef struct firn_scene_data {
    char* name;                         // owned: "snowball-drop"
    char* title;                        // owned, one line; may be null
    char* path;                         // owned: the file, or null when built from code
    char* variant;                      // owned; null for the default
    int64_t format;                     // firn: 1
    int32_t solver;                     // index into the table of solvers handed to the parser
    void* solver_def;                   // owned; struct described by solver_keys
    const firn_key_block* solver_keys;  // borrowed, static; null: no solver chosen yet
    firn_time_block time;
    double gravity[3];  // [m/s^2]; with keys, of the first one. Use firn_scene_gravity
    // Rows (FIRN_KEY_ROWS): a count, then room for as many as there may be.
    int32_t gravity_key_count;                             // 0: constant
    firn_gravity_key gravity_keys[FIRN_GRAVITY_KEYS_MAX];  // ascending in time
    firn_material* materials;                              // owned
    firn_local material_count, material_capacity;
    firn_snow* snow;  // owned
    firn_local snow_count, snow_capacity;
    firn_collider* colliders;  // owned; solvers and pictures pose their own copies
    firn_local collider_count, collider_capacity;
    firn_joint* joints;  // owned; between colliders
    firn_local joint_count, joint_capacity;
    firn_emitter* emitters;  // owned
    firn_local emitter_count, emitter_capacity;
    firn_force* forces;  // owned
    firn_local force_count, force_capacity;
    firn_air_block air;
    firn_shapes shapes;
    firn_cull_block cull;
    firn_ageing_block ageing;
    firn_powder_block powder;
    firn_output_block output;
    firn_render_block render;
    uint64_t hash;    // of what is simulated: equal for equal scenes after variants and --set
    char* source;     // owned: text of the file, for messages; null when built from code
    char* effective;  // owned: the scene as YAML after variant and overrides, paths made
                      // absolute, without `variants`; null when built from code
    firn_scene_location* locations;  // owned; blocks, their keys, list items and their keys
    firn_local location_count, location_capacity;
    char** field_texts;  // owned, each owned; [shapes.field_count]: "noise: {...}" or "png: ..."
    firn_local field_text_count, field_text_capacity;
    char** level_set_texts;  // owned, each owned; [shapes.level_set_count]: "text: {...}", ...
    firn_local level_set_text_count, level_set_text_capacity;
    char** variant_names;  // owned, each owned; in the order of the file
    firn_local variant_count, variant_capacity;
} firn_scene_data;

// [s] when the simulation begins.
static inline double firn_scene_begin(const firn_scene_data* scene)
{
    return (double)scene->time.first / scene->time.fps;
}

void firn_scene_data_init(firn_scene_data* scene);     // empty scene, all defaults, solver 0
void firn_scene_data_destroy(firn_scene_data* scene);  // frees everything, zeroes the struct

// A deep copy with a fresh hash. `to` need not be initialised; FIRN_BROKEN_MEMORY leaves it zeroed.
firn_result firn_scene_data_copy(const firn_scene_data* from, firn_scene_data* to);
// Call after changing the data from code: drops the text of the file and recomputes the hash.
void firn_scene_data_changed(firn_scene_data* scene);
