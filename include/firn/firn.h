// SPDX-License-Identifier: MIT
// firn: snow simulation. Reads or builds a scene, simulates it, writes frames and pictures.
//
// Does: load or build scenes, step simulations, give access to particles without copying, write
// and read caches. Does not: print, exit, abort, keep global state (simulations are independent).
//
// Example:
//     firn_scene* scene;
//     firn_scene_create(&scene);
//     if (firn_scene_load(scene, "snow.yaml", NULL) != FIRN_OK) puts(firn_scene_messages(scene));
//     firn_sim_def def = firn_default_sim_def();
//     firn_sim* sim;
//     firn_error error;
//     if (firn_sim_create(scene, &def, &sim, &error) != FIRN_OK) puts(error.text);
//     for (int f = 0; f < 48; f++) firn_sim_frame(sim);
//     firn_field_view x;
//     firn_sim_field(sim, "position", &x);
//     firn_sim_destroy(sim);
//     firn_scene_destroy(scene);
// Start at samples/step1.c. Objects may be used from any thread, but each by one thread at a time.
#pragma once
#include "firn/bench.h"
#include "firn/defs.h"
#include "firn/export.h"
#include "firn/host.h"
#include "firn/id.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct firn_scene firn_scene;  // input of a simulation, constant
typedef struct firn_sim firn_sim;      // a running simulation and its state

// ---- scenes ---------------------------------------------------------------------------------

// Create an empty scene: solver mpm, gravity, no snow. Destroy it with firn_scene_destroy.
FIRN_API firn_result firn_scene_create(firn_scene** out_scene);
FIRN_API void firn_scene_destroy(firn_scene* scene);  // null is allowed

// Load a scene file, or a scene that ships with firn. `def` may be null. If refused, the scene is
// unchanged and firn_scene_messages lists all mistakes; FIRN_REFUSED_BACKEND: only OpenVDB lacks.
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
                                          firn_quat turn, firn_real scale,
                                          firn_shape_id* out_shape);

// Create a shape of text. FIRN_REFUSED_BACKEND: firn was built without FreeType.
FIRN_API firn_result firn_scene_text(firn_scene* scene, const firn_text_def* def,
                                     firn_shape_id* out_shape);
// Create a solid from triangles. FIRN_REFUSED_IO: the file cannot be read. FIRN_REFUSED_SCENE: it
// is damaged, or the mesh does not bound a solid (see `mend`) or is thinner than two voxels.
// FIRN_REFUSED_BACKEND: firn was built without OpenVDB or without a reader of the format. In the
// scene.yaml of a run, a mesh from arrays refers to a file that does not exist.
FIRN_API firn_result firn_scene_mesh(firn_scene* scene, const firn_mesh_def* def,
                                     firn_shape_id* out_shape);
// Create a solid from a level set of a .vdb file; `grid` null: the first. Refused as above.
FIRN_API firn_result firn_scene_level_set(firn_scene* scene, const char* file, const char* grid,
                                          firn_shape_id* out_shape);

// Add materials, snow bodies, emitters and colliders. `def` is copied; `out_id` may be null.
// FIRN_REFUSED_ARGUMENT: the scene is unchanged; firn_scene_messages says why.
FIRN_API firn_result firn_scene_add_material(firn_scene* scene, const firn_material_def* def,
                                             firn_material_id* out_id);
FIRN_API firn_result firn_scene_add_measured(firn_scene* scene, const firn_measured_def* def,
                                             firn_material_id* out_id);
FIRN_API firn_result firn_scene_add_snow(firn_scene* scene, const firn_snow_def* def,
                                         firn_snow_id* out_id);
FIRN_API firn_result firn_scene_add_emitter(firn_scene* scene, const firn_emitter_def* def);
FIRN_API firn_result firn_scene_add_collider(firn_scene* scene, const firn_collider_def* def,
                                             firn_collider_id* out_id);
// Add a deforming collider. `def->shape` is ignored; the motion of `def` moves it as a whole.
// FIRN_REFUSED_IO, FIRN_REFUSED_SCENE: the files cannot be used. FIRN_REFUSED_BACKEND: firn was
// built without a reader of their format.
FIRN_API firn_result firn_scene_add_animated_collider(firn_scene* scene,
                                                      const firn_collider_def* def,
                                                      const firn_body_animation_def* animation,
                                                      firn_collider_id* out_id);

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
    double memory_bytes;  // expected peak
    double disk_bytes;    // expected, all frames
    double seconds;       // expected wall-clock time on `threads` cores
    int threads;          // that `seconds` is based on
} firn_scene_info;
// Check the scene; estimate its cost for `threads` (0: all cores), which also do the work unless
// firn_scene_set_threads (host.h) says otherwise. FIRN_REFUSED_SCENE: has errors.
FIRN_API firn_result firn_scene_check(firn_scene* scene, int threads, firn_scene_info* out_info);

// Get the mass of snow body `index` [kg], as the scene's solver will fill it. < 0: past the end; 0:
// from a file whose points are counted when a simulation is created.
FIRN_API double firn_scene_snow_mass(const firn_scene* scene, int index);

// Get the name of a variant; null past the end. Borrowed until the next call on this scene.
FIRN_API const char* firn_scene_variant(const firn_scene* scene, int index);

// ---- simulations ----------------------------------------------------------------------------

// Create a simulation: fills the shapes with particles and prepares the first step. `scene` is
// copied and may be destroyed afterwards. `out_error` may be null.
FIRN_API firn_result firn_sim_create(const firn_scene* scene, const firn_sim_def* def,
                                     firn_sim** out_sim, firn_error* out_error);
FIRN_API void firn_sim_destroy(firn_sim* sim);  // null is allowed
// Get the message of the last call; "" if it succeeded. Borrowed until the next call.
FIRN_API const char* firn_sim_error(const firn_sim* sim);

// Advance by one time step. If it diverges, rolls back to the last frame.
FIRN_API firn_result firn_sim_step(firn_sim* sim);
// Advance to the next frame time. Rolls back and uses smaller steps if a step diverges.
FIRN_API firn_result firn_sim_frame(firn_sim* sim);
// Advance to the last frame and write all frames to output_dir.
FIRN_API firn_result firn_sim_run(firn_sim* sim);
// Make a running firn_sim_frame or firn_sim_run stop after the current step and return
// FIRN_INTERRUPTED; a run writes a checkpoint first. If none is running, the next call that would
// step returns FIRN_INTERRUPTED. May be called from a signal handler or another thread.
FIRN_API void firn_sim_cancel(firn_sim* sim);

// State and statistics of a simulation.
typedef struct firn_sim_info {
    int64_t frame, step;
    double time, dt;  // [s]
    firn_local particle_count;
    int iterations;                      // of the last solve
    double residual;                     // of the last solve
    double momentum[3];                  // [kg m/s]
    double kinetic, elastic, potential;  // [J]
    double plastic_min, plastic_max;     // J_P
    firn_local active_blocks;            // of the grid; sph: occupied cells
    int shear_iterations;                // sph: of the shear solve; `iterations`: pressure solve
    double neighbours;                   // sph: mean number per particle
    int64_t rollbacks;
    int64_t culled;  // particles removed since the start (block `cull` of the scene)
    uint64_t memory_bytes, memory_peak_bytes;
    int threads;
    const char* simd;       // static
    const char* backend;    // "cpu", "cuda:0"; borrowed until destroy
    const char* device;     // "NVIDIA H200, 139 GiB"; "" for the CPU; borrowed until destroy
    uint64_t device_bytes;  // device memory of this simulation
    int stage_count;
    const char* const* stage_names;  // static
    double stage_seconds[24];        // since creation
} firn_sim_info;
FIRN_API firn_sim_info firn_sim_read(const firn_sim* sim);
// Get a particle field by name: "position", "velocity", "mass", "def_grad_elastic", ... Borrowed
// until the next step. No copy on the CPU; from a device the particles are copied to the host
// first, which may fail (< 0): see firn_sim_error. FIRN_REFUSED_NAME: no such field.
FIRN_API firn_result firn_sim_field(const firn_sim* sim, const char* name,
                                    firn_field_view* out_view);
// Get the number of particle fields, and a field by index.
FIRN_API int firn_sim_field_count(const firn_sim* sim);
FIRN_API firn_result firn_sim_field_at(const firn_sim* sim, int index, firn_field_view* out_view);
// Get the hash of the state. It does not depend on the number of threads. 0: the particles could
// not be copied from their device, see firn_sim_error.
FIRN_API uint64_t firn_sim_hash(const firn_sim* sim);

// ---- caches ---------------------------------------------------------------------------------

// Summary of the folder of a run.
typedef struct firn_cache_info {
    char scene[128];
    char solver[32];
    int64_t frame_first, frame_last, frame_count;
    double fps, cell;
    int64_t particles;    // of the last frame
    int64_t culled;       // particles removed during the run
    int64_t checkpoint;   // frame of the newest valid checkpoint; -1: none
    int64_t damaged;      // frames or checkpoints with a wrong checksum
    uint64_t bytes;       // of all frames and checkpoints
    uint64_t state_hash;  // of the newest valid checkpoint; 0: none
    bool complete;        // the run reached its last frame
} firn_cache_info;
// Get a summary of the folder of a run. `verify`: check the checksums of all files.
// FIRN_REFUSED_NAME: there is no run. FIRN_REFUSED_IO: the folder cannot be read.
FIRN_API firn_result firn_cache_read(const char* dir, bool verify, firn_cache_info* out_info,
                                     firn_error* out_error);
// Describe one file (frame, checkpoint, PLY) as lines of text. Free it with firn_text_free.
FIRN_API firn_result firn_file_describe(const char* path, char** out_text, firn_error* out_error);
// Export frames of a run to other formats. FIRN_INTERRUPTED: cancelled between two frames.
FIRN_API firn_result firn_export(const firn_export_def* def, firn_error* out_error);

// Measure frames of a run. out_rows: [out_count], free with firn_measure_free.
// FIRN_REFUSED_DAMAGED: a frame is damaged.
FIRN_API firn_result firn_cache_measure(const firn_measure_def* def, firn_frame_measure** out_rows,
                                        int* out_count, firn_error* out_error);
FIRN_API void firn_measure_free(firn_frame_measure* rows);

// Summary of a call of firn_render.
typedef struct firn_render_summary {
    int64_t pictures;       // rendered by this call
    int64_t skipped;        // existing pictures (resume)
    int64_t damaged;        // frames that could not be read and were skipped
    int64_t paths, events;  // light paths; scattering events in the snow
    double seconds;         // wall-clock time of the call
    double trace_seconds;   // part of it spent on path tracing
    char first[4096];       // path of the first requested picture; "" for none
    char film[4096];        // "" for none
} firn_render_summary;
// Path-trace frames of a run: writes OUT/NAME.0001.png (for display) and .exr (linear radiance and
// other layers) per frame, then OUT/NAME.mp4. Files are written atomically; the PNG comes last and
// records the settings, so a picture is complete if its PNG exists. `out_summary` may be null; it
// is filled in any case. FIRN_REFUSED_ARGUMENT: the def is invalid, an override would change the
// simulation, pictures exist (without resume and overwrite), or they were rendered with other
// settings (with resume). FIRN_REFUSED_NAME: no such run, or it lacks some of the frames.
// FIRN_REFUSED_SCENE: the scene of the run or the value of an override is invalid.
// FIRN_REFUSED_DAMAGED: damaged frames were skipped. FIRN_INTERRUPTED: cancelled; resume continues.
FIRN_API firn_result firn_render(const firn_render_def* def, firn_render_summary* out_summary,
                                 firn_error* out_error);

// ---- information on this build --------------------------------------------------------------

typedef struct firn_preset_info {
    const char* name;  // strings are static
    const char* help;
    const char* source;  // publication of its constants
    firn_material_def material;
} firn_preset_info;
// Get the number of presets, and a preset by index.
FIRN_API int firn_preset_list_count(void);
FIRN_API firn_result firn_preset_at(int index, firn_preset_info* out_info);

typedef struct firn_measured_info {
    const char *constant, *formula;  // strings are static
    const char* source;              // publication; says what is assumed
} firn_measured_info;
// Get the number of formulas behind measured snow, and a formula by index.
FIRN_API int firn_measured_list_count(void);
FIRN_API firn_result firn_measured_at(int index, firn_measured_info* out_info);

typedef struct firn_solver_info {
    const char* name;
    const char* help;
} firn_solver_info;
// Get the number of solvers, and a solver by index.
FIRN_API int firn_solver_list_count(void);
FIRN_API firn_result firn_solver_at(int index, firn_solver_info* out_info);

// Get the scenes that ship with firn: folders with a scene.yaml in FIRN_SCENE_PATH, beside the
// library, or in the source tree. One "name\ttitle\tpath" per line; free it with firn_text_free.
FIRN_API firn_result firn_scene_list(char** out_text, firn_error* out_error);

// Get the reference of the scene format as Markdown, and as a JSON schema; free them with
// firn_text_free. Null: out of memory.
FIRN_API char* firn_reference_markdown(void);
FIRN_API char* firn_reference_schema(void);
FIRN_API void firn_text_free(char* text);  // null is allowed

// Version and features of this build. Strings are static.
typedef struct firn_version_info {
    int major, minor, patch;
    const char* text;      // "0.1.0"
    const char* real;      // "float" or "double"
    const char* simd;      // best level of this machine
    const char* simd_all;  // "baseline x86-64-v3 x86-64-v4 plain"
    const char* backends;  // "cpu cuda", or "cpu" for a build without CUDA
    const char* features;  // "vdb freetype"
} firn_version_info;
FIRN_API firn_version_info firn_version(void);

// A GPU that simulations can run on.
typedef struct firn_device_info {
    char backend[32];       // "cuda:0", for firn_sim_def.backend
    char name[96];          // "NVIDIA H200"
    uint64_t memory_bytes;  // total
    int capability[2];      // CUDA compute capability, {9, 0}
} firn_device_info;
// Get the first `most` devices of this machine; returns the total number. If there are none,
// `out_why` (may be null) has the reason, the same message as from firn_sim_create.
FIRN_API int firn_device_list(firn_device_info* out_devices, int most, firn_error* out_why);

// Find the name nearest to a misspelt one, for "did you mean ...?". Borrowed from `names`; or null.
FIRN_API const char* firn_suggest(const char* word, const char* const* names, size_t count);

#ifdef __cplusplus
}
#endif
