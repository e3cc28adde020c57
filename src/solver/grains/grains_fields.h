// SPDX-License-Identifier: MIT
// The particle fields of the grains solver, listed once: allocation, copying, sorting, checkpoints,
// hashing and export are driven by this list.
#pragma once
#include "state/particles.h"

// clang-format off
//    field           C type     kind  unit    written by changes
#define FIRN_GRAINS_FIELDS(X)                                                                     \
    X(position,       firn_vec3, VEC3, "m",    "step06",  ALWAYS)  /* x_i */                      \
    X(velocity,       firn_vec3, VEC3, "m/s",  "step05",  ALWAYS)  /* v_i */                      \
    X(slip,           firn_vec3, VEC3, "m",    "step06",  ALWAYS)  /* since it came to rest */ \
    X(listed,         firn_vec3, VEC3, "m",    "step01",  ALWAYS)  /* x_i at the last relist */ \
    X(listed_radius,  firn_real, REAL, "m",    "step01",  ALWAYS)  /* r_i then */                 \
    X(bonds,          uint32_t,  U32,  "",     "step02",  ALWAYS)  /* bit k: k-th neighbour */ \
    X(bonds_more,     uint32_t,  U32,  "",     "step02",  ALWAYS)  /* from the 33rd on */         \
    X(radius,         firn_real, REAL, "m",    "step04",  ALWAYS)  /* r_i */                      \
    X(enthalpy,       firn_real, REAL, "J/kg", "step03",  ALWAYS)  /* h_i: 0 in solid at 0 degC */ \
    X(enthalpy_rest,  firn_real, REAL, "J/kg", "step03",  ALWAYS)  /* what rounding left of it */ \
    X(temperature,    firn_real, REAL, "degC", "step03",  ALWAYS)  /* T_i */                      \
    X(water,          firn_real, REAL, "1",    "step03",  ALWAYS)  /* beta: molten share */       \
    X(mass,           firn_real, REAL, "kg",   "seeding", NEVER)   /* m_i */                      \
    X(phase,          uint8_t,   U8,   "",     "step04",  ALWAYS)  /* 0 snow, 1 ice, 2 water */   \
    X(broken,         uint8_t,   U8,   "",     "step02",  ALWAYS)  /* 1: its bonds are broken */  \
    X(neighbours,     uint8_t,   U8,   "",     "step02",  ALWAYS)  /* n_curr */                   \
    X(neighbours_max, uint8_t,   U8,   "",     "step02",  ALWAYS)  /* n_max */                    \
    X(material,       uint8_t,   U8,   "",     "seeding", NEVER)   /* row of the table */         \
    X(id,             uint32_t,  U32,  "",     "seeding", NEVER)   /* unique, constant */
// clang-format on

// Typed pointers into the particles' arrays; refreshed at the start of each step.
typedef struct firn_grains_particles {
#define FIRN_GRAINS_POINTER(field, type, kind, unit, step, changes) type* field;
    FIRN_GRAINS_FIELDS(FIRN_GRAINS_POINTER)
#undef FIRN_GRAINS_POINTER
    firn_local count;
} firn_grains_particles;
