// SPDX-License-Identifier: MIT
// Definition structs: parameters for creating objects. Initialise each with its default function
// firn_default_…_def(), whose values are in the comments. Zero friction is zero, not the default.
// Longer than 400 lines because definitions that programs use together are in one place.
#pragma once
#include "firn/export.h"
#include "firn/host.h"
#include "firn/id.h"
#include "firn/types.h"
#include "firn/version.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- how definitions begin ---------------------------------------------------------------------

// What a definition is. Part of its cookie: numbers stay.
typedef enum firn_def_kind {
    FIRN_DEF_MATERIAL = 1,
    FIRN_DEF_MEASURED = 2,
    FIRN_DEF_TEXT = 3,
    FIRN_DEF_MESH = 4,
    FIRN_DEF_SNOW = 5,
    FIRN_DEF_EMITTER = 6,
    FIRN_DEF_COLLIDER = 7,
    FIRN_DEF_BODY_ANIMATION = 8,
    FIRN_DEF_LOAD = 9,
    FIRN_DEF_SIM = 10,
    FIRN_DEF_HEIGHT = 11,
    FIRN_DEF_EXPORT = 12,
    FIRN_DEF_MEASURE = 13,
    FIRN_DEF_RENDER = 14,
    FIRN_DEF_BENCH = 15,
    FIRN_DEF_SURFACE = 16,
    FIRN_DEF_JOINT = 17,
    FIRN_DEF_TRIM = 18,
    FIRN_DEF_FORCE = 19
} firn_def_kind;
// The cookie says which definition it is, and for which precision and version of the headers the
// program was compiled.
#define FIRN_DEF_COOKIE(kind)                                                           \
    (0xf1000000u | (sizeof(firn_real) == 8 ? 0x800000u : 0u) | (uint32_t)(kind) << 16 | \
     (uint32_t)FIRN_VERSION)
// Initialise a definition of `size` bytes: what firn_default_…_def() calls. A definition may become
// longer in a later version, at its end: the library takes its own defaults for what an older
// program does not have, and refuses a longer one than it knows.
FIRN_API void firn_def_init(void* def, uint32_t cookie, uint32_t size);

// ---- definitions -------------------------------------------------------------------------------

// What a material is. Fluids are incompressible and have no elasticity (solver sph).
typedef enum firn_material_kind {
    FIRN_MATERIAL_SNOW = 0,
    FIRN_MATERIAL_WATER = 1,   // flows freely, unless it has a viscosity
    FIRN_MATERIAL_VISCOUS = 2  // chocolate, batter, soft ice
} firn_material_kind;

// Snow, whose defaults are those of Stomakhin et al. 2013, table 2, or a fluid (solver sph).
typedef struct firn_material_def {
    uint32_t cookie, bytes;          // set by the default function; do not change
    const char* name;                // copied; "snow"
    const char* preset;              // copied; null: use the fields below
    firn_real density;               // [kg/m^3]  400
    firn_real young;                 // [Pa]      1.4e5
    firn_real poisson;               // [-]       0.2
    firn_real hardening;             // [-]       10
    firn_real critical_compression;  // [-]       0.025
    firn_real critical_stretch;      // [-]       0.0075
    firn_material_kind phase;        // FIRN_MATERIAL_SNOW
    firn_real viscosity;        // [Pa s]    0; of a fluid, or of snow that creeps (mpm, ageing)
    bool slips;                 // false; true: a viscous fluid slides along colliders
    firn_real surface_tension;  // [N/m]     0; of a fluid
    // What it turns into (solver sph), a material that was added before; null: it stays what it is.
    // With no time and no temperature, by heat: snow that has melted, a fluid that is frozen.
    firn_material_id becomes;
    double becomes_after;  // [s]       infinite: never; since emission, or since it became this
    double becomes_below;  // [degC]    NaN: at no temperature; turns when it is colder
    double becomes_above;  // [degC]    NaN: at no temperature; turns when it is warmer
    double becomes_over;   // [s]       0.1; in which its rest density changes
} firn_material_def;
static inline firn_material_def firn_default_material_def(void)
{
    firn_material_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_MATERIAL), sizeof def);
    return def;
}

// Natural snow with measured stiffness, strength and heat, by its density.
typedef struct firn_measured_def {
    uint32_t cookie, bytes;  // set by the default function; do not change
    const char* name;        // copied; "snow"
    double density;          // [kg/m^3]  250; 50 to 500
    double temperature;      // [degC]    -5; -60 to 0
    bool faceted;            // false; true: faceted grains, which are weaker than rounded ones
} firn_measured_def;
static inline firn_measured_def firn_default_measured_def(void)
{
    firn_measured_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_MEASURED), sizeof def);
    return def;
}

typedef enum firn_align { FIRN_ALIGN_LEFT, FIRN_ALIGN_CENTER, FIRN_ALIGN_RIGHT } firn_align;

// Text as a solid: letters of a font, extruded along z. x is along the line, y is up; the first
// baseline is at y = 0, the middle of the depth at z = 0.
typedef struct firn_text_def {
    uint32_t cookie, bytes;  // set by the default function; do not change
    const char* text;        // required; UTF-8; "\n" starts a new line
    const char* font;        // "DejaVuSans-Bold"; a font file, or the name of an installed font
    double size;             // [m]  0.3; height of capital letters
    double depth;            // [m]  0.1; along z
    double spacing;          // [m]  0; additional space between letters
    double line_height;      // [-]  1; relative to the font's line height
    firn_align align;        // FIRN_ALIGN_LEFT: lines begin at x = 0
    double voxel;            // [m]  0.005; of the level set of the letters
} firn_text_def;
static inline firn_text_def firn_default_text_def(void)
{
    firn_text_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_TEXT), sizeof def);
    return def;
}

// A solid from triangles: a file, or arrays. Triangles are counter-clockwise seen from outside; a
// mesh that is inside out as a whole is flipped.
typedef struct firn_mesh_def {
    uint32_t cookie, bytes;     // set by the default function; do not change
    const char* file;           // .obj, .ply, .stl, .gltf or .glb; null: use the arrays
    const firn_vec3* vertices;  // [vertex_count] [m]; copied
    int64_t vertex_count;
    const int32_t* triangles;  // [triangle_count][3] vertex indices; copied
    int64_t triangle_count;
    double voxel;      // [m]  0: a hundredth of the largest side, less for thin meshes
    double scale;      // [-]  1; factor on the coordinates
    bool z_up;         // false; true: z points up in the mesh, false: y
    bool mend;         // false; true: repair meshes that are open or intersect themselves, false:
                       // refuse them
    const char* node;  // null; glTF: only the meshes at and below this node
    bool node_coordinates;  // false; true: in the node's own coordinates, as a motion by the same
                            // node needs them; false: where the file puts them
} firn_mesh_def;
static inline firn_mesh_def firn_default_mesh_def(void)
{
    firn_mesh_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_MESH), sizeof def);
    return def;
}

// Spatially varying factor on a material constant. The factors of noise and texture are multiplied.
typedef struct firn_factor_def {
    firn_real noise_scale;     // [m]   0: no noise; wavelength of the first octave
    firn_real noise_amount;    // [-]   0; the factor is 1 + amount * noise, at least 0.05
    int32_t noise_octaves;     // 3
    int32_t noise_seed;        // 1
    const char* texture_file;  // copied; null: none; a .vdb file
    const char* texture_grid;  // copied; null: its first grid of floats
    firn_real texture_low;     // [-]   1; factor where the grid is 0
    firn_real texture_high;    // [-]   1; factor where the grid is 1
} firn_factor_def;

// Different material constants near the surface of a snow body.
typedef struct firn_shell_def {
    firn_real thickness;                // [m]   0: no shell
    firn_real factor[FIRN_VARY_COUNT];  // [-]   1 each; by firn_vary_quantity
    bool linear;                        // false; true: the effect falls linearly with depth
} firn_shell_def;

// Different material constants in a range of depth below the surface, measured along gravity.
typedef struct firn_layer_def {
    firn_real from, to;                 // [m]   0, 0
    firn_real factor[FIRN_VARY_COUNT];  // [-]   1 each; by firn_vary_quantity
} firn_layer_def;
FIRN_API firn_layer_def firn_default_layer_def(void);

// A snow body: a shape filled with particles.
typedef struct firn_snow_def {
    uint32_t cookie, bytes;                 // set by the default function; do not change
    firn_shape_id shape;                    // required
    firn_material_id material;              // null: the first material, or table 2 if there is none
    firn_real particles_per_cell;           // [-]       8
    firn_real loose;                        // [-]       1; particle spacing relative to packed snow
    int32_t seed;                           // 1
    firn_vec3 velocity;                     // [m/s]     0
    firn_vec3 spin;                         // [rad/s]   0; about the centre of the shape's bounds
    firn_factor_def vary[FIRN_VARY_COUNT];  // by firn_vary_quantity; none
    firn_shell_def shell;                   // none
    const firn_layer_def* layers;           // copied; null: none
    int32_t layer_count;                    // 0
    firn_real temperature;                  // [degC]    -5; initial value
    firn_real clearance;  // [spacings] 1; firn_sim_add_snow leaves out particles that are closer to
                          //     existing ones; 0: none
} firn_snow_def;
static inline firn_snow_def firn_default_snow_def(void)
{
    firn_snow_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_SNOW), sizeof def);
    return def;
}

// Emitter of snow: flakes appear in a shape during the simulation.
typedef struct firn_emitter_def {
    uint32_t cookie, bytes;     // set by the default function; do not change
    firn_shape_id shape;        // required; bounded
    firn_material_id material;  // null: the first material, or table 2 if there is none
    double rate;                // [1/s]     required, unless flow is given; flakes per second
    firn_vec3 velocity;         // [m/s]     0
    double spread;              // [m/s]     0; rms of a random velocity along each axis
    double size;                // [m]       0: the solver's; edge of the cube of a flake
    double flake_size;          // [m]       0.005; drag is that of flakes of this diameter; 0: of
                                //           a sphere of the particle's volume
    double flake_density;       // [kg/m^3]  12
    double start, stop;         // [s]       0, infinite
    int64_t limit;              // 0: none; maximum number of flakes
    int32_t seed;               // 1
    double temperature;         // [degC]    -5
    double flow;                // [kg/s]    0; above 0: snow per second, and rate is 0
    double mass;                // [kg]      0: none; most of all flakes together, and limit is 0
    double speed;               // [m/s]     0; along the outward normal of the shape's surface
    double depth;               // [m]       0: anywhere inside; else only so far below the surface
    firn_collider_id follow;    // null; a collider without a mass that it moves with: shape and
                                //           velocity are as at t = 0. Of scenes only
} firn_emitter_def;
static inline firn_emitter_def firn_default_emitter_def(void)
{
    firn_emitter_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_EMITTER), sizeof def);
    return def;
}

// Kinds of force fields; numbers stay.
typedef enum firn_force_type {
    FIRN_FORCE_TYPE_UNIFORM = 0,  // along direction
    FIRN_FORCE_TYPE_POINT = 1,    // towards center
    FIRN_FORCE_TYPE_VORTEX = 2,   // around the axis through center along direction
    FIRN_FORCE_TYPE_NOISE = 3     // eddies: curl noise, without sources
} firn_force_type;

// How a force field decreases up to its radius; numbers stay.
typedef enum firn_falloff_type {
    FIRN_FALLOFF_TYPE_NONE = 0,    // not; it ends there
    FIRN_FALLOFF_TYPE_LINEAR = 1,  // 1 - s, s = distance / radius
    FIRN_FALLOFF_TYPE_SMOOTH = 2,  // 1 - 3 s^2 + 2 s^3
    FIRN_FALLOFF_TYPE_INVERSE = 3  // 1 / (1 + s^2), also beyond it
} firn_falloff_type;

// A factor at a time, and gravity at a time: linear between keys, constant before the first and
// after the last. Two keys at the same time are a step.
typedef struct firn_factor_key {
    double time;  // [s]; ascending
    double factor;
} firn_factor_key;
typedef struct firn_gravity_at {
    double time;        // [s]; ascending
    firn_vec3 gravity;  // [m/s^2]
} firn_gravity_at;

// An acceleration of all snow beside gravity.
typedef struct firn_force_def {
    uint32_t cookie, bytes;  // set by the default function; do not change
    int32_t type;            // firn_force_type    FIRN_FORCE_TYPE_UNIFORM
    int32_t falloff;         // firn_falloff_type  FIRN_FALLOFF_TYPE_NONE
    double strength;         // [m/s^2]  0; where it is strongest, rms along each axis for noise
    firn_vec3 direction;     // (0, 1, 0); any length above 0
    firn_vec3 center;        // [m]      0
    double radius;           // [m]      0: everywhere
    double length;           // [m]      0.5; size of an eddy
    double period;           // [s]      1; after which the pattern of eddies has changed
    int64_t seed;            // 1; of the eddies
    const firn_factor_key* keys;  // copied; null: constant. Factors on the strength
    size_t key_count;             // 0; at most 32
} firn_force_def;
static inline firn_force_def firn_default_force_def(void)
{
    firn_force_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_FORCE), sizeof def);
    return def;
}

// Pose of a collider at a time.
typedef struct firn_collider_key {
    double time;         // [s]; ascending
    firn_vec3 position;  // [m] of the shape's origin
    firn_quat rotation;
    firn_real scale;  // > 0
} firn_collider_key;

// A collider. Kinematic: it moves with constant velocity and spin, by keys, or like a node of a
// glTF file. Dynamic, if it has a mass: gravity and snow move it.
typedef struct firn_collider_def {
    uint32_t cookie, bytes;         // set by the default function; do not change
    firn_shape_id shape;            // required
    firn_vec3 position;             // [m]        0; of the shape's origin at t = 0
    firn_quat rotation;             // identity
    firn_real scale;                // [-]        1
    firn_vec3 velocity;             // [m/s]      0
    firn_vec3 spin;                 // [rad/s]    0; about pivot
    firn_vec3 pivot;                // [m]        0; at t = 0
    const firn_collider_key* keys;  // copied; null: none. They replace position, rotation, scale
    size_t key_count;               // 0
    bool linear;                    // false: spline through the keys; true: linear interpolation
    const char* motion_file;        // null; a .gltf or .glb file
    const char* motion_node;        // null; the node to follow
    const char* motion_clip;        // null: all that move different things
    double motion_start;            // [s]        0; start time of the animation
    firn_real friction;             // Coulomb [-] 0.4; 0 is frictionless
    bool sticky;                    // false; true: snow sticks to it
    firn_real mass;                 // [kg]       0: kinematic. > 0: dynamic (solver grains);
                                    //     velocity and spin are then those of the centre of mass
                                    //     at t = 0; excludes pivot, keys and motion_file
    // for solvers sph and grains
    firn_real viscosity;      // [m^2/s]    -1: 2.5 times friction, or 10 if sticky
    firn_real adhesion;       // [-]        0
    firn_real temperature;    // [degC]     NaN: no heat exchange
    bool temperature_of_air;  // false; true: as warm as the air; temperature must be NaN
    firn_real heat_transfer;  // [W/m^2/K]  50
    // of contacts between colliders, and of dynamic ones
    firn_real restitution;  // [-]        0; share of the speed that a contact gives back
    firn_real damping, angular_damping;  // [1/s]      0; at which velocity and spin decrease
    firn_vec3 inertia;  // [kg m^2]   0: by mass and shape; else about the centre of
                        //     mass, along the shape's axes
} firn_collider_def;
static inline firn_collider_def firn_default_collider_def(void)
{
    firn_collider_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_COLLIDER), sizeof def);
    return def;
}

// Kinds of joints; numbers stay.
typedef enum firn_joint_kind {
    FIRN_JOINT_FIXED = 0,   // no relative motion
    FIRN_JOINT_HINGE = 1,   // rotation about an axis only
    FIRN_JOINT_BALL = 2,    // any rotation about a point
    FIRN_JOINT_SPRING = 3,  // a force along the line between two points
    FIRN_JOINT_ROPE = 4,    // two points at most so far apart
    FIRN_JOINT_ROD = 5      // two points always so far apart
} firn_joint_kind;

// What holds a collider with a mass to another one or to the world. Positions and axes are in world
// coordinates when the joint begins: at t = 0, or when it is added to a simulation.
typedef struct firn_joint_def {
    uint32_t cookie, bytes;           // set by the default function; do not change
    int32_t kind;                     // firn_joint_kind   FIRN_JOINT_BALL
    firn_collider_id a;               // required: a collider with a mass
    firn_collider_id b;               // null: the world; else another one, with a mass or not
    firn_vec3 point;                  // [m]        0; where it holds a
    firn_vec3 point_b;                // [m]        0; where a spring, rope or rod holds b
    firn_vec3 axis;                   // (0, 0, 1); of a hinge
    firn_real angle_low, angle_high;  // [rad]      none (infinite); of a hinge, 0 when it begins
    firn_real length;                 // [m]        -1: as it is when it begins; spring, rope, rod
    firn_real stiffness, damping;     // [N/m], [N s/m]  0; of a spring
    firn_real break_force;            // [N]        infinite; breaks above it, mean over a step
    firn_real break_torque;           // [N m]      infinite; of fixed joints and hinges
    bool collide;                     // false; true: a and b also collide with each other
} firn_joint_def;
static inline firn_joint_def firn_default_joint_def(void)
{
    firn_joint_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_JOINT), sizeof def);
    return def;
}

// Animation of a deforming collider: key frames from files. Strings are copied.
typedef struct firn_body_animation_def {
    uint32_t cookie, bytes;  // set by the default function; do not change
    const char* file;        // required: "walk.%04d.obj" (or .ply, .stl, .glb, .vdb), "walk.pc2",
                             //     "walk.glb"
    const char* mesh;        // null; mesh with the triangles of a .pc2 file
    const char* clip;        // null: all of a glTF file that move different things
    const char* node;        // null: all meshes of a glTF file; else those at and below this node
    const char* grid;        // null: the first level set of .vdb files
    const char* velocity_grid;  // null: "v", "vel" or "velocity" of .vdb files, if present
    int64_t first, last;        // 1, 1; numbers of the files
    double fps;                 // [1/s]   24
    firn_real voxel;            // [m]     required for meshes: of their level sets
    bool mend;                  // false; true: repair broken meshes, false: refuse them
    double start;               // [s]     0; start time
    double speed;               // [-]     1
    bool loop;                  // false
    uint64_t memory_bytes;      // 256 MiB; size of the cache of key frames
} firn_body_animation_def;
static inline firn_body_animation_def firn_default_body_animation_def(void)
{
    firn_body_animation_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_BODY_ANIMATION), sizeof def);
    return def;
}

// Options for loading a scene file.
typedef struct firn_load_def {
    uint32_t cookie, bytes;        // set by the default function; do not change
    const char* variant;           // null: the scene's default
    const char* solver;            // null: the scene's solver
    const char* const* overrides;  // borrowed for the call: "mpm.cell=0.02"
    size_t override_count;         // 0
    uint64_t memory_cap_bytes;     // 0: what this process can get; firn_scene_check refuses scenes
                                   // that need more
    const char* backend;           // null: "cpu"; as in firn_sim_def. firn_scene_check refuses
                                   // scenes that do not fit into the memory of this GPU
    int32_t ranks;                 // 0; processes that would share a simulation (ranks.h):
                                   // firn_scene_check estimates and refuses for each of them
} firn_load_def;
static inline firn_load_def firn_default_load_def(void)
{
    firn_load_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_LOAD), sizeof def);
    return def;
}

// Progress of a run. The callback is called on the calling thread after every step.
typedef struct firn_progress {
    int64_t frame, frame_end;  // current frame, last frame of the run
    int64_t step;              // steps done since the start of the simulation
    double time, dt;           // [s]
    double frame_fraction;     // completed part of the current frame, 0..1
    int iterations;            // of the last solve
    firn_local particle_count;
    int64_t culled;            // particles removed since the start of the simulation
    double seconds_elapsed;    // wall clock of this run
    double seconds_left;       // estimate; < 0: unknown
    bool frame_done;           // true once per frame, when its files are on disk
    const char* preview_path;  // borrowed; of the frame just finished; null: none
} firn_progress;
typedef void (*firn_progress_fn)(void* user, const firn_progress* progress);

typedef struct firn_comm firn_comm;  // ranks.h

// Options of a simulation.
typedef struct firn_sim_def {
    uint32_t cookie, bytes;     // set by the default function; do not change
    int threads;                // 0: all cores; 1: no threads but the caller's
    const char* backend;        // "cpu"; "cuda" or "cuda:N": a GPU (firn_device_list)
    bool deterministic;         // false; true: require bitwise reproducible results. All backends
                                // of firn provide them; one that did not would be refused
    int run_ahead;              // steps that a device may have in flight; 0: chosen by the solver.
                                // Changes speed, never results
    const char* simd;           // null: best of the machine; "baseline", "x86-64-v3", "x86-64-v4";
                                // "plain": scalar reference loops, for comparison
    const char* output_dir;     // null: nothing is written; copied. Must be null in libfirn-core
    int64_t frame_end;          // last frame; < 0: the scene's last frame
    bool resume;                // continue from the newest valid checkpoint in output_dir
    bool overwrite;             // delete an existing run in output_dir first
    int64_t particles_max;      // 0: the number of particles of the scene. Else memory for so many
                                // is allocated at creation, so that no step allocates (grains)
    uint64_t memory_cap_bytes;  // 0: none
    firn_log_fn log;            // null: none
    firn_progress_fn progress;  // null: none
    void* user;                 // passed to both
    const firn_jobs* jobs;      // null: own threads; else the program's job system (host.h), and
                                // `threads` is ignored; copied
    firn_comm* comm;            // null: this process alone; else the ranks that compute it together
                                // (ranks.h); borrowed until destroy
} firn_sim_def;
static inline firn_sim_def firn_default_sim_def(void)
{
    firn_sim_def def;
    firn_def_init(&def, FIRN_DEF_COOKIE(FIRN_DEF_SIM), sizeof def);
    return def;
}

#ifdef __cplusplus
}
#endif
