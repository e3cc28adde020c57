// SPDX-License-Identifier: MIT
// Arrays in chunks: the index of the chunks, and what is in them.
#pragma once
#include "output/hdf5/h5_message.h"

// Where an array of numbers lies in a file, and its shape.
typedef struct firn_h5_dataset {
    const char* path;  // borrowed
    firn_h5_type type;
    firn_h5_space space;
    firn_h5_layout layout;
    uint64_t on_disk;  // [bytes]
} firn_h5_dataset;

// Sums up the chunks of an array. FIRN_REFUSED_DAMAGED: they do not cover it once and in order.
firn_result firn_h5_chunks_measure(firn_h5_input* input, const firn_h5_dataset* dataset,
                                   uint64_t* out_bytes);
// Reads all values, as they are in the file. For arrays that firn_h5_chunks_measure accepted.
firn_result firn_h5_chunks_read(firn_h5_input* input, const firn_h5_dataset* dataset,
                                void* out_data);
