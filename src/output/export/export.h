// SPDX-License-Identifier: MIT
// Other formats out of a cache, or out of a frame in memory.
//     DIR/ply/NAME.0001.ply    DIR/vtp/NAME.0001.vtp    DIR/NAME.pvd    DIR/vdb/NAME.0001.vdb
//     DIR/heights/NAME.0001.png, .r32, .json
// NAME is the scene's name, with what no file name may contain replaced by '_'.
#pragma once
#include "firn/defs.h"
#include "output/export/height_files.h"
#include "output/frame/frame.h"

typedef struct firn_export_target {
    const char* dir;  // made when it is not there; borrowed
    bool ply, vtp, vdb;
    const firn_height_plan* heights;  // null: none; borrowed
    bool z_up;
    double voxel;  // [m] of the volume; 0: the frame's cell
    int threads;   // for the volume and the heights
} firn_export_target;

// One frame in every wanted format. VDB needs `mass`. `frame` may borrow its arrays from a running
// simulation. The .pvd is not touched.
firn_result firn_export_frame(const firn_frame* frame, const firn_export_target* target,
                              firn_error* error);
// The .pvd over those frames [first, last] whose .vtp is in `dir`.
firn_result firn_export_series(const char* dir, const char* scene, double fps, int64_t first,
                               int64_t last, firn_error* error);
// What firn_export promises (firn.h). A damaged frame is logged (export.damaged) and left out; the
// others are written, and FIRN_REFUSED_DAMAGED comes back at the end.
firn_result firn_export_run(const firn_export_def* def, int threads, firn_error* error);
