// SPDX-License-Identifier: MIT
// Render targets: framebuffers with their textures.
#pragma once
#include <stdbool.h>

#include "viewer/gl/gl.h"

#define GL_TARGET_COLOURS 2

typedef struct gl_target {
    GLuint framebuffer;
    GLuint colour[GL_TARGET_COLOURS];
    GLuint depth;
    int width, height;
} gl_target;

typedef struct gl_target_def {
    GLenum colour[GL_TARGET_COLOURS];  // internal formats; 0: none
    GLenum depth;                      // internal format; 0: none
    GLenum filter;                     // of the colours: GL_NEAREST or GL_LINEAR
} gl_target_def;

// Creates textures with clamped edges. False: unsupported formats, or out of memory; the target is
// then empty. Leaves its framebuffer bound.
bool gl_target_create(gl_target* target, int width, int height, const gl_target_def* def);
void gl_target_destroy(gl_target* target);
// Binds the framebuffer and sets the viewport.
void gl_target_bind(const gl_target* target);
// Binds a texture to a unit.
void gl_texture_bind(int unit, GLenum kind, GLuint texture);
