// SPDX-License-Identifier: MIT
// The block that steers a step of the SPH solver on a GPU, with the states of its solves.
#pragma once
#include "solver/shared/cuda/cuda_flakes.cuh"
#include "solver/shared/cuda_sim.cuh"
#include "solver/sph/cuda/sph_cuda.h"
#include "solver/sph/laws/pressure.h"
#include "solver/sph/laws/residual.h"

// Sums of two vectors, as firn_bicg_dots.
typedef struct firn_sph_dots {
    double ab, aa, bb;
} firn_sph_dots;

// State of Bi-CGSTAB (linalg/bicgstab.h).
typedef struct firn_sph_bicg {
    double size, goal, over;  // |b|, where it stops, what residuals are relative to
    double rho, alpha, omega;
    firn_sph_dots sr;  // of the shadow and r
    double residual;
    float alpha_f, beta_f, omega_f, scale_f;  // factors of the next pass
    int fresh;                                // after a start or restart
    int was_fresh;                            // at the start of the iteration
    int broken;     // the iteration broke down: its passes are skipped, a restart follows
    int second;     // its second half is needed
    int late;       // it breaks down at its end
    int verifying;  // the restart checks the residual
    int verified;
    int iterations, restarts, converged;
    int zero;  // b is 0
} firn_sph_bicg;

// State of the viscosity solve by conjugate residuals (linalg/cr.h).
typedef struct firn_sph_cr {
    double size;  // what residuals are relative to
    double rr, zAz;
    double residual;
    float alpha, beta;  // factors of the next pass
    int iterations, converged;
    int active;              // it iterates
    double left[3], weight;  // what walls have not given of the change of momenta
} firn_sph_cr;

// What a step knows and has found, beside the common part.
struct firn_sph_control : firn_cuda_control {
    double dt_factor;
    unsigned speed2;       // bits of the largest |v|^2 at the start
    unsigned body_speed2;  // the same of boundary particles near snow
    int gone;              // particles that the scene culls in this step
    int cell_count, wall_cell_count;
    int cells_needed;  // more than `cell_count` where there is no room for them
    int contact_count;
    int hold_count;              // room for holds of all contact records (rigid/rigid.cuh)
    unsigned rows;               // of lists, all together
    unsigned long long pairs;    // neighbours, all together
    int missing;                 // blocks of space without samples were found
    int stale;                   // samples of a collider are not for its scale or key frames
    int lost, crowded, runaway;  // particles at fault; INT_MAX: none
    firn_vec3 gravity;
    float gravity_size;
    firn_sph_jacobi jacobi;
    int jacobi_lost;  // the solve restarts from zero pressure
    firn_sph_bicg bicg;
    int first_shear;  // iterations of a first solve of the shear, where a second follows
    firn_sph_cr cr;
    int has_snow, viscous;     // some particle is snow; a fluid with a viscosity of its own
    double mass;               // [kg] of all particles, where there are fluids
    double pressure_goal;      // mean density error that is good enough
    float excess;              // alpha of firn_sph_excess
    double got[FIRN_SPH_GOT];  // by particles in step 6: sph_loads.cu
    firn_sph_residual residual;
    float plastic_low, plastic_high;  // of J_P, while they are found
    double elastic, plastic_min, plastic_max, momentum[3], kinetic, potential;
    firn_cuda_emission emission;  // emitters (sph_emit.cu)
    double air;                   // [degC] its temperature
    int heat_parts;               // substeps of heat that are left
    float heat_dt;                // [s] of one
};
