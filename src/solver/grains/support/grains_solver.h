// SPDX-License-Identifier: MIT
// Functions of the grains solver that several of its files use.
#pragma once
#include "solver/grains/grains_state.h"
#include "solver/grains/support/grains_rules.h"
#include "solver/shared/fault.h"

// grains_constants.c
double firn_grains_radius(const firn_scene_data* scene);  // r_s [m], given or chosen
// Radius of grains that start at the material's density [m].
double firn_grains_start_radius(const firn_scene_data* scene, firn_local material);
// Initial distance of grains of a snow body, in 2 r_s: with mass: bulk so that their masses add up
// to the body's.
double firn_grains_pitch(const firn_scene_data* scene, const firn_snow* snow);
double firn_grains_snow_mass(const firn_scene_data* scene, const firn_snow* snow);  // [kg]
double firn_grains_dt(const firn_scene_data* scene);  // [s], given or chosen
firn_grain_constants firn_grains_constants(const firn_scene_data* scene, double dt);
// grains_impact.c
// [m/s] at which a snow body hits something: given, or by its velocity and the colliders below it.
double firn_grains_impact_speed(const firn_scene_data* scene, const firn_snow* snow);
// Factor on Young's moduli of solid snow: impacts are slower than FIRN_GRAINS_MACH of sound.
double firn_grains_stiffening(const firn_scene_data* scene);
// grains_def.c
// Mean number of neighbours within reach and skin, in packed grains of fresh snow or of ice.
double firn_grains_crowd(const firn_grain_constants* c, bool may_heat);
void firn_grains_check(const firn_scene_data* scene, firn_diagnostics* diagnostics);
firn_solver_estimate firn_grains_estimate(const firn_scene_data* scene);
// grains_seed.c: the first particles. FIRN_BROKEN_MEMORY.
firn_result firn_grains_take_seeds(firn_grains* m, const firn_seeds* seeds);
// The second half of it, for grains that were appended from these seeds.
void firn_grains_dress_seeds(firn_grains* m, const firn_seeds* seeds);
// grains_edit.c: for the solver's table.
firn_result firn_grains_add(void* self, const firn_seeds* seeds, uint32_t* next_id,
                            firn_error* error);
firn_result firn_grains_keep(void* self, const firn_local* keep, firn_local count,
                             firn_error* error);
firn_result firn_grains_write(void* self, const firn_field* field, const void* values,
                              firn_error* error);
firn_result firn_grains_edit_settle(void* self, firn_error* error);
// grains_work.c: all memory of a step, for `capacity` grains. Lists must be recalled after it.
// FIRN_BROKEN_MEMORY: what there was is still there.
firn_result firn_grains_reserve(firn_grains* m, firn_local capacity);
// grains_prepare.c
firn_result firn_grains_prepare(firn_grains* m, firn_error* error);
void firn_grains_refresh_pointers(firn_grains* m);
firn_grains_dt_rules firn_grains_dt_rules_of(const firn_grains* m);
// grains_fault.c: message of a step that diverged: what, where, likely cause. The value of
// firn_culprit is the radius [m].
firn_culprit firn_grains_culprit_of(const firn_grains* m, firn_local i);
firn_result firn_grains_fault_lost(const firn_grains* m, const firn_culprit* culprit,
                                   firn_error* error);
firn_result firn_grains_fault_runaway(const firn_grains* m, const firn_culprit* culprit,
                                      firn_error* error);
firn_result firn_grains_fault_crowded(const firn_grains* m, const firn_culprit* culprit,
                                      firn_error* error);
// grains_step.c
firn_result firn_grains_step(firn_grains* m, double time, double dt_limit, double dt_scale,
                             firn_step_report* out_report, firn_error* error);
extern const char* const firn_grains_stage_names[FIRN_GRAINS_STAGE_COUNT];
