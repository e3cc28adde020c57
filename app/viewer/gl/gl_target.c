// SPDX-License-Identifier: MIT
// Render targets.
#include "viewer/gl/gl_target.h"

#include <stddef.h>

static GLuint make_texture(GLenum format, int width, int height, GLenum filter)
{
    const bool depth = format == GL_DEPTH_COMPONENT32F || format == GL_DEPTH_COMPONENT24;
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    // nothing is uploaded, but external format and type must suit the internal format
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0,
                 depth ? GL_DEPTH_COMPONENT : GL_RGBA, GL_FLOAT, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, (GLint)filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    return texture;
}

bool gl_target_create(gl_target* target, int width, int height, const gl_target_def* def)
{
    *target = (gl_target){.width = width, .height = height};
    // Clear earlier errors. Bounded, because a lost context reports errors forever.
    for (int k = 0; k < 16 && glGetError() != GL_NO_ERROR; k++) continue;
    glActiveTexture(GL_TEXTURE0);
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    GLenum buffers[GL_TARGET_COLOURS] = {0};
    int count = 0;
    for (; count < GL_TARGET_COLOURS && def->colour[count] != 0; count++) {
        target->colour[count] = make_texture(def->colour[count], width, height, def->filter);
        buffers[count] = GL_COLOR_ATTACHMENT0 + (GLenum)count;
        glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[count], GL_TEXTURE_2D, target->colour[count],
                               0);
    }
    if (def->depth != 0) {
        target->depth = make_texture(def->depth, width, height, GL_NEAREST);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target->depth,
                               0);
    }
    if (count > 0) {
        glDrawBuffers(count, buffers);
        glReadBuffer(GL_COLOR_ATTACHMENT0);
    } else {
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
    }
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE &&
        glGetError() == GL_NO_ERROR)
        return true;
    gl_target_destroy(target);
    return false;
}

void gl_target_destroy(gl_target* target)
{
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(GL_TARGET_COLOURS, target->colour);
    glDeleteTextures(1, &target->depth);
    *target = (gl_target){0};
}

void gl_target_bind(const gl_target* target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, target->width, target->height);
}

void gl_texture_bind(int unit, GLenum kind, GLuint texture)
{
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(kind, texture);
}
