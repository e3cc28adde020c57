// SPDX-License-Identifier: MIT
// Flakes of emitters. Number k = 0, 1, ... of an emitter is due at start + (k + 1)/rate and is a
// pure function of (seed, k): whatever steps a run takes, and wherever it is resumed, the same
// flakes appear.
#pragma once
#include "scene/run/seed.h"

typedef struct firn_emitter firn_emitter;  // scene/data/emitter.h

// The emitter with `rate` and `limit` set from `flow` and `mass`; both stay as they are without.
// `spacing` [m]: of the solver, for emitters without a size.
firn_emitter firn_emitter_settled(const firn_scene_data* scene, const firn_emitter* emitter,
                                  double spacing);
// All emitters of the scene. Call it before the functions below.
void firn_emitters_settle(firn_scene_data* scene, double spacing);

// The flakes that are due up to time + dt and that `emitted` does not count yet, moved on for the
// time since they were due. `spacing` [m]: of the solver, for emitters without a size. `emitted`
// [emitter_count]: how many each has given, in and out; it belongs into checkpoints. `out_seeds`,
// zeroed to begin with, is overwritten and grows when needed; its count is the number of new ones.
// FIRN_BROKEN_MEMORY, FIRN_REFUSED_SCENE (a shape too thin for rejection sampling, more than 2^31-1
// flakes at once): `emitted` is unchanged, out_seeds is empty.
firn_result firn_flakes_emit(const firn_scene_data* scene, double time, double dt, double spacing,
                             int64_t* emitted, firn_seeds* out_seeds, firn_error* error);

// A time [s] up to which exactly the flakes that `emitted` counts are due: the last of them was.
// Minus infinity: none.
double firn_flakes_until(const firn_scene_data* scene, const int64_t* emitted);

// Counts as given what was due when the simulation begins (time.first): [emitter_count].
void firn_flakes_begin(const firn_scene_data* scene, int64_t* emitted);

// How many flakes are due up to `time` [s] that `emitted` does not count yet.
int64_t firn_flakes_due(const firn_scene_data* scene, const int64_t* emitted, double time);

// FIRN_REFUSED_SCENE: the emitter's shape is too thin.
firn_result firn_flakes_no_place(firn_local emitter, firn_error* error);
