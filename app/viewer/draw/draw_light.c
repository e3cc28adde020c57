// SPDX-License-Identifier: MIT
// Deferred lighting: ambient occlusion, then sun, sky and fog.
#include "viewer/draw/draw_parts.h"

static void find_occlusion(view_draw* draw)
{
    view_targets* t = &draw->targets;
    gl_target_bind(&t->occlusion[0]);
    view_program_use(draw, VIEW_OCCLUSION, 0, 0, 0, 0);
    view_screen_draw(draw);
    for (int k = 0; k < 2; k++) {
        gl_target_bind(&t->occlusion[1 - k]);
        view_program_use(draw, VIEW_OCCLUSION_BLUR, k == 0, k == 1, 0, 0);
        gl_texture_bind(VIEW_UNIT_OCCLUSION, GL_TEXTURE_2D, t->occlusion[k].colour[0]);
        view_screen_draw(draw);
    }
}

void view_light_draw(view_draw* draw)
{
    view_targets* t = &draw->targets;
    glDisable(GL_DEPTH_TEST);
    gl_texture_bind(VIEW_UNIT_DEPTH, GL_TEXTURE_2D, t->gbuffer.depth);
    gl_texture_bind(VIEW_UNIT_ALBEDO, GL_TEXTURE_2D, t->gbuffer.colour[0]);
    gl_texture_bind(VIEW_UNIT_NORMAL, GL_TEXTURE_2D, t->gbuffer.colour[1]);
    gl_texture_bind(VIEW_UNIT_SHADOW, GL_TEXTURE_2D, draw->shadow.depth);
    find_occlusion(draw);
    gl_target_bind(&t->light[0]);
    gl_texture_bind(VIEW_UNIT_OCCLUSION, GL_TEXTURE_2D, t->occlusion[0].colour[0]);
    view_program_use(draw, VIEW_LIGHT, 0, 0, 0, 0);
    view_screen_draw(draw);
}
