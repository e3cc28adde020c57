// SPDX-License-Identifier: MIT
// Shader programs of all passes, and their sampler names.
#include <stddef.h>

#include "viewer/draw/draw_parts.h"
#include "viewer/gl/gl_program.h"

// In the order of view_unit.
static const char* const samplers[] = {
    "positions",     "radii",      "values",     "phases",        "scale_colours",
    "depth_map",     "albedo_map", "normal_map", "shadow_map",    "occlusion_map",
    "inv_depth_map", "grain_map",  "light_map",  "thickness_map", "picture_map",
    "glyph_map",     NULL};

#define SPHERE                                         \
    {                                                  \
        "frame", "sphere_fetch", "hash", "sphere_vert" \
    }
#define SCREEN        \
    {                 \
        "screen_vert" \
    }
static const gl_program_def defs[VIEW_PROGRAMS] = {
    [VIEW_SPHERE] = {SPHERE, {"frame", "sphere_hit", "sphere_frag"}},
    [VIEW_SPHERE_DEPTH] = {SPHERE, {"frame", "sphere_hit", "sphere_depth_frag"}},
    [VIEW_SPHERE_THICKNESS] = {SPHERE, {"frame", "sphere_hit", "sphere_thickness_frag"}},
    [VIEW_SPHERE_SHADOW] = {{"frame", "sphere_fetch", "sphere_shadow_vert"},
                            {"sphere_shadow_frag"}},
    [VIEW_COLLIDER] = {{"frame", "collider_vert"}, {"frame", "collider_frag"}},
    [VIEW_COLLIDER_SHADOW] = {{"frame", "collider_shadow_vert"}, {"collider_shadow_frag"}},
    [VIEW_GROUND] = {SCREEN, {"frame", "ground_frag"}},
    [VIEW_SMOOTH] = {SCREEN, {"frame", "smooth_frag"}},
    [VIEW_MEDIAN] = {SCREEN, {"median_frag"}},
    [VIEW_SURFACE_GBUFFER] = {SCREEN, {"frame", "hash", "surface_slope", "surface_frag"}},
    [VIEW_OCCLUSION] = {SCREEN, {"frame", "hash", "occlusion_frag"}},
    [VIEW_OCCLUSION_BLUR] = {SCREEN, {"frame", "occlusion_blur_frag"}},
    [VIEW_LIGHT] = {SCREEN, {"frame", "hash", "sky", "shadow", "light_frag"}},
    [VIEW_WATER] = {SCREEN, {"frame", "hash", "sky", "shadow", "surface_slope", "water_frag"}},
    [VIEW_TONE] = {SCREEN, {"frame", "hash", "tone_frag"}},
    [VIEW_FXAA] = {SCREEN, {"frame", "fxaa_frag"}},
    [VIEW_TEXT] = {{"frame", "text_vert"}, {"text_frag"}},
    [VIEW_GUI] = {{"frame", "gui_vert"}, {"gui_frag"}},
};

bool view_programs_create(view_draw* draw, char* problem, int problem_size)
{
    for (int k = 0; k < VIEW_PROGRAMS; k++) {
        draw->programs[k] = gl_program_create(&defs[k], samplers, problem, problem_size);
        if (draw->programs[k] == 0) return false;
        draw->options[k] = glGetUniformLocation(draw->programs[k], "option");
    }
    return true;
}

void view_programs_destroy(view_draw* draw)
{
    for (int k = 0; k < VIEW_PROGRAMS; k++) glDeleteProgram(draw->programs[k]);
}

void view_program_use(view_draw* draw, view_program program, float a, float b, float c, float d)
{
    glUseProgram(draw->programs[program]);
    if (draw->options[program] >= 0) glUniform4f(draw->options[program], a, b, c, d);
}

void view_screen_draw(view_draw* draw)
{
    glBindVertexArray(draw->screen);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}
