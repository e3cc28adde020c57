// SPDX-License-Identifier: MIT
// Programs of a vertex and a fragment shader, made of the pieces of shaders/.
#pragma once
#include <stdbool.h>

#include "viewer/draw/gl.h"

#define GL_PIECES_MAX 6

// Names of view_shaders, in order; the rest null.
typedef struct gl_program_def {
    const char* vertex[GL_PIECES_MAX];
    const char* fragment[GL_PIECES_MAX];
} gl_program_def;

// Compiles and links; the uniform block `Frame` is bound to 0, and sampler number k of `samplers`
// (ends with null) to texture unit k. 0: `problem` has the driver's first line.
GLuint gl_program_create(const gl_program_def* def, const char* const* samplers, char* problem,
                         int problem_size);
