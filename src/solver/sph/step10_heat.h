// SPDX-License-Identifier: MIT
// Not in Algorithm 1: heat between particles, to colliders and to the air; stiffness depends on it
// (Gissler 2020, section 4.1.4, figure 7). physics/heat.h has the laws.
#pragma once
#include "solver/sph/sph_state.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

typedef struct firn_sph_heat_args {
    const firn_scene_data* scene;
    const firn_pair_list* pairs;
    const firn_sph_work* work;             // in: place (x, V); scratch: source
    firn_sph_particles p;                  // in: mass, material; in and out: temperature, water
    const firn_sph_material* materials;    // in: heat, c_ice, c_water
    const firn_sph_contact_sums* contact;  // in: heat_rate, heat_power
    firn_local contact_count;
    double time;  // [s] at the start of the step: how warm the air is
    double dt;    // [s] of heat: the step times heat_speed
    firn_real h;  // [m]
} firn_sph_heat_args;

// The longest explicit step that no particle of the scene overshoots in [s]. A particle may be
// denser than fresh snow and have more neighbours: half of what the lattice allows.
double firn_sph_heat_limit(const firn_scene_data* scene, double time, firn_real h);

// As many explicit substeps as stability needs (firn_heat_step_limit).
void firn_sph_heat(const firn_sph_heat_args* args);
