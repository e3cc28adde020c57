// SPDX-License-Identifier: MIT
// Step 2, line 5 of Algorithm 1, which is Algorithm 2: forces of neighbours and colliders,
// gravity, and which grains have broken bonds.
#pragma once
#include "solver/grains/grain_step.h"
#include "solver/grains/grains_state.h"

typedef struct firn_grains_cohesion_args firn_grains_cohesion_args;
struct firn_grains_cohesion_args {
    const firn_grain_constants* constants;
    const firn_grains_ops* ops;
    bool anchored;  // some grain is intact, or was until this step
    bool heats;     // air or some collider has a temperature
    bool fast;      // lists are in rows, and no grain is water: SIMD batches may be used
    const firn_grains_list* list;
    const firn_scene_data* scene;
    const firn_collider* colliders;
    firn_local collider_count;
    const firn_loads* loads;            // out: what colliders take
    const firn_real* body_temperature;  // [collider_count] [degC]; NaN: none
    firn_grains_particles p;  // read: grains of the work; written: neighbours, neighbours_max
    firn_grains_work w;  // read: grain; written: force, compression, near, touching, body_power,
                         // broken, sums
    firn_vec3 gravity;   // [m/s^2]
    firn_real dt;        // [s]
    // What happens with the sums of grains [begin, end): firn_grains_cohesion_store, or
    // firn_grains_finish_04_06
    void (*finish)(const firn_grains_cohesion_args* a, firn_local begin, firn_local end,
                   const firn_grains_sum* block, firn_grains_sums* sums);
    firn_grains_move_rules rules;  // of firn_grains_finish_04_06
};

void firn_grains_cohesion(const firn_grains_cohesion_args* a);
// Stores sums for the steps that follow.
void firn_grains_cohesion_store(const firn_grains_cohesion_args* a, firn_local begin,
                                firn_local end, const firn_grains_sum* block,
                                firn_grains_sums* sums);
// fast/fused_02_06.c: steps 4 to 6 at once.
void firn_grains_finish_04_06(const firn_grains_cohesion_args* a, firn_local begin, firn_local end,
                              const firn_grains_sum* block, firn_grains_sums* sums);
