// SPDX-License-Identifier: MIT
// The gravity of a scene, and its force fields.
#pragma once
#include "math/vec3.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct firn_force firn_force;            // physics/force_field.h
typedef struct firn_gravity firn_gravity;        // scene/data/gravity.h
typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

// [m/s^2] at a time [s], by the scene's keys or constant.
firn_vec3 firn_scene_gravity(const firn_scene_data* scene, double time);
// [m/s^2] of all force fields at x [m] and time [s], without gravity. A pure function.
firn_vec3 firn_scene_force(const firn_scene_data* scene, firn_vec3 x, double time);

// What a device evaluates by itself: a copy of the gravity, and the force fields, which are
// borrowed.
void firn_scene_gravity_copy(const firn_scene_data* scene, firn_gravity* out);
const firn_force* firn_scene_forces(const firn_scene_data* scene, firn_local* out_count);

#ifdef __cplusplus
}
#endif
