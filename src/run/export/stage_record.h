// SPDX-License-Identifier: MIT
// Collects a stage (output/export/stage.h) from the frames of a run and its scene.
#pragma once
#include "core/log.h"
#include "output/export/stage.h"
#include "output/frame/frame.h"

typedef struct firn_scene_data firn_scene_data;  // scene/data/scene.h
typedef struct firn_collider firn_collider;      // geometry/collider/collider.h

typedef struct firn_stage_record {
    const firn_scene_data* scene;  // borrowed
    firn_log log;
    firn_collider* colliders;  // owned copies, posed as in the newest frame
    firn_stage stage;
    double spacing;        // [m] of particles, for their widths
    int64_t points_most;   // per frame; 0: no points
    uint32_t points_step;  // about one particle in so many is selected
} firn_stage_record;

// `spacing` [m]: of packed snow. Close it also after a failure.
firn_result firn_stage_record_open(const firn_scene_data* scene, double spacing,
                                   int64_t points_most, const firn_log* log,
                                   firn_stage_record* out_record, firn_error* error);
// Adds a sample: poses of the colliders, meshes of those that deform (with the first frame of all),
// camera and particles.
firn_result firn_stage_record_add(firn_stage_record* record, const firn_frame* frame,
                                  firn_error* error);
void firn_stage_record_close(firn_stage_record* record);

// The triangles of a posed collider in its own coordinates, with squares of `side` [m] for its
// planes, around the point of each that is nearest to `middle` (world). A mesh without triangles:
// nothing of it is bounded or a plane. Of a deforming one without normals where its triangles come
// from its file. Owned by the caller, firn_body_mesh_free.
firn_result firn_stage_body_mesh(const firn_scene_data* scene, const firn_collider* posed,
                                 double time, firn_vec3 middle, double side,
                                 firn_body_mesh* out_mesh, firn_error* error);
