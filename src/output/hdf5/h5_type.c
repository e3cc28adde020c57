// SPDX-License-Identifier: MIT
// Sizes and names of the types of numbers in files.
#include "output/hdf5/h5_type.h"

void firn_h5_shape(firn_field_type field, firn_h5_type* out_type, int* out_columns)
{
    *out_type = FIRN_H5_REAL;
    *out_columns = 1;
    switch (field) {
    case FIRN_FIELD_REAL: break;
    case FIRN_FIELD_VEC3: *out_columns = 3; break;
    case FIRN_FIELD_MAT3: *out_columns = 9; break;
    case FIRN_FIELD_U8: *out_type = FIRN_H5_U8; break;
    case FIRN_FIELD_U32: *out_type = FIRN_H5_U32; break;
    }
}

size_t firn_h5_type_size(firn_h5_type type)
{
    static const size_t sizes[FIRN_H5_TYPES] = {4, 8, 8, 8, 4, 1};
    return sizes[type];
}

const char* firn_h5_type_name(firn_h5_type type)
{
    static const char* const names[FIRN_H5_TYPES] = {"float32", "float64", "int64",
                                                     "uint64",  "uint32",  "uint8"};
    return names[type];
}
