// SPDX-License-Identifier: MIT
// BSDFs: diffuse, rough coat over diffuse, metal, shadow catcher. Interfaces of transparent fluids
// have no BSDF: path_fluid.c reflects and refracts.
#pragma once
#include "math/rgb.h"
#include "math/vec3.h"
#include "render/paint/paint_sample.h"
#include "render/path/fast_math.h"
#include "render/path/rng.h"

typedef enum firn_surface_kind {
    FIRN_SURFACE_DIFFUSE,         // Lambert
    FIRN_SURFACE_ROUGH,           // diffuse base under a rough dielectric coat (GGX)
    FIRN_SURFACE_METAL,           // GGX with `colour` as reflectance at normal incidence
    FIRN_SURFACE_SHADOW_CATCHER,  // invisible except for shadows on it
    FIRN_SURFACE_DIELECTRIC       // smooth interface of a transparent fluid
} firn_surface_kind;

typedef struct firn_surface {
    firn_surface_kind kind;
    firn_rgb colour;  // albedo of the base, 0..1
    float roughness;  // 0.02 .. 1: GGX alpha = roughness^2
    float specular;   // reflectance of the coat at normal incidence, 0..1 (0.04: ice, plastic)
    // a floor in haze, and a plain one with a pattern, too (render/ground.h)
    float ground;         // [m] from the eye to what it looks at: scale of its pattern; 0: no floor
    float ground_pixel;   // width of a pixel at a distance of 1
    int32_t pattern;      // FIRN_LOOK_* of a procedural surface (render/pattern.h); 0: none
    float pattern_scale;  // its size
    firn_paint_picture picture;  // of the colour, on which `colour` is a factor; width 0: none
    int32_t painted;             // of a glTF file's material: its collider + 1; 0: it is none
    // dielectric only
    int32_t fluid;        // index of the fluid behind it
    float ior;            // index of refraction of the fluid
    firn_rgb absorption;  // [1/m] in it
    float scattering;     // [1/m] in it: isotropic, without loss
} firn_surface;

// A sampled direction: weight = f cos / pdf.
typedef struct firn_scatter {
    firn_vec3 to;     // unit; on the outer side of the surface
    firn_rgb weight;  // 0: absorbed
    float pdf;        // [1/sr]
} firn_scatter;

// These are defined in surface_scatter.h.
// The surface with its pattern at x, as seen along d from distance t [m]. `n`: unit normal.
FIRN_FN_ONCE firn_surface firn_surface_patterned(const firn_surface* s, firn_vec3 x, firn_vec3 n,
                                                 firn_vec3 d, float t);
// Of a floor (render/ground.h), seen like that; 0 with a pattern.
FIRN_FN_ONCE float firn_surface_unevenness(const firn_surface* s, firn_vec3 x, firn_vec3 n,
                                           firn_vec3 d, float t);
// `n` unit normal on the side that `from` (unit, away from the surface) lies on.
FIRN_FN_ONCE firn_scatter firn_surface_sample(const firn_surface* s, firn_vec3 n, firn_vec3 from,
                                              firn_rng* r);
// f cos and the pdf of firn_surface_sample for direction `to`.
FIRN_FN_ONCE firn_rgb firn_surface_eval(const firn_surface* s, firn_vec3 n, firn_vec3 from,
                                        firn_vec3 to, float* out_pdf);
