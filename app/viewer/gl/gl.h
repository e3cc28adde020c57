// SPDX-License-Identifier: MIT
// OpenGL 3.3 core. Functions are linked from libOpenGL (GLVND) instead of loaded at run time; it
// exports all of 3.3 and works with EGL and GLX contexts.
#pragma once
#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>
