// SPDX-License-Identifier: MIT
// Shared by the files that implement the scene part of firn.h.
#pragma once
#include "scene/data/vary.h"
#include "sim/defs.h"
#include "sim/sim.h"

void firn_scene_forget_messages(firn_scene* scene);
void firn_scene_keep_messages(firn_scene* scene);  // text from the diagnostics
// Replaces the scene's messages by one error; returns its code.
firn_result firn_scene_refuse(firn_scene* scene, const firn_error* error);
// Reads a definition (sim/defs.h); a refusal is the scene's message.
firn_result firn_scene_take_def(firn_scene* scene, firn_def_kind kind, const void* def,
                                void* out_own);
// Finds the shape and the material (null: the first) of snow or an emitter. scene_build.c
firn_result firn_scene_find_parts(firn_scene* scene, const char* what, firn_shape_id shape,
                                  firn_material_id material, firn_local* out_shape,
                                  firn_local* out_material);
// Adds the snow of table 2 if the scene has no material yet. scene_build.c
firn_result firn_scene_need_material(firn_scene* scene);
// Checks a def that was read (firn_def_take) and makes the snow body of it, with the scene's first
// material where it names none; the body owns its variation (firn_vary_release). scene_build.c
firn_result firn_snow_build(const firn_scene* scene, const firn_snow_def* def, firn_snow* out_snow,
                            firn_error* error);
// Makes the variation of a def; owned by the caller (firn_vary_release). snow_vary.c
firn_result firn_snow_vary_build(const firn_snow_def* def, firn_vary* out_vary, firn_error* error);
// Checks a def of an emitter of this scene and converts it. scene_emitters.c
firn_result firn_emitter_from_def(const firn_scene* scene, const firn_emitter_def* def,
                                  firn_emitter* out_emitter, firn_error* error);
// scene_support.c: reports features of the scene that its solver does not support.
void firn_scene_check_solver(const firn_scene_data* scene, const firn_solver* solver,
                             firn_diagnostics* diagnostics);
