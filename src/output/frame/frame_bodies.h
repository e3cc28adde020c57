// SPDX-License-Identifier: MIT
// The array /firn/bodies of a frame: poses of the colliders that the scene does not drive. Absent
// where there are none. It lies outside /VTKHDF, which is the only group that ParaView reads.
#pragma once
#include "output/frame/frame.h"
#include "output/hdf5/h5_read.h"
#include "output/hdf5/h5_write.h"

// FIRN_REFUSED_ARGUMENT: a pose that firn_frame_bodies_get would refuse.
firn_result firn_frame_bodies_put(firn_h5* h5, const firn_frame_body* bodies, firn_local count);
// An owned array, null where there are none. FIRN_REFUSED_DAMAGED: rows that firn does not write.
firn_result firn_frame_bodies_get(firn_h5_input* h5, firn_frame_body** out_bodies,
                                  firn_local* out_count);
