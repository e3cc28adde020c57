// SPDX-License-Identifier: MIT
// Types of numbers in frames and checkpoints. Files are little-endian, as are all machines that
// firn runs on.
#pragma once
#include "state/particles.h"

typedef enum firn_h5_type {
    FIRN_H5_F32,
    FIRN_H5_F64,
    FIRN_H5_I64,
    FIRN_H5_U64,
    FIRN_H5_U32,
    FIRN_H5_U8,
    FIRN_H5_TYPES
} firn_h5_type;

#ifdef FIRN_DOUBLE
#define FIRN_H5_REAL FIRN_H5_F64
#else
#define FIRN_H5_REAL FIRN_H5_F32
#endif

#define FIRN_H5_CHUNK 65536  // elements of a compressed chunk at most

// Type and columns of the array that holds a field, in memory.
void firn_h5_shape(firn_field_type field, firn_h5_type* out_type, int* out_columns);
size_t firn_h5_type_size(firn_h5_type type);       // [bytes]
const char* firn_h5_type_name(firn_h5_type type);  // "float32", ...
