// SPDX-License-Identifier: MIT
// Dynamic colliders in the shear solve: their accelerations A [m/s^2, rad/s^2] are unknowns of it,
// as the particles' a are. Of V^{t+dt} = V + dt A, with V after the pressure solve,
//
//     M A = sum over particles near it: - V_i tr(sigma_i)/3 L_i G_i + m_i kappa_i T (v_i - v_b)
//
// with the stress and the velocities at the end of the step: sigma_i of a and of w_i = G_i . J_i A,
// v_b = J_i (V + dt A). A particle's own answer to A is local, so that A is eliminated:
//
//     K A = F(a) + F_known,   K = M + what it rests on + sum (J^T V_i k_i/3 L_i G_i) (J^T G_i)^T
//                                 + sum J^T m_i dt kappa_i T J,     k_i = d tr(sigma_i)/d w_i
//
// In each application of the operator: stresses by a; F(a) and A; stresses by w_i are added; forces
// of all stresses; friction with J_i A. So the snow feels how the collider gives way, and the
// collider feels what the snow ends with, whatever either of them weighs: nothing is left to share
// between them but the solve's residual, couples, and what two colliders near one particle do to
// each other (sph_lumps.h).
#pragma once
#include "solver/sph/rigid/sph_lumps.h"

typedef struct firn_sph_shear_args firn_sph_shear_args;  // step06_shear.h

// Stresses of a field: `trace` in work->source, V_i sigma_i L_i in work->stress.
typedef struct firn_sph_yield_args {
    const firn_sph_shear_args* shear;
    const firn_vec4* u;  // a; v** where `known`
    bool known;          // the right-hand side
    firn_vec4* rows;     // gets what a particle's own stress does; null: `stress` has tr(sigma)/3
} firn_sph_yield_args;

// Before the solve: how colliders answer. Drag velocities follow V.
void firn_sph_lumps_open_shear(firn_sph* m);
// Between the stresses of a field and their forces: A, stresses by w_i, and `follow` of contacts.
void firn_sph_lumps_yield(firn_sph_lumps* lumps, const firn_sph_yield_args* args);
// After a first solve, and the operator on its result: Coulomb's friction of the speed that the
// snow has at the end of the step, for the solve that follows. `a`: of that solve.
void firn_sph_lumps_grip_again(const firn_sph_shear_args* shear, const firn_vec4* a);
// After the solve, and the operator on its result: V has dt A; divergences and drag velocities
// follow.
void firn_sph_lumps_close_shear(firn_sph* m);
