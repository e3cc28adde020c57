// SPDX-License-Identifier: MIT
// A frame: the ordered list of passes, their shared constants, and their render targets.
#include "viewer/draw/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "viewer/draw/draw_parts.h"
#include "viewer/gl/matrix.h"

#define SURFACE_MARGIN 0.06f  // of the picture's height: half the maximum filter reach

static bool is_software(void)
{
    const char* name = (const char*)glGetString(GL_RENDERER);
    return name != NULL && (strstr(name, "llvmpipe") != NULL || strstr(name, "softpipe") != NULL ||
                            strstr(name, "SwiftShader") != NULL);
}

static bool create_parts(view_draw* draw, char* problem, int problem_size)
{
    GLint major = 0, minor = 0;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    if (10 * major + minor < 33) {
        snprintf(problem, (size_t)problem_size,
                 "the driver supports OpenGL %d.%d, but 3.3 is needed: install a newer driver",
                 (int)major, (int)minor);
        return false;
    }
    draw->software = is_software();
    glGenVertexArrays(1, &draw->screen);
    glGenBuffers(1, &draw->constants_buffer);
    if (!view_programs_create(draw, problem, problem_size)) return false;
    if (view_spheres_create(draw) && view_shadow_create(draw) && view_text_create(draw) &&
        view_gui_create(draw))
        return true;
    snprintf(problem, (size_t)problem_size, "the driver is out of memory (OpenGL error %d)",
             (int)glGetError());
    return false;
}

bool view_draw_create(view_draw** out_draw, char* problem, int problem_size)
{
    view_draw* draw = calloc(1, sizeof *draw);
    if (draw == NULL) {
        snprintf(problem, (size_t)problem_size, "out of memory");
        return false;
    }
    GLint framebuffer = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    const bool good = create_parts(draw, problem, problem_size);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)framebuffer);
    if (!good) {
        view_draw_destroy(draw);
        return false;
    }
    *out_draw = draw;
    return true;
}

static void destroy_targets(view_targets* t)
{
    gl_target* const all[] = {&t->gbuffer,   &t->surface,      &t->smooth[0],    &t->smooth[1],
                              &t->thickness, &t->occlusion[0], &t->occlusion[1], &t->light[0],
                              &t->light[1],  &t->picture};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) gl_target_destroy(all[k]);
    *t = (view_targets){0};
}

void view_draw_destroy(view_draw* draw)
{
    if (draw == NULL) return;
    destroy_targets(&draw->targets);
    view_programs_destroy(draw);
    view_spheres_destroy(draw);
    view_shadow_destroy(draw);
    view_colliders_destroy(draw);
    view_text_destroy(draw);
    view_gui_destroy(draw);
    glDeleteBuffers(1, &draw->constants_buffer);
    glDeleteVertexArrays(1, &draw->screen);
    free(draw);
}

// Resizes the render targets to the frame. False: out of memory.
static bool fit_targets(view_targets* t, int width, int height)
{
    if (t->width == width && t->height == height) return true;
    destroy_targets(t);
    const gl_target_def gbuffer = {{GL_RGBA8, GL_RGBA16F}, GL_DEPTH_COMPONENT32F, GL_NEAREST};
    const gl_target_def surface = {{GL_R32F, GL_RGBA8}, GL_DEPTH_COMPONENT32F, GL_NEAREST};
    const gl_target_def inv_depth = {{GL_R32F}, 0, GL_NEAREST};
    const gl_target_def thickness = {{GL_R16F}, 0, GL_LINEAR};
    const gl_target_def occlusion = {{GL_RG16F}, 0, GL_NEAREST};
    const gl_target_def light = {{GL_RGBA16F}, 0, GL_LINEAR};
    const gl_target_def picture = {{GL_RGBA8}, 0, GL_LINEAR};
    const int half_width = (width + 1) / 2, half_height = (height + 1) / 2;
    const int margin = (int)(SURFACE_MARGIN * (float)height) + 2;
    const int full_width = width + 2 * margin, full_height = height + 2 * margin;
    bool good = gl_target_create(&t->gbuffer, width, height, &gbuffer) &&
                gl_target_create(&t->surface, full_width, full_height, &surface) &&
                gl_target_create(&t->thickness, width, height, &thickness) &&
                gl_target_create(&t->picture, width, height, &picture);
    for (int k = 0; k < 2; k++)
        good = good && gl_target_create(&t->smooth[k], full_width, full_height, &inv_depth) &&
               gl_target_create(&t->occlusion[k], half_width, half_height, &occlusion) &&
               gl_target_create(&t->light[k], width, height, &light);
    if (!good) {
        destroy_targets(t);
        return false;
    }
    t->margin = margin;
    t->width = width;
    t->height = height;
    return true;
}

static void set_camera(view_constants* c, const view_frame* frame)
{
    const view_camera* camera = &frame->camera;
    float backward[3], x[3], y[3], z[3];
    for (int k = 0; k < 3; k++) {
        backward[k] = camera->eye[k] - camera->look_at[k];
        c->eye[k] = camera->eye[k];
    }
    const float distance = fmaxf(sqrtf(view_dot(backward, backward)), 1e-6f);
    view_axes(backward, x, y, z);
    view_matrix_into(x, y, z, camera->eye, c->view);
    const float degree = 3.14159265f / 180;
    const float tan_y = tanf(0.5f * degree * fminf(fmaxf(camera->fov, 1), 170));
    const float tan_x = tan_y * (float)frame->width / (float)frame->height;
    // Near plane at 1 % of the viewing distance; a 32-bit depth buffer then resolves depths to
    // 1e-4 of the distance.
    c->eye[3] = 0.01f * distance;
    view_matrix_perspective(tan_x, tan_y, c->eye[3], c->projection);
    const float lens[4] = {tan_x, tan_y, distance, 0.5f * (float)frame->height / tan_y};
    memcpy(c->lens, lens, sizeof lens);
}

static void set_constants(view_draw* draw, const view_frame* frame)
{
    view_constants* c = &draw->constants;
    const view_spheres* s = &draw->spheres;
    set_camera(c, frame);
    memcpy(c->sun, frame->sun, sizeof frame->sun);
    view_normalize(c->sun, (const float[3]){0, 1, 0});
    c->sun[3] = frame->shadows;
    const float size[4] = {(float)frame->width, (float)frame->height, 1 / (float)frame->width,
                           1 / (float)frame->height};
    const float snow[4] = {frame->snow.radius_all, s->has_radii, s->has_phases, s->radius};
    const float range = frame->snow.high - frame->snow.low;
    const float scale[4] = {frame->snow.low, range != 0 ? 1 / range : 0, s->has_values,
                            frame->style == VIEW_SURFACE};
    memcpy(c->size, size, sizeof size);
    memcpy(c->snow, snow, sizeof snow);
    memcpy(c->scale, scale, sizeof scale);
    // Occlusion radius: a tenth of the picture's height at the target, so that it works at any
    // scale, but at least 4 particle radii, so that it is not limited to gaps between particles.
    c->shade[0] = fmaxf(0.2f * c->lens[1] * c->lens[2], 4 * s->radius);
    view_shadow_fit(draw, frame);
    glBindBuffer(GL_UNIFORM_BUFFER, draw->constants_buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof *c, c, GL_STREAM_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, draw->constants_buffer);
}

// Sets the OpenGL state that the caller may have changed.
static void set_state(void)
{
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_FRAMEBUFFER_SRGB);  // the shaders encode sRGB
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDepthFunc(GL_LESS);
    glClearDepth(1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
}

static void draw_gbuffer(view_draw* draw, const view_frame* frame)
{
    gl_target_bind(&draw->targets.gbuffer);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    // Back faces are culled, so that a camera inside a collider sees through it.
    glEnable(GL_CULL_FACE);
    view_colliders_draw(draw, frame, VIEW_COLLIDER);
    glDisable(GL_CULL_FACE);
    if (frame->style == VIEW_SURFACE)
        view_surface_draw(draw);
    else
        view_spheres_draw(draw, VIEW_SPHERE, VIEW_SOLID_SNOW, 1, &draw->targets.gbuffer);
    view_ground_draw(draw, frame);
}

void view_draw_frame(view_draw* draw, const view_frame* frame)
{
    GLint framebuffer = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &framebuffer);
    if (frame->width < 1 || frame->height < 1) return;
    set_state();
    if (!fit_targets(&draw->targets, frame->width, frame->height)) {
        glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)framebuffer);
        return;
    }
    view_spheres_upload(draw, &frame->snow);
    set_constants(draw, frame);
    view_shadow_draw(draw, frame);
    draw_gbuffer(draw, frame);
    view_light_draw(draw);
    const bool water = draw->spheres.has_water;
    if (water) view_water_draw(draw, frame);
    view_finish_draw(draw, (GLuint)framebuffer, water);
    view_text_draw(draw, frame);
    view_gui_draw(draw, frame);
}

void view_draw_read(view_draw* draw, int width, int height, uint8_t* out_pixels)
{
    (void)draw;
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, out_pixels);
    const size_t row = (size_t)width * 3;
    for (int top = 0, bottom = height - 1; top < bottom; top++, bottom--) {
        uint8_t* a = out_pixels + (size_t)top * row;
        uint8_t* b = out_pixels + (size_t)bottom * row;
        for (size_t k = 0; k < row; k++) {
            const uint8_t kept = a[k];
            a[k] = b[k];
            b[k] = kept;
        }
    }
}
