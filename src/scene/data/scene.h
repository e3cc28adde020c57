// SPDX-License-Identifier: MIT
// The scene: what the user asked for. Constant once loaded; solvers get `const firn_scene_data*`.
// All numbers are SI, right-handed, Y up.
#pragma once
#include "geometry/collider/collider.h"
#include "geometry/sampling/seeding.h"
#include "physics/snow_material.h"
#include "scene/data/air.h"
#include "scene/data/emitter.h"
#include "scene/data/vary.h"
#include "scene/parse/keys.h"

struct firn_text_def;
struct firn_mesh_def;
struct firn_mesh_report;
struct firn_mesh;

typedef struct firn_time_block {
    int64_t frames;  // frames after frame 0
    double fps;      // [1/s]
} firn_time_block;

typedef struct firn_material {
    char* name;    // owned
    char* preset;  // owned; null when none was named
    firn_snow_material snow;
} firn_material;

#define FIRN_SNOW_TEMPERATURE (-5)  // [degC] of snow that says nothing

typedef struct firn_snow {
    firn_local shape;           // -1: particles from `file`
    char* file;                 // owned PLY path, resolved against the scene file; null: `shape`
    firn_local material;        // index into materials
    double particles_per_cell;  // [-]
    double loose;  // [-] distance of particles, in that of packed snow; they keep their mass
    firn_seeding seeding;
    int64_t seed;
    double velocity[3];  // [m/s]
    double spin[3];      // [rad/s] about the centre of the shape's bounds
    firn_vary vary;
    double temperature;  // [degC] at the start
} firn_snow;

enum { FIRN_POINTS_VTKHDF = 1, FIRN_POINTS_PLY = 2, FIRN_POINTS_VTP = 4 };
enum { FIRN_VOLUME_VDB = 1 };

typedef struct firn_output_block {
    uint32_t points;      // FIRN_POINTS_*: formats written per frame (vtkhdf is the cache itself)
    uint32_t volume;      // FIRN_VOLUME_*
    uint32_t fields;      // FIRN_OUTPUT_BIT of each field in a frame (state/field_table.h)
    int64_t compression;  // deflate level 0..9
    int64_t checkpoint_every;  // [frames] full state; 0: only at the end and on a signal
    int64_t checkpoint_keep;   // how many full states stay on disk
    double voxel;              // [m] of the volume; 0: the solver's cell
    bool stats;                // stats.csv
    bool preview;              // a picture per frame
    bool film;                 // an .mp4 at the end
} firn_output_block;

// Particles that are removed at the start of a step (cull.h). Zeroed: none.
typedef struct firn_cull_block {
    bool active;         // some rule is given; set by the parser
    double start;        // [s] from which the rules hold
    double below;        // [m] height y; -infinity: no such rule
    firn_local inside;   // shape; -1: no such rule
    firn_local outside;  // shape; -1: no such rule
} firn_cull_block;

// How snow scatters light (Stomakhin 2013, section 9). Used by the path tracer.
typedef struct firn_medium_block {
    double extinction;  // [1/m] at `density`; proportional to density elsewhere
    double density;     // [kg/m^3]
    double albedo[3];   // of one scattering, per colour
    double anisotropy;  // Henyey and Greenstein's g
    double voxel;       // [m] of the density grid; 0: a third of the solver's cell
    int32_t kernel;     // FIRN_MEDIUM_*
} firn_medium_block;
enum { FIRN_MEDIUM_SPLINE, FIRN_MEDIUM_ANISOTROPIC };  // how a particle is spread over voxels

// The preview's snow coloured by a field: the first colour at `from`, the last at `to`.
typedef struct firn_colour_block {
    int32_t field;    // FIRN_FRAME_* (state/field_table.h); 0: none
    double from, to;  // in the field's unit
    int32_t colours;  // firn_colour_map
} firn_colour_block;

// A lamp: a parallelogram that shines from its face (along edge_u x edge_v).
typedef struct firn_lamp {
    double center[3], edge_u[3], edge_v[3];  // [m] edges from side to side
    double radiance[3];  // on the scale where a white sheet in full daylight is 1
    bool two_sided;
} firn_lamp;
#define FIRN_AREA_LIGHTS_MAX 16

typedef struct firn_camera_key {
    double time;  // [s]
    double eye[3], look_at[3], fov_deg;
} firn_camera_key;
#define FIRN_CAMERA_KEYS_MAX 256

// Picture of a frame: of the preview and of the path tracer.
typedef struct firn_render_block {
    double eye[3], look_at[3];  // [m]
    double fov_deg;             // vertical field of view [degrees]
    int64_t width, height;      // [pixels], even
    double sun[3];              // direction towards the sun, any length
    double sun_strength, sky_strength;
    double sun_size;  // [degrees] across the disc

    double lens;   // [m] diameter of the aperture; 0: pinhole
    double focus;  // [m] distance that is sharp; 0: look_at
    // Rows (FIRN_KEY_ROWS): a count, then room for as many as there may be.
    int32_t camera_key_count;                           // 0: eye, look_at and fov stay
    firn_camera_key camera_keys[FIRN_CAMERA_KEYS_MAX];  // ascending in time; smooth between
    double shutter;  // open for this share of a frame; 0: no motion blur

    char* sky_picture;  // owned: latitude-longitude .exr; null: the gradient
    double sky_turn;    // [degrees] about the vertical
    int32_t light_count;
    firn_lamp lights[FIRN_AREA_LIGHTS_MAX];
    firn_medium_block medium;

    int64_t samples;  // paths per pixel, at most
    double noise;     // stop where the standard error is below this share of the pixel; 0: never
    double seconds;   // per picture; 0: no limit
    int64_t seed;
    bool denoise;
    double exposure;  // [stops] for the tone-mapped picture
    firn_colour_block colour_by;
} firn_render_block;

// Where a key stood in the scene file, for errors found later (by a solver's check).
typedef struct firn_scene_place {
    char* key;         // owned: "mpm.cell", "snow.0.velocity"
    int line, column;  // 1-based; 0: set by --set
    char* origin;      // owned: "--set mpm.cell=1"; null: the scene file
} firn_scene_place;

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
    double gravity[3];         // [m/s^2]
    firn_material* materials;  // owned
    firn_local material_count, material_capacity;
    firn_snow* snow;  // owned
    firn_local snow_count, snow_capacity;
    firn_collider* colliders;  // owned; `pose` is for the pictures and solvers to copy
    firn_local collider_count, collider_capacity;
    firn_emitter* emitters;  // owned
    firn_local emitter_count, emitter_capacity;
    firn_air_block air;
    firn_shapes shapes;
    firn_cull_block cull;
    firn_output_block output;
    firn_render_block render;
    uint64_t hash;             // of the meaning: equal scenes (after variants and --set) are equal
    char* source;              // owned: text of the file, for carets; null when built from code
    char* effective;           // owned: the scene as YAML after variant and overrides, paths made
                               // absolute, without `variants`; null when built from code
    firn_scene_place* places;  // owned; blocks, their keys, list items and their keys
    firn_local place_count, place_capacity;
    char** field_texts;  // owned, each owned; [shapes.field_count]: "noise: {...}" or "png: ..."
    firn_local field_text_count, field_text_capacity;
    char** level_set_texts;  // owned, each owned; [shapes.level_set_count]: "text: {...}", ...
    firn_local level_set_text_count, level_set_text_capacity;
    char** variant_names;  // owned, each owned; in the order of the file
    firn_local variant_count, variant_capacity;
} firn_scene_data;

// What the parser is told about a solver.
typedef struct firn_scene_solver {
    const char* name;
    const firn_key_block* keys;
} firn_scene_solver;

// One thing wrong with a scene.
typedef struct firn_diagnostic {
    bool is_error;      // else a warning
    int line, column;   // 1-based; 0 when it has no place in the file (--set)
    char* file;         // owned
    char* message;      // owned: "unknown key 'radus' in 'sphere' (did you mean 'radius'?)"
    char* source_line;  // owned; may be null; long lines are cut to a window around the column
    int caret;          // where the caret stands in source_line, 1-based, in characters
} firn_diagnostic;

typedef struct firn_diagnostics {
    firn_diagnostic* items;  // owned
    firn_local count, capacity;
    firn_local error_count;
} firn_diagnostics;

typedef struct firn_scene_options {
    const char* variant;           // null: the default
    const char* solver;            // null: as the scene says (--solver)
    const char* const* overrides;  // "a.b=c"; list items by number: "snow.0.velocity=[0,-3,0]"
    size_t override_count;
} firn_scene_options;

void firn_scene_data_init(firn_scene_data* scene);     // empty scene, all defaults, solver 0
void firn_scene_data_destroy(firn_scene_data* scene);  // frees everything, zeroes the struct

// Adds a level set as a shape. `text` is the kind with its keys as a scene file has them ("text:
// {...}"), for writing the scene again: taken over in any case; null means that memory was out.
firn_result firn_scene_add_level_set(firn_scene_data* scene, const firn_level_set* set, char* text,
                                     firn_local* out_shape, firn_error* error);
// Adds a mesh (firn/defs.h; the cookie is not looked at). `out_report` tells what is wrong with it.
firn_result firn_scene_add_mesh(firn_scene_data* scene, const struct firn_mesh_def* def,
                                struct firn_mesh_report* out_report, firn_local* out_shape,
                                firn_error* error);
// The triangles that a level set of the scene was made from, read again for pictures. Empty: it is
// no mesh (a word, a .vdb file), or holes were closed in it. Refused: the file is gone or not what
// it was.
firn_result firn_scene_read_mesh(const firn_scene_data* scene, firn_local level_set,
                                 struct firn_mesh* out_mesh, firn_error* error);
// Adds a level set of a .vdb file; `grid` may be null.
firn_result firn_scene_add_vdb(firn_scene_data* scene, const char* file, const char* grid,
                               firn_local* out_shape, firn_error* error);
// Adds a word (firn/defs.h; the cookie is not looked at).
firn_result firn_scene_add_text(firn_scene_data* scene, const struct firn_text_def* def,
                                firn_local* out_shape, firn_error* error);

// A deep copy with a fresh hash. `to` need not be initialised; FIRN_BROKEN_MEMORY leaves it zeroed.
firn_result firn_scene_data_copy(const firn_scene_data* from, firn_scene_data* to);
// Call after changing the data from code (adding snow, ...): the text of the file no longer is the
// scene, and the hash is another one.
void firn_scene_data_changed(firn_scene_data* scene);
// Makes solver `index` the scene's, with a default block. Refused: memory is out, scene unchanged.
firn_result firn_scene_use_solver(firn_scene_data* scene, const firn_scene_solver* solvers,
                                  int32_t index);
// Sets one key outside lists by the same tables as a file: "mpm.cell", "time.frames". The value is
// YAML text. FIRN_REFUSED_ARGUMENT: the scene is unchanged and a diagnostic says why.
firn_result firn_scene_assign(firn_scene_data* scene, const firn_scene_solver* solvers,
                              size_t solver_count, const char* key, const char* value,
                              firn_diagnostics* diagnostics);
// Hash of the meaning; what only concerns output, pictures, title and number of frames stays out,
// so that those may change on --resume. 0 when memory is out.
uint64_t firn_scene_hash(const firn_scene_data* scene);
// Sets eye and look_at so that all snow is in view. Parsing does it when the scene has no camera.
void firn_scene_frame_camera(firn_scene_data* scene);
// The effective scene as YAML, owned by the caller: a copy of `effective`, or for a scene built
// from code a document written from the data. Null when memory is out.
char* firn_scene_emit(const firn_scene_data* scene);

// Parse a file or a text (`name` stands in messages). All mistakes are collected in `diagnostics`;
// FIRN_REFUSED_SCENE when any of them is an error, and `scene` is then left destroyed (zeroed).
firn_result firn_scene_parse_file(const char* path, const firn_scene_solver* solvers,
                                  size_t solver_count, const firn_scene_options* options,
                                  firn_scene_data* scene, firn_diagnostics* diagnostics);
firn_result firn_scene_parse_text(const char* text, size_t length, const char* name,
                                  const firn_scene_solver* solvers, size_t solver_count,
                                  const firn_scene_options* options, firn_scene_data* scene,
                                  firn_diagnostics* diagnostics);

// Cross-checks that need the whole scene (units and scale plausible, snow inside colliders, ...).
void firn_scene_data_check(const firn_scene_data* scene, firn_diagnostics* diagnostics);

// Appends a diagnostic; silently dropped when memory is out (error_count still grows).
void firn_diagnose(firn_diagnostics* diagnostics, bool is_error, const char* file, int line,
                   int column, const char* format, ...) __attribute__((format(printf, 6, 7)));
// As above, at the place of `key` ("mpm.cell"; or of the block it is missing from) in the scene
// file.
void firn_diagnose_key(firn_diagnostics* diagnostics, bool is_error, const firn_scene_data* scene,
                       const char* key, const char* format, ...)
    __attribute__((format(printf, 5, 6)));
// "file:line:column: error: message", the source line and a caret; "\n" between. Owned by caller.
char* firn_diagnostics_text(const firn_diagnostics* diagnostics);
void firn_diagnostics_destroy(firn_diagnostics* diagnostics);

// The scene's particles before any solver: positions, velocities, masses, materials, variation.
typedef struct firn_seeds {
    firn_local count, capacity;
    firn_vec3* position;   // owned [m]
    firn_vec3* velocity;   // owned [m/s]
    firn_real* mass;       // owned [kg]
    firn_real* stiffness;  // owned: factor on E [-]
    uint8_t* material;     // owned
    // Factors on xi, theta_c and theta_s [-], owned; null where no body varies any of them
    // (firn_scene_varies).
    firn_real *hardening, *compression, *stretch;
    firn_real* temperature;  // owned [degC]; null unless firn_scene_heats
    double lightest;         // smallest factor on the density, at most 1
} firn_seeds;

// Is some temperature of the air or of a body given, or a stiffness that depends on it?
bool firn_scene_heats(const firn_scene_data* scene);
// Does some body vary hardening or a threshold? Then particles have factors on them.
bool firn_scene_varies(const firn_scene_data* scene);

// Fills every snow body for a grid of spacing `cell` [m].
firn_result firn_scene_seed(const firn_scene_data* scene, double cell, firn_seeds* out_seeds,
                            firn_error* error);
// The same on a lattice, one particle a cell, whatever particles_per_cell and seeding say; loose
// snow is seeded as it says: a lattice of particles that do not touch would stay one. `pitch`:
// null, or the size of a body's particles, in cells: they are then packed as spheres of that size
// are (geometry/sampling/packing.h).
typedef double (*firn_seed_pitch)(const firn_scene_data* scene, const firn_snow* snow);
firn_result firn_scene_seed_lattice(const firn_scene_data* scene, double cell,
                                    firn_seed_pitch pitch, firn_seeds* out_seeds,
                                    firn_error* error);
// Room for `capacity` in all arrays, in those of factors and temperature where they are wanted.
// False when memory is out: what is there stays.
bool firn_seeds_reserve(firn_seeds* seeds, firn_local capacity, bool varies, bool heats);
void firn_seeds_destroy(firn_seeds* seeds);
