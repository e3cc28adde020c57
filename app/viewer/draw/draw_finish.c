// SPDX-License-Identifier: MIT
// Post-processing: tone mapping, sRGB, outline of the dragged collider, FXAA.
#include "viewer/draw/draw_parts.h"

void view_finish_draw(view_draw* draw, GLuint framebuffer, bool water)
{
    view_targets* t = &draw->targets;
    gl_target_bind(&t->picture);
    view_program_use(draw, VIEW_TONE, 0, 0, 0, 0);
    gl_texture_bind(VIEW_UNIT_LIGHT, GL_TEXTURE_2D, t->light[water ? 1 : 0].colour[0]);
    gl_texture_bind(VIEW_UNIT_NORMAL, GL_TEXTURE_2D, t->gbuffer.colour[1]);
    view_screen_draw(draw);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glViewport(0, 0, t->width, t->height);
    view_program_use(draw, VIEW_FXAA, 0, 0, 0, 0);
    gl_texture_bind(VIEW_UNIT_PICTURE, GL_TEXTURE_2D, t->picture.colour[0]);
    view_screen_draw(draw);
}
