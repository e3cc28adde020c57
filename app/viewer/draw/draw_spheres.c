// SPDX-License-Identifier: MIT
// Snow as sphere impostors. The arrays are uploaded as they are; the vertex shader builds one
// triangle around each sphere's outline, and the fragment shader intersects the sphere. Nothing is
// repacked or sorted on the CPU.
#include <math.h>
#include <string.h>

#include "viewer/draw/draw_parts.h"
#include "viewer/gl/matrix.h"

#define SCALE_COLOURS 256

static void set_scale(view_draw* draw, view_map map)
{
    float colours[SCALE_COLOURS][3];
    for (int k = 0; k < SCALE_COLOURS; k++)
        view_scale_colour(map, (float)k / (SCALE_COLOURS - 1), colours[k]);
    draw->spheres.map = map;
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, draw->spheres.scale);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB16F, SCALE_COLOURS, 1, 0, GL_RGB, GL_FLOAT, colours);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
}

bool view_spheres_create(view_draw* draw)
{
    static const GLenum formats[4] = {GL_R32F, GL_R32F, GL_R32F, GL_R8UI};
    view_spheres* s = &draw->spheres;
    glActiveTexture(GL_TEXTURE0);
    glGenBuffers(4, s->buffers);
    glGenTextures(4, s->textures);
    for (int k = 0; k < 4; k++) {
        glBindBuffer(GL_TEXTURE_BUFFER, s->buffers[k]);
        glBufferData(GL_TEXTURE_BUFFER, 16, NULL, GL_STREAM_DRAW);
        glBindTexture(GL_TEXTURE_BUFFER, s->textures[k]);
        glTexBuffer(GL_TEXTURE_BUFFER, formats[k], s->buffers[k]);
    }
    glGenTextures(1, &s->scale);
    set_scale(draw, VIEW_MAP_FIRN);
    // Three texels per position. Common drivers have 2^27 texels: 44 million spheres.
    GLint texels = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &texels);
    s->count_max = texels / 3;
    return glGetError() == GL_NO_ERROR;
}

void view_spheres_destroy(view_draw* draw)
{
    glDeleteTextures(4, draw->spheres.textures);
    glDeleteBuffers(4, draw->spheres.buffers);
    glDeleteTextures(1, &draw->spheres.scale);
}

// Same condition as in sphere_fetch.glsl.
static bool is_drawn(const view_snow* snow, int64_t p)
{
    const float* x = snow->position[p];
    const float radius = snow->radius != NULL ? snow->radius[p] : snow->radius_all;
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]) && radius > 0;
}

// Bounds of the positions within four standard deviations of their mean: a few particles far away
// must not waste the shadow map's resolution.
static void bound(view_spheres* s, const view_snow* snow)
{
    double sum[3] = {0}, squares[3] = {0};
    int64_t good = 0;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int64_t p = 0; p < s->count; p++) {
        const float* x = snow->position[p];
        if (!is_drawn(snow, p)) continue;
        good++;
        for (int k = 0; k < 3; k++) {
            sum[k] += (double)x[k];
            squares[k] += (double)x[k] * (double)x[k];
            low[k] = x[k] < low[k] ? x[k] : low[k];
            high[k] = x[k] > high[k] ? x[k] : high[k];
        }
    }
    for (int k = 0; k < 3; k++) {
        if (good == 0) {
            s->low[k] = s->high[k] = 0;
            continue;
        }
        const double mean = sum[k] / (double)good;
        const double variance = squares[k] / (double)good - mean * mean;
        const double reach = 4 * sqrt(variance > 0 ? variance : 0) + 2 * (double)s->radius;
        s->low[k] = fmaxf(low[k] - s->radius, (float)(mean - reach));
        s->high[k] = fminf(high[k] + s->radius, (float)(mean + reach));
    }
}

static float mean_radius(const view_snow* snow, int64_t count)
{
    double sum = 0;
    int64_t good = 0;
    for (int64_t p = 0; snow->radius != NULL && p < count; p++) {
        if (!(snow->radius[p] > 0 && isfinite(snow->radius[p]))) continue;
        sum += (double)snow->radius[p];
        good++;
    }
    return good > 0 ? (float)(sum / (double)good) : snow->radius_all;
}

static void find_phases(view_spheres* s, const uint8_t* phase)
{
    int64_t water = 0;
    for (int64_t p = 0; phase != NULL && p < s->count; p++) water += phase[p] == 2;
    s->has_water = water > 0;
    s->has_solid = water < s->count;
}

// Orphans the old storage, so that the driver need not wait for the previous frame.
static bool send(view_spheres* s, int k, const void* data, int64_t bytes)
{
    if (data == NULL || bytes <= 0) return false;
    glBindBuffer(GL_TEXTURE_BUFFER, s->buffers[k]);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)bytes, data, GL_STREAM_DRAW);
    return true;
}

// An array that was added or removed also requires an upload, even at the same version.
static bool is_uploaded(const view_spheres* s, const view_snow* snow)
{
    return snow->version != 0 && snow->version == s->version && snow->count == s->count_given &&
           (snow->radius != NULL) == s->has_radii && (snow->value != NULL) == s->has_values &&
           (snow->phase != NULL) == s->has_phases;
}

void view_spheres_upload(view_draw* draw, const view_snow* snow)
{
    view_spheres* s = &draw->spheres;
    if (s->map != snow->map) set_scale(draw, snow->map);
    if (is_uploaded(s, snow)) return;
    s->version = snow->version;
    s->count_given = snow->count;
    s->count = snow->count < s->count_max ? snow->count : s->count_max;
    if (snow->position == NULL || s->count < 0) s->count = 0;
    send(s, 0, snow->position, s->count * 12);
    s->has_radii = send(s, 1, snow->radius, s->count * 4);
    s->has_values = send(s, 2, snow->value, s->count * 4);
    s->has_phases = send(s, 3, snow->phase, s->count);
    find_phases(s, snow->phase);
    s->radius = mean_radius(snow, s->count);
    bound(s, snow);
}

void view_spheres_draw(view_draw* draw, view_program program, view_which which, float radius_scale,
                       const gl_target* to)
{
    view_spheres* s = &draw->spheres;
    if (s->count == 0 || !(which == VIEW_WATER_SNOW ? s->has_water : s->has_solid)) return;
    view_program_use(draw, program, radius_scale, which == VIEW_WATER_SNOW,
                     (float)draw->targets.width / (float)to->width,
                     (float)draw->targets.height / (float)to->height);
    for (int k = 0; k < 4; k++) gl_texture_bind(k, GL_TEXTURE_BUFFER, s->textures[k]);
    gl_texture_bind(VIEW_UNIT_SCALE, GL_TEXTURE_2D, s->scale);
    glBindVertexArray(draw->screen);
    glDrawArrays(GL_TRIANGLES, 0, (GLsizei)(3 * s->count));
}
