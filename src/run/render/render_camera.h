// SPDX-License-Identifier: MIT
// What --camera names.
#pragma once
#include "core/result.h"

typedef struct firn_render_camera {
    const char* name;  // borrowed: one of render.cameras; null: none
    char* override;    // owned: "render.camera={...}"; null: none
} firn_render_camera;

// `text`: null, the name of a camera of the scene, "{eye: [...], ...}", or a glTF file, relative to
// the folder of the program, and with ":NAME" the name of its camera.
firn_result firn_render_camera_choose(const char* text, firn_render_camera* out_camera,
                                      firn_error* error);
