// SPDX-License-Identifier: MIT
// Snow as a smooth surface: nearness of the spheres on the screen, smoothed where they belong
// together (narrow-range filter, Truong and Yuksel 2018), and made solid again.
#include "viewer/draw/draw_parts.h"

#define SWELL 1.3f  // on the radii: spheres that touch become a closed sheet
#define PASSES 3    // of both directions, where a grain is a few pixels wide
#define PASSES_MAX 5

// One pass of a filter, with the program in use, from `nearness` to `to`; returns its texture.
static GLuint draw_over(view_draw* draw, GLuint nearness, const gl_target* to)
{
    gl_target_bind(to);
    gl_texture_bind(VIEW_UNIT_NEARNESS, GL_TEXTURE_2D, nearness);
    view_screen_draw(draw);
    return to->colour[0];
}

GLuint view_surface_smooth(view_draw* draw, view_which which, int passes)
{
    view_targets* t = &draw->targets;
    gl_target_bind(&t->surface);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    const bool swollen = passes > 0;
    view_spheres_draw(draw, VIEW_SPHERE_DEPTH, which, swollen ? SWELL : 1, &t->surface);
    glDisable(GL_DEPTH_TEST);
    // Where grains are large on the screen, the filter's samples lie far apart: it goes on until
    // they do not.
    const view_constants* c = &draw->constants;
    const float pixels = draw->spheres.radius * c->lens[3] / c->lens[2];
    if (passes > 0)
        for (float wide = 8; wide < pixels && passes < PASSES_MAX; wide *= 2) passes++;
    GLuint nearness = t->surface.colour[0];
    for (int k = 0; k < 2 * passes; k++) {
        // each round of both directions reaches half as far as the one before
        const float reach = 1.0f / (float)(1 << (k / 2));
        view_program_use(draw, VIEW_SMOOTH, k % 2 == 0, k % 2 == 1, reach, k == 0 || k == 2);
        nearness = draw_over(draw, nearness, &t->smooth[k % 2]);
    }
    if (passes > 0) {
        view_program_use(draw, VIEW_MEDIAN, 0, 0, 0, 0);
        nearness = draw_over(draw, nearness, &t->smooth[0]);
    }
    return nearness;
}

void view_surface_draw(view_draw* draw)
{
    const GLuint nearness = view_surface_smooth(draw, VIEW_SOLID_SNOW, PASSES);
    gl_target_bind(&draw->targets.solid);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    view_program_use(draw, VIEW_SURFACE_SOLID, (float)draw->targets.margin, 0, 0, 0);
    gl_texture_bind(VIEW_UNIT_NEARNESS, GL_TEXTURE_2D, nearness);
    gl_texture_bind(VIEW_UNIT_GRAIN, GL_TEXTURE_2D, draw->targets.surface.colour[1]);
    view_screen_draw(draw);
}
