// SPDX-License-Identifier: MIT
// Dynamic colliders in sph: snow and colliders are solved together, after Gissler et al. 2019,
// "Interlinked SPH pressure solvers for strong fluid-rigid coupling".
//
//     step 4   friction along the normal, implicit in the collider's velocity V
//     step 5   before each iteration: the pressures push the collider, and its new V enters the
//              source of the particles near it
//     step 6   V is a part of the snow's solve, friction along the surface included
//              (sph_lumps_shear.h)
//     step 7   what is left over is shared by the collider and the snow near it
//     step 9   particles inside a collider push it
//
// V is only what the snow sees: the load of the step moves the collider (shared/lumps.h).
#pragma once
#include "solver/shared/lumps.h"
#include "solver/sph/laws/face.h"
#include "solver/sph/laws/hold_shear.h"
#include "solver/sph/sph_state.h"

typedef struct firn_sph_pressure_args firn_sph_pressure_args;  // step05_pressure.h

struct firn_sph_lumps {
    firn_lumps lumps;
    firn_sph_hold* hold;  // owned; in the order of particles
    firn_local count, capacity;
    double (*before)[6];              // owned [lumps]: V that drag velocities have
    double (*start)[6];               // owned [lumps]: V before the pressure solve
    double (*first)[6];               // owned [lumps]: V that divergences have, that of t^n
    double (*soft)[FIRN_LUMP_TERMS];  // owned [lumps]: how pressures answer to V
    // of the shear solve: how snow answers, and the inverse of all that does
    double (*answer)[FIRN_LUMP_TERMS], (*yield)[FIRN_SPH_YIELD_TERMS];  // owned [lumps]
    double (*face)[FIRN_SPH_FACE_TERMS];  // owned [lumps]: pushes and pulls of its faces
    double (*known)[6], (*rate)[6];       // owned [lumps]: accelerations, by known terms and by a
    double (*pull)[6];                    // owned [capacity]: forces of holds
    firn_local lump_capacity;
};

void firn_sph_lumps_destroy(firn_sph_lumps* lumps);
// After contacts are summed: colliders of the step, and the particles near them.
// FIRN_BROKEN_MEMORY.
firn_result firn_sph_lumps_begin(firn_sph* m);
// V with friction; drag velocities follow.
void firn_sph_lumps_brake(firn_sph* m, firn_sph_brake brake);
// Drag velocities follow V.
void firn_sph_lumps_rub(firn_sph* m);
// Before an iteration of the pressure solve: V and the sources. `pressure`: as it is now.
void firn_sph_lumps_couple(firn_sph_lumps* lumps, const firn_sph_pressure_args* a,
                           const firn_real* pressure, bool is_first);
// After the pressure solve: divergences have the new V.
void firn_sph_lumps_follow(firn_sph* m);
// After step 7 and its loads: what they differ by from V goes to the collider and the particles
// near it as to one rigid lump, so that a light collider is stable whatever the solves left over.
// Momentum and angular momentum are exact.
void firn_sph_lumps_balance(firn_sph* m);
