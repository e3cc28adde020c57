// SPDX-License-Identifier: MIT
// The files of app/viewer/shaders, embedded at build time.
#pragma once

typedef struct view_shader {
    const char* name;  // of the file, without extension
    const char* text;  // not null-terminated
    int length;
} view_shader;
// Terminated by a null name.
extern const view_shader view_shaders[];
