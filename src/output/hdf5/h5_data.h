// SPDX-License-Identifier: MIT
// Groups, attributes and arrays in an open HDF5 file. Objects are named by their path; none stays
// open between calls. Everything is stored little-endian and without time stamps.
#pragma once
#include "core/text.h"
#include "output/hdf5/h5_file.h"

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

// Type and columns of the array that holds a field, in memory.
void firn_h5_shape(firn_field_type field, firn_h5_type* out_type, int* out_columns);
size_t firn_h5_type_size(firn_h5_type type);       // [bytes]
const char* firn_h5_type_name(firn_h5_type type);  // "float32", ...
hid_t firn_h5_type_stored(firn_h5_type type);      // HDF5 type in a file; do not close it
hid_t firn_h5_type_native(firn_h5_type type);      // and in memory

#define FIRN_H5_CHUNK 65536  // elements of a compressed chunk at most

// An array to be written: [rows], or [rows][columns] when columns > 1.
typedef struct firn_h5_array {
    const char* path;
    firn_h5_type given, stored;  // in memory and in the file; HDF5 converts (to nearest)
    int64_t rows;
    int columns;
    int compression;   // deflate level 1..9 after byte shuffling; 0: contiguous
    const void* data;  // borrowed
} firn_h5_array;

firn_result firn_h5_put_group(firn_h5* h5, const char* path);
// count 0: a scalar, else a list.
firn_result firn_h5_put_number(firn_h5* h5, const char* object, const char* name, firn_h5_type type,
                               const void* values, int count);
firn_result firn_h5_put_text(firn_h5* h5, const char* object, const char* name, const char* text);
firn_result firn_h5_put_array(firn_h5* h5, const firn_h5_array* array);
// 0, 1, 2, … as int64, compressed.
firn_result firn_h5_put_sequence(firn_h5* h5, const char* path, int64_t count);

bool firn_h5_has(firn_h5* h5, const char* path);
firn_result firn_h5_get_number(firn_h5* h5, const char* object, const char* name, firn_h5_type type,
                               void* out_value);
// Null-terminated; refused when it does not fit into `size`.
firn_result firn_h5_get_text(firn_h5* h5, const char* object, const char* name, char* out_text,
                             size_t size);
// Checks type, shape and storage of an array, and that the file is large enough for its values;
// gives its rows. Allocates nothing.
firn_result firn_h5_measure(firn_h5* h5, const char* path, firn_h5_type stored, int columns,
                            int64_t* out_rows);
// Reads an array after firn_h5_measure. `out_data` holds rows*columns of `wanted`.
firn_result firn_h5_get_array(firn_h5* h5, const char* path, firn_h5_type wanted, void* out_data);
// One line per array of `group`: name, type, shape, unit, bytes on disk.
void firn_h5_list(firn_h5* h5, const char* group, firn_text* text);
