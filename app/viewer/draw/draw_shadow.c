// SPDX-License-Identifier: MIT
// Shadow map of snow and colliders.
#include <math.h>

#include "viewer/draw/draw_parts.h"
#include "viewer/gl/matrix.h"

bool view_shadow_create(view_draw* draw)
{
    const int side = draw->software ? 1024 : 2048;
    if (!gl_target_create(&draw->shadow, side, side,
                          &(gl_target_def){.depth = GL_DEPTH_COMPONENT32F}))
        return false;
    // hardware depth comparison with bilinear filtering
    glBindTexture(GL_TEXTURE_2D, draw->shadow.depth);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    return true;
}

void view_shadow_destroy(view_draw* draw)
{
    gl_target_destroy(&draw->shadow);
}

void view_shadow_fit(view_draw* draw, const view_frame* frame)
{
    view_constants* c = &draw->constants;
    float low[3], high[3], centre[3], radius = 0;
    for (int k = 0; k < 3; k++) {
        low[k] = draw->spheres.low[k];
        high[k] = draw->spheres.high[k];
    }
    view_colliders_bound(draw, frame, low, high);
    for (int k = 0; k < 3; k++) {
        centre[k] = 0.5f * (low[k] + high[k]);
        radius += 0.25f * (high[k] - low[k]) * (high[k] - low[k]);
    }
    radius = sqrtf(fmaxf(radius, 1e-6f));
    // quantise size and, below, position to texels, so that shadow edges do not shimmer
    radius = exp2f(ceilf(4 * log2f(radius)) / 4);
    float x[3], y[3], z[3];
    view_axes(c->sun, x, y, z);
    const float texel = 2 * radius / (float)draw->shadow.width;
    const float u = floorf(view_dot(x, centre) / texel) * texel;
    const float v = floorf(view_dot(y, centre) / texel) * texel;
    const float w = view_dot(z, centre);
    for (int k = 0; k < 3; k++) centre[k] = u * x[k] + v * y[k] + w * z[k];
    float into[16];
    view_matrix_into(x, y, z, centre, into);
    const float clip[16] = {[0] = 1 / radius, [5] = 1 / radius, [10] = -1 / radius, [15] = 1};
    view_matrix_multiply(clip, into, c->light);
    c->shade[1] = texel;
    c->shade[2] = 2 * radius;
}

void view_shadow_draw(view_draw* draw, const view_frame* frame)
{
    gl_target_bind(&draw->shadow);
    glDepthMask(GL_TRUE);
    glClear(GL_DEPTH_BUFFER_BIT);
    if (!frame->shadows) return;
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_DEPTH_CLAMP);  // occluders in front of the near plane cast shadows too
    glDisable(GL_CULL_FACE);
    view_colliders_draw(draw, frame, VIEW_COLLIDER_SHADOW);
    view_spheres_draw(draw, VIEW_SPHERE_SHADOW, VIEW_SOLID_SNOW, 1, &draw->shadow);
    glDisable(GL_DEPTH_CLAMP);
}
