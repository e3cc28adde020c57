// SPDX-License-Identifier: MIT
// Snow as a smooth surface: screen-space inverse depth of the spheres, smoothed by a narrow-range
// filter (Truong and Yuksel 2018), then written to the G-buffer.
#include "viewer/draw/draw_parts.h"

#define RADIUS_SCALE 1.3f  // scale of the radii, so that touching spheres form a closed surface
#define PASSES 3           // of both directions, for particles a few pixels wide
#define PASSES_MAX 5

// One filter pass with the current program from `inv_depth` to `to`; returns the latter's texture.
static GLuint draw_over(view_draw* draw, GLuint inv_depth, const gl_target* to)
{
    gl_target_bind(to);
    gl_texture_bind(VIEW_UNIT_INV_DEPTH, GL_TEXTURE_2D, inv_depth);
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
    const bool enlarged = passes > 0;
    view_spheres_draw(draw, VIEW_SPHERE_DEPTH, which, enlarged ? RADIUS_SCALE : 1, &t->surface);
    glDisable(GL_DEPTH_TEST);
    // For particles that are large on screen the filter's samples are far apart: add passes.
    const view_constants* c = &draw->constants;
    const float pixels = draw->spheres.radius * c->lens[3] / c->lens[2];
    if (passes > 0)
        for (float radius = 8; radius < pixels && passes < PASSES_MAX; radius *= 2) passes++;
    GLuint inv_depth = t->surface.colour[0];
    for (int k = 0; k < 2 * passes; k++) {
        // halve the reach with each round of both directions
        const float reach = 1.0f / (float)(1 << (k / 2));
        view_program_use(draw, VIEW_SMOOTH, k % 2 == 0, k % 2 == 1, reach, k == 0 || k == 2);
        inv_depth = draw_over(draw, inv_depth, &t->smooth[k % 2]);
    }
    if (passes > 0) {
        view_program_use(draw, VIEW_MEDIAN, 0, 0, 0, 0);
        inv_depth = draw_over(draw, inv_depth, &t->smooth[0]);
    }
    return inv_depth;
}

void view_surface_draw(view_draw* draw)
{
    const GLuint inv_depth = view_surface_smooth(draw, VIEW_SOLID_SNOW, PASSES);
    gl_target_bind(&draw->targets.gbuffer);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    view_program_use(draw, VIEW_SURFACE_GBUFFER, (float)draw->targets.margin, 0, 0, 0);
    gl_texture_bind(VIEW_UNIT_INV_DEPTH, GL_TEXTURE_2D, inv_depth);
    gl_texture_bind(VIEW_UNIT_GRAIN, GL_TEXTURE_2D, draw->targets.surface.colour[1]);
    view_screen_draw(draw);
}
