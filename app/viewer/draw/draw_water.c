// SPDX-License-Identifier: MIT
// Water: refraction of the background, tinted by thickness.
#include "viewer/draw/draw_parts.h"

#define PASSES 3

static void add_thickness(view_draw* draw)
{
    gl_target_bind(&draw->targets.thickness);
    glDisable(GL_DEPTH_TEST);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    gl_texture_bind(VIEW_UNIT_DEPTH, GL_TEXTURE_2D, draw->targets.gbuffer.depth);
    view_spheres_draw(draw, VIEW_SPHERE_THICKNESS, VIEW_WATER_SNOW, 1, &draw->targets.thickness);
    glDisable(GL_BLEND);
}

void view_water_draw(view_draw* draw, const view_frame* frame)
{
    view_targets* t = &draw->targets;
    const GLuint inv_depth =
        view_surface_smooth(draw, VIEW_WATER_SNOW, frame->style == VIEW_SURFACE ? PASSES : 0);
    add_thickness(draw);
    gl_target_bind(&t->light[1]);
    view_program_use(draw, VIEW_WATER, (float)t->margin, 0, 0, 0);
    gl_texture_bind(VIEW_UNIT_INV_DEPTH, GL_TEXTURE_2D, inv_depth);
    gl_texture_bind(VIEW_UNIT_THICKNESS, GL_TEXTURE_2D, t->thickness.colour[0]);
    gl_texture_bind(VIEW_UNIT_LIGHT, GL_TEXTURE_2D, t->light[0].colour[0]);
    view_screen_draw(draw);
}
