// SPDX-License-Identifier: MIT
// Draws a frame of snow with OpenGL 3.3 core into the framebuffer that is bound: sky, ground with
// shadows, bodies, snow as lit spheres or as a smooth surface, and words on top. Needs a current
// context; knows nothing of windows, simulations or files.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct view_draw view_draw;

typedef struct view_camera {
    float eye[3], look_at[3];  // [m], y is up
    float fov;                 // [degrees], vertical
} view_camera;

typedef enum view_style { VIEW_SPHERES, VIEW_SURFACE } view_style;

// Snow. Arrays are borrowed for the call that is given them.
typedef struct view_snow {
    int64_t count;
    const float (*position)[3];  // [m]
    const float* radius;         // [m]; null: all have `radius_all`
    float radius_all;
    const float* value;    // what it is coloured by; null: snow is white
    float low, high;       // of the colour scale
    const uint8_t* phase;  // 0 snow, 1 ice, 2 water; null: all snow. Water and ice look like it.
    uint64_t version;      // arrays with the same version need not be sent to the GPU again; 0: do
} view_snow;

typedef struct view_body {
    int mesh;           // as view_draw_add_mesh gave it; -1: an infinite plane
    float position[3];  // x_world = position + scale R x
    float rotation[9];  // row-major
    float scale;
    float point[3], normal[3];  // of a plane
    float colour[3];            // linear
    bool marked;                // the mouse holds it
} view_body;

typedef struct view_words {
    float x, y;        // [pixels] from the top left corner
    float size;        // [pixels] height of a line
    float colour[4];   // sRGB and opacity
    bool box;          // on a dark, half transparent ground
    const char* text;  // ASCII; "\n" starts another line
} view_words;

// A plain rectangle on the picture, below the words.
typedef struct view_patch {
    float x, y, width, height;  // [pixels] from the top left corner
    float colour[4];            // sRGB and opacity
} view_patch;

typedef struct view_frame {
    int width, height;  // [pixels] of the framebuffer
    view_camera camera;
    float sun[3];  // unit vector towards it
    view_style style;
    bool shadows;
    view_snow snow;
    const view_body* bodies;
    int body_count;
    const view_patch* patches;
    int patch_count;
    const view_words* words;
    int word_count;
} view_frame;

// False: `problem` says in one sentence what the driver lacks.
bool view_draw_create(view_draw** out_draw, char* problem, int problem_size);
void view_draw_destroy(view_draw* draw);
// Arrays are copied; normals per vertex. < 0: memory is out.
int view_draw_add_mesh(view_draw* draw, const float (*vertices)[3], const float (*normals)[3],
                       int64_t vertex_count, const int32_t (*triangles)[3], int64_t triangle_count);
// Replaces the triangles of a mesh (bodies that deform).
bool view_draw_set_mesh(view_draw* draw, int mesh, const float (*vertices)[3],
                        const float (*normals)[3], int64_t vertex_count,
                        const int32_t (*triangles)[3], int64_t triangle_count);
void view_draw_frame(view_draw* draw, const view_frame* frame);
// The framebuffer that is bound, top row first, 3 bytes a pixel: [height][width][3].
void view_draw_read(view_draw* draw, int width, int height, uint8_t* out_pixels);
// Height and width of a text as view_words draws it [pixels].
void view_draw_measure(view_draw* draw, float size, const char* text, float* out_width,
                       float* out_height);
// Colour of the scale at 0..1, sRGB, for a legend.
void view_scale_colour(float at, float out_colour[3]);
