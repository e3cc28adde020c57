// SPDX-License-Identifier: MIT
// Writes the scene and the camera of a session as YAML.
#pragma once
#include "viewer/session.h"

typedef struct view_save_def {
    const char* scene;          // file or name that the session was started with; borrowed
    const firn_load_def* load;  // its options; null: none
    const char* dir;            // folder of the run that is replayed; null: a simulation
} view_save_def;

// Writes the scene to the reserved file `path`: as it was loaded, with the session's camera,
// colours and changes.
firn_result view_save_scene(const view_save_def* def, const view_session* s, const char* path,
                            firn_error* out_error);
// Writes a block `render` with the camera.
firn_result view_save_camera(const view_session* s, const char* path, firn_error* out_error);
// Saves the scene, or the camera, under the first unused name, and shows a message. Keys W and K.
void view_save_named(const view_save_def* def, view_session* s, bool camera);
