// SPDX-License-Identifier: MIT
// The particle fields of the material point method, listed once: allocation, copying, sorting,
// checkpoints, hashing and export are driven by this list.
#pragma once
#include "state/particles.h"

// clang-format off
//    field             C type     kind  unit     written by changes     values
#define FIRN_MPM_FIELDS(X)                                                                        \
    X(position,         firn_vec3, VEC3, "m",     "step10",  ALWAYS,     FINITE)      /* x_p */   \
    X(velocity,         firn_vec3, VEC3, "m/s",   "step08",  ALWAYS,     FINITE)      /* v_p */   \
    X(def_grad_elastic, firn_mat3, MAT3, "1",     "step07",  ALWAYS,     DEFORMATION) /* F_E */   \
    X(plastic_det,      firn_real, REAL, "1",     "step07",  ALWAYS,     POSITIVE)    /* J_P */   \
    X(mass,             firn_real, REAL, "kg",    "seeding", NEVER,      POSITIVE)    /* m_p */   \
    X(volume,           firn_real, REAL, "m^3",   "step02",  FIRST_STEP, POSITIVE)    /* V_p^0 */ \
    X(stiffness,        firn_real, REAL, "1",     "seeding", NEVER,      POSITIVE)    /* on E_0 */ \
    X(material,         uint8_t,   U8,   "",      "seeding", NEVER,      MATERIAL)    /* row */   \
    X(id,               uint32_t,  U32,  "",      "seeding", NEVER,      ANY)         /* unique */

// With APIC only.
#define FIRN_MPM_APIC_FIELDS(X)                                                                   \
    X(affine,           firn_mat3, MAT3, "m^2/s", "step08",  ALWAYS,     FINITE)      /* B_p */

// Where snow can rest on a collider with friction only, with `grip` > 0.
#define FIRN_MPM_GRIP_FIELDS(X)                                                                   \
    X(grip,             firn_real, REAL, "m/s",   "step09",  ALWAYS,     AT_LEAST_0)  /* unused */

// Where some material has Cam-Clay plasticity only.
#define FIRN_MPM_CLAY_FIELDS(X)                                                                   \
    X(consolidation,    firn_real, REAL, "1",     "step07",  ALWAYS,     FINITE)      /* alpha */

// Factors on xi, theta_c and theta_s, where some body varies them only (firn_scene_varies).
#define FIRN_MPM_VARIED_FIELDS(X)                                                                 \
    X(hardening,        firn_real, REAL, "1",     "seeding", NEVER,      AT_LEAST_0)  /* xi */ \
    X(compression,      firn_real, REAL, "1",     "seeding", NEVER,      AT_LEAST_0)  /* th_c */ \
    X(stretch,          firn_real, REAL, "1",     "seeding", NEVER,      AT_LEAST_0)  /* th_s */

// Where snow ages only (support/mpm_ageing.h).
#define FIRN_MPM_AGEING_FIELDS(X)                                                                 \
    X(creep_stiffness,  firn_real, REAL, "1",     "step07",  ALWAYS,     POSITIVE) /* share */    \
    X(healed_det,       firn_real, REAL, "1",     "step07",  ALWAYS,     POSITIVE) /* of J_P */

// With powder only (solver/shared/powder/powder.h).
#define FIRN_MPM_POWDER_FIELDS(X)                                                                 \
    X(broken_share,     firn_real, REAL, "1",     "powder",  ALWAYS,     AT_LEAST_0) /* of mass */ \
    X(broken_det,       firn_real, REAL, "1",     "powder",  ALWAYS,     POSITIVE)   /* old J_P */

// With emitters only.
#define FIRN_MPM_FLAKE_FIELDS(X)                                                                  \
    X(emitter,          uint32_t,  U32,  "",      "seeding", NEVER,      ANY) /* 1 + its index */

// Of a rank's share only: where the particle was when all were last reordered, by (block key << 6 |
// cell, place in the cell). It is the order of one process (ranks/rank_part.h).
#define FIRN_MPM_RANK_FIELDS(X)                                                                   \
    X(origin_high,      uint32_t,  U32,  "",      "prepare", ALWAYS,     ANY)                     \
    X(origin_low,       uint32_t,  U32,  "",      "prepare", ALWAYS,     ANY)                     \
    X(place,            uint32_t,  U32,  "",      "prepare", ALWAYS,     ANY)
// clang-format on

// Typed pointers into the particles' arrays; refreshed at the start of each step.
typedef struct firn_mpm_particles {
#define FIRN_MPM_POINTER(field, type, kind, unit, step, changes, values) type* field;
    FIRN_MPM_FIELDS(FIRN_MPM_POINTER)
    FIRN_MPM_APIC_FIELDS(FIRN_MPM_POINTER)    // null with FLIP
    FIRN_MPM_GRIP_FIELDS(FIRN_MPM_POINTER)    // null: the paper's friction
    FIRN_MPM_CLAY_FIELDS(FIRN_MPM_POINTER)    // null: no Cam-Clay
    FIRN_MPM_VARIED_FIELDS(FIRN_MPM_POINTER)  // null: all 1
    FIRN_MPM_AGEING_FIELDS(FIRN_MPM_POINTER)  // null: stiffness and plastic_det
    FIRN_MPM_POWDER_FIELDS(FIRN_MPM_POINTER)  // null: no powder
    FIRN_MPM_FLAKE_FIELDS(FIRN_MPM_POINTER)   // null: no emitters; 0: other snow
    FIRN_MPM_RANK_FIELDS(FIRN_MPM_POINTER)    // null: all particles are here
#undef FIRN_MPM_POINTER
    firn_local count;
} firn_mpm_particles;
