// SPDX-License-Identifier: MIT
// The group /firn that every frame and checkpoint has: where in which run it belongs.
#pragma once
#include "output/frame/frame.h"
#include "output/hdf5/h5_read.h"
#include "output/hdf5/h5_write.h"

firn_result firn_frame_info_put(firn_h5* h5, const firn_frame_info* info);
firn_result firn_frame_info_get(firn_h5_input* h5, firn_frame_info* out_info);
