// SPDX-License-Identifier: MIT
// Attributes and arrays of an open frame or checkpoint. Objects are named by their path.
#pragma once
#include "core/text.h"
#include "output/hdf5/h5_chunks.h"

// False also where reading failed; firn_h5_close tells.
bool firn_h5_has(firn_h5_input* input, const char* path);
firn_result firn_h5_get_number(firn_h5_input* input, const char* object, const char* name,
                               firn_h5_type type, void* out_value);
// Null-terminated; refused when it does not fit into `size`.
firn_result firn_h5_get_text(firn_h5_input* input, const char* object, const char* name,
                             char* out_text, size_t size);
// Checks type, shape and storage of an array, and that the file is large enough for its values;
// gives where they are, and its rows.
firn_result firn_h5_measure(firn_h5_input* input, const char* path, firn_h5_type stored,
                            int columns, firn_h5_dataset* out_dataset, int64_t* out_rows);
// Reads all values of an array. `out_data` holds rows*columns of `wanted`: the type in the file, or
// float64 for float32.
firn_result firn_h5_get_array(firn_h5_input* input, const firn_h5_dataset* dataset,
                              firn_h5_type wanted, void* out_data);
// Reads some rows of a contiguous array, in the type of the file. The array has them.
firn_result firn_h5_get_rows(firn_h5_input* input, const firn_h5_dataset* dataset, int64_t first,
                             int64_t rows, void* out_data);
// One line per array of `group`: name, type, shape, unit, bytes on disk.
firn_result firn_h5_list(firn_h5_input* input, const char* group, firn_text* text);
// Finds an array of any type and shape that firn writes.
firn_result firn_h5_find_array(firn_h5_input* input, const char* path,
                               firn_h5_dataset* out_dataset);
// Finds the object at a path. `*out_address` is FIRN_H5_NOWHERE where there is none.
firn_result firn_h5_find(firn_h5_input* input, const char* path, uint64_t* out_address);
