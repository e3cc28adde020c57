// SPDX-License-Identifier: MIT
// Functions of the sph solver that several of its files use.
#pragma once
#include "solver/sph/sph_state.h"

// sph_def.c
double firn_sph_spacing(const firn_scene_data* scene);            // h [m], given or chosen
double firn_sph_dt_max(const firn_sph_def* def, double spacing);  // [s]
// The key of a setting that may keep the pressure (shear) solve from converging; null: there is
// none.
const char* firn_sph_loose_setting(const firn_sph_def* def, bool shear);
bool firn_sph_has_fluids(const firn_scene_data* scene);   // among its materials
bool firn_sph_has_changes(const firn_scene_data* scene);  // some material becomes another one
bool firn_sph_has_tension(const firn_scene_data* scene);  // some material has a surface tension
void firn_sph_check(const firn_scene_data* scene, firn_diagnostics* diagnostics);
firn_solver_estimate firn_sph_estimate(const firn_scene_data* scene);
// Memory of a GPU that a particle takes [bytes]; cuda/sph_gpu.c
double firn_sph_device_bytes(const firn_scene_data* scene);
// sph_prepare.c: appends particles. `whole`: each has the mass of h^3 of its snow, whose density
// may vary; otherwise they are flakes, which may be smaller and have the density of the material.
firn_result firn_sph_take_seeds(firn_sph* m, const firn_seeds* seeds, bool whole);
// The second half of it, for particles that were appended from these seeds.
void firn_sph_dress_seeds(firn_sph* m, const firn_seeds* seeds, bool whole);
// Snow that is given as warmer than 0 degC is wet.
void firn_sph_limit_warmth(firn_sph* m, firn_local p);
