// SPDX-License-Identifier: MIT
// Textures that passes draw into, and the framebuffers that hold them.
#pragma once
#include <stdbool.h>

#include "viewer/draw/gl.h"

#define GL_TARGET_COLOURS 2

typedef struct gl_target {
    GLuint framebuffer;
    GLuint colour[GL_TARGET_COLOURS];
    GLuint depth;  // owned or, with gl_target_def.depth_of, another's
    bool depth_owned;
    int width, height;
} gl_target;

typedef struct gl_target_def {
    GLenum colour[GL_TARGET_COLOURS];  // internal formats; 0: none
    GLenum depth;                      // internal format; 0: none
    GLuint depth_of;                   // a depth texture to share instead; 0: none
    GLenum filter;                     // of the colours: GL_NEAREST or GL_LINEAR
} gl_target_def;

// Textures of this size, clamped at their edges. False: the driver cannot draw into these formats,
// or memory is out; the target is then empty. Leaves its framebuffer bound.
bool gl_target_create(gl_target* target, int width, int height, const gl_target_def* def);
void gl_target_destroy(gl_target* target);
// Draws go there from now on, whole.
void gl_target_bind(const gl_target* target);
// Texture `texture` of kind `kind` on unit `unit`.
void gl_texture_bind(int unit, GLenum kind, GLuint texture);
