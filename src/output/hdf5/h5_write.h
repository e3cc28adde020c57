// SPDX-License-Identifier: MIT
// Groups, attributes and arrays of an HDF5 file that is being written. Objects are named by their
// path; none stays open between calls. Everything is stored little-endian and without time stamps.
#pragma once
#include "output/hdf5/h5_file.h"
#include "output/hdf5/h5_type.h"

// Where the rows of an array come from that is not in memory as a whole. They are asked for in
// ascending order, each once.
typedef struct firn_h5_rows {
    void* self;
    firn_result (*read)(void* self, int64_t first, int64_t rows, void* out, firn_error* error);
} firn_h5_rows;

// An array to be written: [rows], or [rows][columns] when columns > 1.
typedef struct firn_h5_array {
    const char* path;
    firn_h5_type given, stored;  // in memory and in the file; HDF5 converts (to nearest)
    int64_t rows;
    int columns;
    int compression;             // deflate level 1..9 after byte shuffling; 0: contiguous
    const void* data;            // borrowed; null, of compressed int64: 0, 1, 2, …
    const firn_h5_rows* source;  // borrowed; instead of `data`; null: none
} firn_h5_array;

firn_result firn_h5_put_group(firn_h5* h5, const char* path);
// count 0: a scalar, else a list.
firn_result firn_h5_put_number(firn_h5* h5, const char* object, const char* name, firn_h5_type type,
                               const void* values, int count);
firn_result firn_h5_put_text(firn_h5* h5, const char* object, const char* name, const char* text);
firn_result firn_h5_put_array(firn_h5* h5, const firn_h5_array* array);
// Reads rows of array->source. False: h5->unread has the reason.
bool firn_h5_read_rows(firn_h5* h5, const firn_h5_array* array, int64_t first, int64_t rows,
                       void* out);
// 0, 1, 2, … as int64, compressed.
firn_result firn_h5_put_sequence(firn_h5* h5, const char* path, int64_t count);
