// SPDX-License-Identifier: MIT
// Edits of a running simulation, between steps: snow comes and goes, fields of particles are
// written, the whole state is saved and restored in memory. With every solver, on CPU and CUDA.
// Edits are part of the state: a rollback returns to the state after the last one. Views of fields
// end with an edit; the step, hash or save that follows may change the order of particles.
//
//     firn_placement hand = {{x, y, z}, {1, 0, 0, 0}};
//     firn_sim_add_snow(sim, prefabs, &ball, &hand, NULL);         // throw a snowball
//     firn_sim_remove_snow(sim, prefabs, shovel, &hand, &dug);     // dig
//
//     size_t size;
//     firn_sim_save(sim, NULL, 0, &size);          // how large it is now
//     void* save = malloc(size);
//     firn_sim_save(sim, save, size, &size);       // into the save file of a game
//     firn_sim_restore(sim, save, size);           // this simulation, or another of the same scene
#pragma once
#include "firn/defs.h"
#include "firn/export.h"
#include "firn/types.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- snow comes and goes ------------------------------------------------------------------------

// Where a shape of a scene is put: x_world = position + rotation x_shape rotation*
typedef struct firn_placement {
    firn_vec3 position;  // [m]
    firn_quat rotation;  // need not have length 1
} firn_placement;

// Fill a shape of `prefabs`, a scene of yours that stores shapes and materials, with snow, as
// firn_sim_create would: `def` has a shape and a material of `prefabs` (null: its first material,
// or the simulation's if it has none). `where` null: the shape is where `prefabs` has it. Velocity
// and spin of `def` are in world axes; the seeds and variation of the snow move with the shape.
//
// The simulation must have a material with the same constants; nothing else of `prefabs` is needed
// after the call. Particles closer than `def->clearance` spacings to existing ones are left out:
// with 0 snow may be put into snow, which sph and grains push apart violently. Snow inside
// colliders is pushed out of them. Memory grows if needed; with particles_max of firn_sim_def it
// was reserved at creation. `out_id` may be null.
//
// Refused, and nothing is changed: no room for any particle, more than particles_max, no memory, an
// unknown material, variation of constants that the simulation's own snow does not vary (mpm, sph).
FIRN_API firn_result firn_sim_add_snow(firn_sim* sim, const firn_scene* prefabs,
                                       const firn_snow_def* def, const firn_placement* where,
                                       firn_snow_id* out_id);
// Get the ids of the particles of snow that was added: first, first + 1, … (`count` of them, some
// of which may have been removed). FIRN_REFUSED_ARGUMENT: not the id of snow that was added.
FIRN_API firn_result firn_sim_snow_particles(const firn_sim* sim, firn_snow_id snow,
                                             uint32_t* out_first, int64_t* out_count);
// Remove the particles inside a shape of `prefabs`. `where` null: the shape is where `prefabs` has
// it. `out_count`: how many; may be null.
FIRN_API firn_result firn_sim_remove_snow(firn_sim* sim, const firn_scene* prefabs,
                                          firn_shape_id shape, const firn_placement* where,
                                          int64_t* out_count);
// Remove particles by their ids (field "id"). Ids that no particle has are ignored.
FIRN_API firn_result firn_sim_remove_particles(firn_sim* sim, const uint32_t* ids, int64_t id_count,
                                               int64_t* out_count);

// ---- fields that the caller writes --------------------------------------------------------------

// A field of the particles to write into.
typedef struct firn_field_edit {
    const char* name;  // "velocity", ...
    const char* unit;  // "m/s", ...
    firn_field_type type;
    firn_local count;  // elements, in the order of firn_sim_field
    void* data;        // [count] of type: a copy, valid until the commit, the next step or edit
} firn_field_edit;
// Open a field for writing: change what you like of `data`, then call firn_sim_edit_commit. Several
// fields may be open. All solvers: position and velocity; mpm: def_grad_elastic, plastic_det,
// affine; sph: plastic_det, temperature; grains: spin, temperature. FIRN_REFUSED_NAME: not one of
// them, or the simulation does not have it.
FIRN_API firn_result firn_sim_field_edit(firn_sim* sim, const char* name,
                                         firn_field_edit* out_edit);
// Take over all fields that are open. Snow above 0 degC becomes wet (sph) or has 0 degC (grains).
// FIRN_REFUSED_ARGUMENT: a value is not valid (the sentence names it), the simulation was stepped
// or edited since, or no field is open; no value was taken, and all are closed.
FIRN_API firn_result firn_sim_edit_commit(firn_sim* sim);

// ---- save and restore in memory -----------------------------------------------------------------

// Copy the state of a simulation to `block`: particles, the solver's own state, what the caller has
// changed, time and step, loads. A simulation that is restored from it computes the same as this
// one, bit for bit. `out_size`: bytes written, or, with a null block, bytes needed; that changes
// with the number of particles. The block has a checksum and may go into a file; it is for this
// version, precision and byte order.
// FIRN_REFUSED_ARGUMENT: a null pointer, or `capacity` is too small.
FIRN_API firn_result firn_sim_save(firn_sim* sim, void* block, size_t capacity, size_t* out_size);
// Return to a state that firn_sim_save copied from this simulation or from another one that was
// created from the same scene, by any number of threads, on any backend. Every value is checked.
// FIRN_REFUSED_SCENE: the block is of another scene or solver. FIRN_REFUSED_ARGUMENT: of another
// precision or version, more particles than particles_max, no memory. FIRN_REFUSED_DAMAGED:
// checksum, structure or a value is wrong. The simulation is as before.
FIRN_API firn_result firn_sim_restore(firn_sim* sim, const void* block, size_t size);

#ifdef __cplusplus
}
#endif
