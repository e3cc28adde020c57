// SPDX-License-Identifier: MIT
// Shader programs, concatenated from the files of shaders/.
#pragma once
#include <stdbool.h>

#include "viewer/gl/gl.h"

#define GL_PIECES_MAX 6

// Names in view_shaders, in order of concatenation; null-terminated.
typedef struct gl_program_def {
    const char* vertex[GL_PIECES_MAX];
    const char* fragment[GL_PIECES_MAX];
} gl_program_def;

// Compiles and links; binds the uniform block `Frame` to 0, and sampler k of `samplers`
// (null-terminated) to texture unit k. 0: `problem` has the first line of the driver's log.
GLuint gl_program_create(const gl_program_def* def, const char* const* samplers, char* problem,
                         int problem_size);
