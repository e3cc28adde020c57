// SPDX-License-Identifier: MIT
// What the messages of an object say: links, attributes, types, shapes and storage. All functions
// give false where a message is not one that firn writes.
#pragma once
#include "output/hdf5/h5_object.h"
#include "output/hdf5/h5_type.h"

typedef struct firn_h5_link {
    const char* name;  // borrowed, not terminated
    size_t length;
    uint64_t address;
} firn_h5_link;

typedef struct firn_h5_attribute {
    const char* name;  // borrowed, not terminated
    size_t length;
    firn_h5_bytes type, space, data;
} firn_h5_attribute;

typedef struct firn_h5_space {
    int rank;  // 0: a scalar
    uint64_t dims[2];
} firn_h5_space;

typedef struct firn_h5_layout {
    bool chunked;
    uint64_t address;        // of the data, or of the index of the chunks
    uint64_t bytes;          // of the data; chunked: 0
    int rank;                // of a chunk
    uint64_t chunk[2];       // elements of a chunk
    uint64_t element_bytes;  // chunked only
} firn_h5_layout;

bool firn_h5_link_decode(firn_h5_bytes message, firn_h5_link* out_link);
bool firn_h5_attribute_decode(firn_h5_bytes message, firn_h5_attribute* out_attribute);
bool firn_h5_number_type_decode(firn_h5_bytes message, firn_h5_type* out_type);
bool firn_h5_text_type_decode(firn_h5_bytes message, size_t* out_bytes);
bool firn_h5_space_decode(firn_h5_bytes message, firn_h5_space* out_space);
bool firn_h5_layout_decode(firn_h5_bytes message, firn_h5_layout* out_layout);
// Whether the filters are those of firn: bytes shuffled, then deflated.
bool firn_h5_filters_known(firn_h5_bytes message);
