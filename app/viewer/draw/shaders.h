// SPDX-License-Identifier: MIT
// The shaders of app/viewer/shaders, put into the program when it is built: nothing is looked
// for at run time.
#pragma once

typedef struct view_shader {
    const char* name;  // of the file, without its ending
    const char* text;  // not terminated
    int length;
} view_shader;
// Ends with a null name.
extern const view_shader view_shaders[];
