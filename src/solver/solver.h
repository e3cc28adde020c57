// SPDX-License-Identifier: MIT
// The interface that every solver implements. `sim` runs any solver through it; solvers do not
// depend on each other.
#pragma once
#include "core/log.h"
#include "scene/run/seed.h"
#include "state/particles.h"

typedef struct firn_bodies firn_bodies;                // bodies/bodies.h
typedef struct firn_comm firn_comm;                    // firn/ranks.h
typedef struct firn_command firn_command;              // comm/comm.h
typedef struct firn_device_field firn_device_field;    // firn/device.h
typedef struct firn_particle_rows firn_particle_rows;  // state/particle_rows.h
typedef struct firn_diagnostics firn_diagnostics;      // scene/parse/diagnostics.h
typedef struct firn_key_block firn_key_block;          // scene/parse/keys.h
typedef struct firn_collider firn_collider;            // geometry/collider/collider.h
typedef struct firn_collider_load firn_collider_load;  // collider_load.h
typedef struct firn_scene_solver firn_scene_solver;    // scene/parse/keys.h
typedef struct firn_powder firn_powder;                // solver/shared/powder/powder.h

#define FIRN_STAGES_MAX 24

// One row of stats.csv. Energies, momentum and J_P describe the state at `time`, the start of the
// step.
typedef struct firn_step_report {
    int64_t step;                        // steps done before this one
    double time;                         // [s] at the start of the step
    double dt;                           // [s]
    int iterations;                      // of the linear solver; 0 when explicit
    double residual;                     // relative, at the end of the solve
    int shear_iterations;                // of a second solve; 0 where there is none
    double neighbours;                   // per particle, on average; 0: not counted
    double momentum[3];                  // [kg m/s]
    double kinetic, elastic, potential;  // [J]; potential relative to y = 0 along -g
    double max_speed;                    // [m/s]
    double plastic_min, plastic_max;     // J_P [-]; NaN-free; 1 and 1 where a solver has none
    firn_local particle_count;           // after culling
    firn_local culled;                   // particles removed at the start of the step
    firn_local active_blocks;
    double stage_seconds[FIRN_STAGES_MAX];
} firn_step_report;

// Predictions for `firn check`, made before anything is allocated.
typedef struct firn_solver_estimate {
    double cell;                       // [m] grid spacing or particle distance used for seeding
    double bytes_per_particle;         // all memory divided by particles, typical
    double device_bytes_per_particle;  // with a GPU: of its memory, typical; 0: no such backend
    double device_bytes_fixed;         // ... and what any scene takes of it, beside that
    double host_bytes_per_particle;    // with a GPU: of the host's, while particles are filled
    double dt;                         // [s] expected
    double seconds_per_particle_step;  // expected cost on one core of an ordinary machine
    double flake;  // [m] edge of the cube of snow that a particle of an emitter represents
} firn_solver_estimate;

// Lower bound of the work of a step per particle, for any implementation.
typedef struct firn_roofline {
    double flops;  // operations on reals; a fused multiply-add is two
    double bytes;  // read and written
} firn_roofline;

typedef struct firn_solver_args {
    firn_log log;
    const char* simd;  // null: best of the machine; else as in firn_sim_def
    int device;        // FIRN_DEVICE_CPU (-1), or the number of the CUDA device to compute on
    int run_ahead;     // most steps queued on a device at once; 0: chosen by the solver
    firn_local particles_max;  // capacity to allocate, so that no step does; 0: the number of
                               //     seeds
    firn_comm* comm;  // borrowed until destroy: ranks that compute together; null: this one alone
} firn_solver_args;

// A sudden change of the motion of a dynamic collider, in world coordinates.
typedef struct firn_body_push {
    firn_vec3 impulse;       // [N s]
    const firn_vec3* point;  // [m] where it acts; null: the centre of mass
    firn_vec3 angular;       // [N m s] angular impulse, besides that of `impulse`
} firn_body_push;

typedef struct firn_solver {
    const char* name;            // "mpm"
    const char* help;            // one line
    const char* backends;        // "cpu cuda": supported by args.device; sim refuses others
    const char* deterministic;   // backends with bitwise reproducible results
    const firn_key_block* keys;  // of the scene block with the same name
    bool lattice;                // particles start on a lattice, one per cell (estimate.cell)
    bool emits;                  // supports emitters
    bool drags;                  // supports wind and drag of the air
    firn_seed_pitch pitch;       // size of particles that start as packed spheres; null: a lattice
    // [kg] that the particles of a snow body will weigh together; null: as firn_snow_mass.
    double (*snow_mass)(const firn_scene_data* scene, const firn_snow* snow);
    bool heats;         // particles have temperatures if firn_scene_heats
    bool always_heats;  // particles have temperatures in every scene
    bool cam_clay;      // supports materials with Cam-Clay plasticity
    bool free_bodies;   // supports dynamic colliders
    bool fluids;        // supports water, viscous fluids and phase change
    bool ages;          // snow creeps and sinters with `ageing`
    bool keyed;         // materials may have `keys`
    bool sheds;         // supports powder
    const char* const* stage_names;
    int stage_count;

    // Checks that need the whole scene; appends to `diagnostics`.
    void (*check)(const firn_scene_data* scene, firn_diagnostics* diagnostics);
    firn_solver_estimate (*estimate)(const firn_scene_data* scene);
    // Of a step with this number of iterations of its linear solve; nodes: of the grid, per
    // particle. Null: not available.
    firn_roofline (*roofline)(const firn_scene_data* scene, double iterations, double nodes);
    // `scene` is borrowed until destroy. `seeds` is borrowed for the call; null when the particles
    // will come from a checkpoint (restore). With args.comm it has this rank's part of them.
    firn_result (*create)(const firn_scene_data* scene, const firn_seeds* seeds,
                          const firn_solver_args* args, void** out_self, firn_error* error);
    void (*destroy)(void* self);
    // One sub-step of at most `dt_limit` that starts at `time`. `dt_scale` in (0, 1] shrinks the
    // step the solver would choose (after a rollback). On FIRN_BROKEN_DIVERGED the particles are
    // damaged: the caller restores them, `error` names step, particle, position, material and
    // likely cause.
    firn_result (*step)(void* self, double time, double dt_limit, double dt_scale,
                        firn_step_report* out_report, firn_error* error);
    // Borrowed; the state that changes. If it is remote, this is the host's copy, including the
    // count, as of the last fetch. Changes by the caller take effect before the first step, and
    // later only if extra_restore follows.
    firn_particles* (*particles)(void* self);
    firn_local (*count)(const void* self);  // current number of particles; does not fetch
    // Current density of each particle, [particles.count] [kg/m^3]. Call fetch first.
    void (*density)(const void* self, firn_real* out_density);
    // The solver's own copies of the scene's colliders, in their order. To move a collider, write
    // into its copy (collider_drive.h) and call colliders_changed. Dynamic colliders have their
    // state after the last step. Null: no colliders.
    firn_collider* (*colliders)(void* self, firn_local* out_count);
    // Loads of the last step that returned FIRN_OK, in the order of colliders; zero before the
    // first. Null: the solver has no colliders.
    const firn_collider_load* (*loads)(const void* self);
    // Call after the motion of a collider (in the solver's copies) or temperatures, gravity or wind
    // of the scene have changed; takes effect with the next step. Drops steps that a device has
    // computed ahead. Null: no call is needed.
    firn_result (*colliders_changed)(void* self, firn_error* error);
    // The scene has one collider more, at its end: makes the solver's own copy, and nothing else
    // changes. Call fetch first and extra_size afterwards. Refused, or out of memory: the caller
    // takes the collider out of the scene. Null: the solver has no colliders.
    firn_result (*collider_added)(void* self, firn_error* error);
    // The same for an emitter. Null: the solver has none.
    firn_result (*emitter_added)(void* self, firn_error* error);
    // Borrowed: the rigid bodies and their joints. Null: the solver has none.
    firn_bodies* (*bodies)(void* self);
    // Borrowed: powder beside the particles. Null, or returns null: there is none.
    firn_powder* (*powder)(void* self);
    // Pushes a dynamic collider that the solver moves. Null: the solver moves none.
    void (*push)(void* self, firn_local collider, const firn_body_push* push);
    // All state beside the particles, as a flat block (checkpoints). What belongs to colliders and
    // emitters comes last, in their order: extra_restore also takes a block that lacks those that
    // were added since.
    size_t (*extra_size)(const void* self);
    void (*extra_save)(const void* self, void* block);
    // Checks every value of the block first. FIRN_REFUSED_DAMAGED: `error` names the value, nothing
    // has changed.
    firn_result (*extra_restore)(void* self, const void* block, size_t size, firn_error* error);
    // After extra_restore, checks the particles of a checkpoint beyond the values that their fields
    // allow, such as against the block. FIRN_REFUSED_DAMAGED. Null: there is nothing to check.
    firn_result (*check_particles)(void* self, firn_error* error);

    // Edits between steps (sim/edit). The particles are on the host (fetch); a refusal changes
    // nothing. Null: the solver cannot be edited.
    const char* editable;  // fields that a caller may write, as words: "position velocity"
    // [m] Positions are below this along every axis.
    double (*reach)(const void* self);
    // Writes the particle distance that was chosen for a scene into a copy of its solver_def, so
    // that snow of another scene gets the same. Null: it does not depend on the snow.
    void (*set_cell)(void* solver_def, double cell);
    // Appends particles, whose ids are at least *next_id, and increases that beyond them.
    firn_result (*add)(void* self, const firn_seeds* seeds, uint32_t* next_id, firn_error* error);
    // Removes all particles but keep[0 .. count), which ascends.
    firn_result (*keep)(void* self, const firn_local* keep, firn_local count, firn_error* error);
    // Writes new values [particles.count], which are valid, into an editable field.
    firn_result (*write)(void* self, const firn_field* field, const void* values,
                         firn_error* error);
    // Call after edits, before anything else: makes the state consistent again. Null: it is.
    // FIRN_BROKEN_DIVERGED: too many particles in one place.
    firn_result (*settle)(void* self, firn_error* error);

    // For particles that live on a device. If `remote` is null or returns false, the others are
    // not called and may be null.
    //
    //     sim      step  step  step | take  expect | fetch, write frame | step  step …
    //     device   ====  ====  ====   copy  ==== ==== ==== ====         : finishes the expected
    //     steps
    //
    // The state is always that after the last `step` that returned, even if the device is ahead.
    bool (*remote)(const void* self);
    // Copies the state on the device; there is one snapshot at a time. FIRN_BROKEN_MEMORY.
    firn_result (*snapshot_take)(void* self, firn_error* error);
    // Restores the particles of the snapshot. Call extra_restore first.
    firn_result (*snapshot_restore)(void* self, firn_error* error);
    // Announces the arguments of the next step, so that the device may begin. Restoring the state
    // cancels it.
    void (*expect)(void* self, double time, double dt_limit, double dt_scale);
    // Copies the state to `particles`, unless they are up to date.
    firn_result (*fetch)(void* self, firn_error* error);
    size_t (*device_bytes)(const void* self);  // allocated on the device
    // Where a field of `particles` lies on the device (firn/device.h); writes all but name, unit
    // and type. `wait`: until it is complete.
    firn_result (*device_field)(void* self, const firn_field* field, bool wait,
                                firn_device_field* out_field, firn_error* error);

    // With args.comm: does what rank 0 asks of all ranks. On the others it is the only function but
    // create and destroy. Particles are remote then. Null: the solver computes on one rank only.
    void (*serve)(void* self, const firn_command* command);
    // Then rank 0 reads the particles in runs of rows, and need not have all of them (fetch). Until
    // close nothing else is called. FIRN_BROKEN_DIVERGED: a value is not finite; fetch finds which.
    firn_result (*rows_open)(void* self, firn_particle_rows* out_rows, firn_error* error);
    void (*rows_close)(void* self);
    // It replaces all particles in the same way: begin, then rows of one field after the other,
    // then extra_restore, then end.
    firn_result (*fill_begin)(void* self, firn_local count, firn_error* error);
    firn_result (*fill_put)(void* self, int field, firn_local first, firn_local rows,
                            const void* data, firn_error* error);
    void (*fill_end)(void* self);
} firn_solver;

// All solvers of this build, in the order that scene.solver counts.
extern const firn_solver* const firn_solvers[];
extern const size_t firn_solver_count;
// Names of the solvers with a property, for messages: "sph or grains". `property` is the
// offset of a bool: offsetof(firn_solver, heats).
void firn_solver_names_with(size_t property, char* out_names, size_t size);
// Their names and blocks of keys, in the same order, for the scene parser.
extern const firn_scene_solver* const firn_scene_solvers;  // [firn_solver_count]
