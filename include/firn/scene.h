// SPDX-License-Identifier: MIT
// Scenes: the constant input of a simulation, loaded from YAML or built from code.
#pragma once
#include "firn/defs.h"
#include "firn/error.h"
#include "firn/export.h"
#include "firn/id.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Create an empty scene: solver mpm, gravity, no snow. Destroy it with firn_scene_destroy.
FIRN_API firn_result firn_scene_create(firn_scene** out_scene);
FIRN_API void firn_scene_destroy(firn_scene* scene);  // null is allowed

// Load a scene file, or a scene that ships with firn. `def` may be null. If refused, the scene is
// unchanged and firn_scene_messages lists all mistakes. FIRN_REFUSED_BACKEND: its only mistake is
// that it needs OpenVDB, which this build does not have.
FIRN_API firn_result firn_scene_load(firn_scene* scene, const char* path_or_name,
                                     const firn_load_def* def);
// Load a scene from YAML text. `name` appears in messages.
FIRN_API firn_result firn_scene_load_text(firn_scene* scene, const char* yaml, const char* name,
                                          const firn_load_def* def);
// Get errors and warnings of the last load or check in compiler style; "" if there are none.
// Borrowed until the next call on this scene.
FIRN_API const char* firn_scene_messages(const firn_scene* scene);
// Get the number of errors and of warnings of the last load or check.
FIRN_API int firn_scene_error_count(const firn_scene* scene);
FIRN_API int firn_scene_warning_count(const firn_scene* scene);

// Get the scene as YAML text, with all overrides and changes, that firn_scene_load_text accepts;
// free it with firn_text_free. Null: out of memory, or `scene` is null.
FIRN_API char* firn_scene_yaml(const firn_scene* scene);
// Set a key that is not in a list: firn_scene_set(scene, "mpm.cell", "0.01").
FIRN_API firn_result firn_scene_set(firn_scene* scene, const char* key, const char* value);

// Create shapes; lengths are in metres. Shapes are combined by their ids. Normals need not be unit
// vectors.
FIRN_API firn_result firn_scene_plane(firn_scene* scene, firn_vec3 point, firn_vec3 normal,
                                      firn_shape_id* out_shape);
FIRN_API firn_result firn_scene_sphere(firn_scene* scene, firn_vec3 center, firn_real radius,
                                       firn_shape_id* out_shape);
FIRN_API firn_result firn_scene_box(firn_scene* scene, firn_vec3 center, firn_vec3 size,
                                    firn_real rounding, firn_shape_id* out_shape);
FIRN_API firn_result firn_scene_capsule(firn_scene* scene, firn_vec3 a, firn_vec3 b,
                                        firn_real radius, firn_shape_id* out_shape);
FIRN_API firn_result firn_scene_cylinder(firn_scene* scene, firn_vec3 a, firn_vec3 b,
                                         firn_real radius, firn_shape_id* out_shape);
FIRN_API firn_result firn_scene_cone(firn_scene* scene, firn_vec3 a, firn_vec3 b,
                                     firn_real radius_a, firn_real radius_b,
                                     firn_shape_id* out_shape);
FIRN_API firn_result firn_scene_wedge(firn_scene* scene, firn_vec3 base_center, firn_vec3 size,
                                      firn_shape_id* out_shape);
FIRN_API firn_result firn_scene_union(firn_scene* scene, firn_shape_id a, firn_shape_id b,
                                      firn_shape_id* out_shape);
FIRN_API firn_result firn_scene_intersection(firn_scene* scene, firn_shape_id a, firn_shape_id b,
                                             firn_shape_id* out_shape);
FIRN_API firn_result firn_scene_difference(firn_scene* scene, firn_shape_id a, firn_shape_id b,
                                           firn_shape_id* out_shape);
FIRN_API firn_result firn_scene_transform(firn_scene* scene, firn_shape_id shape, firn_vec3 move,
                                          firn_quat rotation, firn_real scale,
                                          firn_shape_id* out_shape);

// Create a shape of text. FIRN_REFUSED_BACKEND: firn was built without FreeType.
FIRN_API firn_result firn_scene_text(firn_scene* scene, const firn_text_def* def,
                                     firn_shape_id* out_shape);
// Create a solid from triangles. FIRN_REFUSED_IO: the file cannot be read. FIRN_REFUSED_SCENE: it
// is damaged, or the mesh does not bound a solid (see `mend`) or is thinner than two voxels.
// FIRN_REFUSED_BACKEND: firn was built without a reader of the format. In the scene.yaml of a run,
// a mesh from arrays refers to a file that does not exist.
FIRN_API firn_result firn_scene_mesh(firn_scene* scene, const firn_mesh_def* def,
                                     firn_shape_id* out_shape);
// Create a solid from a level set of a .vdb file; `grid` null: the first. Refused as above;
// FIRN_REFUSED_BACKEND: firn was built without OpenVDB.
FIRN_API firn_result firn_scene_level_set(firn_scene* scene, const char* file, const char* grid,
                                          firn_shape_id* out_shape);

// Add materials, snow bodies, emitters and colliders. `def` is copied; `out_id` may be null. A
// material with the name of another one is called "snow-2", "snow-3", and so on.
// FIRN_REFUSED_ARGUMENT: the scene is unchanged; firn_scene_messages says why.
FIRN_API firn_result firn_scene_add_material(firn_scene* scene, const firn_material_def* def,
                                             firn_material_id* out_id);
FIRN_API firn_result firn_scene_add_measured(firn_scene* scene, const firn_measured_def* def,
                                             firn_material_id* out_id);
FIRN_API firn_result firn_scene_add_snow(firn_scene* scene, const firn_snow_def* def,
                                         firn_snow_id* out_id);
FIRN_API firn_result firn_scene_add_emitter(firn_scene* scene, const firn_emitter_def* def,
                                            firn_emitter_id* out_id);
// Add a force field. FIRN_REFUSED_ARGUMENT: a value is out of its range, keys are not in order of
// time, or there are more than 32 of them; the scene is unchanged.
FIRN_API firn_result firn_scene_add_force(firn_scene* scene, const firn_force_def* def);
// Set gravity over time instead of a constant. `keys` [count], at most 32, are copied; none:
// gravity is constant again, as it was at the first key. FIRN_REFUSED_ARGUMENT: as above.
FIRN_API firn_result firn_scene_set_gravity_keys(firn_scene* scene, const firn_gravity_at* keys,
                                                 size_t count);
FIRN_API firn_result firn_scene_add_collider(firn_scene* scene, const firn_collider_def* def,
                                             firn_collider_id* out_id);
// Add a joint between colliders of the scene. FIRN_REFUSED_ARGUMENT: the first has no mass, both
// are the same, or a value is out of range. `out_id` may be null.
FIRN_API firn_result firn_scene_add_joint(firn_scene* scene, const firn_joint_def* def,
                                          firn_joint_id* out_id);
// Add a deforming collider. `def->shape` is ignored; the motion of `def` moves it as a whole.
// FIRN_REFUSED_IO, FIRN_REFUSED_SCENE: the files cannot be used. FIRN_REFUSED_BACKEND: firn was
// built without a reader of their format.
FIRN_API firn_result firn_scene_add_animated_collider(firn_scene* scene,
                                                      const firn_collider_def* def,
                                                      const firn_body_animation_def* animation,
                                                      firn_collider_id* out_id);

// Find a material of a scene that was loaded or built, by its name. FIRN_REFUSED_NAME: it has none
// of that name; firn_last_error lists those that it has.
FIRN_API firn_result firn_scene_material_named(const firn_scene* scene, const char* name,
                                               firn_material_id* out_id);

// Summary of a scene and estimates of the cost of simulating it.
typedef struct firn_scene_info {
    const char* name;     // borrowed until the next call on this scene
    const char* title;    // borrowed; "" for none
    const char* solver;   // static
    const char* variant;  // borrowed; "" for the default
    int64_t frames;       // number of frames after frame 0
    double fps;
    int64_t particles;    // estimated from the volumes of the shapes
    double cell;          // [m]
    double dt;            // [s] expected
    double steps;         // expected for the whole run
    double memory_bytes;  // expected peak; with firn_load_def.ranks of the first, which writes
    double disk_bytes;    // expected, all frames
    double seconds;       // expected wall-clock time on `threads` cores
    int threads;          // that `seconds` is based on
    double device_bytes;  // expected memory of a GPU, with backend cuda; 0: the solver has none
    int64_t powder;       // points of powder, if all snow breaks once; 0: none
    double rank_bytes;    // expected peak of each of the other ranks; 0: one process
} firn_scene_info;
FIRN_API firn_result firn_scene_check_sized(firn_scene* scene, int threads,
                                            firn_scene_info* out_info, uint32_t size);
// Check the scene; estimate its cost for `threads` (0: all cores), which also do the work unless
// firn_scene_set_threads (host.h) says otherwise. FIRN_REFUSED_SCENE: has errors.
// FIRN_REFUSED_BACKEND: the GPU of firn_load_def is not there.
static inline firn_result firn_scene_check(firn_scene* scene, int threads,
                                           firn_scene_info* out_info)
{
    return firn_scene_check_sized(scene, threads, out_info, sizeof *out_info);
}

// Get the mass of snow body `index` [kg], as the scene's solver will fill it. < 0: past the end; 0:
// from a file whose points are counted when a simulation is created.
FIRN_API double firn_scene_snow_mass(const firn_scene* scene, int index);

// Get the name of a variant; null past the end. Borrowed until the next call on this scene.
FIRN_API const char* firn_scene_variant(const firn_scene* scene, int index);

// ---- what scenes may use ----------------------------------------------------------------------

typedef struct firn_preset_info {
    const char* name;  // strings are static
    const char* help;
    const char* source;  // publication of its constants
    firn_material_def material;
} firn_preset_info;
// Get the number of presets, and a preset by index.
FIRN_API int firn_preset_list_count(void);
FIRN_API firn_result firn_preset_at_sized(int index, firn_preset_info* out_info, uint32_t size);
static inline firn_result firn_preset_at(int index, firn_preset_info* out_info)
{
    return firn_preset_at_sized(index, out_info, sizeof *out_info);
}

typedef struct firn_measured_info {
    const char *constant, *formula;  // strings are static
    const char* source;              // publication; says what is assumed
} firn_measured_info;
// Get the number of formulas behind measured snow, and a formula by index.
FIRN_API int firn_measured_list_count(void);
FIRN_API firn_result firn_measured_at(int index, firn_measured_info* out_info);

// Get the scenes that ship with firn: folders with a scene.yaml in FIRN_SCENE_PATH, beside the
// library, or in the source tree. One "name\ttitle\tpath" per line; free it with firn_text_free.
FIRN_API firn_result firn_scene_list(char** out_text, firn_error* out_error);

// Get the reference of the scene format as Markdown, and as a JSON schema; free them with
// firn_text_free. Null: out of memory.
FIRN_API char* firn_reference_markdown(void);
FIRN_API char* firn_reference_schema(void);
FIRN_API void firn_text_free(char* text);  // null is allowed

#ifdef __cplusplus
}
#endif
