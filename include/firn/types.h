// SPDX-License-Identifier: MIT
// Basic types of firn: numbers, vectors, results. Start reading at firn.h.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef FIRN_DOUBLE
typedef double firn_real;  // double-precision build, for validation
#else
typedef float firn_real;  // default build
#endif

typedef int32_t firn_local;  // index or number of particles, nodes, ...

typedef struct firn_vec3 {
    firn_real x, y, z;
} firn_vec3;

// Row-major: m[row][column].
typedef struct firn_mat3 {
    firn_real m[3][3];
} firn_mat3;

// Unit quaternion w + xi + yj + zk; rotates v to q v q*.
typedef struct firn_quat {
    firn_real w, x, y, z;
} firn_quat;

typedef struct firn_scene firn_scene;  // input of a simulation, constant
typedef struct firn_sim firn_sim;      // a running simulation and its state

// Result of a call. > 0: refused, the object is unchanged; correct the input and retry.
// < 0: broken, the object can only be destroyed.
typedef enum firn_result {
    FIRN_OK = 0,
    FIRN_REFUSED_ARGUMENT = 1,  // a value out of range, a null pointer, an uninitialised def
    FIRN_REFUSED_SCENE = 2,     // the scene or an input file is invalid
    FIRN_REFUSED_NAME = 3,      // unknown solver, preset, scene, field or format
    FIRN_REFUSED_BACKEND = 4,   // backend or feature not available in this build or machine
    FIRN_REFUSED_IO = 5,        // a file cannot be opened, read or written; disk full
    FIRN_REFUSED_DAMAGED = 6,   // the checksum or structure of a file is wrong
    FIRN_INTERRUPTED = 7,       // cancelled; the state is consistent, the simulation may continue
    FIRN_BROKEN_MEMORY = -1,    // out of memory, or over the memory cap
    FIRN_BROKEN_DIVERGED = -2,  // non-finite or inverted state despite smaller time steps
    FIRN_BROKEN_INTERNAL = -3,  // a bug in firn
    FIRN_BROKEN_DEVICE = -4     // the GPU failed or was lost; files that were written are good
} firn_result;

// Error message of a result: what is wrong, where, the offending value, what to do.
typedef struct firn_error {
    firn_result code;
    char text[2000];
} firn_error;

typedef enum firn_log_level {
    FIRN_LOG_DEBUG = 0,
    FIRN_LOG_INFO = 1,
    FIRN_LOG_WARNING = 2,
    FIRN_LOG_ERROR = 3
} firn_log_level;

// Log callback. `id` is stable across versions ("sim.rollback"); `text` is borrowed for the
// duration of the call. Called on the thread that called firn only.
typedef void (*firn_log_fn)(void* user, firn_log_level level, const char* id, const char* text);

// Material constants that may vary in space within a snow body; each has a factor.
typedef enum firn_vary_quantity {
    FIRN_VARY_STIFFNESS,    // Young's modulus E_0
    FIRN_VARY_DENSITY,      // rho_0
    FIRN_VARY_HARDENING,    // xi
    FIRN_VARY_COMPRESSION,  // theta_c
    FIRN_VARY_STRETCH,      // theta_s
    FIRN_VARY_COUNT
} firn_vary_quantity;

typedef enum firn_field_type {
    FIRN_FIELD_REAL,  // firn_real
    FIRN_FIELD_VEC3,  // firn_vec3
    FIRN_FIELD_MAT3,  // firn_mat3
    FIRN_FIELD_U8,
    FIRN_FIELD_U32
} firn_field_type;

// View of one particle field. Borrowed until the next step, edit or destroy.
typedef struct firn_field_view {
    const char* name;  // "position", "velocity", ...
    const char* unit;  // "m", "m/s", "1", ...
    firn_field_type type;
    firn_local count;  // elements
    const void* data;  // [count] of type
} firn_field_view;
