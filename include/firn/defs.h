// SPDX-License-Identifier: MIT
// How things are made: one plain struct per thing, filled by its default function.
// Zero is not "default": zero friction means zero friction. Start from firn_default_…_def().
#pragma once
#include "firn/export.h"
#include "firn/id.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// A kind of snow. Stomakhin et al. 2013, table 2, unless a preset says otherwise.
typedef struct firn_material_def {
    const char* name;                // copied; "snow" by default
    const char* preset;              // copied; null: the fields below as they are
    firn_real density;               // [kg/m^3]  400
    firn_real young;                 // [Pa]      1.4e5
    firn_real poisson;               // [-]       0.2
    firn_real hardening;             // [-]       10
    firn_real critical_compression;  // [-]       0.025
    firn_real critical_stretch;      // [-]       0.0075
    uint32_t cookie;                 // set by the default function, leave alone
} firn_material_def;
FIRN_API firn_material_def firn_default_material_def(void);

typedef enum firn_align { FIRN_ALIGN_LEFT, FIRN_ALIGN_CENTER, FIRN_ALIGN_RIGHT } firn_align;

// A word as a solid: a font's letters, extruded along z. x runs along the line, y up; the first
// baseline is at y = 0, the middle of the depth at z = 0.
typedef struct firn_text_def {
    const char* text;    // required; UTF-8; "\n" starts another line
    const char* font;    // "DejaVuSans-Bold"; a font file, or the name of an installed one
    double size;         // [m]  0.3; height of a capital letter
    double depth;        // [m]  0.1; along z
    double spacing;      // [m]  0; added between letters
    double line_height;  // [-]  1; of the font's own
    firn_align align;    // FIRN_ALIGN_LEFT: the lines begin at x = 0
    double voxel;        // [m]  0.005; of the level set that the letters become
    uint32_t cookie;
} firn_text_def;
FIRN_API firn_text_def firn_default_text_def(void);

// A solid from triangles: a file, or arrays. Counter-clockwise seen from outside; a mesh that is
// inside out as a whole is turned.
typedef struct firn_mesh_def {
    const char* file;           // .obj, .ply, .stl, .gltf or .glb; null: the arrays
    const firn_vec3* vertices;  // [vertex_count] [m]; copied
    int64_t vertex_count;
    const int32_t* triangles;  // [triangle_count][3] indices of vertices; copied
    int64_t triangle_count;
    double voxel;  // [m]  0: a hundredth of the largest side, less for thin meshes
    double scale;  // [-]  1; factor on the coordinates
    bool z_up;     // false: y points up in the mesh
    bool mend;     // false: a mesh that is open or cuts itself is refused
    uint32_t cookie;
} firn_mesh_def;
FIRN_API firn_mesh_def firn_default_mesh_def(void);

// A factor on a constant of the material that changes from place to place; noise and texture
// multiply.
typedef struct firn_factor_def {
    firn_real noise_scale;     // [m]   0: no noise; size of the largest spots
    firn_real noise_amount;    // [-]   0; the factor is 1 + amount * noise, at least 0.05
    int32_t noise_octaves;     // 3
    int32_t noise_seed;        // 1
    const char* texture_file;  // copied; null: none; a .vdb file
    const char* texture_grid;  // copied; null: its first grid of floats
    firn_real texture_low;     // [-]   1; factor where the grid has 0
    firn_real texture_high;    // [-]   1; factor where it has 1
} firn_factor_def;

// Snow that differs near the surface of the body.
typedef struct firn_shell_def {
    firn_real thickness;                // [m]   0: no shell
    firn_real factor[FIRN_VARY_COUNT];  // [-]   1 each; by firn_vary_quantity
    bool linear;                        // false; true: less and less with depth
} firn_shell_def;

// Snow that differs by depth straight below the surface, against gravity.
typedef struct firn_layer_def {
    firn_real from, to;                 // [m]   0, 0
    firn_real factor[FIRN_VARY_COUNT];  // [-]   1 each; by firn_vary_quantity
} firn_layer_def;
FIRN_API firn_layer_def firn_default_layer_def(void);

// A body of snow: a shape filled with particles.
typedef struct firn_snow_def {
    firn_shape_id shape;           // required
    firn_material_id material;     // null: the first material, or table 2 when there is none
    firn_real particles_per_cell;  // [-]       8
    firn_real loose;               // [-]       1; distance of particles, in that of packed snow
    int32_t seed;                  // 1
    firn_vec3 velocity;            // [m/s]     0
    firn_vec3 spin;                // [rad/s]   0; about the centre of the shape's bounds
    firn_factor_def vary[FIRN_VARY_COUNT];  // by firn_vary_quantity; no variation
    firn_shell_def shell;                   // none
    const firn_layer_def* layers;           // copied; null: none
    int32_t layer_count;                    // 0
    firn_real temperature;                  // [degC]    -5; at the start
    uint32_t cookie;
} firn_snow_def;
FIRN_API firn_snow_def firn_default_snow_def(void);

// Snowfall: flakes that appear in a shape while the simulation runs.
typedef struct firn_emitter_def {
    firn_shape_id shape;        // required; bounded
    firn_material_id material;  // null: the first material, or table 2 when there is none
    double rate;                // [1/s]     required; flakes per second
    firn_vec3 velocity;         // [m/s]     0
    double spread;              // [m/s]     0; rms along each axis of a random velocity
    double size;                // [m]       0: the solver's spacing; edge of the cube it stands for
    double start, stop;         // [s]       0, infinite
    int64_t limit;              // 0: none; most flakes
    int32_t seed;               // 1
    double temperature;         // [degC]    -5
    uint32_t cookie;
} firn_emitter_def;
FIRN_API firn_emitter_def firn_default_emitter_def(void);

// Where a collider is at one time.
typedef struct firn_collider_key {
    double time;         // [s]; later than the key before
    firn_vec3 position;  // [m] of the shape's origin
    firn_quat rotation;
    firn_real scale;  // > 0
} firn_collider_key;

// A solid body that snow can hit. It moves by velocity and spin, by keys, or like a node of a glTF
// file, and does not feel the snow's push unless it has a mass.
typedef struct firn_collider_def {
    firn_shape_id shape;            // required
    firn_vec3 position;             // [m]        0; of the shape's origin at t = 0
    firn_quat rotation;             // none
    firn_real scale;                // [-]        1
    firn_vec3 velocity;             // [m/s]      0
    firn_vec3 spin;                 // [rad/s]    0; about pivot
    firn_vec3 pivot;                // [m]        0; at t = 0
    const firn_collider_key* keys;  // copied; null: none. Position, rotation, scale are theirs then
    size_t key_count;               // 0
    bool linear;                    // false: a smooth curve through the keys; true: straight lines
    const char* motion_file;        // null; a .gltf or .glb file
    const char* motion_node;        // null; the node to follow
    const char* motion_clip;        // null: the first animation
    double motion_start;            // [s]        0; when it begins to play
    firn_real friction;             // Coulomb [-] 0.4; 0 slides freely
    bool sticky;                    // false; true: snow stays where it touches
    firn_real mass;                 // [kg]       0: nothing pushes it. > 0: a free body (solver
                                    //     grains), velocity and spin are those of its centre of
                                    //     mass at t = 0; without pivot, keys and motion_file
    // of solvers sph and grains
    firn_real viscosity;      // [m^2/s]    -1: 2.5 times friction, 10 where sticky
    firn_real adhesion;       // [-]        0
    firn_real temperature;    // [degC]     NaN: neither heats nor cools
    bool temperature_of_air;  // false; true: it is as warm as the air, temperature is NaN then
    firn_real heat_transfer;  // [W/m^2/K]  50
    uint32_t cookie;
} firn_collider_def;
FIRN_API firn_collider_def firn_default_collider_def(void);

// A body that deforms: key frames from files. Texts are copied.
typedef struct firn_body_animation_def {
    const char* file;  // required: "walk.%04d.obj" (or .ply, .stl, .glb, .vdb), "walk.pc2",
                       //     "walk.glb"
    const char* mesh;  // null; the mesh that the points of a .pc2 file belong to
    const char* clip;  // null: the first animation of a glTF file
    const char* node;  // null: all meshes of it; else those at and below this node
    const char* grid;  // null: the first level set of the .vdb files
    const char* velocity_grid;  // null: "v", "vel" or "velocity" of them, where there is one
    int64_t first, last;        // 1, 1; numbers of the files
    double fps;                 // [1/s]   24
    firn_real voxel;            // [m]     required for meshes: of the level sets they become
    bool mend;                  // false: broken meshes are refused
    double start;               // [s]     0; when it begins to play
    double speed;               // [-]     1
    bool loop;                  // false
    uint64_t memory_bytes;      // 256 MiB of key frames are kept, others made again when needed
    uint32_t cookie;
} firn_body_animation_def;
FIRN_API firn_body_animation_def firn_default_body_animation_def(void);

// How a scene file is read.
typedef struct firn_load_def {
    const char* variant;           // null: the scene's default
    const char* solver;            // null: as the scene says
    const char* const* overrides;  // borrowed for the call: "mpm.cell=0.02"
    size_t override_count;         // 0
    uint32_t cookie;
} firn_load_def;
FIRN_API firn_load_def firn_default_load_def(void);

// Progress of a run; `user` as given. Called on the calling thread after every step.
typedef struct firn_progress {
    int64_t frame, frame_end;  // frame being computed, last frame of the run
    int64_t step;              // steps done since the start of the simulation
    double time, dt;           // [s]
    double frame_fraction;     // of the current frame, 0..1
    int iterations;            // of the last solve
    firn_local particle_count;
    int64_t culled;            // particles removed since the start of the simulation
    double seconds_elapsed;    // wall clock of this run
    double seconds_left;       // estimate; < 0: not known yet
    bool frame_done;           // true once per frame, after its files are on disk
    const char* preview_path;  // borrowed; of the frame just done; null when there is none
} firn_progress;
typedef void (*firn_progress_fn)(void* user, const firn_progress* progress);

// How a simulation is made and run.
typedef struct firn_sim_def {
    int threads;                // 0: all cores
    const char* backend;        // "cpu"; "cuda" or "cuda:N": a GPU (firn_device_list)
    bool deterministic;         // false; true: refuse a backend whose results could differ from
                                // run to run. Those that firn has give the same bits every time
    int run_ahead;              // steps that a device may have under way at once; 0: its solver's
                                // choice. Changes speed, never results
    const char* simd;           // null: best of the machine; "baseline", "x86-64-v3", "x86-64-v4";
                                // "plain": the best without fast passes, for comparison
    const char* output_dir;     // null: nothing is written; copied
    int64_t frame_end;          // last frame; < 0: as the scene says
    bool resume;                // continue from the newest good checkpoint in output_dir
    bool overwrite;             // a run already in output_dir is removed first
    int64_t particles_max;      // 0: as many as the scene has. Else room for so many is made at
                                // creation, so that no step allocates (solver grains)
    uint64_t memory_cap_bytes;  // 0: none
    firn_log_fn log;            // null: silence
    firn_progress_fn progress;  // null: none
    void* user;                 // handed to both
    uint32_t cookie;
} firn_sim_def;
FIRN_API firn_sim_def firn_default_sim_def(void);

// Other formats out of a cache.
typedef struct firn_export_def {
    const char* input_dir;           // a run's folder
    const char* output_dir;          // null: input_dir
    bool ply, vtp, vdb;              // false
    bool heights;                    // false; the top of the snow: .png (16 bits), .r32 and .json
    bool z_up;                       // false; true: (x, y, z) -> (x, -z, y), for Blender
    int64_t frame_begin, frame_end;  // 0, -1 (the last)
    double voxel;                    // [m] of the volume; 0: the run's cell
    int64_t samples;                 // of heights along the longer side; 512
    firn_log_fn log;
    firn_progress_fn progress;
    void* user;
    uint32_t cookie;
} firn_export_def;
FIRN_API firn_export_def firn_default_export_def(void);

// Figures of a run's frames, and how their snow is told into pieces: voxels of enough density that
// touch belong together.
typedef struct firn_measure_def {
    const char* input_dir;           // required; a run's folder
    int64_t frame_begin, frame_end;  // 0, -1 (the last)
    double voxel;                    // [m]       0: the run's cell
    double threshold;                // [kg/m^3]  100; a quarter of table 2's snow
    int64_t smallest;                // [voxels]  8; what is smaller counts as dust
    bool by_corners;                 // false: voxels touch by faces; true: also by edges, corners
    bool use_region;                 // false; true: only particles in the box below
    double region_low[3], region_high[3];  // [m]
    int threads;                           // 0: all cores; the figures do not depend on it
    firn_progress_fn progress;             // null: none
    void* user;
    uint32_t cookie;
} firn_measure_def;
FIRN_API firn_measure_def firn_default_measure_def(void);

// Progress of firn_render; `user` as given. Called on the calling thread between passes, once per
// picture when its files are on disk, and about twice a second while it waits for a frame.
typedef struct firn_render_progress {
    int64_t frame;                // being rendered, or waited for
    int64_t done, wanted;         // pictures: finished (those already there included), in all
    int64_t passes, passes_max;   // samples per pixel of this picture, done and wanted
    double noise;                 // standard error of the pixels, as a share of their light
    double picture_seconds;       // spent on this picture
    double picture_seconds_left;  // estimate; < 0: not known yet
    double seconds_elapsed;       // of this call
    double seconds_left;          // estimate for all pictures; < 0: not known yet
    bool waiting;                 // the run has not written the frame yet
    bool picture_done;            // its files are on disk
    const char* picture_path;     // borrowed; the PNG just done; null when there is none
} firn_render_progress;
typedef void (*firn_render_progress_fn)(void* user, const firn_render_progress* progress);
// Asked often; true: stop as soon as what is on disk is in order.
typedef bool (*firn_cancel_fn)(void* user);

// Path-traced pictures of a run's frames. The run's scene says what they look like: its block
// render and the surfaces of its colliders, which alone may be overridden.
typedef struct firn_render_def {
    const char* input_dir;             // required; a run's folder
    const char* output_dir;            // null: input_dir/pictures
    int64_t frame_begin, frame_end;    // 0, -1 (the last)
    int64_t frame_step;                // 1; every frame_step-th of them
    const int64_t* frames;             // null: the range above; ascending; borrowed for the call
    size_t frame_count;                // 0
    const char* const* overrides;      // "render.samples=256"; borrowed for the call
    size_t override_count;             // 0
    int threads;                       // 0: all cores
    bool resume;                       // false; true: pictures that are already there stay
    bool overwrite;                    // false; true: they are made again
    bool follow;                       // false; true: wait for frames of a run that is going on
    bool exr;                          // true: all the light as an .exr file besides the .png
    bool film;                         // true: an .mp4 when there are several pictures
    firn_log_fn log;                   // null: silence
    firn_render_progress_fn progress;  // null: none
    firn_cancel_fn cancelled;          // null: never
    void* user;                        // handed to all three
    uint32_t cookie;
} firn_render_def;
FIRN_API firn_render_def firn_default_render_def(void);

// What to measure.
typedef struct firn_bench_def {
    const char* solver;  // "mpm"; "sph": firn_bench measures that one, on the CPU
    int64_t particles;   // about how many; 300000. The most, for firn_bench_scale. On a device 0
                         // stands for each of 1e6, 4.1e6 and 1.6e7
    int steps;         // measured steps per repeat; 16, as often as mpm puts its particles in order
    int repeats;       // minimum is taken; 3
    int threads;       // 0: all cores; measured besides 1
    const char* simd;  // null: best
    const char* backend;  // "cpu"; else the device that firn_bench measures
    bool memory;          // false; true: on a device, whether 6e7 particles (or `particles`) fit
    firn_log_fn log;
    void* user;
    uint32_t cookie;
} firn_bench_def;
FIRN_API firn_bench_def firn_default_bench_def(void);

#ifdef __cplusplus
}
#endif
