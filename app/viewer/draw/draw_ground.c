// SPDX-License-Identifier: MIT
// Infinite planes: one triangle over the screen each, met by a formula in the shader. A plane that
// the eye is behind is not drawn, so that one can look into a scene through its walls.
#include "viewer/draw/draw_parts.h"
#include "viewer/draw/matrix.h"

void view_ground_draw(view_draw* draw, const view_frame* frame)
{
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    const GLuint id = draw->programs[VIEW_GROUND];
    glUseProgram(id);
    const GLint plane = glGetUniformLocation(id, "plane");
    const GLint colour = glGetUniformLocation(id, "colour");
    for (int b = 0; b < frame->body_count; b++) {
        const view_body* body = &frame->bodies[b];
        if (body->mesh >= 0) continue;
        float n[3] = {body->normal[0], body->normal[1], body->normal[2]};
        view_normalize(n, (const float[3]){0, 1, 0});
        const float level = view_dot(n, body->point);
        if (view_dot(n, draw->constants.eye) <= level) continue;
        glUniform4f(plane, n[0], n[1], n[2], level);
        glUniform3fv(colour, 1, body->colour);
        view_screen_draw(draw);
    }
}
