// SPDX-License-Identifier: MIT
// OpenGL 3.3 core. Functions are linked (libOpenGL of GLVND), not asked for at run time: it has all
// of 3.3 and serves contexts of EGL and of GLX alike.
#pragma once
#define GL_GLEXT_PROTOTYPES
#include <GL/glcorearb.h>
