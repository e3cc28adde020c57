// SPDX-License-Identifier: MIT
// Draws a frame with OpenGL 3.3 core into the bound framebuffer: sky, ground with shadows,
// colliders, snow as spheres or as a smooth surface, and text on top. Needs a current context;
// independent of windows, simulations and files.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "viewer/draw/draw_gui.h"

typedef struct view_draw view_draw;

typedef struct view_camera {
    float eye[3], look_at[3];  // [m], y is up
    float fov;                 // [degrees], vertical
} view_camera;

typedef enum view_style { VIEW_SPHERES, VIEW_SURFACE } view_style;

// Colour maps; colour_scale.c describes them.
typedef enum view_map { VIEW_MAP_FIRN, VIEW_MAP_BLUE_RED, VIEW_MAP_HEAT, VIEW_MAP_GREY } view_map;
#define VIEW_MAPS 4

// Snow particles. Arrays are borrowed for the call.
typedef struct view_snow {
    int64_t count;
    const float (*position)[3];  // [m]
    const float* radius;         // [m]; null: `radius_all` for all
    float radius_all;
    const float* value;  // to colour by; null: white
    float low, high;     // of the colour scale
    view_map map;
    const uint8_t* phase;  // 0 snow, 1 ice, 2 water, 3 chocolate, 4 soft ice; null: all snow
    uint64_t version;      // arrays of the same version are not uploaded again; 0: always upload
} view_snow;

typedef struct view_collider {
    int mesh;           // from view_draw_add_mesh; -1: an infinite plane
    float position[3];  // x_world = position + scale R x
    float rotation[9];  // row-major
    float scale;
    float point[3], normal[3];  // of a plane
    float colour[3];            // linear
    bool marked;                // highlighted: dragged by the mouse
} view_collider;

typedef struct view_text {
    float x, y;        // [pixels] from the top left corner
    float size;        // [pixels] height of a line
    float colour[4];   // sRGB and opacity
    bool box;          // on a dark, translucent box
    const char* text;  // ASCII; "\n" starts a new line
} view_text;

// A filled rectangle, drawn below the text.
typedef struct view_rect {
    float x, y, width, height;  // [pixels] from the top left corner
    float colour[4];            // sRGB and opacity
} view_rect;

typedef struct view_frame {
    int width, height;  // [pixels] of the picture, at the left of the framebuffer
    int full_width;     // [pixels] of the framebuffer; the rest is for panels. 0: the same
    view_camera camera;
    float sun[3];  // unit vector towards the sun
    view_style style;
    bool shadows;
    view_snow snow;
    const view_collider* colliders;
    int collider_count;
    const view_rect* rects;
    int rect_count;
    const view_text* texts;
    int text_count;
    const view_gui* gui;  // panels, drawn last; null: none
} view_frame;

// False: `problem` says what the driver lacks.
bool view_draw_create(view_draw** out_draw, char* problem, int problem_size);
void view_draw_destroy(view_draw* draw);
// Uploads a mesh with normals per vertex; returns its number. < 0: out of memory.
int view_draw_add_mesh(view_draw* draw, const float (*vertices)[3], const float (*normals)[3],
                       int64_t vertex_count, const int32_t (*triangles)[3], int64_t triangle_count);
// Replaces the triangles of a mesh (deforming colliders).
bool view_draw_set_mesh(view_draw* draw, int mesh, const float (*vertices)[3],
                        const float (*normals)[3], int64_t vertex_count,
                        const int32_t (*triangles)[3], int64_t triangle_count);
void view_draw_frame(view_draw* draw, const view_frame* frame);
// Reads the bound framebuffer, top row first: [height][width][3].
void view_draw_read(view_draw* draw, int width, int height, uint8_t* out_pixels);
// Size of a text [pixels].
void view_draw_measure(view_draw* draw, float size, const char* text, float* out_width,
                       float* out_height);
// Colour of a map at 0..1, sRGB; values outside are clamped.
void view_scale_colour(view_map map, float at, float out_colour[3]);
const char* view_map_name(view_map map);
