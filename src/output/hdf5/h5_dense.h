// SPDX-License-Identifier: MIT
// Links and attributes that HDF5 has moved out of the header of an object, to a fractal heap with a
// version 2 B-tree over it.
#pragma once
#include "output/hdf5/h5_object.h"

// Adds the messages that the link info or attribute info `message` of `object` refers to, as
// messages of `type`. None where it refers to no heap.
firn_result firn_h5_dense_read(firn_h5_input* input, firn_h5_object* object, firn_local message,
                               int type);
