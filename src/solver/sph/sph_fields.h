// SPDX-License-Identifier: MIT
// The particle fields of the SPH solver, listed once: allocation, copying, sorting, checkpoints,
// hashing and export are driven by this list.
#pragma once
#include "state/particles.h"

// clang-format off
//    field             C type     kind  unit     written by changes values
#define FIRN_SPH_FIELDS(X)                                                                        \
    X(position,         firn_vec3, VEC3, "m",     "step09",  ALWAYS, FINITE)     /* x_i */        \
    X(velocity,         firn_vec3, VEC3, "m/s",   "step07",  ALWAYS, FINITE)     /* v_i */        \
    X(def_grad_elastic, firn_mat3, MAT3, "1",     "step08",  ALWAYS, FINITE)     /* F_E = F_E^T */ \
    X(plastic_det,      firn_real, REAL, "1",     "step01",  ALWAYS, POSITIVE)   /* J_P */        \
    X(density,          firn_real, REAL, "kg/m^3","step01",  ALWAYS, POSITIVE)   /* rho_i */      \
    X(pressure,         firn_real, REAL, "Pa",    "step05",  ALWAYS, FINITE)     /* p_i */        \
    X(shear_acceleration, firn_vec3, VEC3, "m/s^2", "step06", ALWAYS, FINITE)     /* a_i^G */      \
    X(mass,             firn_real, REAL, "kg",    "seeding", NEVER,  POSITIVE)   /* m_i */        \
    X(fresh_density,    firn_real, REAL, "kg/m^3","seeding", NEVER,  POSITIVE)   /* rho_0 */      \
    X(stiffness,        firn_real, REAL, "1",     "seeding", NEVER,  POSITIVE)   /* on E_0 */     \
    X(material,         uint8_t,   U8,   "",      "seeding", NEVER,  MATERIAL)   /* row */        \
    X(id,               uint32_t,  U32,  "",      "seeding", NEVER,  ANY)        /* unique */

// Factors on xi, theta_c and theta_s, where some body varies them only (firn_scene_varies).
#define FIRN_SPH_VARIED_FIELDS(X)                                                                 \
    X(hardening,        firn_real, REAL, "1",     "seeding", NEVER,  AT_LEAST_0) /* on xi */      \
    X(compression,      firn_real, REAL, "1",     "seeding", NEVER,  AT_LEAST_0) /* on th_c */    \
    X(stretch,          firn_real, REAL, "1",     "seeding", NEVER,  AT_LEAST_0) /* on th_s */

// Where the scene has temperatures only (firn_scene_heats).
#define FIRN_SPH_HEAT_FIELDS(X)                                                                   \
    X(temperature,      firn_real, REAL, "degC",  "step10",  ALWAYS, FINITE)     /* T_i */        \
    X(water,            firn_real, REAL, "1",     "step10",  ALWAYS, SHARE)      /* molten */

// Where the scene has emitters only.
#define FIRN_SPH_FLAKE_FIELDS(X)                                                                  \
    X(emitter,          uint32_t,  U32,  "",      "seeding", NEVER,  ANY)        /* 1 + index */

// Where some material becomes another one only.
#define FIRN_SPH_PHASE_FIELDS(X)                                                                  \
    X(age,              firn_real, REAL, "s",     "step11",  ALWAYS, AT_LEAST_0) /* as it is */   \
    X(birth_density,    firn_real, REAL, "kg/m^3","step11",  ALWAYS, AT_LEAST_0) /* 0: reached */
// clang-format on

// Typed pointers into the particles' arrays; refreshed at the start of each step.
typedef struct firn_sph_particles {
#define FIRN_SPH_POINTER(field, type, kind, unit, step, changes, values) type* field;
    FIRN_SPH_FIELDS(FIRN_SPH_POINTER)
    FIRN_SPH_VARIED_FIELDS(FIRN_SPH_POINTER)  // null: all 1
    FIRN_SPH_HEAT_FIELDS(FIRN_SPH_POINTER)    // null: no heat
    FIRN_SPH_FLAKE_FIELDS(FIRN_SPH_POINTER)   // null: no emitters; 0: not a flake
    FIRN_SPH_PHASE_FIELDS(FIRN_SPH_POINTER)   // null: no phase change
#undef FIRN_SPH_POINTER
    firn_local count;
} firn_sph_particles;
