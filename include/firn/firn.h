// SPDX-License-Identifier: MIT
// firn: snow simulation. A scene goes in, a simulation runs, caches and pictures come out.
//
// Does: load or build scenes, step simulations, give access to particles without copying, write
// and read caches. Does not: print, exit, abort, keep global state (two sims run side by side).
//
// A walk through:
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
// Start at samples/step1.c. Objects may be used from any thread, one thread at a time each.
#pragma once
#include "firn/defs.h"
#include "firn/export.h"
#include "firn/id.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct firn_scene firn_scene;  // what the user asked for
typedef struct firn_sim firn_sim;      // what changes

// ---- scenes ---------------------------------------------------------------------------------

// An empty scene: solver mpm, gravity, no snow. Owned by the caller.
FIRN_API firn_result firn_scene_create(firn_scene** out_scene);
FIRN_API void firn_scene_destroy(firn_scene* scene);

// Replaces the scene by a file, by a shipped scene's name, or by YAML text. `def` may be null.
// On refusal the scene is as before and firn_scene_messages tells every mistake with its line.
FIRN_API firn_result firn_scene_load(firn_scene* scene, const char* path_or_name,
                                     const firn_load_def* def);
FIRN_API firn_result firn_scene_load_text(firn_scene* scene, const char* yaml, const char* name,
                                          const firn_load_def* def);
// Errors and warnings of the last load or check, as a compiler prints them; "" when there are none.
// Borrowed until the next call on this scene.
FIRN_API const char* firn_scene_messages(const firn_scene* scene);
FIRN_API int firn_scene_error_count(const firn_scene* scene);
FIRN_API int firn_scene_warning_count(const firn_scene* scene);

// Sets any key outside lists: firn_scene_set(scene, "mpm.cell", "0.01").
FIRN_API firn_result firn_scene_set(firn_scene* scene, const char* key, const char* value);

// Shapes, in metres; combine them by id. `normal` and axes need not be unit vectors.
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

// A word, of the letters of a font. FIRN_REFUSED_BACKEND: this firn was built without FreeType.
FIRN_API firn_result firn_scene_text(firn_scene* scene, const firn_text_def* def,
                                     firn_shape_id* out_shape);
// A solid from triangles. FIRN_REFUSED_IO: the file cannot be read; FIRN_REFUSED_SCENE: it is
// damaged, or the mesh is no surface of a solid (see `mend`) or thinner than two voxels;
// FIRN_REFUSED_BACKEND: this firn was built without OpenVDB, or without what reads the format. The
// scene that a run keeps beside its frames names a mesh from arrays by a file that is not there.
FIRN_API firn_result firn_scene_mesh(firn_scene* scene, const firn_mesh_def* def,
                                     firn_shape_id* out_shape);
// A solid from the distances in a .vdb file; `grid` null: its first level set. Refused as above.
FIRN_API firn_result firn_scene_level_set(firn_scene* scene, const char* file, const char* grid,
                                          firn_shape_id* out_shape);

// `def` is copied. FIRN_REFUSED_ARGUMENT leaves the scene unchanged; firn_scene_messages says why.
FIRN_API firn_result firn_scene_add_material(firn_scene* scene, const firn_material_def* def,
                                             firn_material_id* out_id);
FIRN_API firn_result firn_scene_add_snow(firn_scene* scene, const firn_snow_def* def,
                                         firn_snow_id* out_id);
FIRN_API firn_result firn_scene_add_emitter(firn_scene* scene, const firn_emitter_def* def);
FIRN_API firn_result firn_scene_add_collider(firn_scene* scene, const firn_collider_def* def,
                                             firn_collider_id* out_id);
// A body that deforms; `def->shape` is ignored, its motion moves the body as a whole.
// FIRN_REFUSED_IO, FIRN_REFUSED_SCENE: the files cannot be used; FIRN_REFUSED_BACKEND: this firn
// was built without what reads them.
FIRN_API firn_result firn_scene_add_animated_collider(firn_scene* scene,
                                                      const firn_collider_def* def,
                                                      const firn_body_animation_def* animation,
                                                      firn_collider_id* out_id);

// What a scene is, and what running it would take.
typedef struct firn_scene_info {
    const char* name;     // borrowed until the next call on this scene
    const char* title;    // borrowed; "" when it has none
    const char* solver;   // borrowed, static
    const char* variant;  // borrowed; "" for the default
    int64_t frames;       // after frame 0
    double fps;
    int64_t particles;    // estimated from the volumes of the shapes
    double cell;          // [m]
    double dt;            // [s] expected
    double steps;         // expected for the whole run
    double memory_bytes;  // expected peak
    double disk_bytes;    // expected, all frames
    double seconds;       // expected wall clock on `threads` cores
    int threads;          // for which `seconds` holds
} firn_scene_info;
// Checks the whole scene (messages as above) and estimates. FIRN_REFUSED_SCENE when it has errors.
FIRN_API firn_result firn_scene_check(firn_scene* scene, int threads, firn_scene_info* out_info);

// Named variants of a scene file; borrowed until the next call on this scene; null past the end.
FIRN_API const char* firn_scene_variant(const firn_scene* scene, int index);

// ---- simulations ----------------------------------------------------------------------------

// Fills the shapes and prepares the first step. `scene` is copied as far as needed: it may change
// or go afterwards. `out_error` may be null.
FIRN_API firn_result firn_sim_create(const firn_scene* scene, const firn_sim_def* def,
                                     firn_sim** out_sim, firn_error* out_error);
FIRN_API void firn_sim_destroy(firn_sim* sim);
// The sentence for the last failure; "" when there was none. Borrowed until the next call.
FIRN_API const char* firn_sim_error(const firn_sim* sim);

FIRN_API firn_result firn_sim_step(firn_sim* sim);   // one sub-step
FIRN_API firn_result firn_sim_frame(firn_sim* sim);  // to the next frame time; rolls back if needed
FIRN_API firn_result firn_sim_run(firn_sim* sim);    // to the last frame, writing to output_dir
// Asks a running frame or run to stop after the current step. May be called from a signal handler
// or another thread. The run writes a checkpoint and gives FIRN_INTERRUPTED.
FIRN_API void firn_sim_cancel(firn_sim* sim);

typedef struct firn_sim_info {
    int64_t frame, step;
    double time, dt;  // [s]
    firn_local particle_count;
    int iterations;
    double residual;
    double momentum[3];                  // [kg m/s]
    double kinetic, elastic, potential;  // [J]
    double plastic_min, plastic_max;     // J_P
    firn_local active_blocks;            // of the grid; of sph: occupied cells
    int shear_iterations;                // of sph, whose `iterations` are the pressure's
    double neighbours;                   // of a particle of sph, in the mean
    int64_t rollbacks;
    int64_t culled;  // particles removed since the start (block `cull` of the scene)
    uint64_t memory_bytes, memory_peak_bytes;
    int threads;
    const char* simd;       // borrowed, static
    const char* backend;    // "cpu", "cuda:0"; borrowed until destroy
    const char* device;     // "NVIDIA H200, 139 GiB"; "" for the CPU; borrowed until destroy
    uint64_t device_bytes;  // of the device's memory that this simulation holds
    int stage_count;
    const char* const* stage_names;  // borrowed, static
    double stage_seconds[24];        // since creation
} firn_sim_info;
FIRN_API firn_sim_info firn_sim_read(const firn_sim* sim);
// Particle fields by name: "position", "velocity", "mass", "def_grad_elastic", ... Borrowed until
// the next step. From the CPU without copying; from a device they are brought here first, and its
// failure (< 0) is handed on: firn_sim_error says what happened.
FIRN_API firn_result firn_sim_field(const firn_sim* sim, const char* name,
                                    firn_field_view* out_view);
FIRN_API int firn_sim_field_count(const firn_sim* sim);
FIRN_API firn_result firn_sim_field_at(const firn_sim* sim, int index, firn_field_view* out_view);
// Equal states have equal hashes, whatever the number of threads. 0: the particles could not be
// brought from their device, see firn_sim_error.
FIRN_API uint64_t firn_sim_hash(const firn_sim* sim);

// ---- caches ---------------------------------------------------------------------------------

typedef struct firn_cache_info {
    char scene[128];
    char solver[32];
    int64_t frame_first, frame_last, frame_count;
    double fps, cell;
    int64_t particles;    // of the last frame
    int64_t culled;       // particles removed on the way
    int64_t checkpoint;   // newest good checkpoint's frame; -1: none
    int64_t damaged;      // frames or checkpoints whose checksum is wrong
    uint64_t bytes;       // of all files in the manifest
    uint64_t state_hash;  // of the newest good checkpoint; 0: none
    bool complete;        // the run reached its last frame
} firn_cache_info;
// Reads a run's folder; with `verify` every file's checksum is computed.
FIRN_API firn_result firn_cache_read(const char* dir, bool verify, firn_cache_info* out_info,
                                     firn_error* out_error);
// Describes one file (frame, checkpoint, PLY) as lines of text, owned by the caller:
// give it back with firn_text_free.
FIRN_API firn_result firn_file_describe(const char* path, char** out_text, firn_error* out_error);
FIRN_API firn_result firn_export(const firn_export_def* def, firn_error* out_error);

// One frame measured. What the frame has no field for is not a number.
typedef struct firn_frame_measure {
    int64_t frame;
    double time;  // [s]
    int64_t particles;
    double mass;                        // [kg]
    double center[3], low[3], high[3];  // [m] of mass; of the particles' box
    double momentum[3];                 // [kg m/s]
    double kinetic;                     // [J]
    int64_t fragments;                  // pieces of at least def->smallest voxels
    double largest;                     // [kg] the heaviest piece
    double mean_mass;                   // [kg] of the piece that a bit of snow is in, on average
    double dust;                        // share of the mass that is in no such piece
} firn_frame_measure;
// Measures frames of a run. Rows: owned array of out_count, free with firn_measure_free. A damaged
// frame is FIRN_REFUSED_DAMAGED.
FIRN_API firn_result firn_cache_measure(const firn_measure_def* def, firn_frame_measure** out_rows,
                                        int* out_count, firn_error* out_error);
FIRN_API void firn_measure_free(firn_frame_measure* rows);

// What firn_render has done.
typedef struct firn_render_summary {
    int64_t pictures;       // made by this call
    int64_t skipped;        // already there (resume)
    int64_t damaged;        // frames that could not be read and were left out
    int64_t paths, events;  // followed; scatterings in the snow
    double seconds;         // wall clock of the call
    double trace_seconds;   // of it, following paths
    char first[1024];       // the first picture wanted; "" when there is none
    char film[1024];        // "" when there is none
} firn_render_summary;
// Pictures OUT/NAME.0001.png (as a screen shows them) and .exr (all the light, in layers) of a
// run's frames, then OUT/NAME.mp4. Each file is written whole or not at all, and a picture counts
// as done when its PNG is there: that comes last, and notes how it was made. FIRN_REFUSED_ARGUMENT:
// the def; an override that would change the simulation;
// pictures that are already there (without resume and
// overwrite) or were made with other settings (with resume). FIRN_REFUSED_NAME: no such run, or
// frames that it does not have. FIRN_REFUSED_SCENE: the scene of the run, or an override's value,
// is wrong. FIRN_REFUSED_DAMAGED: damaged frames were left out (render.damaged in the log); all
// others are done. FIRN_INTERRUPTED: `cancelled` said so; resume goes on. `out_summary` may be
// null; it is filled whatever the result.
FIRN_API firn_result firn_render(const firn_render_def* def, firn_render_summary* out_summary,
                                 firn_error* out_error);

// ---- what this build knows ------------------------------------------------------------------

typedef struct firn_preset_info {
    const char* name;  // all borrowed, static
    const char* help;
    const char* source;
    firn_material_def material;
} firn_preset_info;
FIRN_API int firn_preset_list_count(void);
FIRN_API firn_result firn_preset_at(int index, firn_preset_info* out_info);

typedef struct firn_solver_info {
    const char* name;  // borrowed, static
    const char* help;
} firn_solver_info;
FIRN_API int firn_solver_list_count(void);
FIRN_API firn_result firn_solver_at(int index, firn_solver_info* out_info);

// Shipped scenes: folders with a scene.yaml found in FIRN_SCENE_PATH, beside the library, or in the
// source tree. Owned list of names; free with firn_text_free. One "name\ttitle\tpath" per line.
FIRN_API firn_result firn_scene_list(char** out_text, firn_error* out_error);

// The scene format from its key tables; owned, free with firn_text_free.
FIRN_API char* firn_reference_markdown(void);
FIRN_API char* firn_reference_schema(void);
FIRN_API void firn_text_free(char* text);

typedef struct firn_version_info {
    int major, minor, patch;
    const char* text;      // "0.1.0"
    const char* real;      // "float" or "double"
    const char* simd;      // chosen on this machine
    const char* simd_all;  // "baseline x86-64-v3 x86-64-v4 plain"
    const char* backends;  // "cpu cuda", or "cpu" where the build has no CUDA
    const char* features;  // "vdb freetype"
} firn_version_info;
FIRN_API firn_version_info firn_version(void);

// A device that a simulation can be computed on, other than the CPU.
typedef struct firn_device_info {
    char backend[32];       // "cuda:0", for firn_sim_def.backend
    char name[96];          // "NVIDIA H200"
    uint64_t memory_bytes;  // all of it, used or not
    int capability[2];      // CUDA's compute capability, {9, 0}
} firn_device_info;
// Fills the first `most` of the devices of this machine and gives how many there are. When there
// are none, `out_why` (may be null) says why: the same sentence as firn_sim_create's.
FIRN_API int firn_device_list(firn_device_info* out_devices, int most, firn_error* out_why);

// The name nearest to a misspelt one, for "did you mean ...?". Borrowed from `names`; null when
// none is near enough.
FIRN_API const char* firn_suggest(const char* word, const char* const* names, size_t count);

// ---- measuring ------------------------------------------------------------------------------

#define FIRN_BENCH_STAGES 24
#define FIRN_BENCH_SCALE_REFERENCE 300000  // particles that others are compared with
typedef struct firn_bench_row {
    char name[48];     // "explicit, early contact", "semi-implicit", "one ball", "snow"
    char backend[32];  // "cpu", "cuda:0"
    int threads;
    int balls;  // that the snow is
    int64_t particles;
    int64_t nodes;                      // grid nodes that are awake
    double seconds_per_step;            // wall clock, of the best repeat
    double steps_per_second;            // particle-steps per second, all threads together
    double steps_per_second_core;       // the same per core
    double iterations;                  // mean per step; sph: of the pressure solve
    double shear_iterations;            // the same of sph's second solve; 0: there is none
    double neighbours;                  // of a particle, in the mean; 0: nobody counts them
    double iterations_per_second;       // particle-iterations per second, in the whole step
    double iterations_per_second_core;  // the same per core, in the solve alone
    double yielding;                    // share of the particles that flow plastically, at least
    double flops_per_particle;          // operations that a step of the method needs
    double bytes_moved_per_particle;    // that it must read and write
    double bytes_per_particle;          // memory of the simulation / particles
    double device_bytes_per_particle;   // the same of the device's memory; 0 on the CPU
    uint64_t peak_bytes;                // of the library, so far
    uint64_t device_bytes;              // that the simulation holds
    int stage_count;
    const char* const* stage_names;           // borrowed, static
    const char* left_out;                     // borrowed, static: the stage whose time is in no
                                              // figure of this row; null: none
    double stage_seconds[FIRN_BENCH_STAGES];  // per step, of the best repeat
} firn_bench_row;
// Runs the bench scenes of def->solver on one thread and on all of them; or, where def->backend is
// a device, in several sizes on that. Rows: owned array of out_count, free with firn_bench_free.
// FIRN_REFUSED_NAME: no bench of that solver.
FIRN_API firn_result firn_bench(const firn_bench_def* def, firn_bench_row** out_rows,
                                int* out_count, firn_error* out_error);
// One ball of 3e4, 1e5, 3e5, 1e6 and 5e6 particles, as far as def->particles allows, and a hundred
// scattered balls, on one thread and then on all. FIRN_REFUSED_ARGUMENT: fewer than 1000.
FIRN_API firn_result firn_bench_scale(const firn_bench_def* def, firn_bench_row** out_rows,
                                      int* out_count, firn_error* out_error);
FIRN_API void firn_bench_free(firn_bench_row* rows);

// What the machine can do at best.
typedef struct firn_machine {
    const char* simd;   // borrowed, static; the level that flops_core is of
    int threads;        // that copy_all is of
    double clock_hz;    // of a busy core
    double flops_core;  // operations on reals per second of a core; a fused multiply-add is two
    double copy_one;    // [bytes/s] read and written by one thread that copies, beyond all caches
    double copy_all;    // [bytes/s] by all threads together
} firn_machine;
// Measures the machine with the def's threads and SIMD level. FIRN_REFUSED_BACKEND: the machine
// lacks that level.
FIRN_API firn_result firn_bench_machine(const firn_bench_def* def, firn_machine* out_machine,
                                        firn_error* out_error);

typedef struct firn_bench_picture_row {
    char name[48];  // "snowball", "without the sun", "without the floor"
    int threads;
    int64_t particles;
    double paths_per_second_core;
    double events_per_second_core;   // scatterings in the snow
    double lookups_per_second_core;  // of the density, shadow rays' included
    double bodies_per_second_core;   // rays traced against bodies
    double events_per_path;
    double noise;               // standard error over the light, rms over pixels
    double seconds_build;       // before the first path
    double seconds_to_percent;  // of all threads, until the noise is 1 %
} firn_bench_picture_row;
// A path-traced snowball; `steps` of the def are samples per pixel. Free with
// firn_bench_pictures_free.
FIRN_API firn_result firn_bench_pictures(const firn_bench_def* def,
                                         firn_bench_picture_row** out_rows, int* out_count,
                                         firn_error* out_error);
FIRN_API void firn_bench_pictures_free(firn_bench_picture_row* rows);

#ifdef __cplusplus
}
#endif
