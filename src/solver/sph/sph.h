// SPDX-License-Identifier: MIT
// Implicit compressible SPH for snow: Gissler, Henne, Band, Peer, Teschner 2020.
// README.md in this folder has the table of steps and symbols.
#pragma once
#include "solver/solver.h"

typedef enum firn_sph_elasticity {
    FIRN_SPH_SPLIT,    // a pressure solve, then a shear solve (Algorithm 1)
    FIRN_SPH_COMBINED  // one solve for both (section 3.5)
} firn_sph_elasticity;

typedef enum firn_sph_pressure {
    FIRN_SPH_COMPRESSIBLE,   // eq. 5
    FIRN_SPH_INCOMPRESSIBLE  // IISPH, the comparison of figure 3: lambda is infinite, p >= 0
} firn_sph_pressure;

typedef enum firn_sph_rest_density {
    FIRN_SPH_CURRENT,  // eq. 21: from where the particles are
    FIRN_SPH_PLASTIC   // section 4.2.6: rho_0 / det F_P, as the material point method has it
} firn_sph_rest_density;

typedef enum firn_sph_clamp {
    FIRN_SPH_OBJECTIVE,  // F_E = U S U^T: turns with the snow (VALIDATION T40)
    FIRN_SPH_PAPER       // F_E = V S V^T, as section 3.3.1 prints it
} firn_sph_clamp;

typedef enum firn_sph_contact {
    FIRN_SPH_IMPLICIT,       // friction in the shear solve; forces along the surface's normal
    FIRN_SPH_CONTACT_PAPER,  // friction before the solves; forces as boundary particles lie
    FIRN_SPH_COULOMB  // as implicit, with Coulomb's friction instead of the paper's viscosity
} firn_sph_contact;

// The `sph` block of a scene; its key table is in sph_def.c.
typedef struct firn_sph_def {
    double spacing;               // h [m]; 0: chosen by the amount of snow
    double dt;                    // [s] fixed step; 0: chosen
    double dt_max;                // [s] largest chosen step; 0: by the spacing
    int64_t iterations_target;    // chosen step: shrinks dt when the shear solve needs more
    double cfl;                   // [spacings] that the fastest particle may cross in a chosen step
    int32_t elasticity;           // firn_sph_elasticity
    int32_t pressure;             // firn_sph_pressure
    int32_t rest_density;         // firn_sph_rest_density
    int32_t clamp;                // firn_sph_clamp
    int32_t contact;              // firn_sph_contact
    double density_error;         // the pressure solve stops here: mean |error| / rho_0
    double relaxation;            // omega of the relaxed Jacobi iteration
    int64_t pressure_iterations;  // most of them
    double shear_tolerance;       // the shear solve stops here, relative residual
    int64_t shear_iterations;     // most of them
    double boundary_volume;       // phi
    double boundary_depth;        // [h] that boundary particles are sunk into bodies
    double boundary_pressure;     // psi
    double heat_speed;            // factor on all flow of heat
    double gravity_rise;          // [s] in which gravity grows to its value
} firn_sph_def;

extern const firn_solver firn_solver_sph;
extern const firn_key_block firn_sph_keys;
