// SPDX-License-Identifier: MIT
// Chunks of an array, shuffled and deflated by all threads and written in order: streams that
// HDF5's own filters read (h5_deflate.h), the same for any number of threads.
#pragma once
#include "output/hdf5/h5_write.h"

// Writes all chunks of `dataset`, which has the shape and the filters of `array`, whose types in
// memory and in the file are the same. array->data null: 0, 1, 2, … as int64. False: h5->fault or
// HDF5 has the reason.
bool firn_h5_pack(firn_h5* h5, hid_t dataset, const firn_h5_array* array);
