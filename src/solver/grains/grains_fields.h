// SPDX-License-Identifier: MIT
// The particle fields of the grains solver, listed once: allocation, copying, sorting, checkpoints,
// hashing and export are driven by this list. `listed` and `listed_radius` are position and radius
// at the last relist, bonds and bonds_more have a bit per neighbour of a list; enthalpy is 0 in
// solid at 0 degC, enthalpy_rest is what rounding left of it; phases and states (whole: 0 to 2) are
// those of physics/grain.h.
#pragma once
#include "state/particles.h"

// clang-format off
//    field           C type     kind  unit    written by changes values
#define FIRN_GRAINS_FIELDS(X)                                                                     \
    X(position,       firn_vec3, VEC3, "m",    "step06",  ALWAYS, FINITE)     /* x_i */           \
    X(velocity,       firn_vec3, VEC3, "m/s",  "step05",  ALWAYS, FINITE)     /* v_i */           \
    X(slip,           firn_vec3, VEC3, "m",    "step06",  ALWAYS, FINITE)     /* since at rest */ \
    X(spin,           firn_vec3, VEC3, "1/s",  "step05",  ALWAYS, FINITE)     /* w_i */           \
    X(twist,          firn_vec3, VEC3, "",     "step06",  ALWAYS, FINITE)     /* since at rest */ \
    X(origin,         firn_vec3, VEC3, "m",    "seeding", NEVER,  FINITE)     /* X_i */           \
    X(origin_radius,  firn_real, REAL, "m",    "seeding", NEVER,  AT_LEAST_0) /* R_i */           \
    X(whole,          uint8_t,   U8,   "",     "step04",  ALWAYS, PHASE)      /* grain.h */       \
    X(listed,         firn_vec3, VEC3, "m",    "step01",  ALWAYS, FINITE)     /* x_i then */      \
    X(listed_radius,  firn_real, REAL, "m",    "step01",  ALWAYS, AT_LEAST_0) /* r_i then */      \
    X(bonds,          uint32_t,  U32,  "",     "step02",  ALWAYS, ANY)        /* a bit each */    \
    X(bonds_more,     uint32_t,  U32,  "",     "step02",  ALWAYS, ANY)        /* 33rd on */       \
    X(radius,         firn_real, REAL, "m",    "step04",  ALWAYS, POSITIVE)   /* r_i */           \
    X(enthalpy,       firn_real, REAL, "J/kg", "step03",  ALWAYS, FINITE)     /* h_i */           \
    X(enthalpy_rest,  firn_real, REAL, "J/kg", "step03",  ALWAYS, FINITE)     /* its rounding */  \
    X(temperature,    firn_real, REAL, "degC", "step03",  ALWAYS, FINITE)     /* T_i */           \
    X(water,          firn_real, REAL, "1",    "step03",  ALWAYS, SHARE)      /* beta, molten */  \
    X(mass,           firn_real, REAL, "kg",   "seeding", NEVER,  POSITIVE)   /* m_i */           \
    X(phase,          uint8_t,   U8,   "",     "step04",  ALWAYS, PHASE)      /* grain.h */       \
    X(broken,         uint8_t,   U8,   "",     "step02",  ALWAYS, FLAG)       /* 1: no bonds */   \
    X(neighbours,     uint8_t,   U8,   "",     "step02",  ALWAYS, ANY)        /* n_curr */        \
    X(neighbours_max, uint8_t,   U8,   "",     "step02",  ALWAYS, ANY)        /* n_max */         \
    X(material,       uint8_t,   U8,   "",     "seeding", NEVER,  MATERIAL)   /* row */           \
    X(id,             uint32_t,  U32,  "",     "seeding", NEVER,  ANY)        /* unique */
// clang-format on

// Typed pointers into the particles' arrays; refreshed at the start of each step.
typedef struct firn_grains_particles {
#define FIRN_GRAINS_POINTER(field, type, kind, unit, step, changes, values) type* field;
    FIRN_GRAINS_FIELDS(FIRN_GRAINS_POINTER)
#undef FIRN_GRAINS_POINTER
    firn_local count;
} firn_grains_particles;
