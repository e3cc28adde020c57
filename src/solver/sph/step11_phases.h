// SPDX-License-Identifier: MIT
// Not in Algorithm 1: particles whose material becomes another one (Gissler 2020, section 4.3.4 has
// a viscous fluid that turns to snow). By time, by temperature, or by heat: snow that has melted
// altogether, a fluid that is frozen through. The particle keeps mass, position, velocity and
// temperature; F_E is 1. Its rest density begins at the density that it has, at which there is no
// pressure, and reaches that of the new material within `over`.
#pragma once
#include "solver/sph/laws/phases.h"
#include "solver/sph/sph_state.h"

typedef struct firn_becomes firn_becomes;        // scene/data/snow.h
typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h

firn_sph_becomes firn_sph_becomes_of(const firn_becomes* b);

typedef struct firn_sph_phases_args {
    const firn_scene_data* scene;  // when materials change
    const firn_sph_material* materials;
    firn_sph_particles p;  // in and out: all that depends on the material
    double dt;             // [s]
} firn_sph_phases_args;

// Compiled once, for the baseline.
void firn_sph_phases(const firn_sph_phases_args* args);
