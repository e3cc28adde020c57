// SPDX-License-Identifier: MIT
// The block `render` of a scene: camera, lights, and how snow scatters light.
#pragma once
#include "core/result.h"

// How snow scatters light (Stomakhin 2013, section 9). Used by the path tracer.
typedef struct firn_medium_block {
    double extinction;  // [1/m] at `density`; proportional to density elsewhere
    double density;     // [kg/m^3]
    double albedo[3];   // single-scattering albedo, per colour
    double anisotropy;  // g of Henyey and Greenstein
    double glints;      // share of the sun's light, scattered once, that single crystals mirror
    double voxel;       // [m] of the density grid; 0: a third of the solver's cell
    int32_t kernel;     // FIRN_MEDIUM_*
} firn_medium_block;
enum { FIRN_MEDIUM_SPLINE, FIRN_MEDIUM_ANISOTROPIC, FIRN_MEDIUM_DETAIL };

// The preview's snow coloured by a field: the first colour at `from`, the last at `to`.
typedef struct firn_colour_block {
    int32_t field;    // FIRN_FRAME_* (state/field_table.h); 0: none
    double from, to;  // in the field's unit
    int32_t colours;  // firn_colour_map
} firn_colour_block;

// An area light: a parallelogram that emits from its front, along edge_u x edge_v.
typedef struct firn_lamp {
    double center[3], edge_u[3], edge_v[3];  // [m]; full edge vectors
    double radiance[3];  // on the scale where a white sheet in full daylight is 1
    bool two_sided;
} firn_lamp;
#define FIRN_AREA_LIGHTS_MAX 16

// The sky without a picture: a fixed gradient, or the model of Preetham et al. 1999.
enum { FIRN_SKY_GRADIENT, FIRN_SKY_SUN_SKY };

// Tone mapping by name (render/image/tone.h).
typedef enum firn_tone_name {
    FIRN_TONE_SHOULDER,
    FIRN_TONE_LINEAR,
    FIRN_TONE_FILMIC,
    FIRN_TONE_ACES,
    FIRN_TONE_AGX
} firn_tone_name;

// Layers of the .exr that are not always written: bits of firn_render_block.layers.
enum { FIRN_LAYER_LIGHT, FIRN_LAYER_VELOCITY, FIRN_LAYER_ID };

typedef struct firn_camera_key {
    double time;  // [s]
    double eye[3], look_at[3], fov_deg;
    double up[3];  // points to the top of the picture; 0: the vertical
} firn_camera_key;
#define FIRN_CAMERA_KEYS_MAX 256

// How a frame is rendered, by the preview and by the path tracer.
typedef struct firn_render_block {
    double eye[3], look_at[3];  // [m]
    double fov_deg;             // vertical field of view [degrees]
    int64_t width, height;      // [pixels], even
    double sun[3];              // direction towards the sun, any length
    double sun_strength, sky_strength;
    double sun_size;  // [degrees] angular diameter

    double lens;   // [m] diameter of the aperture; 0: pinhole
    double focus;  // [m] focus distance; 0: that of look_at
    // Rows (FIRN_KEY_ROWS): a count, then room for as many as there may be.
    int32_t camera_key_count;                           // 0: constant eye, look_at and fov
    firn_camera_key camera_keys[FIRN_CAMERA_KEYS_MAX];  // ascending in time; interpolated smoothly
    char* camera_file;              // owned: glTF file of the camera; null: the above
    char* camera_name;              // owned: of its camera; null: the only one
    firn_camera_key* camera_track;  // owned: the file's camera, ascending in time, linear between
    int32_t camera_track_count;     // 0: none
    double shutter;                 // fraction of a frame that it is open; 0: no motion blur

    char* sky_picture;  // owned: latitude-longitude .exr; null: the gradient
    double sky_turn;    // [degrees] about the vertical
    int32_t sky_model;  // FIRN_SKY_*
    // of the model sun-sky (render/sun_sky.h)
    double sky_turbidity;  // 2: clear, 10: hazy
    double sky_time;       // [h] solar time; below 0: `sun` is the direction
    double sky_latitude;   // [degrees] north
    int64_t sky_day;       // of the year, 1 to 366
    int32_t light_count;
    firn_lamp lights[FIRN_AREA_LIGHTS_MAX];
    firn_medium_block medium;

    int64_t samples;  // maximum paths per pixel
    double noise;     // stop where the relative standard error is below this; 0: never
    double seconds;   // per picture; 0: no limit
    int64_t seed;
    bool denoise;
    double exposure;  // [stops] for the tone-mapped picture
    int32_t tone;     // firn_tone_name
    uint32_t layers;  // bit FIRN_LAYER_*: extra layers of the .exr
    firn_colour_block colour_by;
} firn_render_block;

// Makes a bytewise copy of a block own its strings and arrays. False: out of memory; it owns what
// it has, the rest is null.
bool firn_render_own(firn_render_block* copy);
// Frees what the block owns.
void firn_render_release(firn_render_block* block);
