// SPDX-License-Identifier: MIT
// The common part of a simulation of any solver, and the functions of firn_solver that use nothing
// else. A solver's own struct has it as its first member, `base`, so that a pointer to one is
// a pointer to the other.
#pragma once
#include "scene/run/cull.h"
#include "solver/shared/fields.h"
#include "solver/shared/loads.h"
#include "solver/solver.h"

typedef struct firn_device_run firn_device_run;  // device_run.h

#define FIRN_STEPS_MAX ((int64_t)1 << 53)  // of a simulation: doubles still tell them apart

typedef struct firn_solver_base {
    const firn_scene_data* scene;  // borrowed
    firn_log log;

    firn_particles store;                         // the arrays
    const firn_field_row* rows[FIRN_FIELDS_MAX];  // of the store's fields (fields.h)
    firn_culler culler;
    firn_collider* colliders;  // owned copies, with poses at `time`
    firn_local collider_count;
    firn_loads loads;     // on them
    firn_bodies* bodies;  // owned: the dynamic ones; none in a scene without

    firn_device_run* device_run;  // owned; null: runs on the CPU

    // of the step
    double time, dt;            // [s] its start and its length
    double dt_limit, dt_scale;  // arguments of firn_solver.step
    firn_local culled;          // particles removed at its start
    double max_speed;           // [m/s] at its start
    double stage_seconds[FIRN_STAGES_MAX];

    // carried from step to step (checkpoints)
    int64_t step;  // steps done
} firn_solver_base;

// A zeroed struct of `size` bytes that begins with a base: scene, threads, log and colliders are
// set. FIRN_BROKEN_MEMORY.
firn_result firn_base_create(size_t size, const firn_scene_data* scene,
                             const firn_solver_args* args, void** out_self, firn_error* error);
// Frees what the base owns, and the struct. A solver frees its own members before.
void firn_base_destroy(void* self);
// Fails with a message about memory for the particles; seeds may be null.
firn_result firn_base_no_memory(const firn_seeds* seeds, firn_error* error);

// Registers fields, after the existing ones.
void firn_base_add_fields(firn_solver_base* base, const firn_field_row* rows, size_t count);
// Registers fields of particles that exist, which are zero. FIRN_BROKEN_MEMORY: some may be there.
firn_result firn_base_append_fields(firn_solver_base* base, const firn_field_row* rows,
                                    size_t count);
// Writes the typed pointers of all registered fields into the solver's struct of pointers.
void firn_base_point(const firn_solver_base* base, void* pointers);
// Appends seeds to the particles. A field with the name of an array of the seeds is copied from it,
// `id` counts up from *next_id, factors that the seeds lack are 1; everything else is 0.
// FIRN_BROKEN_MEMORY leaves the particles as they were.
firn_result firn_base_append(firn_solver_base* base, const firn_seeds* seeds, uint32_t* next_id);

// The same for an edit: ids are at least *next_id and above all that exist. FIRN_REFUSED_ARGUMENT:
// no memory, or no more ids.
firn_result firn_base_add(firn_solver_base* base, const firn_seeds* seeds, uint32_t* next_id,
                          firn_error* error);
// A scene has one more emitter: makes room for its counts, [emitter_count] arrays that the caller
// owns, and for the fields of emitted particles if there are none yet. FIRN_BROKEN_MEMORY: as
// before.
firn_result firn_base_grow_emitters(firn_solver_base* base, const firn_field_row* fields,
                                    size_t field_count, int64_t** emitted, int64_t** emitted_before,
                                    firn_error* error);
// One more than the largest id; 0 without particles.
uint64_t firn_base_ids_end(const firn_particles* store);
// For the table of a solver (edits of solver.h), where no state depends on the order of particles.
firn_result firn_base_keep(void* self, const firn_local* keep, firn_local count, firn_error* error);
firn_result firn_base_write(void* self, const firn_field* field, const void* values,
                            firn_error* error);

// Removes the particles that the scene culls at base->time (scene/run/cull.h).
firn_result firn_base_cull(firn_solver_base* base, firn_error* error);
// Moves colliders to their poses at base->time.
firn_result firn_base_move_colliders(firn_solver_base* base, firn_error* error);
// Gravity [m/s^2] in the middle of the step.
firn_vec3 firn_base_gravity(const firn_solver_base* base);
// v <- v + dt a(x, t + dt/2) of all particles, where the scene has force fields
// (physics/force_field.h). Call it at the start of a step, when base.dt is known and before
// velocities are used.
void firn_base_apply_forces(firn_solver_base* base, const firn_vec3* position, firn_vec3* velocity);
// Rigid bodies (base_bodies.c). Before firn_base_move_colliders: takes over what the caller has
// set.
void firn_base_take_bodies(firn_solver_base* base);
// Begins a step of the bodies; when dt is known and colliders have their poses.
void firn_base_begin_bodies(firn_solver_base* base);
// Adds the loads of the step (firn_loads_end) to what pushes the bodies.
void firn_base_push_loads(firn_solver_base* base);
// Ends it: colliders follow. FIRN_BROKEN_DIVERGED: a body is lost.
firn_result firn_base_finish_bodies(firn_solver_base* base, firn_error* error);
// [m/s] The fastest point of any dynamic collider, at most, at the start of the step.
double firn_base_body_speed(const firn_solver_base* base);
// For the table of a solver: firn_solver.bodies, firn_solver.push.
firn_bodies* firn_base_bodies(void* self);
void firn_base_push(void* self, firn_local collider, const firn_body_push* push);
// Finds base->max_speed. Returns the first particle whose velocity is not finite or whose position
// is `reach` [m] or more from the origin along some axis; the count of particles: none.
firn_local firn_base_measure(firn_solver_base* base, const firn_vec3* position,
                             const firn_vec3* velocity, double reach);

// Refuses a value of a checkpoint: FIRN_REFUSED_DAMAGED. `particle` < 0: one of other state.
firn_result firn_base_refuse(const char* name, firn_local particle, double value,
                             const char* expected, firn_error* error);
// Checks a count of steps, such as that of a block: 0 to FIRN_STEPS_MAX.
firn_result firn_base_check_steps(const char* name, int64_t steps, firn_error* error);
// Refuses a block of other state with the wrong size.
firn_result firn_base_refuse_size(size_t size, size_t expected, firn_error* error);
// Checks that all ids are below the next one. `next_id` is that of the block.
firn_result firn_base_check_ids(const firn_solver_base* base, uint32_t next_id, firn_error* error);

// firn_solver.collider_added, as far as the base has to do with it: the last that may fail.
firn_result firn_base_collider_added(void* self, firn_error* error);

// For the table of a solver.
firn_particles* firn_base_particles(void* self);
firn_local firn_base_count(const void* self);
firn_collider* firn_base_colliders(void* self, firn_local* out_count);
const firn_collider_load* firn_base_loads(const void* self);
