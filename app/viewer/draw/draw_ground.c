// SPDX-License-Identifier: MIT
// Infinite planes: one full-screen triangle each, intersected in the fragment shader. Planes are
// not drawn from behind, so that the camera sees through walls.
#include "viewer/draw/draw_parts.h"
#include "viewer/gl/matrix.h"

void view_ground_draw(view_draw* draw, const view_frame* frame)
{
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    const GLuint id = draw->programs[VIEW_GROUND];
    glUseProgram(id);
    const GLint plane = glGetUniformLocation(id, "plane");
    const GLint colour = glGetUniformLocation(id, "colour");
    for (int b = 0; b < frame->collider_count; b++) {
        const view_collider* collider = &frame->colliders[b];
        if (collider->mesh >= 0) continue;
        float n[3] = {collider->normal[0], collider->normal[1], collider->normal[2]};
        view_normalize(n, (const float[3]){0, 1, 0});
        const float level = view_dot(n, collider->point);
        if (view_dot(n, draw->constants.eye) <= level) continue;
        glUniform4f(plane, n[0], n[1], n[2], level);
        glUniform3fv(colour, 1, collider->colour);
        view_screen_draw(draw);
    }
}
