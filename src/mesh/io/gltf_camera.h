// SPDX-License-Identifier: MIT
// Cameras of glTF files as poses over time.
// Khronos, glTF 2.0 specification, section 3.10: a camera looks along -z of its node, +y is up.
#pragma once
#include "core/result.h"

#define FIRN_GLTF_CAMERA_RATE 240.0  // [1/s] poses of a moving camera

typedef struct firn_gltf_camera_pose {
    double time;               // [s]
    double eye[3];             // [m]
    double forward[3], up[3];  // unit
} firn_gltf_camera_pose;

typedef struct firn_gltf_camera {
    double fov_deg;                // vertical field of view
    firn_gltf_camera_pose* poses;  // owned; in order of time, one if the camera is at rest
    firn_local pose_count;
} firn_gltf_camera;

// Reads the camera that is called `name`, as a camera or by its node; null: the only one of the
// file. Moved by the animations that firn_gltf_read plays without a name.
// Refused: as firn_gltf_read; FIRN_REFUSED_NAME: no such camera (lists those there are), or several
// and no name; FIRN_REFUSED_SCENE: it is orthographic.
firn_result firn_gltf_read_camera(const char* path, const char* name, firn_gltf_camera* out_camera,
                                  firn_error* error);
void firn_gltf_camera_destroy(firn_gltf_camera* camera);
