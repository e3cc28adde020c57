// SPDX-License-Identifier: MIT
// Everything that one sph simulation owns, and the stages of a step in their order.
#pragma once
#include "core/simd/vec4.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "solver/shared/stages.h"
#include "solver/sph/boundary/boundary.h"
#include "solver/sph/laws/contact.h"
#include "solver/sph/laws/material.h"
#include "solver/sph/laws/rules.h"
#include "solver/sph/sph.h"
#include "solver/sph/sph_fields.h"
#include "state/pair_list.h"

// The stages, in order: the lines of Algorithm 1. Timers, log and stats.csv use the same names.
typedef enum firn_sph_stage {
    FIRN_SPH_00_PREPARE,
    FIRN_SPH_01_REST_DENSITY,
    FIRN_SPH_02_GRADIENT_CORRECTION,
    FIRN_SPH_03_OTHER_ACCELERATIONS,
    FIRN_SPH_03_COHESION,
    FIRN_SPH_04_FRICTION,
    FIRN_SPH_04_VISCOSITY,
    FIRN_SPH_05_PRESSURE,
    FIRN_SPH_06_SHEAR,
    FIRN_SPH_07_VELOCITY,
    FIRN_SPH_08_DEFORMATION,
    FIRN_SPH_09_ADVECT,
    FIRN_SPH_10_HEAT,
    FIRN_SPH_11_PHASES,
    FIRN_SPH_STAGE_COUNT
} firn_sph_stage;

typedef struct firn_sph_range {
    firn_local begin, end;
} firn_sph_range;

// The records of particles [begin, end).
static inline firn_sph_range firn_sph_contacts_of(const firn_sph_contact_sums* contact,
                                                  firn_local count, firn_local begin,
                                                  firn_local end)
{
    const firn_local edge[2] = {begin, end};
    firn_local first[2];
    for (int k = 0; k < 2; k++) {  // the first record whose particle is not below the edge
        firn_local low = 0, high = count;
        while (low < high) {
            const firn_local middle = low + (high - low) / 2;
            if (contact[middle].particle < edge[k])
                low = middle + 1;
            else
                high = middle;
        }
        first[k] = low;
    }
    return (firn_sph_range){first[0], first[1]};
}

#define FIRN_SPH_CHUNK 1024  // particles of a sum for stats.csv

// Grains of shared loops (core/threads/team.h): 3 to 10 microseconds each.
#define FIRN_SPH_SLICES 8      // slices: particles with their neighbours, 30 to 100 ns each
#define FIRN_SPH_SIMPLE 1024   // particles without neighbours, 3 to 10 ns
#define FIRN_SPH_CONTACTS 256  // records of particles near colliders, 10 to 30 ns

// Arrays of the step, one entry per particle, padded to a slice: SIMD lanes beyond the last
// particle read zeros. Names after the paper's symbols; written by the step in brackets.
// "[4]" are records that neighbours read (core/simd/lanes_gather.h); the rest is read by its own
// particle only.
typedef struct firn_sph_work {
    firn_local capacity;         // a multiple of FIRN_SLICE
    firn_real *x, *y, *z;        // position, one array per coordinate [prepare]
    firn_vec4* place;            // x_i, and m_i [prepare]; from step 1 on V_i instead of m_i
    firn_real* volume;           // V_i [1]
    firn_real* inverse_volume;   // 1/V_i; 0 beyond the last particle [1]
    firn_real* density;          // rho_i [1]
    firn_real* pressure;         // p_i, of the fast solve [5]
    firn_vec4* place_p;          // x_i, and V_i p_i; of the fast solve [5]
    firn_real* rest_density;     // rho_0,i [1]
    firn_real *lambda, *shear;   // hardened Lame parameters lambda_i, G_i [1]
    firn_real* F[6];             // F_E: xx xy xz yy yz zz [1]
    firn_real* S[3];             // sum V_j grad W_ij over snow [2]
    firn_real* S2;               // sum V_j |grad W_ij|^2 over snow [2]
    firn_real* B[3];             // sum V_b grad W_ib over colliders [prepare]
    firn_real* LB[3];            // L_i B_i, what eq. 19 has of colliders [2]
    firn_real* L[9];             // correction matrix, by rows [2]
    firn_real* M[6];             // sum V_j grad W_ij x_ji^T over snow: xx xy xz yy yz zz [2]
    firn_real* wall_kernel;      // sum V_b W_ib [prepare]
    firn_real* wall_divergence;  // sum V_b v_b . grad W_ib [prepare]
    firn_vec4* v_star;           // v_i^t + dt (known accelerations): v*, from step 5 on v** [3, 4]
    firn_vec4* weighted;         // V_j times a vector of particle j [5; plain loops: 6, 8]
    firn_real *source, *diagonal;  // rho_0 - rho*, a_ii [5]; in step 4 viscosity, -dt/m_i
    firn_real* weighted_p;         // V_i p_i, of the plain solve [5]
    firn_real* miss;               // |rho_0 - rho* - A p| / rho_0 [5]; in step 4 marks
    firn_vec4* stress;             // [3 i + r]: row r of V_i sigma_i L_i, one more real [6]
    firn_vec4 *a_G, *b, *r, *shadow, *p, *v, *s, *t;  // of the shear solve [6]
    double* partial;                                  // sums over chunks, of a solve
    firn_sums* sums;                                  // [chunks] [1]
    // Where something is incompressible only.
    bool mixed;
    // What the shear solve and the deformation of snow read instead of `place` and `S`, where there
    // are fluids (firn_sph_snow_work).
    firn_vec4* place_snow;  // x_i, and V_i of snow; 0 for fluids [2]
    firn_real* S_snow[3];   // sum V_j grad W_ij over snow, without fluids [2]
    uint8_t* snow_slice;    // [slices] 1: has a particle of snow [2]
    uint8_t* snow_chunk;    // [chunks of a sum] the same
    // In the work of firn_sph_snow_work: the two above. Loops over snow leave slices and chunks
    // with a 0 out. Null: all particles are snow.
    const uint8_t *only_slice, *only_chunk;
    void* memory;  // owned: all of the above
} firn_sph_work;

// A pass over snow leaves the slice out: all of its particles are fluids.
static inline bool firn_sph_leaves_out(const firn_sph_work* w, firn_local slice)
{
    return w->only_slice != NULL && w->only_slice[slice] == 0;
}

static inline bool firn_sph_is_fluid(const firn_sph_work* w, firn_local i)
{
    return w->lambda[i] > FIRN_SPH_LAMBDA_MOST;
}

typedef struct firn_sph_lumps firn_sph_lumps;  // rigid/sph_lumps.h
typedef struct firn_sph_ops firn_sph_ops;      // sph_cpu.h

typedef struct firn_sph {
    firn_solver_base base;  // its store is sorted by cell in `prepare`
    firn_sph_def def;
    const firn_sph_ops* ops;  // loops for the SIMD level chosen
    bool varies;              // particles have factors on hardening and thresholds
    bool heats;               // particles have temperatures
    bool changes;             // some material becomes another one
    bool fluids;              // some material is a fluid, or becomes one
    bool coheres;             // some material has a surface tension
    double spacing;           // h [m]

    firn_sph_particles p;          // typed pointers into base.store
    firn_seeds fresh;              // scratch: flakes that an emitter adds
    firn_sph_material* materials;  // owned [material_count]
    firn_local material_count;

    firn_neighbours cells;  // of the particles
    firn_vec3* near;        // owned: centres of occupied cells
    firn_local near_capacity;
    firn_boundary boundary;  // particles on colliders
    firn_neighbours wall;    // cells of the boundary particles
    bool wall_known;         // `wall` is up to date with `boundary`
    firn_pair_list pairs;
    firn_sph_contact_sums* contact;  // owned; particles near bodies, ascending
    firn_local contact_count, contact_capacity;
    firn_local* contact_first;  // owned scratch [cells + 1]
    firn_local contact_first_capacity;
    firn_sph_work w;
    firn_sph_lumps* lumps;  // owned: dynamic colliders (rigid/sph_lumps.h)

    // of the step
    firn_vec3 gravity;  // [m/s^2] in this step
    bool has_snow;      // some particle is snow
    bool viscous;       // some particle is a fluid with a viscosity of its own
    double mass_sum;    // [kg] of all particles, where there are fluids
    int pressure_iterations, shear_iterations, shear_restarts, viscosity_iterations;
    double pressure_error, shear_residual;
    bool warned;  // of a solve that did not converge, at warned_step
    int64_t warned_step;

    // carried from step to step (checkpoints), beside base.step
    double dt_factor;  // of a chosen step: adapted to the iterations of the shear solve
    uint32_t next_id;
    int64_t* emitted;         // owned [emitter_count]
    int64_t* emitted_before;  // owned scratch [emitter_count]: at the start of the step
} firn_sph;

// A constant of the material with the particle's own factor; `factor` null: 1 for all.
static inline firn_real firn_sph_varied(firn_real constant, const firn_real* factor, firn_local p)
{
    return factor != NULL ? constant * factor[p] : constant;
}

// The step's arrays as the snow among fluids sees them: neighbours that are fluids have no volume.
static inline firn_sph_work firn_sph_snow_work(const firn_sph* m)
{
    firn_sph_work snow = m->w;
    if (!m->fluids) return snow;
    snow.place = m->w.place_snow;
    for (int k = 0; k < 3; k++) snow.S[k] = m->w.S_snow[k];
    snow.only_slice = m->w.snow_slice;
    snow.only_chunk = m->w.snow_chunk;
    return snow;
}

// The sums over neighbours count volumes (Solenthaler and Pajarola 2008), not masses.
static inline bool firn_sph_counts_volumes(const firn_sph* m)
{
    return m->fluids || m->def.pressure == FIRN_SPH_INCOMPRESSIBLE;
}

// sph_prepare.c
firn_sph_dt_rules firn_sph_dt_rules_of(const firn_sph* m);
firn_result firn_sph_prepare(firn_sph* m, firn_error* error);
void firn_sph_refresh_pointers(firn_sph* m);
void firn_sph_take_gravity(firn_sph* m);  // of the step, whose length is known
// sph_work.c
firn_result firn_sph_work_reserve(firn_sph_work* work, firn_local count);
void firn_sph_work_destroy(firn_sph_work* work);
// Zeroes a slice beyond the last of `count` particles: no mass, no volume.
void firn_sph_work_clear_rest(firn_sph_work* work, firn_local count);
// sph_step.c
firn_result firn_sph_step(firn_sph* m, double time, double dt_limit, double dt_scale,
                          firn_step_report* out_report, firn_error* error);
extern const char* const firn_sph_stage_names[FIRN_SPH_STAGE_COUNT];
