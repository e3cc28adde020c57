// SPDX-License-Identifier: MIT
// Internals shared by the passes of a frame, for draw_*.c only.
//
//     snow ──▶ shadow map ────────────────────────────────┐
//       │                                                 ▼
//       ├─ spheres ─────────────────▶┐                  light ─▶ water ─▶ tone ─▶ FXAA ─▶ text,
//       panels └─ depth ─▶ smooth ─▶ surface ─▶ G-buffer ─▶ occlusion
//     colliders, ground ────────────▶┘
//
// Deferred shading: everything opaque is drawn into a G-buffer (albedo, normal, depth) and lit once
// per pixel, so that overdraw of a million spheres costs no lighting.
#pragma once
#include "viewer/draw/draw.h"
#include "viewer/draw/font_atlas.h"
#include "viewer/gl/gl.h"
#include "viewer/gl/gl_target.h"

// Texture units; draw_programs.c lists the sampler names in the same order.
typedef enum view_unit {
    VIEW_UNIT_POSITIONS,
    VIEW_UNIT_RADII,
    VIEW_UNIT_VALUES,
    VIEW_UNIT_PHASES,
    VIEW_UNIT_SCALE,
    VIEW_UNIT_DEPTH,
    VIEW_UNIT_ALBEDO,
    VIEW_UNIT_NORMAL,
    VIEW_UNIT_SHADOW,
    VIEW_UNIT_OCCLUSION,
    VIEW_UNIT_INV_DEPTH,
    VIEW_UNIT_GRAIN,
    VIEW_UNIT_LIGHT,
    VIEW_UNIT_THICKNESS,
    VIEW_UNIT_PICTURE,
    VIEW_UNIT_GLYPHS
} view_unit;

typedef enum view_program {
    VIEW_SPHERE,            // spheres into the G-buffer
    VIEW_SPHERE_DEPTH,      // spheres into `surface`
    VIEW_SPHERE_THICKNESS,  // thickness of water along a pixel's ray
    VIEW_SPHERE_SHADOW,
    VIEW_COLLIDER,
    VIEW_COLLIDER_SHADOW,
    VIEW_GROUND,
    VIEW_SMOOTH,  // one direction of the separable filter of `surface`
    VIEW_MEDIAN,
    VIEW_SURFACE_GBUFFER,  // the filtered surface into the G-buffer
    VIEW_OCCLUSION,
    VIEW_OCCLUSION_BLUR,
    VIEW_LIGHT,
    VIEW_WATER,
    VIEW_TONE,
    VIEW_FXAA,
    VIEW_TEXT,
    VIEW_GUI,
    VIEW_PROGRAMS
} view_program;

// Uniform block `Frame` of shaders/frame.glsl, std140 layout.
typedef struct view_constants {
    float view[16];        // world to eye: x right, y up, z backward
    float projection[16];  // eye to clip
    float light[16];       // world to the shadow map's clip
    float eye[4];          // [m]; distance of the near plane [m]
    float sun[4];          // unit, towards the sun; 1: shadows are on
    float size[4];         // [pixels] width, height, and their inverses
    float lens[4];         // tangents of the half angles; |eye - look_at| [m]; pixels per tangent
    float snow[4];         // common radius [m]; 1: has radii; 1: has phases; mean radius [m]
    float scale[4];        // low; 1 / (high - low); 1: has values; 1: surface style
    float shade[4];        // occlusion radius [m]; shadow map texel [m]; its depth range [m]
} view_constants;

typedef struct view_spheres {
    GLuint buffers[4], textures[4];  // positions, radii, values, phases
    GLuint scale;                    // colours, 256 x 1
    view_map map;                    // that `scale` has
    int64_t count, count_max;        // drawn; limit of texture buffers
    int64_t count_given;
    uint64_t version;
    bool has_radii, has_values, has_phases;
    bool has_water, has_solid;
    float radius;           // [m] mean
    float low[3], high[3];  // [m] bounds without outliers
} view_spheres;

typedef struct view_gui_parts {
    GLuint array, buffers[2];  // vertices, indices
    GLuint glyphs;
    uint64_t glyph_version;
} view_gui_parts;

typedef struct view_mesh {
    GLuint array, buffers[3];  // vertices, normals, triangles
    GLsizei index_count;
    float low[3], high[3];  // [m] bounds in local coordinates
} view_mesh;

typedef struct view_targets {
    int width, height;
    gl_target gbuffer;    // G-buffer: albedo, normal and material, depth
    int margin;           // [pixels] border of the next two for the filter's neighbourhood
    gl_target surface;    // inverse depth; albedo and material of the nearest spheres
    gl_target smooth[2];  // inverse depth, ping-pong of the filter
    gl_target thickness;
    gl_target occlusion[2];  // half size
    gl_target light[2];      // linear radiance, before and after water
    gl_target picture;       // sRGB with luma, before FXAA
} view_targets;

struct view_draw {
    GLuint programs[VIEW_PROGRAMS];
    GLint options[VIEW_PROGRAMS];  // location of the uniform `option`
    GLuint constants_buffer;
    view_constants constants;
    GLuint screen;  // vertex array without attributes
    view_targets targets;
    gl_target shadow;
    view_spheres spheres;
    view_mesh* meshes;  // owned
    int mesh_count, mesh_room;
    font_atlas* font;  // owned
    GLuint text_array, text_buffer;
    float* text_vertices;  // owned; scratch
    int text_room;
    view_gui_parts gui;
    bool software;  // software rasterizer: use smaller shadow maps
};

// draw_programs.c
bool view_programs_create(view_draw* draw, char* problem, int problem_size);
void view_programs_destroy(view_draw* draw);
void view_program_use(view_draw* draw, view_program program, float a, float b, float c, float d);
// Draws a full-screen triangle.
void view_screen_draw(view_draw* draw);

// draw_spheres.c
bool view_spheres_create(view_draw* draw);
void view_spheres_destroy(view_draw* draw);
void view_spheres_upload(view_draw* draw, const view_snow* snow);
typedef enum view_which { VIEW_SOLID_SNOW, VIEW_WATER_SNOW } view_which;
// Draws into `to`, which is bound and may have a margin around the picture. `radius_scale`: scale
// of the radii.
void view_spheres_draw(view_draw* draw, view_program program, view_which which, float radius_scale,
                       const gl_target* to);

// draw_colliders.c
void view_colliders_destroy(view_draw* draw);
void view_colliders_draw(view_draw* draw, const view_frame* frame, view_program program);
// Extends a box by the colliders that are near and not much larger than it.
void view_colliders_bound(const view_draw* draw, const view_frame* frame, float low[3],
                          float high[3]);

// draw_shadow.c
bool view_shadow_create(view_draw* draw);
void view_shadow_destroy(view_draw* draw);
// Fits the shadow map to the scene; call before the constants are uploaded.
void view_shadow_fit(view_draw* draw, const view_frame* frame);
void view_shadow_draw(view_draw* draw, const view_frame* frame);

// draw_surface.c
void view_surface_draw(view_draw* draw);
// Draws spheres and smooths their inverse depth; returns the texture.
GLuint view_surface_smooth(view_draw* draw, view_which which, int passes);

// draw_ground.c, draw_light.c, draw_water.c, draw_finish.c, draw_text.c
void view_ground_draw(view_draw* draw, const view_frame* frame);
void view_light_draw(view_draw* draw);
void view_water_draw(view_draw* draw, const view_frame* frame);
void view_finish_draw(view_draw* draw, GLuint framebuffer, bool water);
bool view_text_create(view_draw* draw);
void view_text_destroy(view_draw* draw);
void view_text_draw(view_draw* draw, const view_frame* frame);

// draw_gui.c
bool view_gui_create(view_draw* draw);
void view_gui_destroy(view_draw* draw);
void view_gui_draw(view_draw* draw, const view_frame* frame);
