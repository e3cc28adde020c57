// SPDX-License-Identifier: MIT
// Implicit SPH on a CUDA device: what is specific to it beside solver/shared/cuda_sim.h.
// What one particle computes is in the headers that the CPU uses (laws/, physics/), and sums have
// the order of the CPU's SIMD loops: results are bitwise equal to those of a CPU with fused
// multiply-adds. README.md has the table of kernels, design/0025 why they look as they do.
#pragma once
#include "solver/shared/cuda/device_air.h"
#include "solver/shared/cuda/device_flakes.h"
#include "solver/shared/cuda_sim.h"
#include "solver/sph/laws/rules.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct firn_sph_becomes firn_sph_becomes;          // laws/phases.h
typedef struct firn_velocity_volume firn_velocity_volume;  // geometry/levelset/velocity_volume.h
typedef struct firn_sph_climate firn_sph_climate;          // sph_climate.h
typedef struct firn_snow_material firn_snow_material;      // physics/snow_material.h
typedef struct firn_sph_material firn_sph_material;        // laws/material.h

#define FIRN_SPH_CUDA_BATCH 32  // most steps of a batch

// Entries of firn_device_record.stamp: when these began.
enum {
    FIRN_SPH_STAMP_PREPARE,
    FIRN_SPH_STAMP_01,
    FIRN_SPH_STAMP_02,
    FIRN_SPH_STAMP_03_04,
    FIRN_SPH_STAMP_05,
    FIRN_SPH_STAMP_06,
    FIRN_SPH_STAMP_07_09,
    FIRN_SPH_STAMP_END
};

// Entries of firn_device_batch.carried.
enum { FIRN_SPH_CARRIED_DT_FACTOR, FIRN_SPH_CARRIED_NEXT_ID, FIRN_SPH_CARRIED_EMITTED_UNTIL };

// Settings that may change between steps.
typedef struct firn_sph_settings {
    double gravity_rise;  // [s]
    firn_device_air air;
    const firn_sph_climate* climate;  // on the host; borrowed for the call
} firn_sph_settings;

typedef struct firn_boundary firn_boundary;  // boundary/boundary.h

// Boundary particles of rigid colliders in their own coordinates, on the host.
typedef struct firn_sph_cuda_samples {
    const firn_boundary* boundary;      // of all colliders
    const firn_vec3 *own, *own_normal;  // [count]
    const firn_real* own_volume;        // [count] [m^3] at the sampled scale
    const int32_t* body;                // [count] ascending
    firn_local count;
} firn_sph_cuda_samples;

// Edge of the blocks of space in which surfaces are sampled when snow comes near [h].
#define FIRN_SPH_BLOCK 16
// How far from the middle of a cell of 2 h surfaces need samples [h]: its corner is 1.74 h away,
// the kernel reaches 2 h, and the particles are sunk below the surface.
#define FIRN_SPH_REACH 4

// A block of space that snow has reached: of the world, for colliders that rest; or of the local
// coordinates of one that moves.
typedef struct firn_sph_block {
    firn_local body;  // -1: the world
    int32_t at[3];
} firn_sph_block;

// Samples all surfaces near blocks, at this time [s]; called by `grow`, which uploads what changed.
typedef firn_result firn_sph_cuda_sample(void* self, const firn_sph_block* blocks, int count,
                                         double time, firn_sph_cuda_samples* out_samples,
                                         firn_error* error);

typedef struct firn_lumps firn_lumps;  // solver/shared/lumps.h

// Dynamic colliders of a step, on the host.
typedef struct firn_sph_cuda_lumps {
    const firn_lumps* lumps;
    const double (*first)[6];  // [lumps] V at t^n
    const firn_vec3* center;   // [colliders] what torques are about, local
} firn_sph_cuda_lumps;

// Begins the step of the engine that moves dynamic colliders, when its length is known [s].
typedef firn_result firn_sph_cuda_begin(void* self, double time, double dt, bool last,
                                        firn_sph_cuda_lumps* out_lumps, firn_error* error);

// Constants of a simulation. Start from zero.
typedef struct firn_sph_cuda_def {
    double spacing;  // h [m]
    firn_sph_settings settings;
    firn_sph_dt_rules dt;
    bool combined;  // elasticity: combined
    bool plastic;   // rest_density: plastic
    bool paper_clamp, paper_contact, coulomb;
    bool varied;           // particles have factors on hardening and thresholds
    firn_real psi;         // boundary_pressure
    firn_real relaxation;  // omega
    double density_error;
    int pressure_iterations;
    double shear_tolerance;
    int shear_iterations;
    bool fluids;          // some material is a fluid, or becomes one
    bool incompressible;  // sph.pressure: incompressible
    bool coheres;         // some material has a surface tension
    firn_real boundary_volume;
    bool heats;                          // particles have temperatures
    bool warmth;                         // particles have firn_sph_device.warmth
    const firn_sph_material* materials;  // copied
    const firn_snow_material* snow;      // copied
    const firn_sph_becomes* becomes;     // copied; null: no changes of phase
    firn_local material_count;
    double boundary_depth, boundary_factor;  // boundary/boundary.h
    firn_device_cull cull;
    firn_sph_cuda_sample* sample;
    firn_sph_cuda_begin* begin_bodies;  // null: no dynamic colliders
    const firn_velocity_volume* wind;   // copied; null: the wind is the same everywhere
    firn_local emitter_count;
    firn_device_emitter_of* emitter_of;
    void* self;  // for these
} firn_sph_cuda_def;

// Why a step failed.
typedef enum firn_sph_cuda_end {
    FIRN_SPH_CUDA_LOST = FIRN_DEVICE_FAULT,  // a particle is not finite or beyond the cells
    FIRN_SPH_CUDA_CROWDED,                   // more neighbours than lists hold
    FIRN_SPH_CUDA_PRESSURE,                  // the pressure solve went astray
    FIRN_SPH_CUDA_SHEAR,                     // the shear solve went astray
    FIRN_SPH_CUDA_VISCOSITY,                 // the viscosity solve went astray
    FIRN_SPH_CUDA_RUNAWAY,                   // a particle would cross more than two spacings
    FIRN_SPH_CUDA_NO_PLACE,                  // no place for a flake; fault_value: which emitter's
    FIRN_SPH_CUDA_FULL                       // more flakes than were expected
} firn_sph_cuda_end;

// What a step did. Energies describe its start.
typedef struct firn_sph_cuda_record {
    firn_device_record base;
    double elastic, plastic_min, plastic_max;
    double neighbours;  // per particle, on average
    double pressure_error, pressure_goal, shear_residual, viscosity_residual;
    int32_t pressure_iterations, shear_iterations;
    int32_t shear_converged;
    int32_t viscosity_iterations, viscosity_converged;
    int32_t cell_count;
} firn_sph_cuda_record;

extern const firn_cuda_kernels firn_sph_kernels;

#ifdef __cplusplus
}
#endif
