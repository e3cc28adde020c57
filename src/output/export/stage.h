// SPDX-License-Identifier: MIT
// What surrounds the snow of a run, sampled at its frames, for files that hold all of them:
// colliders with their motion, camera, sun, and a selection of the particles.
//     DIR/colliders/NAME.glb    DIR/NAME.usda
#pragma once
#include "firn/play.h"
#include "math/quat.h"

typedef struct firn_stage_pose {
    firn_vec3 position;  // [m] x_world = position + scale * rotation * x
    firn_quat rotation;  // on the same half of the sphere as the pose before
    firn_real scale;
} firn_stage_pose;

// Closed, or the square that stands for a plane; all normals are null where they are not known.
typedef struct firn_stage_body {
    char name[48];           // "collider_0", a valid identifier
    float colour[3];         // linear
    bool hidden;             // not shown in pictures
    bool deforms;            // one mesh per sample, else one
    firn_body_mesh* meshes;  // owned, each owned
    firn_stage_pose* poses;  // owned; [sample_count]
} firn_stage_body;

typedef struct firn_stage_view {
    double eye[3], look_at[3], fov_deg;  // vertical field of view
} firn_stage_view;

// A selection of the particles of a frame, the same particles in all frames that have ids.
typedef struct firn_stage_points {
    firn_local count;
    float (*position)[3];   // owned [m]
    float (*velocity)[3];   // owned [m/s]; null: none
    uint32_t* id;           // owned; null: none
    float* width;           // owned [m] diameter
    float low[3], high[3];  // [m] box of all particles of the frame
} firn_stage_points;

typedef struct firn_stage {
    char scene[128];
    double fps, aspect;       // width / height of pictures
    double sun[3], sun_size;  // direction to the sun, of length 1; angular diameter [degrees]
    double sun_strength;
    double focus;               // [m]; 0: that of look_at
    int64_t* frames;            // owned, ascending; [sample_count]
    double* times;              // owned [s]
    firn_stage_view* views;     // owned
    firn_stage_points* points;  // owned, each owned
    firn_local sample_count, sample_capacity;
    firn_stage_body* bodies;  // owned
    firn_local body_count;
    bool has_volumes;  // vdb/NAME.0001.vdb is there for every sample
} firn_stage;

void firn_stage_destroy(firn_stage* stage);
// True if the poses of a body differ.
bool firn_stage_body_moves(const firn_stage* stage, const firn_stage_body* body);

// Why a body cannot be written as glTF; null: it can. Its meshes must have the same triangles.
const char* firn_stage_glb_misfit(const firn_stage* stage, const firn_stage_body* body);
// Binary glTF with a node per body, Y up; motion as an animation with a key per sample, deformation
// as morph targets. Bodies with a misfit, or without triangles, are left out.
firn_result firn_stage_glb_write(const char* path, const firn_stage* stage, firn_error* error);
// A .usda stage, time codes are frames. z_up: (x, y, z) -> (x, -z, y).
firn_result firn_stage_usd_write(const char* path, const firn_stage* stage, bool z_up,
                                 firn_error* error);
