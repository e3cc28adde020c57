// SPDX-License-Identifier: MIT
// The header of a PLY file: which elements and properties follow, and how they are written.
#pragma once
#include "core/result.h"

#define FIRN_PLY_ELEMENTS_MAX 32
#define FIRN_PLY_PROPERTIES_MAX 256  // of all elements together
#define FIRN_PLY_NAME_MAX 64         // [bytes] with the final zero

typedef enum firn_ply_format {
    FIRN_PLY_ASCII,
    FIRN_PLY_LITTLE,  // little-endian binary
    FIRN_PLY_BIG      // big-endian binary
} firn_ply_format;

typedef enum firn_ply_type {
    FIRN_PLY_NONE,
    FIRN_PLY_INT8,
    FIRN_PLY_UINT8,
    FIRN_PLY_INT16,
    FIRN_PLY_UINT16,
    FIRN_PLY_INT32,
    FIRN_PLY_UINT32,
    FIRN_PLY_FLOAT32,
    FIRN_PLY_FLOAT64
} firn_ply_type;

typedef struct firn_ply_property {
    char name[FIRN_PLY_NAME_MAX];
    firn_ply_type type;
    firn_ply_type count_type;  // FIRN_PLY_NONE: a scalar; else a list whose length is of this type
} firn_ply_property;

typedef struct firn_ply_element {
    char name[FIRN_PLY_NAME_MAX];
    int64_t count;
    int first, property_count;  // in the header's properties
} firn_ply_element;

typedef struct firn_ply_header {
    firn_ply_format format;
    firn_ply_element elements[FIRN_PLY_ELEMENTS_MAX];
    int element_count;
    firn_ply_property properties[FIRN_PLY_PROPERTIES_MAX];
    int property_count;
    size_t data_at;  // [bytes] where the data begins
    int64_t line;    // number of the first line of data, from 1
} firn_ply_header;

// `path` stands in messages. FIRN_REFUSED_SCENE: `error` names the line.
firn_result firn_ply_parse_header(const char* path, const char* text, size_t bytes,
                                  firn_ply_header* out_header, firn_error* error);
size_t firn_ply_type_size(firn_ply_type type);  // [bytes]
