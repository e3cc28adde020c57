// SPDX-License-Identifier: MIT
// What the passes of a frame share: the drawing's insides, for the files draw_*.c only.
//
//     snow ──▶ shadow map ─────────────────────────────┐
//       │                                              ▼
//       ├─ spheres ──────────────▶┐                  light ─▶ water ─▶ tone ─▶ edges ─▶ words
//       └─ depth ─▶ smooth ─▶ surface ─▶ look, normal,   ▲
//     bodies, ground ────────────▶┘      depth ─▶ occlusion
//
// Everything solid is drawn without light into `solid` (what it looks like, where it faces, how far
// it is); light is worked out once per pixel after that, so that a million spheres behind each
// other cost no more of it than one.
#pragma once
#include "viewer/draw/draw.h"
#include "viewer/draw/font_atlas.h"
#include "viewer/draw/gl.h"
#include "viewer/draw/gl_target.h"

// Texture units; the sampler of a shader has the name that draw_programs.c lists.
typedef enum view_unit {
    VIEW_UNIT_POSITIONS,
    VIEW_UNIT_RADII,
    VIEW_UNIT_VALUES,
    VIEW_UNIT_PHASES,
    VIEW_UNIT_SCALE,
    VIEW_UNIT_DEPTH,
    VIEW_UNIT_LOOK,
    VIEW_UNIT_NORMAL,
    VIEW_UNIT_SHADOW,
    VIEW_UNIT_OCCLUSION,
    VIEW_UNIT_NEARNESS,
    VIEW_UNIT_GRAIN,
    VIEW_UNIT_LIGHT,
    VIEW_UNIT_THICKNESS,
    VIEW_UNIT_PICTURE,
    VIEW_UNIT_GLYPHS
} view_unit;

typedef enum view_program {
    VIEW_SPHERE,            // spheres into `solid`
    VIEW_SPHERE_DEPTH,      // spheres into `surface`
    VIEW_SPHERE_THICKNESS,  // how much water is behind a pixel
    VIEW_SPHERE_SHADOW,
    VIEW_BODY,
    VIEW_BODY_SHADOW,
    VIEW_GROUND,
    VIEW_SMOOTH,  // one direction of the filter over `surface`
    VIEW_MEDIAN,
    VIEW_SURFACE_SOLID,  // the filtered surface into `solid`
    VIEW_OCCLUSION,
    VIEW_OCCLUSION_BLUR,
    VIEW_LIGHT,
    VIEW_WATER,
    VIEW_TONE,
    VIEW_EDGES,
    VIEW_WORDS,
    VIEW_PROGRAMS
} view_program;

// As the block Frame of shaders/frame.glsl: std140, hence vectors of four.
typedef struct view_constants {
    float view[16];        // world to eye: x right, y up, z backward
    float projection[16];  // eye to clip
    float light[16];       // world to the shadow map's clip
    float eye[4];          // [m]; distance of the near plane [m]
    float sun[4];          // unit, towards it; 1: there are shadows
    float size[4];         // [pixels] width, height, and their inverses
    float lens[4];         // tangents of the half angles; |eye - look_at| [m]; pixels per tangent
    float snow[4];         // radius of all [m]; 1: radii, 1: phases are given; a usual radius [m]
    float scale[4];        // low; 1 / (high - low); 1: values are given; 1: style is the surface
    float shade[4];        // reach of occlusion [m]; pixel of the shadow map [m]; its depth [m]
} view_constants;

typedef struct view_spheres {
    GLuint buffers[4], textures[4];  // positions, radii, values, phases
    GLuint scale;                    // colours, 256 x 1
    int64_t count, count_max;        // drawn; that a texture buffer can hold
    int64_t count_given;
    uint64_t version;
    bool has_radii, has_values, has_phases;
    bool has_water, has_solid;
    float radius;           // [m] the usual one
    float low[3], high[3];  // [m] box of nearly all, without a few that fly far away
} view_spheres;

typedef struct view_mesh {
    GLuint array, buffers[3];  // vertices, normals, triangles
    GLsizei index_count;
    float low[3], high[3];  // [m] of the mesh itself
} view_mesh;

typedef struct view_targets {
    int width, height;
    gl_target solid;      // look and normal, with depth
    int margin;           // [pixels] of the next two on each side: there the filter finds its
                          // neighbours
    gl_target surface;    // nearness (1 / distance), colour and kind of the nearest spheres
    gl_target smooth[2];  // nearness between passes of the filter
    gl_target thickness;
    gl_target occlusion[2];  // half size
    gl_target light[2];      // linear light, before and after water
    gl_target picture;       // sRGB with luma, before edges are softened
} view_targets;

struct view_draw {
    GLuint programs[VIEW_PROGRAMS];
    GLint options[VIEW_PROGRAMS];  // place of the uniform `option` of a program
    GLuint constants_buffer;
    view_constants constants;
    GLuint screen;  // vertex array without attributes
    view_targets targets;
    gl_target shadow;
    view_spheres spheres;
    view_mesh* meshes;  // owned
    int mesh_count, mesh_room;
    font_atlas* font;  // owned
    GLuint words_array, words_buffer;
    float* words;  // owned; vertices of a frame's words
    int words_room;
    bool software;  // drawn by the CPU: smaller shadow maps
};

// draw_programs.c
bool view_programs_create(view_draw* draw, char* problem, int problem_size);
void view_programs_destroy(view_draw* draw);
void view_program_use(view_draw* draw, view_program program, float a, float b, float c, float d);
// Covers the target that is bound with one triangle.
void view_screen_draw(view_draw* draw);

// draw_spheres.c
bool view_spheres_create(view_draw* draw);
void view_spheres_destroy(view_draw* draw);
void view_spheres_send(view_draw* draw, const view_snow* snow);
typedef enum view_which { VIEW_SOLID_SNOW, VIEW_WATER_SNOW } view_which;
// Into `to`, which is bound, and may be larger than the picture by a margin. `swell`: factor on the
// radii.
void view_spheres_draw(view_draw* draw, view_program program, view_which which, float swell,
                       const gl_target* to);

// draw_bodies.c
void view_bodies_destroy(view_draw* draw);
void view_bodies_draw(view_draw* draw, const view_frame* frame, view_program program);
// Grows a box by those bodies that are not much larger than it.
void view_bodies_bound(const view_draw* draw, const view_frame* frame, float low[3], float high[3]);

// draw_shadow.c
bool view_shadow_create(view_draw* draw);
void view_shadow_destroy(view_draw* draw);
// Chooses what the map covers; before the constants are sent.
void view_shadow_fit(view_draw* draw, const view_frame* frame);
void view_shadow_draw(view_draw* draw, const view_frame* frame);

// draw_surface.c
void view_surface_draw(view_draw* draw);
// Spheres to a smoothed nearness; returns its texture.
GLuint view_surface_smooth(view_draw* draw, view_which which, int passes);

// draw_ground.c, draw_light.c, draw_water.c, draw_finish.c, draw_words.c
void view_ground_draw(view_draw* draw, const view_frame* frame);
void view_light_draw(view_draw* draw);
void view_water_draw(view_draw* draw, const view_frame* frame);
void view_finish_draw(view_draw* draw, GLuint framebuffer, bool water);
bool view_words_create(view_draw* draw);
void view_words_destroy(view_draw* draw);
void view_words_draw(view_draw* draw, const view_frame* frame);
