// SPDX-License-Identifier: MIT
// The particle fields of the ballistic solver.
#pragma once
#include "state/particles.h"

// clang-format off
//    field      C type     kind  unit    written by  changes values
#define FIRN_BALLISTIC_FIELDS(X)                                                                  \
    X(position,  firn_vec3, VEC3, "m",    "step01",  ALWAYS, FINITE)   /* x_p */                  \
    X(velocity,  firn_vec3, VEC3, "m/s",  "step01",  ALWAYS, FINITE)   /* v_p */                  \
    X(mass,      firn_real, REAL, "kg",   "seeding", NEVER,  POSITIVE) /* m_p */                  \
    X(material,  uint8_t,   U8,   "",     "seeding", NEVER,  MATERIAL)                            \
    X(id,        uint32_t,  U32,  "",     "seeding", NEVER,  ANY)
// clang-format on

typedef struct firn_ballistic_particles {
#define FIRN_BALLISTIC_POINTER(field, type, kind, unit, step, changes, values) type* field;
    FIRN_BALLISTIC_FIELDS(FIRN_BALLISTIC_POINTER)
#undef FIRN_BALLISTIC_POINTER
} firn_ballistic_particles;
