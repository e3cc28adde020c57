// SPDX-License-Identifier: MIT
// Emitters of a simulation on a device, host side. Flakes appear there by themselves
// (cuda_flakes.cuh); how many have appeared follows from the time up to which they have, so that
// the host's counts and the device's time say the same.
#pragma once
#include "math/box3.h"
#include "scene/data/emitter.h"
#include "solver/shared/device_sim.h"

typedef struct firn_scene_data firn_scene_data;    // scene/data/scene.h
typedef struct firn_step_report firn_step_report;  // solver/solver.h

#ifdef __cplusplus
extern "C" {
#endif

// An emitter, and what its flakes begin with.
typedef struct firn_device_emitter {
    firn_emitter law;
    firn_box3 box;                 // around its shape
    firn_real mass, volume;        // [kg], [m^3]
    firn_real temperature, water;  // set by the solver, where it has them
} firn_device_emitter;

// Emitter k as it is now; called before each batch.
typedef void firn_device_emitter_of(void* self, firn_local k, firn_device_emitter* out);

// All but temperature and water. `spacing` [m]: of the solver, for emitters without a size.
void firn_device_emitter_fill(const firn_scene_data* scene, firn_local k, double spacing,
                              firn_device_emitter* out);

// After a step: counts the flakes that appeared in it, from the ids that have been given up to it.
// `emitted` [emitter_count].
void firn_device_take_flakes(const firn_scene_data* scene, const firn_device_record* record,
                             double next_id_after, uint32_t* next_id, int64_t* emitted,
                             firn_step_report* report);

#ifdef __cplusplus
}
#endif
