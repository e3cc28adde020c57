// SPDX-License-Identifier: MIT
// The interface that every solver fills. `sim` drives any solver through it; no solver knows
// another.
#pragma once
#include "core/log.h"
#include "scene/run/seed.h"
#include "state/particles.h"

typedef struct firn_diagnostics firn_diagnostics;    // scene/parse/diagnostics.h
typedef struct firn_key_block firn_key_block;        // scene/parse/keys.h
typedef struct firn_collider firn_collider;          // geometry/collider/collider.h
typedef struct firn_scene_solver firn_scene_solver;  // scene/parse/keys.h

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
    double neighbours;                   // of a particle, in the mean; 0 where nobody counts them
    double momentum[3];                  // [kg m/s]
    double kinetic, elastic, potential;  // [J]; potential relative to y = 0 along -g
    double max_speed;                    // [m/s]
    double plastic_min, plastic_max;     // J_P [-]; NaN-free; 1 and 1 where a solver has none
    firn_local particle_count;           // after culling
    firn_local culled;                   // particles removed at the start of the step
    firn_local active_blocks;
    double stage_seconds[FIRN_STAGES_MAX];
} firn_step_report;

// What `firn check` wants to know before anything is allocated.
typedef struct firn_solver_estimate {
    double cell;                       // [m] grid spacing or particle distance used for seeding
    double bytes_per_particle;         // all memory divided by particles, typical
    double dt;                         // [s] expected
    double seconds_per_particle_step;  // expected cost on one core of an ordinary machine
} firn_solver_estimate;

// The least that a step can cost per particle, however it is programmed.
typedef struct firn_roofline {
    double flops;  // operations on reals; a fused multiply-add is two
    double bytes;  // read and written
} firn_roofline;

typedef struct firn_solver_args {
    int threads;  // >= 1
    firn_log log;
    const char* simd;  // null: best of the machine; else as in firn_sim_def
    int device;        // FIRN_DEVICE_CPU (-1), or the number of the CUDA device to compute on
    int run_ahead;     // most steps that may be under way at once on a device; 0: its own choice
    firn_local particles_max;  // make room for so many, so that no step allocates; 0: as many as
                               //     there are
} firn_solver_args;

typedef struct firn_solver {
    const char* name;            // "mpm"
    const char* help;            // one line
    const char* backends;        // "cpu cuda": what args.device may be; sim refuses others
    const char* deterministic;   // those of them that give the same bits in every run
    const firn_key_block* keys;  // of the block of the same name
    bool lattice;                // particles start on a lattice, one a cell (estimate.cell)
    bool emits;                  // it takes emitters, and flakes feel the air
    firn_seed_pitch pitch;       // particles are spheres, packed: their size; null: a lattice
    bool heats;                  // particles have temperatures, where firn_scene_heats
    bool always_heats;           // in every scene
    bool free_bodies;            // it moves colliders that have a mass
    const char* const* stage_names;
    int stage_count;

    // Mistakes that need the whole scene; appends to `diagnostics`.
    void (*check)(const firn_scene_data* scene, firn_diagnostics* diagnostics);
    firn_solver_estimate (*estimate)(const firn_scene_data* scene);
    // Of a step with so many iterations of its linear solve; nodes: of a grid, per particle. Null:
    // nobody has counted.
    firn_roofline (*roofline)(const firn_scene_data* scene, double iterations, double nodes);
    // `scene` is borrowed until destroy. `seeds` is borrowed for the call; null when the particles
    // will come from a checkpoint (restore).
    firn_result (*create)(const firn_scene_data* scene, const firn_seeds* seeds,
                          const firn_solver_args* args, void** out_self, firn_error* error);
    void (*destroy)(void* self);
    // One sub-step of at most `dt_limit` that starts at `time`. `dt_scale` in (0, 1] shrinks the
    // step the solver would choose (after a rollback). On FIRN_BROKEN_DIVERGED the particles are
    // damaged: the caller restores them, `error` names step, particle, position, material and
    // likely cause.
    firn_result (*step)(void* self, double time, double dt_limit, double dt_scale,
                        firn_step_report* out_report, firn_error* error);
    // Borrowed; the state that changes. Where it is remote, this is the host's copy: as old as the
    // last fetch, its count too. What a caller writes into it takes effect before the first step,
    // and later when extra_restore follows.
    firn_particles* (*particles)(void* self);
    firn_local (*count)(const void* self);  // particles now, without bringing them from a device
    // Current density of each particle, [particles.count] [kg/m^3]; fetch comes first.
    void (*density)(const void* self, firn_real* out_density);
    // The solver's own copies of the scene's colliders, in their order: whoever drives a body from
    // outside writes into them (collider_drive.h) and calls colliders_changed. Free bodies are
    // where they are after the last step. Null: it has none.
    firn_collider* (*colliders)(void* self, firn_local* out_count);
    // From the next step on, some body has another driver or is elsewhere (its own copies), or the
    // scene has another temperature. Steps that a device has computed ahead are dropped. Null:
    // nothing needs to be told.
    firn_result (*colliders_changed)(void* self, firn_error* error);
    // Everything beside the particles that enters the next step, as a flat block (checkpoints).
    size_t (*extra_size)(const void* self);
    void (*extra_save)(const void* self, void* block);
    firn_result (*extra_restore)(void* self, const void* block, size_t size);

    // For particles that live on a device. Where `remote` is null or says no, the others are not
    // called and may be null, too.
    //
    //     sim      step  step  step | take  expect | fetch, write frame | step  step …
    //     device   ====  ====  ====   copy  ==== ==== ==== ====         : ends what was expected
    //
    // The state is always that after the last `step` that returned, however far the device has got.
    bool (*remote)(const void* self);
    // A copy of the state, kept on the device; one at a time. FIRN_BROKEN_MEMORY: there is no room.
    firn_result (*snapshot_take)(void* self, firn_error* error);
    // The particles are again those of the snapshot. extra_restore has been called before it.
    firn_result (*snapshot_restore)(void* self, firn_error* error);
    // The next step will be this one, unless the state is restored: the device may begin.
    void (*expect)(void* self, double time, double dt_limit, double dt_scale);
    // Makes `particles` the state; costs nothing when they are already.
    firn_result (*fetch)(void* self, firn_error* error);
    size_t (*device_bytes)(const void* self);  // of the device's memory that is held
} firn_solver;

// All solvers of this build, in the order that scene.solver counts.
extern const firn_solver* const firn_solvers[];
extern const size_t firn_solver_count;
// Names of the solvers that have a property, for messages: "sph or grains". `property` is the
// offset of a bool: offsetof(firn_solver, heats).
void firn_solver_names_with(size_t property, char* out_names, size_t size);
// Their names and blocks of keys, in the same order: what the scene parser is given.
extern const firn_scene_solver* const firn_scene_solvers;  // [firn_solver_count]
