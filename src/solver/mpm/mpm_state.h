// SPDX-License-Identifier: MIT
// Everything that one mpm simulation owns, and the stages of a step in their order.
#pragma once
#include "core/simd/vec4.h"
#include "physics/snow_hardening.h"
#include "physics/snow_stress.h"
#include "solver/mpm/material/mpm_material.h"
#include "solver/mpm/mpm_fields.h"
#include "solver/mpm/support/mpm_ageing.h"
#include "solver/mpm/support/mpm_choose.h"
#include "solver/mpm/support/mpm_rules.h"
#include "solver/shared/stages.h"
#include "state/block_sort.h"
#include "state/stencil.h"

// The stages, in order. Timers, log and stats.csv use the same names (mpm_step.c).
typedef enum firn_mpm_stage {
    FIRN_MPM_00_PREPARE,
    FIRN_MPM_01_RASTERIZE,
    FIRN_MPM_02_VOLUMES,
    FIRN_MPM_03_FORCES,
    FIRN_MPM_04_GRID_VELOCITY,
    FIRN_MPM_05_GRID_COLLIDE,
    FIRN_MPM_06_SOLVE,
    FIRN_MPM_07_DEFORMATION,
    FIRN_MPM_08_PARTICLE_VELOCITY,
    FIRN_MPM_09_PARTICLE_COLLIDE,
    FIRN_MPM_10_ADVECT,
    FIRN_MPM_FUSED_01_03,  // instead of 1 and 3, except in the first step
    FIRN_MPM_FUSED_07_10,  // instead of 7 to 10
    FIRN_MPM_STAGE_COUNT
} firn_mpm_stage;

// True in the step that finds V_p^0 on the grid (step 2): the first one, with `volumes: grid`.
static inline bool firn_mpm_is_weighing(const firn_mpm_def* def, int64_t step)
{
    return step == 0 && def->volumes == FIRN_MPM_VOLUMES_GRID;
}

// A constant of the material with the particle's own factor; `factor` null: 1 for all.
static inline firn_real firn_mpm_varied(firn_real constant, const firn_real* factor, firn_local p)
{
    return factor != NULL ? constant * factor[p] : constant;
}

// Rate of hardening of particle p, or of softening where J_P > 1; `factor` as above.
static inline firn_real firn_mpm_rate(const firn_mpm_material* mat, const firn_real* factor,
                                      firn_local p, firn_real J_P)
{
    return firn_mpm_varied(firn_snow_rate(mat->xi, mat->xi_t, J_P), factor, p);
}

// What a particle contributes to the linear system, fixed during a solve (step 6).
typedef struct firn_mpm_linear {
    firn_mat3 R_E;
    firn_spin_solve A;
    firn_lame lame;  // hardened, times V_p^0 [J]
} firn_mpm_linear;

// What went wrong with which particle; -1: nothing. The lowest particle of the lowest block wins,
// whatever the number of threads.
typedef struct firn_mpm_fault {
    firn_local inverted;  // step 7: det F_hat <= 0 or not finite
    firn_local runaway;   // step 10: not finite, or crossed more than a cell
} firn_mpm_fault;

typedef struct firn_mpm_contacts firn_mpm_contacts;  // rigid/mpm_contacts.h
typedef struct firn_mpm_ops firn_mpm_ops;            // mpm_cpu.h
typedef struct firn_mpm_crew firn_mpm_crew;          // ranks/rank_crew.h
typedef struct firn_mpm_part firn_mpm_part;          // ranks/rank_part.h

typedef struct firn_mpm {
    firn_solver_base base;
    firn_mpm_def def;
    const firn_mpm_ops* ops;  // loops for the SIMD level chosen
    bool holds;               // particles have a grip on colliders
    bool clays;               // some material has Cam-Clay plasticity
    bool ages;                // particles creep and sinter
    bool varies;              // particles have factors on hardening and thresholds
    bool keyed;               // constants of some material change over time
    double lightest;  // smallest factor on the density of any particle, at most 1: sound is faster

    firn_mpm_particles p;          // typed pointers into base.store
    firn_mpm_material* materials;  // owned [material_count]
    firn_local material_count;

    firn_sparse_grid grid;
    firn_block_sort sort;
    firn_local node_capacity, solve_capacity;
    firn_vec4* node_velocity;  // owned; v_i^n, and m_i in the fourth component
    firn_vec4* node_force;     // owned; f_i
    firn_vec4* node_solved;    // owned; semi-implicit only
    firn_vec4* node_new;       // v_i^*, then v_i^{n+1}: in node_solved, or where f_i was
    uint8_t* node_fixed;       // owned; 1: a collider sets this node's velocity; 2: a dynamic one
    firn_vec4 *cr_r, *cr_p, *cr_Az, *cr_Ap, *cr_b;  // owned; semi-implicit only
    firn_vec4 *cr_scale, *cr_z;                     // owned; with a preconditioner only
    double* cr_partial;                             // owned
    firn_mpm_linear*
        linear;  // owned; semi-implicit only; the fast loops store their own form there
    firn_cell_offset* cell_offset;  // owned; semi-implicit only
    firn_mpm_contacts* contacts;    // owned; with dynamic colliders (rigid/mpm_contacts.h)
    size_t linear_stride;           // elements of both: particles and a SIMD batch more
    firn_sums* sums;                // owned [occupied blocks]; steps 1 and 3
    firn_mpm_fault* faults;         // owned [occupied blocks]
    firn_local sums_capacity;

    firn_powder* powder;      // owned; null: none
    int64_t* emitted_before;  // owned [emitter_count]: scratch of mpm_emit.c
    firn_seeds fresh;         // owned: its new particles

    firn_mpm_crew* crew;  // owned: the particles are on several ranks; else null
    firn_mpm_part* part;  // owned: this is one rank's share of them; else null

    // of the step
    bool implicit;       // step 6 solves
    firn_vec3 gravity;   // [m/s^2]
    firn_real slow;      // [m/s] slip that grip may stop: what gravity reaches within a cell
    double max_sound;    // [m/s], found in prepare
    firn_real mass_min;  // nodes lighter than this are empty [kg]
    int iterations;
    double residual;

    // carried from step to step (checkpoints), beside base.step
    double dt_factor;        // semi-implicit, chosen step: learnt from iteration counts
    firn_mpm_choice choice;  // integrator: auto
    int64_t* emitted;        // owned [emitter_count]: particles that each emitter has given
    uint32_t next_id;        // of the next particle; 0: unknown
} firn_mpm;

// mpm_prepare.c
firn_result firn_mpm_prepare(firn_mpm* m, firn_error* error);
void firn_mpm_refresh_pointers(firn_mpm* m);
// mpm_materials.c: the scene's materials, with their keys at a time [s], into m->materials.
void firn_mpm_take_materials(firn_mpm* m, double time);
firn_mpm_material_def firn_mpm_material_def_of(const firn_mpm* m, firn_local k);
void firn_mpm_take_gravity(firn_mpm* m);  // sets gravity and slow from the scene
firn_mpm_dt_rules firn_mpm_dt_rules_of(const firn_mpm_def* def);
// integrator: auto, first step of a frame: decides by the speeds in m, and says so in the log.
void firn_mpm_choose_now(firn_mpm* m);
// mpm_step.c
firn_result firn_mpm_step(firn_mpm* m, double time, double dt_limit, double dt_scale,
                          firn_step_report* out_report, firn_error* error);
extern const char* const firn_mpm_stage_names[FIRN_MPM_STAGE_COUNT];
