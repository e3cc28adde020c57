// SPDX-License-Identifier: MIT
// Exports frames of a cache or of memory to other formats.
//     DIR/ply/NAME.0001.ply    DIR/vtp/NAME.0001.vtp    DIR/NAME.pvd    DIR/vdb/NAME.0001.vdb
//     DIR/sdf/NAME.0001.vdb    DIR/colliders/NAME.glb    DIR/NAME.usda
//     DIR/heights/NAME.0001.png, .r32, .json    DIR/mesh/NAME.0001.ply, .obj or .glb
// NAME is the name of the scene, with characters that file names cannot have replaced by '_'.
#pragma once
#include "firn/run.h"
#include "output/export/height_files.h"
#include "output/export/snow_mesh.h"
#include "output/export/stage.h"
#include "output/frame/frame.h"

#define FIRN_EXPORT_POINTS_MAX 10000000

typedef struct firn_export_target {
    const char* dir;  // created if needed; borrowed
    bool ply, vtp, vdb, sdf;
    const firn_height_plan* heights;  // null: none; borrowed
    bool z_up;
    double
        voxel;  // [m] of the volume; 0: half the frame's cell. Of mesh and sdf; 0: half a spacing
    bool mesh;
    firn_mesh_format mesh_format;
    firn_rest_state rest;  // for volume and mesh
} firn_export_target;

// Writes one frame in every format of the target, but not the .pvd. VDB needs `mass`. `frame` may
// borrow its arrays from a running simulation.
firn_result firn_export_frame(const firn_frame* frame, const firn_export_target* target,
                              firn_error* error);
// Writes the .pvd of those frames [first, last] that have a .vtp in `dir`.
firn_result firn_export_series(const char* dir, const char* scene, double fps, int64_t first,
                               int64_t last, firn_error* error);
// Writes DIR/colliders/NAME.glb, DIR/NAME.usda or both; nothing where the stage has no sample.
// Colliders that glTF cannot hold are logged (export.left_out).
firn_result firn_export_stage(const firn_stage* stage, const firn_export_def* def,
                              firn_error* error);

// What the caller of firn_export_run does with every frame that was exported.
typedef struct firn_export_visitor {
    firn_result (*add)(void* self, const firn_frame* frame, firn_error* error);  // null: nothing
    // After the last frame. `has_volumes`: each has a file vdb/NAME.0001.vdb.
    firn_result (*finish)(void* self, bool has_volumes, firn_error* error);
    void* self;
} firn_export_visitor;

// Implements firn_export (firn.h). `rest`: of the run's scene, for meshes and volumes. Damaged
// frames are logged (export.damaged) and skipped; the others are written, and the result is
// FIRN_REFUSED_DAMAGED.
firn_result firn_export_run(const firn_export_def* def, const firn_rest_state* rest,
                            const firn_export_visitor* visitor, firn_error* error);
